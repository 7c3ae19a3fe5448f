import XCTest

@testable import Transcription

final class TranscriptCuesTests: XCTestCase {
    func testTimesOfBothKindsOfSubtitles() {
        XCTAssertEqual(
            TranscriptCues.read("1\n00:00:01,250 --> 01:01:02,5\na\n"),
            [.init(start: 1.25, end: 3662.5, text: "a")])
        XCTAssertEqual(
            TranscriptCues.read("\n\nWEBVTT Title\n\n01:02.000 --> 01:03.000 line:0\na\nb\n"),
            [.init(start: 62, end: 63, text: "a b")])
    }

    func testCuesWithoutTheirEmptyLinesAreCuesStill() {
        XCTAssertEqual(
            TranscriptCues.read("WEBVTT\n00:01.000 --> 00:02.000\na\n00:02.000 --> 00:03.000\nb"),
            [.init(start: 1, end: 2, text: "a"), .init(start: 2, end: 3, text: "b")])
    }

    func testEmptyAndBackwardCues() {
        XCTAssertEqual(TranscriptCues.read("WEBVTT\n"), [])
        XCTAssertEqual(
            TranscriptCues.read(
                "1\n00:00:02,000 --> 00:00:01,000\na\n\n2\n00:00:03,0 --> 00:00:04,0\n\n"),
            [.init(start: 2, end: 2, text: "a")])
    }

    func testSentencesAreNoSubtitles() {
        for text in [
            "", "\n", "1", "42\nis the answer", "WEBVTTX\n\n00:01.000 --> 00:02.000\na",
            "He said:\n00:01.000 --> 00:02.000", "1\n00:xx:02,000 --> 00:00:01,000\na",
            "1\n--> -->\n", "١\n00:00:0١,0 --> 00:00:02,0\na",
        ] {
            XCTAssertNil(TranscriptCues.read(text), text)
        }
    }
}
