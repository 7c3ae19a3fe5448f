import XCTest

@testable import Sound

/// The words are those that the programs really said, on a machine without a
/// card and without a server.
final class AudioProgramFailureTests: XCTestCase {
    func testTheWordsOfThePlayersAndRecordersAreUnderstood() {
        let cases: [(String, AudioProgramFailure?)] = [
            (
                "ALSA lib pcm.c:2666:(snd_pcm_open_noupdate) Unknown PCM default aplay: main:831: "
                    + "audio open error: No such file or directory", .noDevice
            ),
            ("arecord: main:831: audio open error: No such file or directory", .noDevice),
            ("aplay: main:831: audio open error: Device or resource busy", .busy),
            ("aplay: main:831: audio open error: Permission denied", .notAllowed),
            (
                "Connection failure: Connection refused pa_context_connect() failed: "
                    + "Connection refused", .noServer
            ),
            ("pw-cat: can't connect: Host is down", .noServer),
            ("play FAIL sox: Sorry, there is no default audio device configured", .noDevice),
            ("No more combinations to try, audio open failed", .noDevice),
            ("default: No such process", .noServer), ("default: Input/output error", .noDevice),
            ("", nil), ("xrun", nil), ("mic: line 3: foo: No such file or directory", nil),
        ]
        for (words, trouble) in cases { XCTAssertEqual(AudioProgramFailure(words), trouble, words) }
    }

    func testTheCauseOfSeveralIsTheOneThatIsNearestToTheCard() {
        func cause(_ words: String...) -> AudioProgramFailure? {
            AudioProgramFailure(words.map { ProgramAttempt(program: "x", status: 1, message: $0) })
        }
        XCTAssertEqual(cause("Connection refused", "Unknown PCM default"), .noDevice)
        XCTAssertEqual(cause("Connection refused", "Host is down"), .noServer)
        XCTAssertEqual(cause("Unknown PCM", "Device or resource busy"), .busy)
        XCTAssertNil(cause("Connection refused", "something else"))
        XCTAssertNil(cause())
    }
}
