import Base
import TestSupport
import XCTest

@testable import Transcription

final class TranscriptDecoderTests: XCTestCase {
    private enum Result: Equatable {
        case transcript(Transcript, words: String)
        case failure(TranscriptDecoder.Failure)
    }

    /// Name, content type, body and what it has to mean.
    private static let answers: [(String, String?, String, Result)] = [
        (
            "json", "application/json; charset=utf-8",
            #"{"text":" buy milk ","usage":{"type":"tokens","total_tokens":26}}"#,
            .transcript(Transcript(text: "buy milk"), words: "")
        ),
        (
            "empty json", "application/json", #"{"text":""}"#,
            .transcript(Transcript(text: ""), words: "")
        ),
        (
            "verbose", "application/json",
            #"""
            {"task":"transcribe","language":"english","duration":2.4,"text":"buy milk","words":[
            {"word":"buy","start":0.1,"end":0.4}],"segments":[{"id":0,"start":0.0,"end":2.4,
            "text":" buy milk","tokens":[1]}],"usage":{"type":"duration","seconds":3}}
            """#,
            .transcript(
                Transcript(
                    text: "buy milk", language: "english", duration: 2.4,
                    segments: [.init(start: 0, end: 2.4, text: "buy milk")],
                    words: [.init(start: 0.1, end: 0.4, text: "buy")]), words: "")
        ),
        (
            "diarized", "application/json",
            #"""
            {"task":"transcribe","duration":6.0,"text":"A: hi\nB: hello","segments":[
            {"type":"transcript.text.segment","id":"seg_1","start":0.0,"end":1.1,"text":"hi","speaker":"A"},
            {"type":"transcript.text.segment","id":"seg_2","start":1.4,"end":2.0,"text":"hello","speaker":"B"}]}
            """#,
            .transcript(
                Transcript(
                    text: "A: hi\nB: hello", duration: 6,
                    segments: [
                        .init(start: 0, end: 1.1, text: "hi", speaker: "A"),
                        .init(start: 1.4, end: 2, text: "hello", speaker: "B"),
                    ]), words: "")
        ),
        (
            "an encoded string", "application/json", #""buy milk\n""#,
            .transcript(Transcript(text: "buy milk"), words: "")
        ),
        (
            "plain text", "text/plain", "buy milk\n",
            .transcript(Transcript(text: "buy milk"), words: "")
        ),
        (
            "plain text as whisper.cpp calls it", "text/html; charset=utf-8", " buy <milk>\n",
            .transcript(Transcript(text: "buy <milk>"), words: "")
        ),
        (
            "plain text that begins like an event", "text/plain", "data: is the new oil",
            .transcript(Transcript(text: "data: is the new oil"), words: "")
        ),
        (
            "plain text without a type", nil, "Grüße 🎙",
            .transcript(Transcript(text: "Grüße 🎙"), words: "")
        ),
        (
            "subrip", "application/x-subrip",
            "1\r\n00:00:00,000 --> 00:00:01,500\r\n buy\r\nmilk\r\n\r\n2\r\n00:00:01,500 --> "
                + "01:00:02,250\r\nand bread\r\n",
            .transcript(
                Transcript(
                    text: "buy milk and bread", duration: 3602.25,
                    segments: [
                        .init(start: 0, end: 1.5, text: "buy milk"),
                        .init(start: 1.5, end: 3602.25, text: "and bread"),
                    ]), words: "")
        ),
        (
            "webvtt", "text/vtt",
            "WEBVTT\n\nNOTE x\n\ncue 1\n00:00.000 --> 00:01.500 align:start\n<v Ann>buy</v>\n\n",
            .transcript(
                Transcript(
                    text: "buy", duration: 1.5,
                    segments: [.init(start: 0, end: 1.5, text: "buy", speaker: "Ann")]), words: "")
        ),
        (
            "stream", "text/event-stream",
            """
            data: {"type":"transcript.text.delta","delta":"buy ","logprobs":[]}

            : ping

            data: {"type":"transcript.text.delta","delta":"milk"}

            data: {"type":"transcript.text.done","text":"Buy milk.","usage":{"type":"tokens"}}

            data: [DONE]


            """,
            .transcript(Transcript(text: "Buy milk."), words: "buy milk")
        ),
        (
            "stream with names of events and no type", nil,
            """
            event: transcript.text.delta
            data: {"delta":"buy"}

            event: transcript.text.done
            data: {"text":"buy"}

            """, .transcript(Transcript(text: "buy"), words: "buy")
        ),
        (
            "stream of segments", "text/event-stream",
            """
            data: {"type":"transcript.text.segment","id":"1","start":0,"end":1,"text":"hi","speaker":"A"}

            data: {"type":"transcript.text.segment","id":"2","start":1,"end":2,"text":"hello","speaker":"B"}

            data: {"type":"transcript.text.done","text":"hi hello"}


            """,
            .transcript(
                Transcript(
                    text: "hi hello", duration: 2,
                    segments: [
                        .init(start: 0, end: 1, text: "hi", speaker: "A"),
                        .init(start: 1, end: 2, text: "hello", speaker: "B"),
                    ]), words: "hi hello")
        ),
        (
            "stream of chat chunks", "text/event-stream",
            """
            data: {"object":"transcription.chunk","choices":[{"delta":{"content":"buy"}}]}

            data: {"object":"transcription.chunk","choices":[{"delta":{"content":" milk"},"finish_reason":"stop"}]}

            data: [DONE]

            """, .transcript(Transcript(text: "buy milk"), words: "buy milk")
        ),
        (
            "stream of bare segments", "text/event-stream",
            "data: {\"text\":\" buy\",\"start\":0,\"end\":1}\n\ndata: {\"text\":\" milk\"}\n\n",
            .transcript(
                Transcript(
                    text: "buy milk", duration: 1,
                    segments: [
                        .init(start: 0, end: 1, text: "buy"),
                        .init(start: 1, end: 1 + 4.0 / 15, text: "milk", isEstimated: true),
                    ]), words: "buy milk")
        ),
        (
            "json where a stream was announced", "text/event-stream", #"{"text":"buy"}"#,
            .transcript(Transcript(text: "buy"), words: "")
        ),
        (
            "stream of silence", "text/event-stream", "data: [DONE]\n\n",
            .transcript(Transcript(text: ""), words: "")
        ),
        (
            "stream without its end", "text/event-stream",
            "data: {\"type\":\"transcript.text.delta\",\"delta\":\"buy \"}\n\n", .failure(.cut)
        ),
        (
            "stream with events that say nothing", "text/event-stream",
            "data:\n\ndata:   \n\ndata: {\"type\":\"transcript.text.done\",\"text\":\"buy\"}\n\n",
            .transcript(Transcript(text: "buy"), words: "")
        ),
        ("stream of nothing", "text/event-stream", ": ping\n\n", .failure(.cut)),
        (
            "stream with an error", "text/event-stream",
            "data: {\"type\":\"error\",\"error\":{\"message\":\"died\"}}\n\n",
            .failure(.server(["type": "error", "error": ["message": "died"]]))
        ),
        ("stream of junk", "text/event-stream", "data: {\"type\n\n", .failure(.malformed)),
        ("nothing", "application/json", "", .failure(.malformed)),
        ("white space", nil, " \n ", .failure(.malformed)),
        ("cut json", "application/json", #"{"text":"buy mi"#, .failure(.malformed)),
        ("another object", "application/json", #"{"object":"list"}"#, .failure(.malformed)),
        ("a list", "application/json", "[1]", .failure(.malformed)),
        ("a page", "text/html", "\n<!DOCTYPE html><p>Login", .failure(.page)),
        ("a page without a type", nil, "<HTML><body>", .failure(.page)),
        (
            "an error", "application/json", #"{"error":"failed to read WAV file"}"#,
            .failure(.server(["error": "failed to read WAV file"]))
        ),
        ("a film", "video/mp4", "ftyp", .failure(.malformed)),
        ("bytes", "text/plain", "\u{1}\u{0}", .failure(.malformed)),
    ]

    func testEachFormMeansWhatItSaysHoweverItIsCut() {
        for (name, type, body, expected) in Self.answers {
            // The mark of UTF-8 before it, and all three ends of lines.
            for text in [body, "\u{FEFF}" + body, Self.withCarriageReturns(body, name)] {
                let bytes = [UInt8](text.utf8)
                XCTAssertEqual(Self.decode([bytes], type), expected, name)
                for cut in 0...bytes.count {
                    XCTAssertEqual(
                        Self.decode([Array(bytes[..<cut]), Array(bytes[cut...])], type), expected,
                        "\(name), cut at \(cut)")
                }
                XCTAssertEqual(Self.decode(bytes.map { [$0] }, type), expected, name)
            }
        }
    }

    func testNothingAfterTheEndOfAStreamMatters() {
        let body = """
            data: {"type":"transcript.text.done","text":"buy"}

            data: {"type":"error","error":{"message":"late"}}

            data: junk


            """
        XCTAssertEqual(
            Self.decode([[UInt8](body.utf8)], "text/event-stream"),
            .transcript(Transcript(text: "buy"), words: ""))
    }

    func testBytesThatAreNoUTF8AreNoText() {
        XCTAssertEqual(
            Self.decode([[0x61, 0xFF, 0xFE, 0x62]], "text/plain"), .failure(.malformed))
    }

    func testRandomDamageNeverTraps() {
        var random = SplitMix(seed: 20_261_121)
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 2_000 : 200_000
        for round in 0..<rounds {
            let (_, type, body, _) = Self.answers[round % Self.answers.count]
            var bytes = [UInt8](body.utf8)
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...2, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            let cut = Int.random(in: 0...bytes.count, using: &random)
            let whole = Self.decode([bytes], type)
            XCTAssertEqual(
                Self.decode([Array(bytes[..<cut]), Array(bytes[cut...])], type), whole)
        }
    }

    // MARK: -

    private static func decode(_ chunks: [[UInt8]], _ type: String?) -> Result {
        var decoder = TranscriptDecoder(contentType: type)
        var words = ""
        do throws(TranscriptDecoder.Failure) {
            for chunk in chunks where !chunk.isEmpty { words += try decoder.push(chunk) }
            let (rest, transcript) = try decoder.finish()
            return .transcript(transcript, words: words + rest)
        } catch {
            return .failure(error)
        }
    }

    private static func withCarriageReturns(_ text: String, _ name: String) -> String {
        // In JSON and plain text they would be part of what is said.
        guard name.hasPrefix("stream") else { return text }
        return text.replacingOccurrences(of: "\n", with: "\r\n")
    }
}
