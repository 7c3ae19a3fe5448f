import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound
@testable import Transcription

/// Numbers and words that no recording has, from a server or a damaged journal,
/// taken the whole way: read, put together, written in every form, kept.
final class HostileTranscriptTests: XCTestCase {
    private static let numbers: [JSONValue] = [
        0, -1, .number("1.5"), .integer(.max), .integer(.min), .number("1e308"), .number("-1e308"),
        .number("1e999"), .number("-1e999"), .number("1e-999"), .string("nan"), .string("inf"),
        .string("1e300"), .string("12"), .null, true, [], [:],
    ]
    private static let texts: [JSONValue] = [
        "", " ", "and", "one two three", "\u{0}", "\u{1B}[2J", "-->", "\n\n1\n00:00:00,000 --> x",
        "日本語です", "e\u{301}\u{301}", "\u{202E}abc", "</v>", .null, 7,
        .string(String(repeating: "word ", count: 100)),
    ]

    private func transcript(_ random: inout SplitMix) -> JSONValue {
        func any(_ values: [JSONValue]) -> JSONValue {
            values.randomElement(using: &random) ?? .null
        }
        func parts(_ key: String) -> JSONValue {
            .array(
                (0..<Int.random(in: 0...5, using: &random)).map { _ in
                    [
                        "start": any(Self.numbers), "end": any(Self.numbers),
                        key: any(Self.texts), "speaker": any(Self.texts + Self.numbers),
                    ]
                })
        }
        return [
            "text": any(Self.texts), "duration": any(Self.numbers), "language": any(Self.texts),
            "segments": random.once(in: 8) ? any(Self.numbers) : parts("text"),
            "words": random.once(in: 8) ? any(Self.texts) : parts("word"),
        ]
    }

    func testWhateverAServerSaysIsWrittenAndKept() throws {
        var random = SplitMix(seed: 5_023)
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 600 : 100_000
        let times = [0, 0.5, 1, 300, 1e6, 8.64e4]
        for round in 0..<rounds {
            let pieces = (0..<Int.random(in: 1...3, using: &random)).compactMap {
                index -> TranscriptStitcher.Piece? in
                guard let said = TranscriptJSON.transcript(transcript(&random)) else { return nil }
                let start = Double(index) * (times.randomElement(using: &random) ?? 0)
                return TranscriptStitcher.Piece(
                    start: start, end: start + 10, transcript: said)
            }
            let whole = TranscriptStitcher.stitch(pieces, duration: 30)
            for format in TranscriptWriter.Format.allCases {
                let text = TranscriptWriter.write(
                    whole, as: format, .init(file: "a.wav", model: "m", showsTimes: round % 2 == 0))
                if format == .json { _ = try JSONParser.parse(Array(text.utf8)) }
            }
            _ = TranscriptFacts.line(file: "a.wav", duration: whole.duration, text: whole.text)
            // What is kept is read again, and no time of it is lost.
            let kept = try XCTUnwrap(
                Transcript(json: try JSONParser.parse(JSONWriter.bytes(whole.json))),
                "round \(round)")
            XCTAssertEqual(kept.text, whole.text, "round \(round)")
            XCTAssertEqual(kept.segments.count, whole.segments.count, "round \(round)")
        }
    }

    func testNoChangedJournalTrapsOrEndsInMoreThanWasThere() throws {
        let folder = try TemporaryFolder()
        let lines = [
            #"{"file":"/a.wav","bytes":64044,"model":"m","server":"s:1"}"#,
            #"{"plan":[[0,950],[950,2000]]}"#,
            #"{"piece":[0,950],"transcript":{"text":"a","segments":[],"words":[]}}"#,
            #"{"split":[950,2000],"into":[[950,1450],[1450,2000]]}"#,
            #"{"limit":12000}"#,
        ]
        let whole = Array((lines.joined(separator: "\n") + "\n").utf8)
        var random = SplitMix(seed: 5_024)
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 200 : 20_000
        for _ in 0..<rounds {
            var bytes = whole
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: at)
                case 2: bytes.insert(contentsOf: Array("9223372036854775807".utf8), at: at)
                default: bytes.removeLast(bytes.count - at - 1)
                }
            }
            let path = try folder.write(bytes, to: "journal.jsonl")
            let descriptor = open(path, O_RDONLY)
            defer { close(descriptor) }
            let (content, length) = TranscriptionJournal.read(descriptor)
            XCTAssertLessThanOrEqual(length, bytes.count)
            XCTAssertTrue(length == 0 || bytes[length - 1] == UInt8(ascii: "\n"))
            // As the job counts them.
            for piece in content.plan + content.splits.flatMap(\.into) {
                XCTAssertGreaterThan(piece.frames * 2_048, 0)
            }
        }
    }
}
