import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Recordings that become words, in the real program, at a transcription
/// service and a provider on loopback.
final class TranscribeTests: XCTestCase {
    private let said = "we ship on friday and anna writes the notes"

    /// What stands in the line, below a text.
    private func waitForDraft(_ line: String, _ repl: ChatTerminal) throws {
        try repl.terminal.waitFor("the line “\(line)”") { screen in
            screen.lines.last { !$0.isEmpty } == line
        }
    }

    func testTheWordsLandInTheLineAreSentOnceAndKeptAsAFile() throws {
        let server = try ProviderServer(.messages, [.text("Noted.")])
        let stub = try TranscriptionServerStub(.json(said))
        let chat = try TranscribedSound.program(stub, server)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "my talk.wav")
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        repl.enter("/transcribe '\(path)'")
        try waitForDraft("> \(said)", repl)
        try repl.waitFor("✓ my talk.wav · 0:02 · 9 words")
        repl.terminal.type(", agreed\r")
        try repl.waitForPrompt(after: "Noted.")
        try repl.waitFor("+ my talk.txt  43 bytes, 1 line, kept: the message has its words")
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: \(said), agreed"])
        XCTAssertEqual(stub.uploads.map { $0.file?.body }, [TranscribedSound.wave()])
        XCTAssertFalse(stub.uploads.first?.file?.filename?.contains("talk") ?? true)
        XCTAssertEqual(try chat.folder.read("my talk.txt"), Array("\(said)\n".utf8))
        let shown = try chat.run(["conversations", "export", "--format", "json"]).text
        XCTAssert(shown.contains("is_kept_only"), shown)
        server.finish()
    }

    func testSendSendsAtOnceAndASpokenReminderNeedsNoModel() throws {
        let server = try ProviderServer(.messages, [])
        let stub = try TranscriptionServerStub(.json("Remind me to call mom tomorrow at 5"))
        let chat = try TranscribedSound.program(stub, server)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/transcribe --send \(path)", until: "call mom")
        try repl.enter("/attach", until: "Nothing is attached.")
        repl.leave()
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]).arrayValue?.count, 1)
        XCTAssertEqual(server.allRequests.count, 0)
        server.finish()
    }

    func testEscapeStopsTheUploadAndNothingIsLeft() throws {
        let stub = try TranscriptionServerStub(.script(ServerScript([.stall])))
        let chat = try TranscribedSound.program(stub)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        for key in ["\u{1B}", "\u{03}"] {
            repl.enter("/transcribe \(path)")
            try repl.waitFor("Transcribing talk.wav")
            try repl.waitFor("Esc stops")
            repl.terminal.type(key)
            try repl.waitForPrompt(after: "Stopped.")
        }
        XCTAssertFalse(repl.terminal.screen.text.contains("Esc stops"))
        try repl.enter("/attach", until: "Nothing is attached.")
        repl.leave()
        XCTAssertFalse(FileManager.default.fileExists(atPath: chat.folder.path("talk.txt")))
        stub.stop()
    }

    func testSeveralRecordingsAndSubtitlesAreAsInTheShellWithThePanel() throws {
        let gate = Gate()
        let stub = try TranscriptionServerStub(
            .json(said), .script(ServerScript([.wait(gate)] + ServerScript.text(200, said).steps)),
            .json(said), .script(ServerScript([.stall])))
        let chat = try TranscribedSound.program(stub)
        let one = try chat.folder.write(TranscribedSound.wave(), to: "one.wav")
        let two = try chat.folder.write(TranscribedSound.wave(seconds: 3), to: "two.wav")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/transcribe \(one) \(two)")
        try repl.waitFor("Transcribing two.wav")
        gate.open()
        try repl.waitForPrompt(after: "✓ two.wav · 0:03 · 9 words")
        try repl.waitFor("==> \(one) <==")
        XCTAssertFalse(repl.terminal.screen.text.contains("Esc stops"))
        try repl.enter("/transcribe --json \(one)", until: "\"model\": \"whisper-1\"")
        repl.enter("/transcribe \(one) \(two) --no-save")
        try repl.waitFor("Transcribing one.wav")
        repl.terminal.type("\u{1B}")
        try repl.waitForPrompt(after: "Stopped.")
        repl.leave()
        stub.stop()
    }

    func testWordsThatWereThrownOutOfTheLineDoNotGoAlong() throws {
        let stub = try TranscriptionServerStub(.json(said))
        let chat = try TranscribedSound.program(stub)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/transcribe \(path)")
        try waitForDraft("> \(said)", repl)
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt(after: "talk.txt will not go with the next message")
        repl.terminal.type("some words\u{03}")
        try repl.waitForPrompt(after: "> some words")
        XCTAssertEqual(
            repl.terminal.screen.transcript.filter { $0.contains("will not go") }.count, 1)
        repl.leave()
        stub.stop()
    }

    func testADroppedRecordingIsTranscribedOnlyAfterAYes() throws {
        let stub = try TranscriptionServerStub(.json(said))
        let chat = try TranscribedSound.program(stub)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter(path)
        try repl.answer(
            "", to: "talk.wav is a recording. Transcribe it?", until: "Not transcribed.")
        XCTAssertEqual(stub.uploads.count, 0)
        try repl.waitForPrompt(after: "Not transcribed.")
        repl.enter("'\(path)' ")
        try repl.answer("y", to: "talk.wav is a recording. Transcribe it?", until: "> \(said)")
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt()
        repl.enter("look at @\(path)")
        try repl.waitFor("/transcribe FILE")
        // The message is given back.
        try repl.terminal.waitFor("the message") { $0.lines.last?.hasSuffix("talk.wav") ?? false }
        repl.terminal.type("\u{15}")
        try repl.waitForPrompt()
        repl.leave()
    }

    func testWordsThatNameAFileOrACommandDoNeither() throws {
        let server = try ProviderServer(.messages, [.text("Well.")])
        let chat = try TranscribedSound.program(try TranscriptionServerStub(.json("x")), server)
        let secret = try chat.folder.write(Array("inner".utf8), to: "notes.md")
        let stub = try TranscriptionServerStub(.json("/delete @\(secret) \u{1B}[2Jnow"))
        try chat.prepare(
            "config.json", #"{"transcription": {"base_url": "\#(stub.address)"}}"#)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        try repl.enter("/transcribe --send \(path)", until: "Well.")
        repl.leave()
        XCTAssertEqual(try server.messages(0), ["user: delete @\(secret) [2Jnow"])
        server.finish()
    }

    func testTheShellPrintsTheWordsAndSaysWhatIsMissing() throws {
        let stub = try TranscriptionServerStub(.json(said))
        let chat = try TranscribedSound.program(stub)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let done = try chat.run(["transcribe", path])
        XCTAssertEqual(done.exit, 0, done.errorText)
        XCTAssertEqual(done.text, said + "\n")
        let attached = try chat.run(["-p", "look", "--attach", path])
        XCTAssertEqual(attached.exit, 2)
        XCTAssert(attached.errorText.contains("chat transcribe FILE"), attached.errorText)
        let other = try ChatProgram()
        let missing = try other.run(["transcribe", path])
        XCTAssertEqual(missing.exit, 4)
        XCTAssertEqual(missing.text, "")
        XCTAssert(missing.errorText.contains("chat keys set openai"), missing.errorText)
        let gone = try chat.run(["transcribe", "/nowhere.m4a"])
        XCTAssertEqual(gone.exit, 1)
        XCTAssert(gone.errorText.hasPrefix("chat: /nowhere.m4a does not exist."), gone.errorText)
    }
}
