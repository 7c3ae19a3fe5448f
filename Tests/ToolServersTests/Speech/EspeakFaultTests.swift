import Foundation
import TestSupport
import XCTest

@testable import Sound

/// Programs in the place of espeak-ng that do what it should not.
final class EspeakFaultTests: XCTestCase {
    /// Lists one voice; speaks with the body.
    private func script(_ speaking: String) -> String {
        """
        case "$*" in
        --version) echo "fake 1"; exit 0;;
        --voices=variant) echo "Pty Language"; exit 0;;
        --voices) echo "Pty Language"; echo " 2 en-us --/M English_(America) gmw/en-US (en 3)"; exit 0;;
        esac
        case "$*" in
        *" -s "*) ;;
        *) cat >/dev/null; cat "$HOME/probe.wav"; exit 0;;
        esac
        \(speaking)
        """
    }

    private func rig(
        _ speaking: String, _ folder: TemporaryFolder, clock: ManualClock? = nil
    ) throws -> EspeakRig {
        try folder.write(Self.wave(seconds: 1), to: "probe.wav")
        return try EspeakRig(script: script(speaking), in: folder, clock: clock)
    }

    /// With the size that espeak-ng writes when it does not know it.
    static func wave(seconds: Int) -> [UInt8] {
        var bytes = Array("RIFF".utf8) + [0x24, 0xF0, 0xFF, 0x7F] + Array("WAVEfmt ".utf8)
        bytes += [16, 0, 0, 0, 1, 0, 1, 0, 0x22, 0x56, 0, 0, 0x44, 0xAC, 0, 0, 2, 0, 16, 0]
        bytes += Array("data".utf8) + [0x00, 0xF0, 0xFF, 0x7F]
        for index in 0..<(22_050 * seconds) {
            let sample = UInt16(bitPattern: index / 50 % 2 == 0 ? 3_000 : -3_000)
            bytes += [UInt8(sample & 0xFF), UInt8(sample >> 8)]
        }
        return bytes
    }

    func testWhatItWritesIsReadToTheEndWhateverTheHeaderSays() async throws {
        let folder = try TemporaryFolder()
        let sound = try await rig("cat >/dev/null; cat \"$HOME/probe.wav\"", folder).sound("hello")
        let samples = Array(Self.wave(seconds: 1).dropFirst(44))
        var gain = SampleGain(Loudness(samples).gain, format: PCMFormat(rate: 22_050))
        XCTAssertTrue(sound == gain.take(samples))
    }

    func testTheTextGoesToItsInputAndNotToItsArguments() async throws {
        let folder = try TemporaryFolder()
        let rig = try rig(
            "cat >\"$HOME/input\"; echo \"$*\" >\"$HOME/words\"; cat \"$HOME/probe.wav\"", folder)
        _ = try await rig.sound("-h $(id) \"; rm", VoiceChoice(rate: 0.5, pitch: 1.2, volume: 1))
        XCTAssertEqual(
            String(decoding: try folder.read("input"), as: UTF8.self), "-h $(id) \"; rm\n")
        XCTAssertEqual(
            String(decoding: try folder.read("words"), as: UTF8.self),
            "-b 1 -z --stdin --stdout -v en-us -s 225 -p 60 -a 200\n")
    }

    func testComplaintsAFailureAndSilenceAreErrors() async throws {
        let cases: [(String, SpeechError.Reason)] = [
            (
                "cat >/dev/null; cat \"$HOME/probe.wav\"; echo 'no data' >&2",
                .programFailed("espeak-ng", status: 0, message: "no data\n")
            ),
            (
                "cat >/dev/null; echo broken >&2; exit 3",
                .programFailed("espeak-ng", status: 3, message: "broken\n")
            ),
            (
                "cat >/dev/null; cat \"$HOME/probe.wav\"; kill -SEGV $$",
                .programFailed("espeak-ng", status: 139, message: "")
            ),
            ("cat >/dev/null", .programFailed("espeak-ng", status: 0, message: "no sound")),
            ("cat >/dev/null; echo '<html>'", .malformed),
            ("exec 0</dev/null; exit 7", .programFailed("espeak-ng", status: 7, message: "")),
        ]
        for (speaking, expected) in cases {
            let folder = try TemporaryFolder()
            let rig = try rig(speaking, folder)
            let reason = await EspeakRig.reason { try await rig.sound("hello") }
            XCTAssertEqual(reason, expected, speaking)
        }
    }

    /// The file is at its place in one step, for it is read meanwhile.
    private static let tellsItsID =
        "echo $$ >\"$HOME/new\"; mv \"$HOME/new\" \"$HOME/pid\"\n"

    func testAProgramThatHangsIsEndedAfterTenSeconds() async throws {
        // Before, within and after the sound.
        let bodies = [
            "exec sleep 1000", "head -c 1000 \"$HOME/probe.wav\"; exec sleep 1000",
            "cat >/dev/null; cat \"$HOME/probe.wav\"; exec >&-; exec sleep 1000",
        ]
        for body in bodies {
            let folder = try TemporaryFolder()
            let clock = ManualClock()
            let rig = try rig(Self.tellsItsID + body, folder, clock: clock)
            let speaking = Task { await EspeakRig.reason { try await rig.sound("hello") } }
            // Time passes from when the run has begun.
            let passing = Task {
                while !Task.isCancelled {
                    if (try? folder.read("pid")) != nil { clock.advance(by: .seconds(2)) }
                    await Task.yield()
                }
            }
            let reason = await speaking.value
            passing.cancel()
            XCTAssertEqual(reason, .programHangs("espeak-ng"), body)
            let pid = try XCTUnwrap(
                Int32(
                    String(decoding: try folder.read("pid"), as: UTF8.self)
                        .trimmingCharacters(in: .whitespacesAndNewlines)))
            XCTAssertEqual(kill(pid, 0), -1, "it lives: \(body)")
        }
    }

    func testDroppingTheSoundOrCancellingEndsTheProgram() async throws {
        let folder = try TemporaryFolder()
        let rig = try rig(
            Self.tellsItsID + "cat >/dev/null; cat \"$HOME/probe.wav\"; exec sleep 1000",
            folder)
        func pid() throws -> Int32 {
            try XCTUnwrap(
                Int32(
                    String(decoding: try folder.read("pid"), as: UTF8.self)
                        .trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        do {
            let audio = try await rig.engine().synthesize(Utterance(text: "hello"))
            _ = try await audio.next()
        }
        try await waitForEnd(of: try pid())

        let running = Task { try await rig.sound("hello") }
        // Its process has written its id again when its sound comes.
        let first = try pid()
        while try pid() == first { await Task.yield() }
        let second = try pid()
        running.cancel()
        do {
            _ = try await running.value
            XCTFail("it was cancelled")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        try await waitForEnd(of: second)
    }

    /// A guard against a hang, not a measure.
    private func waitForEnd(of pid: Int32) async throws {
        let start = ProcessInfo.processInfo.systemUptime
        while kill(pid, 0) == 0 {
            if ProcessInfo.processInfo.systemUptime - start > 20 { return XCTFail("it lives") }
            await Task.yield()
        }
    }
}
