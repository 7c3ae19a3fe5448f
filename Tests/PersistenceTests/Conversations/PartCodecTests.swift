import AgentCore
import Base
import XCTest

@testable import Persistence

final class PartCodecTests: XCTestCase {
    func testEveryKindOfPartComesBackEqual() {
        for part in Samples.everyPart {
            XCTAssertEqual(PartCodec.decode(PartCodec.encode(part)), part)
        }
    }

    func testOddTextComesBackEqualInEveryPlace() {
        for text in Samples.naughty {
            let parts: [Part] = [
                .text(TextPart(text, phase: text)), .refusal(text),
                .thinking(Thinking(text: text, item: .string(text))),
                .toolCall(ToolCall(id: text, name: text, arguments: text, itemID: text)),
                .toolResult(ToolResult(callID: text, name: text, text: text)),
                .attachment(Attachment(name: text, mediaType: text, bytes: Array(text.utf8))),
                .opaque(.object(JSONObject([.init(text, .string(text))]))),
            ]
            for part in parts {
                XCTAssertEqual(PartCodec.decode(PartCodec.encode(part)), part)
            }
        }
    }

    func testAnOpaqueItemMayBeAsDeepAsTheParserReads() throws {
        let depth = JSONParser.depthLimit
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let part = Part.opaque(try JSONParser.parse(text))
        XCTAssertEqual(PartCodec.decode(PartCodec.encode(part)), part)
    }

    func testTheStoredFormsAreTheDocumentedOnes() {
        let forms = Samples.everyPart.prefix(10).map { part in
            let stored = PartCodec.encode(part)
            return stored.kind + " " + stored.body
        }
        XCTAssertEqual(
            forms.filter { !$0.contains("exponent") },
            [
                #"text {"text":"plain"}"#, #"text {"text":"a phase","phase":"commentary"}"#,
                #"refusal {"text":"I cannot"}"#, #"thinking {"text":"hm"}"#,
                #"thinking {"text":"null item","item":null}"#,
                #"tool_call {"id":"c1","name":"list","arguments":"{\"half\":","item_id":"fc_1"}"#,
                #"tool_call {"id":"c2","name":"list","arguments":"{}"}"#,
                #"tool_result {"call_id":"c1","name":"list","text":"none","is_error":false}"#,
                #"tool_result {"call_id":"c2","name":"list","text":"bad","is_error":true,"#
                    + #""is_foreign":true}"#,
            ])
    }

    func testAFileThatIsOnlyKeptSaysSoAndAnOlderRowIsSent() {
        let file = Attachment(name: "a", mediaType: "text/plain", bytes: [65], isKeptOnly: true)
        let stored = PartCodec.encode(.attachment(file))
        XCTAssertEqual(
            stored.body, #"{"name":"a","media_type":"text/plain","size":1,"is_kept_only":true}"#)
        XCTAssertEqual(PartCodec.decode(stored), .attachment(file))
        let older = PartCodec.Stored(
            kind: "attachment", body: #"{"name":"a","media_type":"text/plain","size":1}"#,
            bytes: [65])
        XCTAssertEqual(
            PartCodec.decode(older),
            .attachment(Attachment(name: "a", mediaType: "text/plain", bytes: [65])))
    }

    func testDamagedRowsAreUnreadableAndNothingWorse() {
        var random = SeededGenerator(state: 7)
        var unreadable = 0
        for round in 0..<2_000 {
            let part = Samples.everyPart[round % Samples.everyPart.count]
            var stored = PartCodec.encode(part)
            var bytes = Array(stored.body.utf8)
            let place = Int.random(in: 0..<bytes.count, using: &random)
            if Bool.random(using: &random) {
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            } else {
                bytes.removeSubrange(place...)
            }
            stored.body = String(decoding: bytes, as: UTF8.self)
            if PartCodec.decode(stored) == nil { unreadable += 1 }
        }
        XCTAssertGreaterThan(unreadable, 500)
        XCTAssertNil(PartCodec.decode(.init(kind: "hologram", body: "{}")))
    }

    func testStreamedTextFoldsIntoOnePartPerRunOfAKind() {
        let chunks = [
            StreamedText(kind: .thinking, text: "let "), StreamedText(kind: .thinking, text: "me"),
            StreamedText(kind: .text, text: "Yes"), StreamedText(kind: .text, text: ""),
            StreamedText(kind: .text, text: ", e"), StreamedText(kind: .text, text: "\u{301}"),
            StreamedText(kind: .refusal, text: "no"), StreamedText(kind: .text, text: "!"),
        ]
        XCTAssertEqual(
            PartCodec.fold(chunks),
            [
                .thinking(Thinking(text: "let me")), .text("Yes, e\u{301}"), .refusal("no"),
                .text("!"),
            ])
        XCTAssertEqual(PartCodec.fold([]), [])
    }
}
