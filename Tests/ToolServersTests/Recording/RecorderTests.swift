import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

/// Whole recordings with fake and real programs: every byte of them, in a file
/// that others can read.
final class RecorderTests: XCTestCase {
    func testTheFileHoldsEveryByteThatTheRecorderWrote() async throws {
        let speech = try RecorderRig.speech()
        let rig = try RecorderRig()
        let path = try rig.folder.write(speech, to: "speech")
        try rig.install("mic", "#!/bin/sh\nexec /bin/cat \"$1\"\n")
        let recording = try await rig.record(.with("mic", path))
        XCTAssertTrue(try rig.samples(recording.path) == speech)
        XCTAssertEqual(
            recording,
            Recording(
                path: rig.recordings.path + "/2026-11-21 09.00.00.wav", format: .dictation,
                duration: Double(speech.count) / 32_000, wasSilent: false, endedBy: .recorder,
                program: "mic"))
        XCTAssertEqual(try rig.recordings.list().map(\.seconds), [recording.duration])
    }

    func testAfterStopEverythingTheRecorderStillSendsIsKept() async throws {
        let rig = try RecorderRig()
        rig.makeDoor()
        try rig.python(
            "mic",
            """
            keep_stop()
            send(b'head' * 1000)
            tell('speaking')
            wait_for_stop()
            send(b'tail' * 20000)
            sys.exit(1)
            """)
        async let recording = rig.record(.with("mic"))
        _ = try await rig.told()
        rig.stop.stop()
        let result = try await recording
        XCTAssertEqual(result.endedBy, .stop)
        XCTAssertTrue(
            try rig.samples(result.path)
                == Array(
                    (String(repeating: "head", count: 1_000)
                        + String(repeating: "tail", count: 20_000)).utf8))
    }

    func testOddPiecesGiveWholeSamples() async throws {
        let rig = try RecorderRig()
        try rig.python(
            "mic",
            """
            data = bytes(i * 7 % 251 for i in range(9999))
            i = 0
            for size in [1, 3, 5, 7, 999, 1] * 100:
                send(data[i:i + size])
                i += size
            send(data[i:])
            """)
        let recording = try await rig.record(.with("mic"))
        XCTAssertTrue(
            try rig.samples(recording.path) == (0..<9_998).map { UInt8($0 * 7 % 251) })
    }

    func testARecorderThatWritesAHeaderIsReadToo() async throws {
        let speech = try RecorderRig.speech()
        let rig = try RecorderRig()
        let path = try rig.folder.write(speech, to: "speech")
        try rig.install(
            "mic",
            "#!/bin/sh\nexec /usr/bin/sox -V0 -t raw -r 16000 -c 1 -b 16 -e signed \(path) \"$@\"\n"
        )
        for kind in ["wav", "au"] {
            let recording = try await rig.record(.with("mic", "-t", kind, "-"))
            XCTAssertTrue(try rig.samples(recording.path) == speech, kind)
        }
        let stereo = try await rig.record(.with("mic", "-t", "wav", "-c", "2", "-"))
        XCTAssertEqual(stereo.format, PCMFormat(rate: 16_000, channels: 2))
        XCTAssertEqual(stereo.duration, Double(speech.count) / 32_000, accuracy: 0.001)
        XCTAssertEqual(try rig.samples(stereo.path).count, 2 * speech.count)
        let other = await rig.failure(.with("mic", "-t", "wav", "-b", "24", "-"))
        XCTAssertEqual(
            (other as? RecordingError)?.reason,
            .programFailed("mic", status: 0, message: "not 16-bit PCM"))
    }

    func testAProgramThatFailsAtOnceLeavesItToTheNext() async throws {
        let rig = try RecorderRig()
        try rig.install("pw-record", "#!/bin/sh\necho 'Host is down' >&2; exit 1\n")
        try rig.install("parecord", "#!/nonexistent\n")
        try rig.install("arecord", "#!/bin/sh\nprintf 'abcde%s' \"$*\"\n")
        try rig.install("rec", "#!/bin/sh\nprintf 'never'\n")
        let recording = try await rig.record(.with())
        XCTAssertEqual(recording.program, "arecord")
        XCTAssertEqual(
            String(decoding: try rig.samples(recording.path), as: UTF8.self),
            "abcde-q -t raw -f S16_LE -r 16000 -c 1 -")
        XCTAssertEqual(try rig.names().count, 1)
    }

    func testOnlyWhenAllFailItIsSaidWhyInTheirWords() async throws {
        let rig = try RecorderRig()
        try rig.install("pw-record", "#!/bin/sh\necho 'Host is down' >&2; exit 1\n")
        try rig.install("arecord", "#!/bin/sh\necho; echo 'no cards' >&2; kill -9 $$\n")
        try rig.install("rec", "#!/bin/sh\nexit 0\n")
        let failure = await rig.failure(.with())
        XCTAssertEqual(
            failure as? RecordingError,
            RecordingError(
                reason: .programFailed("pw-record", status: 1, message: "Host is down"),
                attempts: [
                    .init(program: "pw-record", status: 1, message: "Host is down"),
                    .init(program: "arecord", status: 137, message: "no cards"),
                    .init(program: "rec", status: 0, message: ""),
                ]))
        XCTAssertEqual(try rig.names(), [])
    }

    func testWithoutAProgramItSaysWhichItKnows() async throws {
        let rig = try RecorderRig()
        let known = await rig.failure(.with())
        XCTAssertEqual(
            known as? RecordingError,
            RecordingError(reason: .needsProgram(RecorderProgram.knownNames)))
        let own = await rig.failure(.with("my-mic", "-x"))
        XCTAssertEqual(own as? RecordingError, RecordingError(reason: .needsProgram(["my-mic"])))
        XCTAssertFalse(FileManager.default.fileExists(atPath: rig.recordings.path))
    }

    func testTheCapEndsAFloodToTheByte() async throws {
        let rig = try RecorderRig(PCMFormat(rate: 1_000))
        try rig.install("mic", "#!/bin/sh\nexec /bin/cat /dev/zero\n")
        let recording = try await rig.record(.with("mic", cap: 1))
        XCTAssertEqual(recording.endedBy, .cap)
        XCTAssertEqual(recording.duration, 60)
        XCTAssertTrue(recording.wasSilent)
        XCTAssertEqual(try rig.samples(recording.path).count, 120_000)
    }

    func testSilenceAfterSpeechEndsIt() async throws {
        let rig = try RecorderRig(PCMFormat(rate: 1_000))
        try rig.python(
            "mic",
            """
            send((b'\\x00\\x40' + b'\\x00\\xc0') * 500)
            send(b'\\x00' * 4000)
            hang()
            """)
        let result = try await rig.record(.with("mic", silence: 2))
        XCTAssertEqual(result.endedBy, .silence)
        XCTAssertEqual(result.duration, 3)
        XCTAssertFalse(result.wasSilent)
    }

    func testTheLevelIsShownWhileItRecords() async throws {
        let rig = try RecorderRig(PCMFormat(rate: 1_000))
        try rig.python("mic", "send((b'\\x00\\x40' + b'\\x00\\xc0') * 1000)\nhang()")
        async let recording = rig.record(.with("mic"))
        await rig.wait { $0.elapsed == 2 && $0.loudness > -7 && $0.hasHeard && !$0.isMuted }
        rig.letTimePass()
        await rig.wait { $0.isStalled }
        rig.stop.stop()
        let result = try await recording
        XCTAssertEqual(result.duration, 2)
    }

    // MARK: - Real programs on a card that plays a file

    private func realRecorder(_ name: String) async throws {
        let speech = try RecorderRig.speech()
        guard let path = try? Subprocess.find(name, in: TestMachine.variables) else {
            throw XCTSkip("\(name) is not installed (Debian: alsa-utils, sox)")
        }
        let rig = try RecorderRig()
        let sound = try rig.folder.write(speech, to: "speech")
        let card = try rig.folder.write(
            """
            pcm.!default { type file slave.pcm { type null } file /dev/null infile \(sound) format raw }
            ctl.!default { type hw card 0 }
            """.utf8, to: "asound.conf")
        XCTAssertEqual(symlink(path, rig.folder.path("bin/" + name)), 0)
        let recording = try await rig.record(
            .with(cap: 1), variables: ["ALSA_CONFIG_PATH": card, "AUDIODRIVER": "alsa"])
        XCTAssertEqual(recording.program, name)
        XCTAssertEqual(recording.endedBy, .cap)
        let samples = try rig.samples(recording.path)
        XCTAssertEqual(samples.count, 1_920_000)
        XCTAssertTrue(samples.starts(with: speech.dropLast(speech.count % 4_096)), name)
    }

    func testArecordGivesItsSamples() async throws { try await realRecorder("arecord") }

    func testSoxGivesItsSamples() async throws { try await realRecorder("rec") }
}
