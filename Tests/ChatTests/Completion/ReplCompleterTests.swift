import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit

/// What Tab inserts and lists at the prompt.
final class ReplCompleterTests: XCTestCase {
    private func completer(home: String = "/nonexistent") -> ReplCompleter {
        let completer = ReplCompleter(home: home)
        completer.set(CommandCompleterTests.commands)
        var facts = CompletionFacts()
        facts.conversations = [
            ("aaaa1111-x", "Trip to Oslo", "yesterday"),
            ("bbbb2222-x", "Trip to Rome", "2 days ago"),
            ("cccc3333-x", "日本語の勉強", "in March"), ("dddd4444-x", "日本語の勉強", "in May"),
        ]
        facts.words[.model] =
            [CompletionWord("claude-x", "Claude"), CompletionWord("gpt-y", "OpenAI")]
            + (1...20).map {
                CompletionWord("local-\($0):日本", "on this machine, model number \($0)")
            }
        facts.words[.list] = [CompletionWord("shopping list")]
        completer.set(facts)
        return completer
    }

    private func inserted(_ line: String, home: String = "/nonexistent") -> String? {
        let completion = completer(home: home).complete(line)
        guard line.hasSuffix(completion.replacing) else {
            return "replaces \(completion.replacing)"
        }
        return completion.insertion.map { line.dropLast(completion.replacing.count) + $0 }
    }

    func testCommandsVerbsOptionsAndValuesAreInserted() {
        XCTAssertEqual(inserted("/remi"), "/reminders ")
        XCTAssertEqual(inserted("/reminders pa"), "/reminders parse ")
        XCTAssertEqual(inserted("/reminders add milk --pri"), "/reminders add milk --priority ")
        XCTAssertEqual(
            inserted("/reminders list --list sh"), "/reminders list --list shopping\\ list ")
        XCTAssertEqual(
            inserted("/reminders list --list=sh"), "/reminders list --list=shopping\\ list ")
        XCTAssertEqual(inserted("/reminders list --list=x to"), "/reminders list --list=x today ")
        XCTAssertEqual(inserted("/model CL"), "/model claude-x ")
        XCTAssertEqual(inserted("/thinking s"), "/thinking summary ")
        XCTAssertEqual(inserted("/help thin"), "/help thinking ")
        XCTAssertEqual(inserted("/say --ra"), "/say --rate ")
        XCTAssertEqual(inserted("/record --ke"), "/record --keep ")
        // A short name has what its verb takes.
        XCTAssertEqual(inserted("/models"), nil)
        XCTAssertEqual(inserted("/snooze 2"), "/snooze 2h ")
        XCTAssertEqual(inserted("/export md --y"), "/export md --yes ")
        XCTAssertNil(inserted("a message"))
        XCTAssertNil(inserted("//rem"))
    }

    func testItemsAreMeantByTheirNumberOrTheBeginningOfTheirTitle() {
        let completer = completer()
        var facts = CompletionFacts()
        facts.words[.item] = [CompletionWord("i12", "Tea cups"), CompletionWord("i3", "Old tea")]
        completer.set(facts)
        func offered(_ line: String) -> [String] {
            completer.complete(line).candidates.map(\.text)
        }
        XCTAssertEqual(offered("see @i"), ["@i12", "@i3"])
        XCTAssertEqual(offered("see @i1"), ["@i12"])
        XCTAssertEqual(offered("see @TEA"), ["@i12"])
        XCTAssertEqual(offered("/attach i3"), ["i3"])
        XCTAssertEqual(offered("/attach old"), ["i3"])
        XCTAssertEqual(offered("see @zz"), [])
    }

    func testConversationsAreMeantByTheirTitleSpacesAndAll() {
        XCTAssertEqual(inserted("/resume tr"), "/resume Trip to ")
        XCTAssertEqual(inserted("/resume Trip to O"), "/resume Trip to Oslo ")
        XCTAssertEqual(inserted("/resume bbbb"), "/resume bbbb2222 ")
        XCTAssertEqual(
            inserted("/conversations rename \"Trip to R"), "/conversations rename Trip\\ to\\ Rome "
        )
        XCTAssertEqual(
            completer().complete("/resume 日").candidates.map(\.text), ["日本語の勉強", "dddd4444"])
    }

    func testFilesAreCompletedQuotedAndHiddenOnesOnlyWhenAsked() throws {
        let folder = try TemporaryFolder()
        for name in ["notes one.txt", "notes two.txt", ".secret", "photo.png"] {
            try Data().write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: folder.path + "/docs"), withIntermediateDirectories: false)
        let path = folder.path
        XCTAssertEqual(inserted("/attach \(path)/no"), "/attach \(path)/notes\\ ")
        XCTAssertEqual(inserted("/attach \(path)/notes\\ o"), "/attach \(path)/notes\\ one.txt ")
        XCTAssertEqual(inserted("/attach \(path)/d"), "/attach \(path)/docs/")
        XCTAssertEqual(inserted("look at @\(path)/ph"), "look at @\(path)/photo.png ")
        XCTAssertEqual(inserted("@~/ph", home: path), "@~/photo.png ")
        XCTAssertEqual(inserted("/attach ~", home: path), "/attach ~/")
        XCTAssertEqual(inserted("/attach \(path)/."), "/attach \(path)/.secret ")
        XCTAssertEqual(
            completer().complete("/attach \(path)/").candidates.map { $0.label ?? "" },
            ["docs/", "notes one.txt", "notes two.txt", "photo.png"])
    }

    func testListsAtTwoWidthsWithWideCharacters() throws {
        var text = ""
        for columns in [80, 40] {
            for line in ["/model ", "/resume ", "/reminders add --", "/effort "] {
                text += "== \(columns) columns, \"\(line)\"\n"
                let rows = completer().complete(line).rows(columns: columns)
                for row in rows { XCTAssertLessThan(DisplayWidth.of(row), columns) }
                text += rows.joined(separator: "\n") + "\n"
            }
        }
        try GoldenFile.check(text, "completion.txt")
    }

    func testAFolderOfManyFilesIsReadInABoundedTime() throws {
        let folder = try TemporaryFolder()
        for number in 0..<3_000 {
            XCTAssertEqual(
                FileManager.default.createFile(
                    atPath: "\(folder.path)/file\(number)", contents: nil), true)
        }
        let files = FileNames(home: "/")
        let time = ProcessorTime.measure {
            XCTAssertEqual(files.names(beginning: folder.path + "/f").count, FileNames.limit)
        }
        XCTAssertLessThan(time, .milliseconds(50))
    }
}
