import Base
import XCTest

@testable import Transcription

final class TranscriptJSONTests: XCTestCase {
    func testPartsOfWordsWithinSegmentsBecomeWords() throws {
        // As whisper.cpp answers `verbose_json`.
        let transcript = try read(
            #"""
            {"language":"english","duration":2,"text":" Hello, world\n Good",
             "segments":[{"id":0,"text":" Hello, world","start":0,"end":1.5,"words":[
               {"word":" Hel","start":0,"end":0.2,"t_dtw":-1,"probability":0.9},
               {"word":"lo","start":0.2,"end":0.4},{"word":",","start":0.4,"end":0.5},
               {"word":" world","start":0.5,"end":1.5}]},
              {"id":1,"text":" Good","start":1.5,"end":2,"words":[
               {"word":" Good","start":1.5,"end":2},{"word":"","start":2,"end":2}]}]}
            """#)
        XCTAssertEqual(transcript?.text, "Hello, world\n Good")
        XCTAssertEqual(transcript?.segments.map(\.text), ["Hello, world", "Good"])
        XCTAssertEqual(
            transcript?.words,
            [
                .init(start: 0, end: 0.5, text: "Hello,"),
                .init(start: 0.5, end: 1.5, text: "world"), .init(start: 1.5, end: 2, text: "Good"),
            ])
    }

    /// Segments as `start–end text`, estimated ones with a tilde.
    private func segments(_ json: String) throws -> [String] {
        try XCTUnwrap(try read(json)).segments.map {
            "\($0.isEstimated ? "~" : "")\($0.start)–\($0.end) \($0.text)"
        }
    }

    func testSegmentsWithoutTimesKeepTheirWordsAndGetEstimatedOnes() throws {
        XCTAssertEqual(
            try segments(
                #"""
                {"text":"One. Two. Three. Four.","duration":9,"segments":[
                  {"text":"One.","end":1},{"text":"Two."},
                  {"text":"Three.","start":4,"end":5},{"text":"Four.","start":6}]}
                """#),
            [
                "~0.0–1.0 One.", "~1.0–\(1 + 4.0 / 15) Two.", "4.0–5.0 Three.",
                "~6.0–\(6 + 5.0 / 15) Four.",
            ])
        // Without any time there is nothing to estimate by.
        let untimed = try XCTUnwrap(
            try read(#"{"text":null,"segments":[{"text":"One."},{"text":"Two."}]}"#))
        XCTAssertEqual(untimed.text, "One. Two.")
        XCTAssertEqual(untimed.segments, [])
    }

    func testPairsOfTimestampsAreTimes() throws {
        XCTAssertEqual(
            try segments(
                #"""
                {"text":"One. Two.","chunks":[{"timestamp":[0.5,1.5],"text":" One."},
                  {"timestamp":[2,null],"text":" Two."}]}
                """#), ["0.5–1.5 One.", "~2.0–\(2 + 4.0 / 15) Two."])
    }

    func testWordsOfTheTextThatNoSegmentHasStandBetweenTheSegments() throws {
        XCTAssertEqual(
            try segments(
                #"""
                {"text":"Well, one. Two, twenty. Three! And four.","duration":30,"segments":[
                  {"text":"One.","start":4,"end":5},{"text":"Two, 20.","start":6,"end":8},
                  {"text":"Three!","start":8,"end":9}]}
                """#),
            [
                "~0.0–\(5.0 / 15) Well,", "4.0–5.0 One.", "6.0–8.0 Two, 20.", "8.0–9.0 Three!",
                "~9.0–\(9 + 9.0 / 15) And four.",
            ])
    }

    func testATextThatIsNullIsThatOfTheSegments() throws {
        let transcript = try read(
            #"{"text":null,"segments":[{"start":0,"end":1,"text":"One"},{"start":1,"end":2,"text":null}]}"#
        )
        XCTAssertEqual(transcript?.text, "One")
        XCTAssertEqual(transcript?.segments.map(\.text), ["One"])
    }

    func testWordsWithoutSpacesStayApart() throws {
        let transcript = try read(
            #"{"text":"今日は","words":[{"word":"今日","start":0,"end":1},{"word":"は","start":1,"end":2}]}"#
        )
        XCTAssertEqual(transcript?.words.map(\.text), ["今日", "は"])
    }

    func testWhatIsMissingOrStrangeIsDoneWithout() throws {
        // Numbers as text (vLLM), no times, times that run backwards.
        let transcript = try read(
            #"""
            {"duration":"5.5","language":null,"languages":[{"code":"en"}],"segments":[
             {"text":"no times"},{"start":"1.5","end":"2","text":" a "},{"start":3,"end":2,"text":"b"},
             {"start":-1,"end":1e999,"text":"c"},{"start":-1,"end":4,"text":"d","speaker":7},
             {"start":0,"end":1,"text":"  "},null,5]}
            """#)
        XCTAssertEqual(
            transcript,
            Transcript(
                text: "no times a b c d", language: "en", duration: 5.5,
                segments: [
                    .init(start: 0, end: 8.0 / 15, text: "no times", isEstimated: true),
                    .init(start: 1.5, end: 2, text: "a"), .init(start: 3, end: 3, text: "b"),
                    .init(start: 0, end: 0, text: "c", isEstimated: true),
                    .init(start: 0, end: 4, text: "d", speaker: "7"),
                ]))
    }

    func testWhatNobodySaysIsLeftOut() throws {
        let transcript = try read(
            #"""
            {"text":"a\u001b[2Jb\r\nc\rd\te\u0000\u007f\u009b","segments":[
              {"start":0,"end":1,"text":"\u0007a\u001b[2Jb c d e","speaker":"A\u001b"}],
             "words":[{"start":0,"end":1,"word":" a\u0008"}]}
            """#)
        XCTAssertEqual(
            transcript,
            Transcript(
                text: "a[2Jb\nc\nd\te",
                segments: [.init(start: 0, end: 1, text: "a[2Jb c d e", speaker: "A")],
                words: [.init(start: 0, end: 1, text: "a")]))
    }

    func testWhatIsNoTranscriptIsNone() throws {
        for text in ["{}", "null", "5", "[]", #"{"text":null}"#, #"{"segments":{}}"#] {
            let transcript = try read(text)
            XCTAssertNil(transcript, text)
        }
    }

    private func read(_ text: String) throws -> Transcript? {
        TranscriptJSON.transcript(try JSONParser.parse([UInt8](text.utf8)))
    }
}
