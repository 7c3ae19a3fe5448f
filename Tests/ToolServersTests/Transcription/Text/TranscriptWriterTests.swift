import Base
import TestSupport
import XCTest

@testable import Transcription

final class TranscriptWriterTests: XCTestCase {
    private let facts = TranscriptWriter.Facts(file: "a.wav", model: "whisper-1")

    private let talk = Transcript(
        text: "Hello there. How are you? Fine.", language: "english", duration: 12.5,
        segments: [
            .init(start: 0, end: 1.5, text: " Hello there.", speaker: "A"),
            .init(start: 1.6, end: 3, text: " How are you?", speaker: "A"),
            .init(start: 3.2, end: 4, text: "Fine.", speaker: "B"),
            .init(start: 7, end: 8, text: "Really.", speaker: "B"),
        ])

    private func write(_ transcript: Transcript, _ format: TranscriptWriter.Format) -> String {
        TranscriptWriter.write(transcript, as: format, facts)
    }

    func testTextHasAParagraphForEachSpeakerAndAfterEachPause() {
        XCTAssertEqual(
            write(talk, .text),
            """
            A: Hello there. How are you?

            B: Fine.

            B: Really.

            """)
    }

    func testManyShortSegmentsRunOnUntilSomebodyPauses() {
        // Every two seconds one of a second; after each tenth a real pause.
        var long = Transcript(text: "")
        var dots = Transcript(text: "")
        for number in 0..<300 {
            let start = Double(number * 2 + number / 10 * 4)
            long.segments.append(.init(start: start, end: start + 1, text: "\(number)."))
            // A server that tells only when each begins.
            dots.segments.append(
                .init(start: Double(number * 4), end: Double(number * 4), text: "\(number)."))
        }
        let paragraphs = write(long, .text).split(separator: "\n", omittingEmptySubsequences: false)
        XCTAssertEqual(paragraphs.filter { !$0.isEmpty }.count, 30)
        XCTAssertEqual(paragraphs.first, "0. 1. 2. 3. 4. 5. 6. 7. 8. 9.")
        XCTAssertEqual(paragraphs.filter(\.isEmpty).count, 30, "between them, and at the end")
        XCTAssertEqual(write(dots, .text).filter(\.isNewline).count, 1)
    }

    func testTextWithTimesHasALineForEachSegment() {
        var facts = facts
        facts.showsTimes = true
        var late = talk
        late.segments[3].start = 3_723.9
        late.segments[3].end = 3_724
        XCTAssertEqual(
            TranscriptWriter.write(late, as: .text, facts),
            """
            [00:00:00] A: Hello there.
            [00:00:01] A: How are you?
            [00:00:03] B: Fine.
            [01:02:03] B: Really.

            """)
    }

    func testTextWithoutTimesIsAsTheServerWroteIt() {
        XCTAssertEqual(write(Transcript(text: "  One.\nTwo.\n"), .text), "One.\nTwo.\n")
        XCTAssertEqual(write(Transcript(text: " \n"), .text), "")
        XCTAssertEqual(write(Transcript(text: ""), .srt), "")
        XCTAssertEqual(write(Transcript(text: ""), .vtt), "WEBVTT\n")
    }

    func testSubtitlesOfWordsAloneAreLinesThatCanBeRead() {
        let words = Transcript(
            text: "One two. Three four",
            words: [
                .init(start: 0, end: 0.4, text: "One"), .init(start: 0.5, end: 0.9, text: "two."),
                .init(start: 1, end: 1.4, text: "Three"), .init(start: 5, end: 5.4, text: "four"),
            ])
        XCTAssertEqual(
            write(words, .srt),
            """
            1
            00:00:00,000 --> 00:00:00,900
            One two.

            2
            00:00:01,000 --> 00:00:01,400
            Three

            3
            00:00:05,000 --> 00:00:05,400
            four

            """)
    }

    func testJSONHasStableNames() throws {
        var transcript = talk
        transcript.segments = [talk.segments[0]]
        transcript.words = [.init(start: 0.12345, end: 1, text: "Hello")]
        XCTAssertEqual(
            try JSONParser.parse(write(transcript, .json)),
            [
                "file": "a.wav", "model": "whisper-1", "language": "english",
                "duration": .number("12.5"), "text": "Hello there. How are you? Fine.",
                "segments": [
                    [
                        "start": .number("0.0"), "end": .number("1.5"), "text": " Hello there.",
                        "speaker": "A",
                    ]
                ],
                "words": [["start": .number("0.123"), "end": .number("1.0"), "text": "Hello"]],
            ])
    }

    func testATranscriptSurvivesItsJSON() {
        XCTAssertEqual(Transcript(json: talk.json), talk)
        XCTAssertNil(Transcript(json: ["text": "x"]))
        XCTAssertNil(Transcript(json: ["text": "x", "segments": [[:]], "words": []]))
    }

    /// A reader of our own in another language, written from the two
    /// specifications: it takes nothing for granted that the writer does.
    private static let reader = #"""
        import html, json, re, sys
        text = open(sys.argv[2], "rb").read().decode("utf-8")
        kind = sys.argv[1]
        stamp = r"(\d{2,}):([0-5]\d):([0-5]\d)[%s](\d{3})" % ("," if kind == "srt" else ".")
        line = re.compile("^" + stamp + " --> " + stamp + "$")
        def seconds(parts):
            h, m, s, t = map(int, parts)
            return ((h * 60 + m) * 60 + s) * 1000 + t
        blocks = [b.split("\n") for b in re.split(r"\n\n+", text.strip("\n")) if b]
        if kind == "vtt":
            assert blocks.pop(0) == ["WEBVTT"]
        cues, last = [], -1
        for number, block in enumerate(blocks, 1):
            if kind == "srt":
                assert block.pop(0) == str(number), block
            match = line.match(block.pop(0))
            assert match, block
            start, end = seconds(match.groups()[:4]), seconds(match.groups()[4:])
            assert start < end and start >= last, (start, end, last)
            last = start
            assert len(block) == 1 and "-->" not in block[0], block
            words, speaker = block[0], None
            if kind == "vtt":
                voice = re.match(r"<v ([^>]*)>", words)
                if voice:
                    speaker, words = html.unescape(voice.group(1)), words[voice.end():]
                assert "<" not in words and re.fullmatch(r"([^&]|&(amp|lt|gt);)*", words), words
                words = html.unescape(words)
            cues.append([start, end, words, speaker])
        json.dump(cues, sys.stdout)
        """#

    private func read(_ text: String, _ kind: String) throws -> [[JSONValue]] {
        let folder = try TemporaryFolder()
        let file = try folder.write(text.utf8, to: "subtitles")
        let bytes = try Python.run(Self.reader, arguments: [kind, file])
        return try JSONParser.parse(bytes).arrayValue?.compactMap(\.arrayValue) ?? []
    }

    func testAnIndependentReaderFindsTheSameCuesWhateverIsInThem() throws {
        var random = SplitMix(seed: 5_010)
        let texts = [
            "a & b", "1 < 2 > 0", "--> x -->", "line\n\nbreak", "<v Bob>no", "&amp;", "WEBVTT",
            "NOTE x", "12", "00:00:01,000 --> 00:00:02,000", "日本語。", "STYLE", "é\u{301}",
            "\u{202E}abc",
        ]
        var transcript = Transcript(text: "x")
        var now = 3_590.0
        for index in 0..<200 {
            let start = now + Double.random(in: -0.5...3, using: &random)
            let end = start + Double.random(in: -0.2...4, using: &random)
            now = max(start, end)
            transcript.segments.append(
                .init(
                    start: start, end: end, text: texts[index % texts.count],
                    speaker: index % 3 == 0 ? "A & <B> -->" : nil))
        }
        transcript.segments.append(.init(start: .nan, end: .infinity, text: "end"))
        transcript.segments.append(.init(start: -5, end: -1, text: "x"))
        transcript.segments.append(.init(start: 1, end: 2, text: " \n "))
        let cues = TranscriptCue.cues(of: transcript)
        XCTAssertEqual(cues.count, 202)
        let vtt = try read(write(transcript, .vtt), "vtt")
        XCTAssertEqual(
            vtt,
            cues.map {
                [
                    JSONValue($0.start), JSONValue($0.end), .string($0.text),
                    $0.speaker.map { .string($0) } ?? .null,
                ]
            })
        let srt = try read(write(transcript, .srt), "srt")
        XCTAssertEqual(srt.map { $0[0] }, cues.map { JSONValue($0.start) })
        XCTAssertEqual(srt.map { $0[1] }, cues.map { JSONValue($0.end) })
    }
}
