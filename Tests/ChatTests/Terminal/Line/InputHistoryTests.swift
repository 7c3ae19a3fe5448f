import Foundation
import XCTest

@testable import chat

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
        XCTAssertEqual(next.load(), ["one", "two\nlines \\n", "grün 日本", "c:\\path\\new"])
    }

    func testPrivateEmptyAndRepeatedEntriesAreNotKept() {
        var history = InputHistory(path: path)
        XCTAssertTrue(history.append("one"))
        for entry in [" secret", "", "one"] { XCTAssertFalse(history.append(entry)) }
        XCTAssertTrue(history.append("two"))
        var next = InputHistory(path: path)
        XCTAssertEqual(next.load(), ["one", "two"])
        XCTAssertFalse(next.append("two"))
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
        XCTAssertEqual(history.load().sorted(), wanted.sorted())
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
        XCTAssertEqual(entries.count, InputHistory.loadLimit)
        XCTAssertEqual(entries.suffix(2), ["entry number 199999", "\u{FFFD}a"])
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

    func testAHistoryThatCannotBeWrittenIsQuiet() {
        var history = InputHistory(path: "/proc/no/such/history")
        XCTAssertEqual(history.load(), [])
        XCTAssertTrue(history.append("one"))
        var none = InputHistory(path: nil)
        XCTAssertTrue(none.append("one"))
        XCTAssertFalse(none.append("one"))
    }
}
