import Base
import Foundation
import TestSupport
import XCTest

/// What goes wrong with a recording on its way, in the real program: uploads
/// that are cut, a death in the middle, and the exit code of each trouble.
final class TranscribeFaultTests: XCTestCase {
    private let said = "we ship on friday and anna writes the notes"
    private let question = "Send it again?"

    // MARK: - A cut upload

    func testAnUploadThatWasCutIsSentAgainAfterAYesInTheShell() throws {
        let stub = try TranscriptionServerStub(.cutUpload(afterBytes: 100_000), .json(said))
        let chat = try TranscribedSound.program(stub)
        chat.isLedgerCompared = false
        let path = try chat.folder.write(TranscribedSound.wave(seconds: 300), to: "talk.wav")
        let shell = try ChatTerminal(chat, ["transcribe", path])
        try shell.answer("y", to: question, until: said)
        try shell.waitFor("The connection ended after")
        shell.assertEnd(0)
        XCTAssertEqual(stub.connectionCount, 2)
        XCTAssertEqual(try chat.folder.read("talk.txt"), Array("\(said)\n".utf8))
        stub.stop()
    }

    func testAnythingElseSendsNothingAgainAndEndsWithOne() throws {
        for word in ["", "n", "yes please"] {
            let stub = try TranscriptionServerStub(.cutUpload(afterBytes: 100_000), .json(said))
            let chat = try TranscribedSound.program(stub)
            chat.isLedgerCompared = false
            let path = try chat.folder.write(TranscribedSound.wave(seconds: 60), to: "talk.wav")
            let shell = try ChatTerminal(chat, ["transcribe", path])
            try shell.answer(word, to: question, until: "Run it again")
            shell.assertEnd(1)
            XCTAssertEqual(stub.connectionCount, 1, word)
            stub.stop()
        }
    }

    func testWithoutATerminalNothingIsSentAgain() throws {
        let stub = try TranscriptionServerStub(.cutUpload(afterBytes: 100_000), .json(said))
        let chat = try TranscribedSound.program(stub)
        chat.isLedgerCompared = false
        let path = try chat.folder.write(TranscribedSound.wave(seconds: 60), to: "talk.wav")
        try chat.run(["transcribe", path], input: "y\n").assertFailure(1, "chat: The connection")
        XCTAssertEqual(stub.connectionCount, 1)
        stub.stop()
    }

    func testAtThePromptItIsAskedInTheMiddle() throws {
        let stub = try TranscriptionServerStub(.cutUpload(afterBytes: 100_000), .json(said))
        let chat = try TranscribedSound.program(stub)
        chat.isLedgerCompared = false
        let path = try chat.folder.write(TranscribedSound.wave(seconds: 60), to: "talk.wav")
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        repl.enter("/transcribe \(path)")
        try repl.answer("y", to: question, until: "> \(said)")
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt()
        repl.leave()
        XCTAssertEqual(stub.connectionCount, 2)
        stub.stop()
    }

    // MARK: - A death

    func testKilledInTheMiddleTheSameCommandGoesOnToOneTranscript() async throws {
        let stub = try TranscriptionServerStub(
            .json("one two three"), .json("four five six"), .script(ServerScript([.stall])),
            .json("seven eight nine"))
        let chat = try TranscribedSound.program(stub, limit: 1_000_000)
        let path = try chat.folder.write(TranscribedSound.wave(seconds: 75), to: "talk.wav")
        let killed = try chat.start(["transcribe", path])
        await stub.waitForUploads(3)
        killed.signal(SIGKILL)
        _ = try killed.finish()
        let jobs = try chat.json(["transcribe", "jobs", "--json"]).arrayValue ?? []
        XCTAssertEqual(jobs.map { $0["done"] }, [2])
        XCTAssertEqual(jobs.map { $0["running"] }, [false])
        let done = try chat.run(["transcribe", path])
        XCTAssertEqual(done.exit, 0, done.errorText)
        XCTAssertEqual(done.text, "one two three four five six seven eight nine\n")
        XCTAssertEqual(try chat.folder.read("talk.txt"), done.output)
        XCTAssertEqual(
            try chat.json(["transcribe", "jobs", "--json"]).arrayValue?.count, 0)
        XCTAssertEqual(stub.uploads.count, 4, "no piece was sent twice but the one that was cut")
        stub.stop()
    }

    // MARK: - Exit codes

    func testEachTroubleHasItsNumberAndAtMostThreeLines() throws {
        let stub = try TranscriptionServerStub(.json(said))
        let chat = try TranscribedSound.program(stub, limit: 1_000_000)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let aiff = try chat.folder.write(TranscribedSound.aiff(), to: "talk.aiff")
        try chat.run(["transcribe", "/nowhere.m4a"]).assertFailure(1, "does not exist")
        try chat.run(["transcribe"]).assertFailure(2, "transcribe needs a recording.")
        try chat.run(["transcribe", path, "--format", "doc"]).assertFailure(2, "--format text")
        chat.variables["PATH"] = "/nonexistent"
        try chat.run(["transcribe", aiff]).assertFailure(5, "ffmpeg or sox")
        XCTAssertEqual(stub.uploads.count, 0)
        let whole = try chat.run(["transcribe", path, "--no-save"])
        XCTAssertEqual(whole.exit, 0)
        XCTAssertEqual(
            whole.errorText, "✓ talk.wav · 0:02 · 9 words\nkept as i1 · chat undo\n")
        // Text where subtitles were asked for.
        let degraded = try chat.run(["transcribe", path, "--format", "srt", "--no-save"])
        XCTAssertEqual(degraded.exit, 6, degraded.errorText)
        XCTAssertEqual(degraded.text, said + "\n")
        stub.stop()
        // Nobody listens there any more.
        try chat.run(["transcribe", path]).assertFailure(4, "Check the network")
        try ChatProgram().run(["transcribe", path]).assertFailure(4, "chat keys set openai")
    }

    func testCtrlCEndsWith130AndNothingIsLeft() async throws {
        let stub = try TranscriptionServerStub(.script(ServerScript([.stall])))
        let chat = try TranscribedSound.program(stub)
        let path = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        let program = try chat.start(["transcribe", path])
        await stub.waitForUploads(1)
        program.signal(SIGINT)
        let result = try program.finish()
        XCTAssertEqual(result.exit, 130)
        XCTAssertEqual(result.text, "")
        XCTAssertFalse(FileManager.default.fileExists(atPath: chat.folder.path("talk.txt")))
        stub.stop()
    }

    func testStoppedBetweenSeveralTheWordsThatCameAreShown() async throws {
        let stub = try TranscriptionServerStub(.json(said), .script(ServerScript([.stall])))
        let chat = try TranscribedSound.program(stub)
        let one = try chat.folder.write(TranscribedSound.wave(), to: "one.wav")
        let two = try chat.folder.write(TranscribedSound.wave(seconds: 3), to: "two.wav")
        let program = try chat.start(["transcribe", one, two, one, "--no-save"])
        await stub.waitForUploads(2)
        program.signal(SIGINT)
        let result = try program.finish()
        XCTAssertEqual(result.exit, 130)
        XCTAssertEqual(result.text, "==> \(one) <==\n\(said)\n")
        XCTAssertEqual(
            result.errorText,
            "✓ one.wav · 0:02 · 9 words\nkept as i1 · chat undo\n"
                + "Stopped after 1 of 3 recordings.\n")
        stub.stop()
    }
}
