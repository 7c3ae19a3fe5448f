import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Transcription

final class TranscriptionServerTests: XCTestCase {
    func testTheToolAsksFirstAndItsWordsAreForeign() async throws {
        let rig = try ServerRig()
        let recording = try rig.rig.recording("meeting.wav", seconds: 8)
        let server = rig.server()
        let tools = server.listTools()
        XCTAssertEqual(tools.map(\.name), ["transcribe_audio"])
        XCTAssertEqual(tools.map(\.toolClass), [.outward])
        let arguments = JSONObject([.init("path", "~/meeting.wav"), .init("language", "en")])
        let preview = await server.preview(of: "transcribe_audio", arguments: arguments)
        XCTAssertEqual(
            preview, .touches("\(rig.folder)/meeting.wav · 16 kB · 0:08 → here:8080"))
        XCTAssertEqual(rig.transcriber.calls.count, 0)
        let output = try await server.callTool("transcribe_audio", arguments: arguments)
        let line = "meeting.wav · 0:08 · \(recording.words.count) words"
        XCTAssertEqual(output.summary, line)
        XCTAssertTrue(output.isUntrusted)
        XCTAssertFalse(output.isError)
        XCTAssertTrue(output.text.hasPrefix("Transcript of \(line):\n\n"))
        XCTAssertEqual(try rig.files(), ["meeting.wav"], "a model's call leaves no file")
    }

    func testWhatFailsIsToldToTheModelInASentence() async throws {
        let rig = try ServerRig()
        let server = rig.server()
        let arguments = JSONObject([.init("path", "gone.wav")])
        let missing = "\(rig.folder)/gone.wav does not exist."
        await assertThrows(ToolError.failed(missing)) {
            try await server.callTool("transcribe_audio", arguments: arguments)
        }
        let preview = await server.preview(of: "transcribe_audio", arguments: arguments)
        XCTAssertEqual(preview, .fails(ToolOutput(text: missing, isError: true)))
    }

    func testAMessageThatNamesAFileIsUnderstoodAndDoesWhatTheCommandDoes() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("my talk.wav", seconds: 4)
        _ = try rig.rig.recording("a.wav", seconds: 4)
        let server = rig.server()
        for message in [
            "transcribe a.wav", "Transcribe ~/a.wav", "please transcribe a.wav ",
            "transcribe \(rig.folder)/a.wav", "transcribe my talk.wav",
            "transcribe \"my talk.wav\"",
            "transcribe 'a.wav'", "transcribe my\\ talk.wav", "transcribe @a.wav",
        ] {
            let match = server.canHandle(message: message)
            XCTAssertTrue(match.isComplete, message)
            XCTAssertGreaterThanOrEqual(match.confidence, IntentRouter.completeThreshold)
        }
        for message in [
            "transcribe", "transcribe what I say", "do not transcribe a.wav",
            "transcribe a.wav\nand then", "transcription a.wav", "",
        ] {
            XCTAssertFalse(server.canHandle(message: message).isComplete, message)
        }
        XCTAssertEqual(
            server.canHandle(message: "transcribe gone.wav").fallbackMessage,
            "There is no file \"gone.wav\". With its path: chat transcribe FILE")
        XCTAssertEqual(rig.transcriber.calls.count, 0, "judging sends nothing")
        let answer = try await server.handle(message: "transcribe my talk.wav")
        let shown = (answer?.lines ?? []).map { $0.text + "\n" }.joined()
        XCTAssertEqual(shown, try rig.read("my talk.txt"))
        XCTAssertNil(answer?.document)
        for message in ["transcribe gone.wav", "transcribe .", "transcribe /dev/null"] {
            let none = try await server.handle(message: message)
            XCTAssertNil(none, message)
            XCTAssertNil(server.command(for: PlainMessage(message)), message)
        }
    }

    func testFactsAreShort() {
        XCTAssertEqual(TranscriptFacts.clock(7.4), "0:07")
        XCTAssertEqual(TranscriptFacts.clock(750), "12:30")
        XCTAssertEqual(TranscriptFacts.clock(3_723), "1:02:03")
        XCTAssertEqual(TranscriptFacts.clock(.nan), "0:00")
        XCTAssertEqual(TranscriptFacts.grouped(1_834), "1,834")
        XCTAssertEqual(TranscriptFacts.grouped(12), "12")
        XCTAssertEqual(TranscriptFacts.grouped(1_000_000), "1,000,000")
        XCTAssertEqual(TranscriptFacts.size(999), "999 bytes")
        XCTAssertEqual(TranscriptFacts.size(25_000_000), "25.0 MB")
        XCTAssertEqual(TranscriptFacts.size(999_600), "1.0 MB")
        XCTAssertEqual(
            TranscriptFacts.line(file: "a.ogg", duration: nil, text: "one"), "a.ogg · 1 word")
        XCTAssertEqual(
            TranscriptFacts.line(file: "a.ogg", duration: 3, text: " "), "a.ogg · 0:03 · no words")
    }
}
