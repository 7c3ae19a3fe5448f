import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Transcription

final class TranscribeCommandTests: XCTestCase {
    func testTextGoesToStandardOutputAndBesideTheRecording() async throws {
        let rig = try ServerRig()
        let recording = try rig.rig.recording("meeting.wav", seconds: 8)
        let output = try await rig.run("meeting.wav")
        let text = try XCTUnwrap(output.documentText)
        XCTAssertEqual(
            text.split(whereSeparator: \.isWhitespace).joined(separator: " "), recording.text)
        XCTAssertEqual(try rig.read("meeting.txt"), text)
        XCTAssertEqual(try rig.files(), ["meeting.txt", "meeting.wav"])
        XCTAssertEqual(
            output.remarks,
            [
                StyledLine("✓ meeting.wav · 0:08 · \(recording.words.count) words", .dim),
                StyledLine([
                    .init("Written to ", .dim),
                    .init(
                        "\(rig.folder)/meeting.txt", .dim, file: "\(rig.folder)/meeting.txt"),
                ]),
            ])
        XCTAssertEqual(output.notices, [])
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(output.json?["saved"], .string("\(rig.folder)/meeting.txt"))
        XCTAssertEqual(output.json?["file"], "meeting.wav")
        XCTAssertEqual(output.json?["words"]?.arrayValue?.count, 0, "not asked for")
        XCTAssertEqual(Set(rig.progress.map(\.title)), ["meeting.wav"])
    }

    func testJSONIsPrintedInPlaceOfTheText() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        let command = try XCTUnwrap(rig.server().commands.first)
        let output = try await command.run(["a.wav", "--json"])
        XCTAssertNil(output.document)
        XCTAssertEqual(output.json?["file"], "a.wav")
        XCTAssertEqual(try rig.files(), ["a.txt", "a.wav"])
    }

    func testNoFileIsEverWrittenOver() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("meeting.wav", seconds: 4)
        try rig.rig.folder.write("mine".utf8, to: "meeting.txt")
        let first = try await rig.run("meeting.wav")
        XCTAssertEqual(first.remarks.last?.text, "Written to \(rig.folder)/meeting (2).txt")
        let again = try await rig.run("meeting.wav")
        XCTAssertEqual(
            again.remarks.last?.text, "\(rig.folder)/meeting (2).txt already has this text.")
        XCTAssertEqual(try rig.read("meeting.txt"), "mine")
        XCTAssertEqual(try rig.files(), ["meeting (2).txt", "meeting.txt", "meeting.wav"])
        // A link that leads nowhere is somebody's, too.
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder + "/meeting.srt", withDestinationPath: rig.folder + "/elsewhere")
        let srt = try await rig.run("meeting.wav", "--format", "srt")
        XCTAssertEqual(srt.remarks.last?.text, "Written to \(rig.folder)/meeting (2).srt")
        XCTAssertFalse(FileManager.default.fileExists(atPath: rig.folder + "/elsewhere"))
    }

    func testPathsAreShownAsAPersonWouldWriteThem() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        XCTAssertEqual(mkdir(rig.folder + "/in", 0o700), 0)
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder + "/link", withDestinationPath: "/tmp")
        let server = rig.server()
        for path in ["./a.wav", "in/../a.wav", ".//a.wav", "~/in/./../a.wav"] {
            XCTAssertEqual(server.absolute(path), rig.folder + "/a.wav")
        }
        XCTAssertEqual(server.absolute("in/../gone.wav"), rig.folder + "/gone.wav")
        XCTAssertEqual(server.absolute("/"), "/")
        // Behind a link `..` is somewhere else.
        XCTAssertEqual(server.absolute("link/../a.wav"), rig.folder + "/link/../a.wav")
        let output = try await rig.run("./in/.././a.wav")
        XCTAssertEqual(output.remarks.last?.text, "Written to \(rig.folder)/a.txt")
        XCTAssertEqual(output.json?["path"], .string("\(rig.folder)/a.wav"))
    }

    func testThatSpeakersMayChangeIsSaidWhereTheServerAloneMadeItPieces() async throws {
        let tooLarge = TranscriptionError(reason: .tooLarge, host: "here")
        let rig = try ServerRig { _, upload in
            upload.byteCount > 10_000 ? .fail(tooLarge) : .hear
        }
        _ = try rig.rig.recording("long.wav", seconds: 12)
        _ = try rig.rig.recording("short.wav", seconds: 4)
        let cut = try await rig.run("long.wav", "--speakers")
        XCTAssertEqual(
            cut.notices,
            [
                "whisper-1 returned no speakers.",
                "long.wav was sent in pieces: a speaker's letter may change between them.",
            ])
        XCTAssertEqual(cut.outcome, .degraded)
        let whole = try await rig.run("short.wav", "--speakers", "--output", "s.txt")
        XCTAssertEqual(whole.notices, ["whisper-1 returned no speakers."])
        XCTAssertNil(whole.document, "it is in the file")
    }

    func testTimesThatDidNotComeAreSaid() async throws {
        let rig = try ServerRig(offered: .none)
        _ = try rig.rig.recording("a.wav", seconds: 4)
        // The transcriber gives what it is asked for; a server may not.
        var server = rig.server()
        let mute = MuteTranscriber()
        server.dependencies.transcriber = { mute }
        let command = TranscribeCommand(server: server)
        let output = try await command.transcribe(
            TranscriptionRequest(words: ["a.wav", "--timestamps", "--no-save"]))
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertEqual(output.notices, ["whisper-1 returned no times."])
        XCTAssertEqual(output.documentText, "only words\n")
    }

    private struct MuteTranscriber: Transcriber {
        func transcribe(
            _ upload: TranscriptionUpload,
            onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
        ) async throws -> Transcript {
            Transcript(text: "only words")
        }
    }

    func testTheEndOfTheModelIsSaid() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        var server = rig.server()
        server.dependencies.ending = { "\($0) ends on 2027-02-26." }
        let output = try await TranscribeCommand(server: server).transcribe(
            TranscriptionRequest(words: ["a.wav"]))
        XCTAssertEqual(output.notices, ["whisper-1 ends on 2027-02-26."])
        XCTAssertEqual(output.outcome, .ok)
    }

    func testWhereAModelHasEndedItsSuccessorIsUsedAndThatIsSaid() async throws {
        let rig = try ServerRig { _, upload in
            upload.options.model == "whisper-1"
                ? .fail(TranscriptionError(reason: .modelNotFound, host: "here")) : .hear
        }
        _ = try rig.rig.recording("a.wav", seconds: 4)
        let output = try await rig.run("a.wav")
        XCTAssertEqual(
            output.notices.first, "whisper-1 has ended; gpt-transcribe was used.")
        XCTAssertEqual(output.outcome, .ok)
    }

    func testThePriceIsToldWhereItIsKnown() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        var server = rig.server()
        server.dependencies.price = { model, seconds in
            model == "whisper-1" ? "$\(Int(seconds.rounded()))" : nil
        }
        let command = TranscribeCommand(server: server)
        let told = try await command.transcribe(TranscriptionRequest(words: ["a.wav"]))
        XCTAssertTrue(told.remarks[0].text.hasSuffix(" words · about $4"), told.remarks[0].text)
        let untold = try await command.transcribe(
            TranscriptionRequest(words: ["a.wav", "--model", "other"]))
        XCTAssertTrue(untold.remarks[0].text.hasSuffix(" words"), untold.remarks[0].text)
        let preview = await server.preview(
            of: "transcribe_audio", arguments: JSONObject([.init("path", "a.wav")]))
        XCTAssertEqual(
            preview, .touches("\(rig.folder)/a.wav · 8 kB · 0:04 → here:8080, about $4"))
    }

    func testTheTranscriptIsNoMorePublicThanTheRecording() async throws {
        let rig = try ServerRig()
        let recording = try rig.rig.recording("meeting.wav", seconds: 4)
        XCTAssertEqual(chmod(recording.path, 0o600), 0)
        _ = try await rig.run("meeting.wav")
        var status = stat()
        XCTAssertEqual(stat(rig.folder + "/meeting.txt", &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
    }

    func testAFolderThatTakesNoFileIsSaidAndTheTextIsPrinted() async throws {
        try XCTSkipIf(getuid() == 0, "root may write everywhere")
        let rig = try ServerRig()
        _ = try rig.rig.recording("meeting.wav", seconds: 4)
        XCTAssertEqual(mkdir(rig.folder + "/state", 0o700), 0)
        XCTAssertEqual(chmod(rig.folder, 0o500), 0)
        defer { chmod(rig.folder, 0o700) }
        let output = try await rig.run("meeting.wav")
        XCTAssertNotNil(output.document)
        XCTAssertEqual(
            output.notices.last,
            "Not saved next to \(rig.folder)/meeting.wav: Permission denied.")
    }

    func testEachFormatHasItsEndingAndNoSaveLeavesNothing() async throws {
        let rig = try ServerRig()
        let recording = try rig.rig.recording("a.wav", seconds: 6)
        for (format, ending) in [("srt", "srt"), ("vtt", "vtt"), ("json", "json"), ("txt", "txt")] {
            let output = try await rig.run("--format", format, "--", "a.wav")
            XCTAssertEqual(output.documentText, try rig.read("a.\(ending)"))
        }
        let json = try JSONParser.parse(try rig.read("a.json"))
        XCTAssertEqual(json["words"]?.arrayValue?.count, recording.words.count)
        XCTAssertEqual(json["model"], "whisper-1")
        let before = try rig.files()
        let timed = try await rig.run("a.wav", "--timestamps", "--no-save")
        XCTAssertTrue(try XCTUnwrap(timed.documentText).hasPrefix("[00:00:00] "))
        XCTAssertEqual(try rig.files(), before)
    }

    func testANamedFileTakesTheTextInsteadAndIsReplacedOnlyWithConsent() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        let output = try await rig.run("a.wav", "--output", "~/out.txt")
        XCTAssertNil(output.document)
        XCTAssertEqual(try rig.files(), ["a.wav", "out.txt"])
        let text = try rig.read("out.txt")
        try rig.rig.folder.write("mine".utf8, to: "out.txt")
        let calls = rig.transcriber.calls.count
        do {
            _ = try await rig.run("a.wav", "--output", "out.txt")
            XCTFail("it was there")
        } catch let error as UsageError {
            XCTAssertEqual(error.problem, "\(rig.folder)/out.txt already exists.")
        }
        XCTAssertEqual(rig.transcriber.calls.count, calls, "nothing was sent for it")
        _ = try await rig.run("a.wav", "--output", "out.txt", isConfirmed: true)
        XCTAssertEqual(try rig.read("out.txt"), text)
        XCTAssertEqual(try rig.files(), ["a.wav", "out.txt"])
    }

    func testAnOutputThatCannotBeIsRefusedBeforeAnythingIsSent() async throws {
        let rig = try ServerRig()
        let recording = try rig.rig.recording("a.wav", seconds: 4)
        let whole = try rig.rig.folder.read("a.wav")
        XCTAssertEqual(mkfifo(rig.rig.folder.path("pipe"), 0o600), 0)
        XCTAssertEqual(symlink(recording.path, rig.rig.folder.path("link.txt")), 0)
        for output in ["a.wav", "link.txt", "pipe", ".", "nowhere/out.txt", "a.wav/out.txt"] {
            do {
                _ = try await rig.run("a.wav", "--output", output, isConfirmed: true)
                XCTFail(output)
            } catch is UsageError {}
        }
        XCTAssertEqual(rig.transcriber.calls.count, 0)
        XCTAssertEqual(try rig.rig.folder.read("a.wav"), whole)
    }

    func testWordsThatCannotBeWrittenAreNotLost() async throws {
        let folder = Mutex("")
        let rig = try ServerRig { _, _ in
            // While it is heard, the folder goes.
            XCTAssertEqual(rmdir(folder.withLock { $0 }), 0)
            return .hear
        }
        let recording = try rig.rig.recording("a.wav", seconds: 4)
        folder.withLock { $0 = rig.rig.folder.path("out") }
        XCTAssertEqual(mkdir(rig.rig.folder.path("out"), 0o700), 0)
        let output = try await rig.run("a.wav", "--output", "out/a.txt")
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertEqual(
            output.documentText?.split(whereSeparator: \.isWhitespace).joined(separator: " "),
            recording.text)
        XCTAssertEqual(output.json?["saved"], .null)
        XCTAssertTrue(
            output.notices.last?.hasPrefix("\(rig.folder)/out/a.txt could not be written: ")
                == true,
            "\(output.notices)")
    }

    func testOneOfSeveralThatFailsDoesNotStopTheOthers() async throws {
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        try rig.rig.folder.write("no sound".utf8, to: "b.wav")
        _ = try rig.rig.recording("c.wav", seconds: 5, seed: 3)
        let output = try await rig.run("a.wav", "b.wav", "gone.wav", "c.wav")
        XCTAssertEqual(output.outcome, .degraded)
        XCTAssertEqual(
            output.documentText,
            "==> a.wav <==\n\(try rig.read("a.txt"))\n==> c.wav <==\n\(try rig.read("c.txt"))")
        let (bad, gone) = (
            "\(rig.folder)/b.wav is not a recording (it looks like text).",
            "\(rig.folder)/gone.wav does not exist."
        )
        XCTAssertTrue(output.notices.contains("b.wav: \(bad)"), "\(output.notices)")
        XCTAssertTrue(output.notices.contains("gone.wav: \(gone)"))
        XCTAssertEqual(
            output.json?.arrayValue?.map { $0["error"] ?? .null },
            [.null, .string(bad), .string(gone), .null])
        let none = try await rig.run("b.wav", "gone.wav")
        XCTAssertEqual(none.outcome, .failure)
        let list = try await rig.run("a.wav", "c.wav", "--format", "json", "--no-save")
        let values = try JSONParser.parse(try XCTUnwrap(list.documentText)).arrayValue
        XCTAssertEqual(values?.map { $0["file"] }, ["a.wav", "c.wav"])
    }

    func testWhatIsWrongForAllOfThemIsSaidOnce() async throws {
        let forbidden = TranscriptionError(reason: .keyRejected, host: "here:8080", status: 401)
        let rig = try ServerRig { _, _ in .fail(forbidden) }
        _ = try rig.rig.recording("a.wav", seconds: 4)
        _ = try rig.rig.recording("c.wav", seconds: 5, seed: 3)
        await assertThrows(forbidden) { try await rig.run("a.wav", "c.wav") }
        XCTAssertEqual(try rig.files(), ["a.wav", "c.wav"])
    }

    func testWordsThatCameWithoutTimesAreTextAndNotLost() async throws {
        // A model that was asked for times and gives none.
        struct Timeless: Transcriber {
            func transcribe(
                _ upload: TranscriptionUpload,
                onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
            ) async throws -> Transcript { Transcript(text: "hello") }
        }
        let rig = try ServerRig()
        _ = try rig.rig.recording("a.wav", seconds: 4)
        var server = rig.server()
        server.dependencies.transcriber = { Timeless() }
        let command = try XCTUnwrap(server.commands.first)
        for words in [
            ["a.wav", "--format", "vtt"], ["a.wav", "--format", "srt", "--output", "o"],
        ] {
            let output = try await command.run(["file"] + words)
            XCTAssertEqual(output.documentText, "hello\n")
            XCTAssertEqual(output.outcome, .degraded)
            XCTAssertTrue(
                output.notices.contains(
                    "whisper-1 returned no timestamps, so this is text, not \(words[2])."))
        }
        XCTAssertEqual(try rig.files(), ["a.txt", "a.wav"])
        XCTAssertEqual(try rig.read("a.txt"), "hello\n")
    }

    func testWordsThatCannotBeUsedAreNamed() async throws {
        let rig = try ServerRig()
        for (words, problem) in [
            ([], "transcribe needs a recording."),
            (["-"], "A recording is read from a file, not from standard input."),
            (["a", "--format", "doc"], "There is no format \"doc\"."),
            (["a", "--language", "english"], "\"english\" is not a language code."),
            (["a", "b", "--output", "c"], "--output takes one recording at a time."),
            (
                ["a", "--format", "srt", "--timestamps"],
                "--timestamps is for text; srt has times anyway."
            ),
            (["a", "--nonsense"], "transcribe has no option --nonsense."),
        ] as [([String], String)] {
            do {
                _ = try await XCTUnwrap(rig.server().commands.first).run(words)
                XCTFail("\(words)")
            } catch let error as UsageError {
                XCTAssertEqual(error.problem, problem)
            }
        }
    }

    func testUnfinishedJobsAreListedAndCleared() async throws {
        let failure = TranscriptionError(reason: .quotaExhausted, host: "here:8080")
        let rig = try ServerRig { number, _ in number == 3 ? .fail(failure) : .hear }
        _ = try rig.rig.recording("long.wav", seconds: 60)
        let none = try await rig.run(verb: "jobs")
        XCTAssertEqual(none.lines.map(\.text), ["No transcription is unfinished."])
        await assertThrows(failure) { try await rig.run("long.wav") }
        let listed = try await rig.run(verb: "jobs")
        let pieces = try XCTUnwrap(listed.json?[0]?["pieces"]?.integerValue)
        XCTAssertEqual(listed.json?[0]?["done"], 2)
        XCTAssertTrue(
            listed.lines[0].text.hasPrefix("long.wav · 2 of \(pieces) pieces · "),
            listed.lines[0].text)
        XCTAssertEqual(listed.notices, ["To continue, run the same command on the same file."])
        let cleared = try await rig.run("--clear", verb: "jobs")
        XCTAssertEqual(cleared.lines.map(\.text), ["✓ 1 job cleared"])
        let left = try await rig.run(verb: "jobs")
        XCTAssertEqual(left.json, [])
    }
}
