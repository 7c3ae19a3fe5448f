import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

final class TranscriptItemTests: XCTestCase {
    func testATranscriptBecomesAnItemOfItsFileLengthAndLanguage() async throws {
        let rig = try ServerRig(hasLibrary: true)
        _ = try rig.rig.recording("my talk.wav", seconds: 8)
        let output = try await rig.run("my talk.wav", "--language", "en", "--json")
        let item = try await store(rig.library).liveItem(ItemID(rawValue: 1))
        XCTAssertEqual(item.kind, .transcript)
        XCTAssertEqual(item.title, "my talk")
        XCTAssertEqual(item.body, output.json?["text"]?.stringValue)
        XCTAssertFalse(item.body.isEmpty)
        XCTAssertEqual(item.metadata["file"]?.stringValue, "my talk.wav")
        XCTAssertEqual(item.metadata["path"]?.stringValue, "\(rig.folder)/my talk.wav")
        XCTAssertEqual(item.metadata["duration"], .number("8.0"))
        XCTAssertEqual(item.metadata["language"]?.stringValue, "en")
        XCTAssertTrue(item.hasUntrustedText)
        XCTAssertEqual(output.json?["item"]?.stringValue, "i1")
        XCTAssertEqual(output.remarks.last?.text, "kept as i1 · /undo")
    }

    func testTheSameWordsOfTheSameFileAreKeptOnceAndWhatWasMadeOfThemStays() async throws {
        let rig = try ServerRig(hasLibrary: true)
        _ = try rig.rig.recording("talk.wav", seconds: 4)
        _ = try await rig.run("talk.wav")
        let library = try store(rig.library)
        _ = try await library.change(ItemID(rawValue: 1), ItemChange(body: "mine now"))
        let again = try await rig.run("talk.wav", "--json")
        XCTAssertEqual(again.json?["item"]?.stringValue, "i1")
        let body = try await library.liveItem(ItemID(rawValue: 1)).body
        XCTAssertEqual(body, "mine now")
        // Another file, though it says the same, is another transcript.
        _ = try rig.rig.recording("copy.wav", seconds: 4)
        _ = try await rig.run("copy.wav")
        let count = try await library.count()
        XCTAssertEqual(count, 2)
        // One that was thrown away does not stand in the way of a new one.
        _ = try await library.trash([ItemID(rawValue: 1)])
        let third = try await rig.run("talk.wav", "--json")
        XCTAssertEqual(third.json?["item"]?.stringValue, "i3")
    }

    func testTheToolNamesTheItem() async throws {
        let rig = try ServerRig(hasLibrary: true)
        _ = try rig.rig.recording("talk.wav", seconds: 4)
        let output = try await rig.server().callTool(
            "transcribe_audio", arguments: JSONObject([.init("path", "talk.wav")]))
        XCTAssertTrue(output.text.hasSuffix("(kept in the library as i1)"), output.text)
        XCTAssertTrue(output.isUntrusted)
    }

    func testNothingIsKeptThatIsDictatedOrNotWanted() async throws {
        let rig = try ServerRig(hasLibrary: true)
        try FileManager.default.createDirectory(
            atPath: rig.folder + "/recordings", withIntermediateDirectories: false)
        _ = try rig.rig.recording("recordings/said.wav", seconds: 4)
        let output = try await rig.run("recordings/said.wav", "--json")
        XCTAssertEqual(output.json?["item"], .null)
        let count = try await store(rig.library).count()
        XCTAssertEqual(count, 0)
        let off = try ServerRig(hasLibrary: true, keepsItems: false)
        _ = try off.rig.recording("talk.wav", seconds: 4)
        _ = try await off.run("talk.wav")
        let none = try await store(off.library).count()
        XCTAssertEqual(none, 0)
    }

    func testALibraryThatCannotBeWrittenCostsNoWords() async throws {
        let rig = try ServerRig(hasLibrary: true)
        _ = try rig.rig.recording("talk.wav", seconds: 4)
        try FileManager.default.createDirectory(
            atPath: rig.folder + "/state", withIntermediateDirectories: true)
        try rig.rig.folder.write(Array("no database".utf8), to: "state/chat.db")
        let output = try await rig.run("talk.wav")
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertEqual(output.documentText?.isEmpty, false)
        XCTAssertTrue(
            output.notices.contains { $0.hasPrefix("Not kept in the library: ") },
            "\(output.notices)")
    }

    private func store(_ library: LibraryStore?) throws -> LibraryStore {
        try XCTUnwrap(library)
    }
}
