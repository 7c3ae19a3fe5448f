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
                    .init(start: 1.5, end: 2, text: "a"), .init(start: 3, end: 3, text: "b"),
                    .init(start: 0, end: 4, text: "d", speaker: "7"),
                ]))
    }

    func testWhatNobodySaysIsLeftOut() throws {
        let transcript = try read(
            #"""
            {"text":"a\u001b[2Jb\r\nc\rd\te\u0000\u007f\u009b","segments":[
              {"start":0,"end":1,"text":"\u0007a","speaker":"A\u001b"}],
             "words":[{"start":0,"end":1,"word":" a\u0008"}]}
            """#)
        XCTAssertEqual(
            transcript,
            Transcript(
                text: "a[2Jb\nc\nd\te",
                segments: [.init(start: 0, end: 1, text: "a", speaker: "A")],
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
