import Base
import TestSupport
import XCTest

@testable import Transcription

final class TranscriptStitcherTests: XCTestCase {
    typealias Piece = TranscriptStitcher.Piece

    /// A recording of random words with times, some said twice, with pauses.
    private struct Speech {
        var words: [Transcript.Word] = []
        var duration = 0.0

        init(_ count: Int, _ random: inout SplitMix) {
            var now = 0.3
            for _ in 0..<count {
                let length = Double.random(in: 0.12...0.5, using: &random)
                // A small vocabulary repeats itself as people do.
                let letters = "abcdefghijklm"
                let text =
                    Int.random(in: 0..<6, using: &random) == 0
                    ? "the"
                    : String(
                        (0..<Int.random(in: 2...6, using: &random)).map { _ in
                            letters.randomElement(using: &random) ?? "a"
                        })
                words.append(.init(start: now, end: now + length, text: text))
                now += length + Double.random(in: 0.01...0.4, using: &random)
                if Int.random(in: 0..<12, using: &random) == 0 { now += 1 }
            }
            duration = now
        }

        var text: String { words.map(\.text).joined(separator: " ") }

        /// What a server hears from `start` to `end`: whole words.
        func heard(_ start: Double, _ end: Double) -> [Transcript.Word] {
            words.filter { $0.start >= start && $0.end <= end }
                .map { .init(start: $0.start - start, end: $0.end - start, text: $0.text) }
        }

        /// Random cuts with a second of overlap.
        func cuts(_ random: inout SplitMix) -> [(start: Double, end: Double, at: Double)] {
            var cuts: [(start: Double, end: Double, at: Double)] = []
            var start = 0.0
            var at = 0.0
            while start < duration {
                let next = at + Double.random(in: 6...30, using: &random)
                let end = next + 0.5 >= duration ? duration : next + 0.5
                cuts.append((start, end, at))
                if end == duration { break }
                (start, at) = (next - 0.5, next)
            }
            return cuts
        }
    }

    private func pieces(
        _ cuts: [(start: Double, end: Double, at: Double)],
        _ transcript: (Double, Double) -> Transcript
    ) -> [Piece] {
        cuts.indices.map { index in
            let cut = cuts[index]
            let to = index + 1 < cuts.count ? cuts[index + 1].at : cut.end
            return Piece(
                start: cut.start, end: cut.end, keepFrom: cut.at, keepTo: to,
                transcript: transcript(cut.start, cut.end))
        }
    }

    private func assertNoCueOverlapsTheNext(
        _ transcript: Transcript, _ what: String, line: UInt = #line
    ) {
        let cues = TranscriptCue.cues(of: transcript)
        for (cue, next) in zip(cues, cues.dropFirst()) where cue.end > next.start {
            XCTFail("\(what): \(cue) and \(next)", line: line)
        }
    }

    /// Whatever the two hearings of a seam say of its times and words.
    func testNoTwoCuesAreShownTogetherAtASeam() {
        var random = SplitMix(seed: 5_009)
        for round in 0..<400 {
            let vocabulary = Int.random(in: 1...40, using: &random)
            let pieces = [(0.0, 30.0, 0.0), (26.0, 56.0, 28.0), (52.0, 80.0, 54.0)].map {
                start, end, at -> Piece in
                var segments: [Transcript.Segment] = []
                var now = 0.0
                while now < end - start {
                    let length = Double.random(in: 0...12, using: &random)
                    let words = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                        "w\(Int.random(in: 0..<vocabulary, using: &random))"
                    }
                    segments.append(
                        .init(start: now, end: now + length, text: words.joined(separator: " ")))
                    now += length + Double.random(in: 0...1, using: &random)
                }
                return Piece(
                    start: start, end: end, keepFrom: at, keepTo: end - 2,
                    transcript: Transcript(
                        text: segments.map(\.text).joined(separator: " "), segments: segments))
            }
            assertNoCueOverlapsTheNext(TranscriptStitcher.stitch(pieces), "round \(round)")
        }
    }

    func testWordsWithTimesCutAnywhereComeTogetherAsTheyWere() {
        var random = SplitMix(seed: 5_001)
        for round in 0..<60 {
            let speech = Speech(200, &random)
            let pieces = pieces(speech.cuts(&random)) { start, end in
                let words = speech.heard(start, end)
                return Transcript(
                    text: words.map(\.text).joined(separator: " "),
                    segments: words.map { .init(start: $0.start, end: $0.end, text: $0.text) },
                    words: words)
            }
            let whole = TranscriptStitcher.stitch(pieces, duration: speech.duration)
            XCTAssertEqual(whole.text, speech.text, "round \(round)")
            XCTAssertEqual(whole.words.map(\.text), speech.words.map(\.text), "round \(round)")
            for (word, said) in zip(whole.words, speech.words) {
                XCTAssertEqual(word.start, said.start, accuracy: 1e-6)
                XCTAssertEqual(word.end, said.end, accuracy: 1e-6)
            }
        }
    }

    func testSegmentsOfSeveralWordsThatACutGoesThroughLoseAndDoubleNothing() {
        var random = SplitMix(seed: 5_002)
        var (all, wrong) = (0, 0)
        for _ in 0..<60 {
            let speech = Speech(200, &random)
            let pieces = pieces(speech.cuts(&random)) { start, end in
                // Each piece is divided in its own way.
                let words = speech.heard(start, end)
                var segments: [Transcript.Segment] = []
                var rest = words[...]
                while !rest.isEmpty {
                    let line = rest.prefix(Int.random(in: 3...12, using: &random))
                    rest = rest.dropFirst(line.count)
                    segments.append(
                        .init(
                            start: line.first?.start ?? 0, end: line.last?.end ?? 0,
                            text: " " + line.map(\.text).joined(separator: " ")))
                }
                return Transcript(
                    text: words.map(\.text).joined(separator: " "), segments: segments)
            }
            let whole = TranscriptStitcher.stitch(pieces)
            all += speech.words.count
            wrong += EditDistance.between(
                whole.text.split(separator: " "), speech.text.split(separator: " "))
            XCTAssertEqual(whole.segments.map(\.start), whole.segments.map(\.start).sorted())
            XCTAssertTrue(whole.segments.allSatisfy { $0.start <= $0.end })
            assertNoCueOverlapsTheNext(whole, "\(speech.text.prefix(20))")
        }
        // Its times are reckoned, so that "the" and the next "the" may be mixed up.
        XCTAssertLessThanOrEqual(wrong * 2_000, all, "\(wrong) of \(all)")
    }

    func testWordsThatACutDamagedAndTimesThatDifferHardlyMatter() {
        var random = SplitMix(seed: 5_003)
        var (words, wrong) = (0, 0)
        for _ in 0..<60 {
            let speech = Speech(200, &random)
            let pieces = pieces(speech.cuts(&random)) { start, end in
                var heard = speech.heard(start, end).map { word in
                    let shift = Double.random(in: -0.08...0.08, using: &random)
                    return Transcript.Word(
                        start: max(0, word.start + shift), end: word.end + shift, text: word.text)
                }
                // A word that the cut went through is heard in part.
                if let cut = speech.words.first(where: { $0.start < start && $0.end > start + 0.1 })
                {
                    heard.insert(
                        .init(start: 0, end: cut.end - start, text: String(cut.text.suffix(2))),
                        at: 0)
                }
                if let cut = speech.words.first(where: { $0.start < end - 0.1 && $0.end > end }) {
                    heard.append(
                        .init(
                            start: cut.start - start, end: end - start,
                            text: String(cut.text.prefix(2))))
                }
                return Transcript(
                    text: heard.map(\.text).joined(separator: " "),
                    segments: heard.map { .init(start: $0.start, end: $0.end, text: $0.text) },
                    words: heard)
            }
            let whole = TranscriptStitcher.stitch(pieces)
            words += speech.words.count
            wrong += EditDistance.between(whole.words.map(\.text), speech.words.map(\.text))
            wrong += EditDistance.between(
                whole.text.split(separator: " "), speech.text.split(separator: " "))
        }
        XCTAssertLessThanOrEqual(
            Double(wrong) / Double(2 * words), 0.005, "\(wrong) of \(2 * words)")
    }

    func testWithoutTimesTheWordsOfTheOverlapDecide() {
        func joined(_ left: String, _ right: String) -> String {
            TranscriptStitcher.joined(left, right)
        }
        XCTAssertEqual(
            joined("We met at the old harbour.", "The old harbour, where it rained."),
            "We met at the old harbour, where it rained.")
        XCTAssertEqual(
            joined("and so we went down to the riv", "own to the river and swam"),
            "and so we went down to the river and swam")
        XCTAssertEqual(
            joined("that is what Peter Smith told us then", "Peter Smyth told us then, he said"),
            "that is what Peter Smith told us then, he said")
        XCTAssertEqual(
            joined("One sentence ends.", "Another begins."), "One sentence ends. Another begins.")
        XCTAssertEqual(joined("", "all of it"), "all of it")
        // Each of the two was cut in one of the pieces.
        XCTAssertEqual(joined("we saw tomi so", "mi sori there"), "we saw tomi sori there")
        XCTAssertEqual(joined("all of it", ""), "all of it")
        XCTAssertEqual(joined("it was very", "very good"), "it was very good")
        XCTAssertEqual(joined("I saw a", "a dog"), "I saw a a dog")
        XCTAssertEqual(joined("今日はとても天気がいいですね", "がいいですね散歩に行きましょう"), "今日はとても天気がいいですね散歩に行きましょう")
        XCTAssertEqual(joined("我们明天去", "北京看朋友"), "我们明天去北京看朋友")
        XCTAssertEqual(
            joined("«Привет, как дела?» — спросил он", "спросил он и ушёл"),
            "«Привет, как дела?» — спросил он и ушёл")
    }

    func testAPieceOfSilenceChangesNothing() {
        let spoken = Transcript(
            text: "hello", segments: [.init(start: 1, end: 2, text: "hello")])
        let silent = Transcript(text: "")
        let whole = TranscriptStitcher.stitch([
            Piece(start: 0, end: 10.5, keepFrom: 0, keepTo: 10, transcript: silent),
            Piece(start: 9.5, end: 20.5, keepFrom: 10, keepTo: 20, transcript: spoken),
            Piece(start: 19.5, end: 30, keepFrom: 20, keepTo: 30, transcript: silent),
        ])
        XCTAssertEqual(
            whole,
            Transcript(text: "hello", segments: [.init(start: 10.5, end: 11.5, text: "hello")]))
    }

    func testAnAnswerWithoutTimesAmongOthersKeepsItsWords() {
        let whole = TranscriptStitcher.stitch([
            Piece(
                start: 0, end: 10.5, keepFrom: 0, keepTo: 10,
                transcript: Transcript(
                    text: "one", segments: [.init(start: 1, end: 2, text: "one")],
                    words: [.init(start: 1, end: 2, text: "one")])),
            Piece(
                start: 9.5, end: 20, keepFrom: 10, keepTo: 20,
                transcript: Transcript(text: "two three")),
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

    func testWordsThatBothPiecesGiveAwayStay() {
        // The one heard it after the middle of the overlap, the other before.
        func piece(_ start: Double, _ end: Double, _ from: Double, _ to: Double, _ at: Double)
            -> Piece
        {
            Piece(
                start: start, end: end, keepFrom: from, keepTo: to,
                transcript: Transcript(
                    text: "word",
                    segments: [.init(start: at - start, end: at - start + 0.2, text: "word")]))
        }
        let lost = TranscriptStitcher.stitch([
            piece(0, 10.5, 0, 10, 9.95), piece(9.5, 20, 10, 20, 9.85),
        ])
        XCTAssertEqual(lost.text, "word")
        let doubled = TranscriptStitcher.stitch([
            piece(0, 10.5, 0, 10, 9.85), piece(9.5, 20, 10, 20, 9.95),
        ])
        XCTAssertEqual(doubled.text, "word")
    }
}
