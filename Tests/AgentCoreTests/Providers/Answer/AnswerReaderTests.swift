import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import Privacy

final class AnswerReaderTests: XCTestCase {
    private func reader() -> AnswerReader {
        AnswerReader(
            source: FixtureStream.source(.messages), contentType: nil, isLenient: false)
    }

    func testNeighbouringTextOfAChunkIsOneEventAndOrderIsKept() {
        var events: [ProviderEvent] = []
        for event: ProviderEvent in [
            .text("a"), .text("b"), .thinking("c"), .thinking("d"), .text("e"), .refusal("f"),
            .refusal("g"), .toolCallStarted(name: "n"), .toolCallStarted(name: "n"),
        ] {
            events.append(merging: event)
        }
        XCTAssertEqual(
            events,
            [
                .text("ab"), .thinking("cd"), .text("e"), .refusal("fg"),
                .toolCallStarted(name: "n"), .toolCallStarted(name: "n"),
            ])
    }

    func testAnAnswerLongerThanAnyModelWritesIsGivenUp() {
        var reader = reader()
        let piece = String(repeating: "x", count: 1 << 20)
        var pushed = 0
        var failure: ProviderError?
        let stream = WireScript.text(Array(repeating: piece, count: 12), format: .messages)
        for chunk in stride(from: 0, to: stream.count, by: 256 << 10) where failure == nil {
            let end = min(stream.count, chunk + 256 << 10)
            failure = reader.push(Array(stream[chunk..<end]))
            for case .text(let text) in reader.takeBatch() { pushed += text.utf8.count }
        }
        guard case .transport(let error)? = failure?.reason else {
            return XCTFail("\(String(describing: failure))")
        }
        XCTAssertEqual(error.reason, .tooLarge)
        XCTAssertGreaterThanOrEqual(pushed, 3 << 20)
        XCTAssertLessThanOrEqual(pushed, 6 << 20)
    }

    func testEachChunkGivesItsOwnBatch() {
        var reader = reader()
        var batches: [[ProviderEvent]] = []
        let stream = WireScript.text(["a", "b"], format: .messages)
        let text = String(decoding: stream, as: UTF8.self)
        for piece in text.components(separatedBy: "\n\n") where !piece.isEmpty {
            XCTAssertNil(reader.push(Array((piece + "\n\n").utf8)))
            batches.append(reader.takeBatch())
        }
        XCTAssertEqual(batches.filter { !$0.isEmpty }, [[.text("a")], [.text("b")]])
        XCTAssertTrue(reader.isFinished)
    }

    func testWhiteSpaceBeforeTheFirstEventDecidesNothing() {
        var reader = reader()
        XCTAssertNil(reader.push([0x0A, 0x20, 0x0D]))
        XCTAssertNil(reader.push([0x0A]))
        XCTAssertNil(reader.push(WireScript.text(["a"], format: .messages)))
        XCTAssertEqual(reader.takeBatch(), [.text("a")])
    }

    func testAnEventAboveTheLimitIsRefusedAfterWhatCameBefore() {
        var reader = reader()
        let start = WireScript.event([
            "type": "content_block_delta", "index": 0,
            "delta": ["type": "text_delta", "text": "a"],
        ])
        XCTAssertNil(reader.push(start + [UInt8](repeating: 0x61, count: 15 << 20)))
        XCTAssertEqual(reader.takeBatch(), [.text("a")])
        let failure = reader.push([UInt8](repeating: 0x61, count: 2 << 20))
        guard case .transport(let error)? = failure?.reason else {
            return XCTFail("\(String(describing: failure))")
        }
        XCTAssertEqual(error.detail.text, "an event of an answer may have 16 MB")
    }

    /// A server that keeps the connection open after the end mark.
    private struct OpenTransport: HTTPTransport {
        let stream: [UInt8]

        func send(_ request: HTTPRequest) async throws -> HTTPResponse {
            let unread = Mutex<[UInt8]?>(stream)
            let (silence, input) = AsyncStream.makeStream(of: Never.self)
            return HTTPResponse(
                head: HTTPResponseHead(status: 200, headers: []),
                body: ResponseBody {
                    if let chunk = unread.withLock({ $0.take() }) { return chunk }
                    // Ends only when the task is cancelled.
                    for await _ in silence {}
                    input.finish()
                    throw CancellationError()
                })
        }
    }

    func testAConnectionLeftOpenAfterTheEndMarkHoldsNothingUp() async throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let provider = HTTPProvider(
                endpoint: ProviderEndpoint(
                    name: .local, format: format, base: try BaseURL("http://127.0.0.1:1")),
                key: { nil }, person: { PersonalData() },
                transport: OpenTransport(stream: WireScript.text(["a"], format: format)),
                environment: Environment(
                    now: { Date(timeIntervalSince1970: 0) }, uptime: { 0 }, sleep: { _ in },
                    uuid: { "" }, random: { 0 }, variables: [:]))
            let completion = try await provider.respond(
                to: ModelRequest(
                    model: "m", system: "",
                    turns: [Turn(status: .open, messages: [.user("q")])])
            ) { _ in }
            XCTAssertEqual(completion.message.text, "a", "\(format)")
        }
    }
}
