import XCTest

@testable import Sound

final class PlayerProgramTests: XCTestCase {
    private func words(_ name: String, _ format: PCMFormat) -> String? {
        PlayerProgram.known.first { $0.name == name }?.arguments(for: format)
            .joined(separator: " ")
    }

    func testEachKnownPlayerGetsTheFormatInItsOwnWords() {
        let format = PCMFormat(rate: 22_050)
        XCTAssertEqual(
            PlayerProgram.known.map(\.name),
            ["pw-play", "paplay", "aplay", "play", "ffplay", "mpv"])
        XCTAssertEqual(
            words("pw-play", format),
            "--raw --rate=22050 --channels=1 --format=s16 --latency=100ms -")
        XCTAssertEqual(
            words("paplay", format),
            "--raw --rate=22050 --channels=1 --format=s16le --latency-msec=100 --client-name=chat")
        XCTAssertEqual(
            words("aplay", format),
            "-q -t raw -f S16_LE -r 22050 -c 1 --buffer-time=150000 -")
        XCTAssertEqual(
            words("play", format),
            "-q --buffer 2048 -t raw -r 22050 -e signed-integer -b 16 -L -c 1 -")
        XCTAssertEqual(
            words("ffplay", PCMFormat(rate: 24_000, channels: 2)),
            "-nodisp -autoexit -nostats -loglevel error -fflags nobuffer -probesize 32 -f s16le "
                + "-sample_rate 24000 -ch_layout stereo -i -")
        XCTAssertEqual(
            words("mpv", format),
            "--no-config --no-terminal --no-video --cache=no --audio-buffer=0.1 "
                + "--demuxer=rawaudio --demuxer-rawaudio-format=s16le "
                + "--demuxer-rawaudio-rate=22050 --demuxer-rawaudio-channels=1 -")
    }

    func testOnesOwnCommandIsTheOnlyCandidate() {
        let setting = ["/opt/my player", "-r{rate}", "x{channels}{rate}", "{text}"]
        let own = PlayerProgram.candidates(command: setting)
        XCTAssertEqual(own.map(\.name), ["/opt/my player"])
        XCTAssertEqual(
            own.first?.arguments(for: PCMFormat(rate: 8000, channels: 2)),
            ["-r8000", "x28000", "{text}"])
        for empty in [nil, [], [""]] {
            XCTAssertEqual(PlayerProgram.candidates(command: empty), PlayerProgram.known)
        }
    }
}
