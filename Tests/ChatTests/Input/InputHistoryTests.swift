import Foundation
import TestSupport
import XCTest

@testable import ChatKit
@testable import TerminalKit

/// The history file: private, shared by instances, never rewritten.
final class InputHistoryTests: XCTestCase {
    private var folder = ""

    override func setUpWithError() throws {
        folder = NSTemporaryDirectory() + "history-" + UUID().uuidString
    }

    override func tearDown() { try? FileManager.default.removeItem(atPath: folder) }

    private var path: String { folder + "/state/history" }

    func testEntriesComeBackInOrderWithLineBreaks() throws {
        var history = InputHistory(path: path)
        XCTAssertEqual(history.load(), [])
        for entry in ["one", "two\nlines \\n", "grün 日本", "c:\\path\\new"] { history.append(entry) }
        var next = InputHistory(path: path)
        XCTAssertEqual(
            next.load().map(\.text), ["one", "two\nlines \\n", "grün 日本", "c:\\path\\new"])
    }

    func testPrivateEmptyAndRepeatedEntriesAreNotKept() {
        var history = InputHistory(path: path)
        XCTAssertTrue(history.append("one"))
        for entry in [" secret", "", "one"] { XCTAssertFalse(history.append(entry)) }
        XCTAssertTrue(history.append("two"))
        var next = InputHistory(path: path)
        XCTAssertEqual(next.load().map(\.text), ["one", "two"])
        XCTAssertFalse(next.append("two"))
    }

    /// Whatever stands at the path is neither read, written nor waited for.
    func testOnlyARegularFileWithOneNameIsUsed() throws {
        let manager = FileManager.default
        try manager.createDirectory(
            atPath: folder + "/state", withIntermediateDirectories: true)
        let victim = folder + "/victim"
        let words = Data("theirs\n".utf8)
        for reason in [PrivateFile.Refusal.Reason.link, .otherNames, .notRegular] {
            try? manager.removeItem(atPath: path)
            try words.write(to: URL(fileURLWithPath: victim))
            switch reason {
            case .link: XCTAssertEqual(symlink(victim, path), 0)
            case .otherNames: XCTAssertEqual(link(victim, path), 0)
            default: XCTAssertEqual(mkfifo(path, 0o600), 0)
            }
            var history = InputHistory(path: path)
            XCTAssertEqual(history.load(), [])
            XCTAssertTrue(history.append("mine"))
            XCTAssertEqual(history.entries.map(\.text), ["mine"], "it is kept in memory")
            XCTAssertEqual(try Data(contentsOf: URL(fileURLWithPath: victim)), words)
            XCTAssertEqual(PrivateFile.refusal(path), .init(reason: reason, path: path))
        }
        try manager.removeItem(atPath: path)
        XCTAssertNil(PrivateFile.refusal(path))
    }

    func testFileAndFoldersArePrivate() throws {
        var history = InputHistory(path: path)
        history.append("one")
        let manager = FileManager.default
        let file = try manager.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        let state = try manager.attributesOfItem(atPath: folder + "/state")[.posixPermissions]
        XCTAssertEqual(file, 0o600)
        XCTAssertEqual(state as? Int, 0o700)
    }

    func testOtherInstancesLinesAreNotLost() {
        let path = path
        DispatchQueue.concurrentPerform(iterations: 8) { instance in
            var history = InputHistory(path: path)
            for entry in 0..<50 { history.append("\(instance)-\(entry)") }
        }
        var history = InputHistory(path: path)
        let wanted = (0..<8).flatMap { instance in (0..<50).map { "\(instance)-\($0)" } }
        XCTAssertEqual(history.load().map(\.text).sorted(), wanted.sorted())
    }

    func testOnlyTheEndOfALongFileIsLoadedAndBadBytesAreTolerated() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/state", withIntermediateDirectories: true)
        var bytes = Data()
        for entry in 0..<200_000 { bytes += Data("entry number \(entry)\n".utf8) }
        bytes += Data([0xFF, 0x61, 0x0A])
        try bytes.write(to: URL(fileURLWithPath: path))
        var history = InputHistory(path: path)
        let entries = history.load()
        XCTAssertEqual(entries.count, LineEditor.historyLimit)
        XCTAssertEqual(entries.suffix(2).map(\.text), ["entry number 199999", "\u{FFFD}a"])
    }

    func testAVeryLongFileIsCutToItsEnd() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/state", withIntermediateDirectories: true)
        let line = String(repeating: "x", count: 99) + "\n"
        let size = InputHistory.compactionBytes
        try Data(String(repeating: line, count: size / 100 + 1).utf8)
            .write(to: URL(fileURLWithPath: path))
        var history = InputHistory(path: path)
        history.append("the newest")
        let cut = try Data(contentsOf: URL(fileURLWithPath: path))
        XCTAssertLessThanOrEqual(cut.count, InputHistory.loadBytes)
        XCTAssertTrue(String(decoding: cut, as: UTF8.self).hasSuffix("x\nthe newest\n"))
    }

    func testAnEntryKeepsItsConversationAndItsTime() throws {
        let place = HistoryEntry.Origin(
            time: 1_767_225_600, conversation: "0a1b", title: "Trip\tto \\ Oslo")
        var history = InputHistory(path: path) { place }
        history.append("one\ttab\nand \\: two")
        XCTAssertEqual(
            try String(contentsOfFile: path, encoding: .utf8),
            "\\:1767225600\t0a1b\tTrip to \\\\ Oslo\tone\ttab\\nand \\\\: two\n")
        var next = InputHistory(path: path)
        var kept = place
        kept.title = "Trip to \\ Oslo"
        XCTAssertEqual(next.load(), [HistoryEntry("one\ttab\nand \\: two", kept)])
        // As an older version wrote it, and what is no line of ours.
        XCTAssertEqual(HistoryEntry(line: Array("a\\\\b\\nc".utf8)[...]), HistoryEntry("a\\b\nc"))
        XCTAssertNil(HistoryEntry(line: Array("\\:soon\ta\tb\tc".utf8)[...]).place)
    }

    func testOwnEntriesComeLastAndThoseOfOthersAreSeenMeanwhile() {
        var first = InputHistory(path: path)
        first.append("old")
        var here = InputHistory(path: path)
        XCTAssertEqual(here.load().map(\.text), ["old"])
        XCTAssertFalse(here.refresh())
        here.append("mine 1")
        first.append("theirs 1")
        here.append("mine 2")
        first.append("theirs 2")
        first.append("mine 1")
        XCTAssertTrue(here.refresh())
        XCTAssertEqual(
            here.entries.map(\.text), ["old", "theirs 1", "theirs 2", "mine 1", "mine 2"])
        XCTAssertFalse(here.refresh())
        // Typed again: once, at the end.
        here.append("theirs 1")
        here.append("old")
        XCTAssertEqual(
            here.entries.map(\.text), ["theirs 2", "mine 1", "mine 2", "theirs 1", "old"])
    }

    func testALineThatIsStillBeingWrittenIsReadWhenItIsWhole() throws {
        var history = InputHistory(path: path)
        history.append("one")
        var other = InputHistory(path: path)
        other.load()
        let file = try XCTUnwrap(FileHandle(forWritingAtPath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("tw".utf8))
        XCTAssertFalse(other.refresh())
        try file.write(contentsOf: Data("o\n".utf8))
        XCTAssertTrue(other.refresh())
        XCTAssertEqual(other.entries.map(\.text), ["one", "two"])
        // Replaced by a shorter file, as when it is cut.
        try Data("three\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        XCTAssertTrue(other.refresh())
        XCTAssertEqual(other.entries.map(\.text), ["three"])
    }

    func testLinesThatLookLikeKeysAreNotKept() {
        let secrets = [
            "sk-ant-api03-abcdefghijkl", "my key is sk-proj-0123456789abcdef",
            "export K=ghp_0123456789abcdef",
            "0123456789abcdef0123456789abcdef",
        ]
        for secret in secrets { XCTAssertTrue(HistoryEntry.holdsSecret(secret), secret) }
        let texts = [
            "hello", "what is sk-learn?", "Donaudampfschifffahrtsgesellschaft",
            "/attach /a/very/long/path/to/a/file-2026-03-05.txt",
            "https://example.org/0123456789abcdef01",
        ]
        for text in texts { XCTAssertFalse(HistoryEntry.holdsSecret(text), text) }
        var history = InputHistory(path: path)
        XCTAssertFalse(history.append(secrets[0]))
        XCTAssertEqual(history.entries, [])
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    func testAMillionLinesAreOpenedAtOnce() throws {
        try FileManager.default.createDirectory(
            atPath: folder + "/state", withIntermediateDirectories: true)
        let thousand = (0..<1_000).map { "\\:1767225600\t0a1b\tTrip\tline \($0)\n" }.joined()
        try Data(String(repeating: thousand, count: 1_000).utf8)
            .write(to: URL(fileURLWithPath: path))
        var history = InputHistory(path: path)
        let time = ProcessorTime.measure { XCTAssertEqual(history.load().count, 1_000) }
        // A guard against reading all of them: a busy machine takes 0.3 s for the newest.
        XCTAssertLessThan(time, .seconds(1))
    }

    func testTheListIsNewestFirstWithAgeAndConversation() {
        let request = HistoryPicker.request(
            [
                HistoryEntry("old"),
                HistoryEntry("two\nlines", .init(time: 1_000, conversation: "x", title: "Oslo")),
            ], query: "li", now: 1_000 + 3_600)
        XCTAssertEqual(request.items.map(\.id), ["1", "0"])
        XCTAssertEqual(request.items.map(\.title), ["two ⏎ lines", "old"])
        XCTAssertEqual(request.items[0].detail, "1 h ago · Oslo")
        XCTAssertEqual(request.items[1].detail, "")
        XCTAssertEqual(request.initialQuery, "li")
    }

    func testAHistoryThatCannotBeWrittenIsQuiet() {
        var history = InputHistory(path: "/proc/no/such/history")
        XCTAssertEqual(history.load(), [])
        XCTAssertTrue(history.append("one"))
    }
}

extension InputHistory {
    /// As at the start of the program.
    @discardableResult
    fileprivate mutating func load() -> [HistoryEntry] {
        refresh()
        return entries
    }
}
