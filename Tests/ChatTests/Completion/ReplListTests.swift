import AgentCore
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit

/// What the list offers that opens while one types at the prompt.
final class ReplListTests: XCTestCase {
    private func completer(home: String = "/nonexistent") -> ReplCompleter {
        let completer = ReplCompleter(home: home)
        completer.set(CommandCompleterTests.commands)
        var facts = CompletionFacts()
        facts.words[.item] = [CompletionWord("i1", "Tea cups"), CompletionWord("i12", "Old tea")]
        facts.words[.story] = [CompletionWord("s3", "Alice in Wonderland")]
        completer.set(facts)
        return completer
    }

    private func labels(_ before: String, _ after: String = "") -> [String]? {
        completer().list(before, after)?.candidates.map { $0.label ?? $0.text }
    }

    private func isMarked(_ before: String) -> Bool? {
        completer().list(before, "")?.suggestsFirst
    }

    func testItBelongsToACommandsNameAndToWordsWithAnAt() {
        for (before, after) in [
            ("", ""), ("model", ""), ("//x", ""), ("/tmp/x", ""), ("/model ", ""), ("/model x", ""),
            (" /mo", ""), ("/mo", "del"), ("eve@example.org", ""), ("see @te", "a"), ("a b", ""),
            (String(repeating: "x", count: 30_000) + " @te", ""),
        ] {
            XCTAssertNil(labels(before, after), "\(before)|\(after)")
        }
        XCTAssertNotNil(labels("/mo", " and more"))
        XCTAssertNotNil(labels("see @te", "\nmore"))
        XCTAssertNotNil(labels("it's \"quoted\" @te"))
        XCTAssertNotNil(labels("/attach @te"))
    }

    func testCommandsAreTheOnesOfTabWithWhatTheyTake() throws {
        let all = try XCTUnwrap(completer().list("/", ""))
        XCTAssertEqual(
            Set(all.candidates.map(\.text)), Set(completer().complete("/").candidates.map(\.text)))
        let model = try XCTUnwrap(completer().list("/mdl", "")?.candidates.first)
        XCTAssertEqual(model.text, "/model")
        XCTAssertEqual(model.usage, "[MODEL|list]")
        XCTAssertEqual(model.detail, SlashCommand.model.verb.summary)
        XCTAssertEqual(model.detail, completer().complete("/model").candidates.first?.detail)
        let reminders = try XCTUnwrap(completer().list("/reminders", "")?.candidates.first)
        XCTAssertTrue(reminders.usage.contains("|"), reminders.usage)
    }

    func testBeginningsComeFirstThenLettersThenWhatTheyDo() {
        XCTAssertEqual(labels("/mo")?.first, "/model")
        XCTAssertEqual(labels("/rem")?.first, "/reminders")
        XCTAssertEqual(labels("/")?.prefix(4), ["/new", "/resume", "/search", "/reminders"])
        // A verb by its name, with what it belongs to.
        XCTAssertEqual(labels("/pars"), ["/reminders parse"])
        XCTAssertEqual(labels("/aloud"), ["/say", "/speak"])
        XCTAssertEqual(labels("/zzz"), [])
    }

    func testEnterEntersWhatIsACommandAlready() {
        XCTAssertEqual(isMarked("/mo"), true)
        XCTAssertEqual(isMarked("/model"), true)
        // Other names of commands: nothing is put in their place.
        XCTAssertEqual(isMarked("/q"), false)
        XCTAssertEqual(isMarked("/exit"), false)
        XCTAssertEqual(isMarked("/p"), false)
        // Letters of a name that are not its beginning: the words of other programs.
        for word in ["/clear", "/cost", "/mdl", "/inder"] {
            XCTAssertEqual(isMarked(word), false, word)
        }
        // Only by what it does.
        XCTAssertEqual(isMarked("/aloud"), false)
    }

    func testAnAtOffersItemsAndStories() {
        XCTAssertEqual(labels("@i1"), ["i1", "i12"])
        XCTAssertEqual(labels("see @tea"), ["i1", "i12"])
        XCTAssertEqual(labels("@s3"), ["s3"])
        XCTAssertEqual(labels("@wonder"), ["s3"])
        XCTAssertEqual(isMarked("@i1"), true)
        XCTAssertEqual(isMarked("@old"), true)
        // Any of these may stand in a message as they are.
        for text in ["@", "@wonder", "@8", "see you @e"] {
            XCTAssertNotEqual(isMarked(text), true, text)
        }
    }

    func testFilesAreReadBesideTheTypingAndToldOf() throws {
        let folder = try TemporaryFolder()
        for name in ["main.swift", "my notes.txt", ".secret", "Makefile"] {
            try Data().write(to: URL(fileURLWithPath: "\(folder.path)/\(name)"))
        }
        try FileManager.default.createDirectory(
            at: URL(fileURLWithPath: folder.path + "/docs"), withIntermediateDirectories: false)
        let completer = completer(home: folder.path)
        let read = Gate()
        completer.folders.onChange { read.open() }
        // Nothing is known yet, and nobody waits.
        XCTAssertEqual(completer.list("@~/", "")?.candidates, [])
        read.block()
        func labels(_ before: String) -> [String] {
            completer.list(before, "")?.candidates.map { $0.label ?? "" } ?? []
        }
        XCTAssertEqual(labels("@~/"), ["Makefile", "docs/", "main.swift", "my notes.txt"])
        XCTAssertEqual(labels("@~/ms"), ["main.swift"])
        XCTAssertEqual(labels("@~/m"), ["Makefile", "main.swift", "my notes.txt"])
        XCTAssertEqual(labels("@~/."), [".secret"])
        let notes = completer.list("@~/my", "")
        XCTAssertEqual(notes?.candidates.first?.text, "@~/my\\ notes.txt")
        XCTAssertEqual(notes?.suggestsFirst, true)
        let docs = completer.list("@~/d", "")
        XCTAssertEqual(docs?.candidates.first, .init("@~/docs/", label: "docs/", isComplete: false))
    }

    func testAFolderIsReadAnewWhenItIsBegunAndToldOfOnlyWhenItHasChanged() throws {
        let folder = try TemporaryFolder()
        let names = FolderNames(files: FileNames(home: folder.path))
        let told = Mutex(0)
        names.onChange { told.withLock { $0 += 1 } }
        func ask() -> [String]? {
            defer { names.settle() }
            return names.entries(in: "~/", isFirst: true)?.map(\.label)
        }
        XCTAssertNil(ask())
        XCTAssertEqual(told.withLock { $0 }, 1)
        // The list asks because it was told, and that reads nothing.
        XCTAssertEqual(ask(), [])
        // Begun again: it is read, and nobody is told of what is known.
        XCTAssertEqual(ask(), [])
        XCTAssertEqual(told.withLock { $0 }, 1)
        try folder.write(Array("x".utf8), to: "new.txt")
        XCTAssertEqual(ask(), [])
        XCTAssertEqual(told.withLock { $0 }, 2)
        XCTAssertEqual(ask(), ["new.txt"])
    }

    func testAListOfManyFilesIsMadeInABoundedTime() throws {
        let folder = try TemporaryFolder()
        for number in 0..<6_000 {
            XCTAssertTrue(
                FileManager.default.createFile(
                    atPath: "\(folder.path)/report\(number).txt", contents: nil))
        }
        let completer = completer(home: folder.path)
        let read = Gate()
        completer.folders.onChange { read.open() }
        _ = completer.list("@~/", "")
        read.block()
        let time = ProcessorTime.measure {
            XCTAssertEqual(completer.list("@~/rt1", "")?.candidates.count, 200)
        }
        // A debug build; a release build takes a tenth of it.
        XCTAssertLessThan(time, .milliseconds(1_000))
    }
}
