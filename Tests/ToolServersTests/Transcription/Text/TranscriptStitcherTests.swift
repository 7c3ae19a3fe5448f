import Base
import TestSupport
import XCTest

@testable import Transcription

final class TranscriptStitcherTests: XCTestCase {
    typealias Piece = TranscriptStitcher.Piece

    /// Whatever a server says of the times.
    func testNoTwoCuesAreShownTogetherAtASeam() {
        var random = SplitMix(seed: 5_009)
        for round in 0..<400 {
            let pieces = [(0.0, 28.0), (28.0, 54.0), (54.0, 80.0)].map { start, end -> Piece in
                var segments: [Transcript.Segment] = []
                var now = 0.0
                while now < end - start {
                    let length = Double.random(in: 0...12, using: &random)
                    segments.append(.init(start: now, end: now + length, text: "word"))
                    now += length + Double.random(in: 0...1, using: &random)
                }
                return Piece(
                    start: start, end: end, transcript: Transcript(text: "", segments: segments))
            }
            let whole = TranscriptStitcher.stitch(pieces)
            XCTAssertEqual(
                whole.segments.count, pieces.reduce(0) { $0 + $1.transcript.segments.count })
            let cues = TranscriptCue.cues(of: whole)
            for (cue, next) in zip(cues, cues.dropFirst()) where cue.end > next.start {
                XCTFail("round \(round): \(cue) and \(next)")
            }
        }
    }

    func testTimesAreThoseOfTheWholeRecording() {
        func piece(_ start: Double, _ end: Double, _ text: String) -> Piece {
            Piece(
                start: start, end: end,
                transcript: Transcript(
                    text: text, segments: [.init(start: 1, end: 2, text: text)],
                    words: [.init(start: 1, end: 2, text: text)]))
        }
        XCTAssertEqual(
            TranscriptStitcher.stitch([piece(0, 10, "one"), piece(10, 20, "two")], duration: 20),
            Transcript(
                text: "one two", duration: 20,
                segments: [
                    .init(start: 1, end: 2, text: "one"), .init(start: 11, end: 12, text: "two"),
                ],
                words: [
                    .init(start: 1, end: 2, text: "one"), .init(start: 11, end: 12, text: "two"),
                ]))
    }

    func testTextsWithoutTimesAreJoinedAsTheirScriptWritesThem() {
        func joined(_ texts: String...) -> String {
            TranscriptStitcher.stitch(
                texts.enumerated().map {
                    Piece(
                        start: Double($0), end: Double($0 + 1), transcript: Transcript(text: $1))
                }
            ).text
        }
        XCTAssertEqual(joined("One ends. ", "", " Another begins."), "One ends. Another begins.")
        XCTAssertEqual(joined("我们明天去", "北京看朋友"), "我们明天去北京看朋友")
        XCTAssertEqual(joined("", "all of it"), "all of it")
    }

    func testAPieceOfSilenceChangesNothing() {
        let spoken = Transcript(
            text: "hello", segments: [.init(start: 1, end: 2, text: "hello")])
        let silent = Transcript(text: "")
        let whole = TranscriptStitcher.stitch([
            Piece(start: 0, end: 10, transcript: silent),
            Piece(start: 10, end: 20, transcript: spoken),
            Piece(start: 20, end: 30, transcript: silent),
        ])
        XCTAssertEqual(
            whole, Transcript(text: "hello", segments: [.init(start: 11, end: 12, text: "hello")]))
    }

    func testAnAnswerWithoutTimesAmongOthersKeepsItsWords() {
        let whole = TranscriptStitcher.stitch([
            Piece(
                start: 0, end: 10,
                transcript: Transcript(
                    text: "one", segments: [.init(start: 1, end: 2, text: "one")],
                    words: [.init(start: 1, end: 2, text: "one")])),
            Piece(start: 10, end: 20, transcript: Transcript(text: "two three")),
        ])
        XCTAssertEqual(
            whole,
            Transcript(
                text: "one two three",
                segments: [
                    .init(start: 1, end: 2, text: "one"),
                    .init(start: 10, end: 20, text: "two three"),
                ]))
    }
}
