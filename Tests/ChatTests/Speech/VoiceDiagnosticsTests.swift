import Glibc
import XCTest

@testable import AgentCore
@testable import Base
@testable import Sound
@testable import Transcription

final class VoiceDiagnosticsTests: XCTestCase {
    private func transcription(
        _ reason: TranscriptionError.Reason, host: String = "api.openai.com", status: Int? = nil,
        message: ServerText? = nil, sent: Int? = nil
    ) -> TranscriptionError {
        TranscriptionError(
            reason: reason, host: host, status: status, message: message, requestID: "req_1",
            retryAfter: reason == .rateLimited ? 90 : nil, sentBytes: sent,
            totalBytes: sent.map { _ in 7_000_000 })
    }

    private func transport(_ reason: TransportError.Reason) -> TransportError {
        TransportError(reason: reason, host: "127.0.0.1:8080", detail: "its words")
    }

    private func attempt(_ program: String, _ words: String) -> ProgramAttempt {
        ProgramAttempt(program: program, status: 1, message: words)
    }

    private var errors: [(String, any Error)] {
        var errors: [(String, any Error)] = []
        let files: [OpenFile.Failure.Reason] = [
            .system(ENOENT), .system(EACCES), .isFolder, .notRegular, .changed,
        ]
        for reason in files {
            errors.append(("open file", OpenFile.Failure(reason: reason, path: "a.m4a")))
        }
        let tools = ["ffmpeg", "sox"]
        let audio: [AudioError.Reason] = [
            .file(.system(ENOENT)), .empty, .notAudio(looksLike: nil),
            .notAudio(looksLike: "PDF"), .notAccepted(.aiff), .damaged(.wav), .damaged(.webm),
            .needsProgram(tools, bytes: 31_200_000, limit: 25_000_000),
            .needsProgram(tools, bytes: 25_000_100, limit: 25_000_000),
            .needsProgram(["ffmpeg"], bytes: 9_000_000, limit: 25_000_000),
            .conversionFailed(program: "ffmpeg", message: "moov atom not found\nmore"),
            .conversionFailed(program: "sox", message: ""), .tooLong(500_000),
            .tooLong(.infinity),
        ]
        for reason in audio {
            errors.append(("audio", AudioError(reason: reason, path: "meeting.m4a")))
        }
        let transcripts: [TranscriptionError] = [
            transcription(.noKey), transcription(.noKey, host: "far.test"),
            transcription(.badAddress("http://far.test")),
            transcription(.transport(transport(.connectionRefused))),
            transcription(.transport(transport(.connectionLost)), sent: 3_145_728),
            transcription(.transport(transport(.connectionLost)), sent: 7_000_000),
            transcription(.transport(transport(.tls))),
            transcription(.keyRejected, status: 401, message: "Incorrect API key."),
            transcription(.keyRejected, host: "far.test", status: 401),
            transcription(.forbidden, status: 403), transcription(.modelNotFound, status: 404),
            transcription(.endpointNotFound, host: "far.test", status: 404),
            transcription(.tooLarge, status: 413, message: "Maximum content size limit"),
            transcription(.unsupportedFormat, status: 415),
            transcription(.badRequest, status: 400, message: "no\nsuch \u{1B}[2J thing"),
            transcription(.rateLimited, status: 429), transcription(.quotaExhausted, status: 429),
            transcription(.serverFailure, status: 500, message: "oops"),
            transcription(.redirected, status: 301), transcription(.malformed, status: 200),
            transcription(.cut),
            transcription(.notOffered(what: "word times", model: "gpt-4o-transcribe-diarize")),
            transcription(.notOffered(what: "times", model: "whisper-1")),
            transcription(.notOffered(what: "speakers", model: "whisper-1")),
            TranscriptionError(reason: .serverFailure),
        ]
        for error in transcripts {
            let kind = error.sentBytes == nil ? "transcription" : "transcription, cut while sent"
            errors.append((kind, error))
        }
        errors += [
            ("transcription", TranscriptionJobError(reason: .busy, path: "meeting.m4a")),
            ("transcription", TranscriptionJobError(reason: .storage(ENOSPC), path: "/s/jobs")),
            ("transcription", TranscriptionJobError(reason: .storage(EACCES), path: "/s/jobs")),
        ]
        let file = "/home/u/state/recordings/2026-11-21 17.00.wav"
        let recordings: [RecordingError] = [
            RecordingError(
                reason: .needsProgram(["pw-record", "parecord", "arecord", "rec", "ffmpeg"])),
            RecordingError(
                reason: .programFailed("arecord", status: 1, message: "no such device"),
                file: file),
            RecordingError(reason: .programFailed("arecord", status: 1, message: "")),
            RecordingError(
                reason: .programFailed("parecord", status: 1, message: "Connection refused"),
                attempts: [
                    attempt("parecord", "pa_context_connect() failed: Connection refused"),
                    attempt("arecord", "arecord: main:831: audio open error: No such device"),
                    attempt("ffmpeg", "default: No such process"),
                    attempt("ffmpeg", "default: Input/output error"),
                ]),
            RecordingError(
                reason: .programFailed("parecord", status: 1, message: "x"),
                attempts: [
                    attempt("parecord", "Connection refused"),
                    attempt("arecord", String(repeating: "many words of it ", count: 18)),
                    attempt("rec", ""), attempt("ffmpeg", "odd end. "),
                ]),
            RecordingError(reason: .programFailed("mic", status: 3, message: "x. ")),
            RecordingError(
                reason: .programFailed("parecord", status: 1, message: "Connection refused")),
            RecordingError(reason: .programSilent("rec")),
            RecordingError(reason: .file(ENOSPC), file: file),
            RecordingError(reason: .nothingRecorded),
        ]
        for error in recordings {
            let kind = error.attempts.count < 2 ? "recording" : "recording, several programs"
            errors.append((kind, error))
        }
        let speech: [SpeechError] = [
            SpeechError(reason: .needsProgram(["espeak-ng"])),
            SpeechError(reason: .needsProgram(["pw-play", "paplay", "aplay", "ffplay"])),
            SpeechError(reason: .programFailed("aplay", status: 1, message: "no card")),
            SpeechError(
                reason: .programFailed("play", status: 2, message: "busy"),
                attempts: [
                    attempt("aplay", "audio open error: Device or resource busy"),
                    attempt("play", "Device or resource busy"),
                ]),
            SpeechError(
                reason: .programFailed("mpv", status: 2, message: "what?"),
                attempts: [attempt("aplay", "Permission denied"), attempt("mpv", "what?")]),
            SpeechError(
                reason: .programFailed("aplay", status: 1, message: "cannot find card '0'")),
            SpeechError(reason: .programFailed("mpv", status: 0, message: "")),
            SpeechError(reason: .programHangs("espeak-ng")),
            SpeechError(reason: .unknownVoice("en-gb+x", nearest: "en-gb+f3")),
            SpeechError(reason: .unknownVoice("klingon", nearest: nil)),
            SpeechError(reason: .transport(transport(.nameNotResolved)), host: "far.test"),
            SpeechError(reason: .server(status: 401, message: "no"), host: "api.openai.com"),
            SpeechError(reason: .server(status: 404, message: nil), host: "far.test"),
            SpeechError(reason: .server(status: 500, message: "oops"), host: "far.test"),
            SpeechError(reason: .noKey, host: "api.openai.com"),
            SpeechError(reason: .badAddress("http://far.test")),
            SpeechError(reason: .malformed, host: "far.test"),
            SpeechError(reason: .file(EACCES)), SpeechError(reason: .nothingToSay),
            SpeechError(reason: .soundTaken(by: "“Emma”", pid: 123)),
            SpeechError(reason: .soundTaken(by: "a recording", pid: nil)),
        ]
        for error in speech {
            errors.append((error.attempts.count < 2 ? "speech" : "speech, several programs", error))
        }
        return errors
    }

    func testEveryErrorOfVoiceSaysWhatHappenedAndWhatToDo() throws {
        try DiagnosticsGolden.check(errors, "diagnostics-voice.txt")
    }

    func testTheLineThatInstallsIsThatOfTheSystem() {
        let recorders = ["pw-record", "parecord", "arecord", "rec", "ffmpeg"]
        XCTAssertEqual(
            PackageManager.allCases.map { $0.line(forOneOf: recorders) },
            [
                "sudo apt install alsa-utils", "sudo dnf install alsa-utils",
                "sudo pacman -S alsa-utils",
            ])
        XCTAssertEqual(
            PackageManager.dnf.line(forOneOf: ["sox", "ffmpeg"]), "sudo dnf install ffmpeg-free")
        XCTAssertEqual(PackageManager.apt.line(forOneOf: ["rec"]), "sudo apt install sox")
        XCTAssertNil(PackageManager.apt.line(forOneOf: ["my-recorder"]))
    }
}
