import Base
import Synchronization
import TestSupport
import XCTest

@testable import AgentCore

/// A row for each request before it leaves, or no request.
final class SendLedgerTests: XCTestCase {
    private func request(
        _ purpose: Outgoing.Purpose, _ server: LoopbackServer, body: String = ""
    ) -> HTTPRequest {
        HTTPRequest(
            Outgoing(purpose, ["message"], model: "m"), method: "POST", url: server.url("/v1"),
            body: .bytes(Array(body.utf8)))
    }

    func testTheRowIsThereWhenTheRequestArrivesAndGetsWhatCameBack() async throws {
        let ledger = MemoryLedger()
        let before = Mutex<[MemoryLedger.Row]>([])
        let server = try LoopbackServer { _ in
            before.withLock { $0 = ledger.rows }
            return .text(418, "short")
        }
        defer { server.stop() }
        let transport = CurlTransport(ledger: ledger)
        do {
            let response = try await transport.send(request(.turn, server, body: "four"))
            response.receipt?.note(Usage(input: 7))
            _ = try await response.body.all()
        }
        let row = MemoryLedger.Row(
            outgoing: Outgoing(.turn, ["message"], model: "m"),
            host: "127.0.0.1:\(server.port)", bytes: 4)
        XCTAssertEqual(before.withLock { $0 }, [row])
        // The transfer's own thread may still hold the response for a moment.
        transport.shutDown()
        XCTAssertEqual(ledger.rows.map(\.outgoing), [row.outgoing])
        XCTAssertEqual(
            ledger.rows.first?.answer,
            SentAnswer(status: 418, bytes: 5, usage: Usage(input: 7)))
    }

    func testNothingIsSentThatCannotBeRecorded() async throws {
        let full = TransportError(reason: .notRecorded, host: "h", detail: "the disk is full")
        let ledger = MemoryLedger(failing: full)
        let server = try LoopbackServer(always: .text(200, "{}"))
        defer { server.stop() }
        let transport = CurlTransport(ledger: ledger)
        defer { transport.shutDown() }
        let purposes: [Outgoing.Purpose] = [
            .turn, .webPage, .toolServer, .transcription, .speech, .init(rawValue: "title"),
        ]
        for purpose in purposes {
            do {
                _ = try await transport.send(request(purpose, server))
                XCTFail("a \(purpose.rawValue) was sent")
            } catch {
                XCTAssertEqual(error as? TransportError, full)
            }
        }
        XCTAssertEqual(server.requests, [])
        XCTAssertEqual(ledger.missed, [])
        // These help to find out what is wrong, and hold nothing of the user's.
        for purpose in [Outgoing.Purpose.keyCheck, .models] {
            let response = try await transport.send(request(purpose, server))
            XCTAssertNil(response.receipt)
            XCTAssertEqual(response.head.status, 200)
        }
        XCTAssertEqual(server.requests.count, 2)
        XCTAssertEqual(ledger.missed, [full, full])
    }

    func testARequestThatNoServerAnswersHasARowWithoutAStatus() async throws {
        let ledger = MemoryLedger()
        let transport = CurlTransport(ledger: ledger)
        let port = try LoopbackServer.freePort()
        do {
            _ = try await transport.send(
                HTTPRequest(Outgoing(.models), method: "GET", url: "http://127.0.0.1:\(port)/"))
            XCTFail("somebody answered")
        } catch {
            XCTAssertEqual((error as? TransportError)?.reason, .connectionRefused)
        }
        transport.shutDown()
        XCTAssertEqual(ledger.rows.map(\.answer), [SentAnswer()])
    }

    func testTheCallOfAToolSaysWhoseItIsAndWhatAllowedIt() async {
        let caller = ToolCaller(model: "m", conversation: "c1")
        let outgoing = ToolCallContext.$caller.withValue(caller) {
            ToolCallContext.$approval.withValue("rule") { Outgoing(.webPage) }
        }
        XCTAssertEqual([outgoing.conversation, outgoing.approval], ["c1", "rule"])
        XCTAssertEqual([Outgoing(.webPage).conversation, Outgoing(.webPage).approval], [nil, nil])
    }

    func testTheKindsOfContentOfAConversationAreNamed() {
        func turn(_ messages: [Message]) -> Turn { Turn(status: .done, messages: messages) }
        let first = turn([
            Message(
                role: .user,
                parts: [
                    .text(.notes("i1: likes tea")), .text("sum up"),
                    .attachment(Attachment(name: "a.pdf", mediaType: "x/y", bytes: [])),
                    .attachment(
                        Attachment(name: "kept", mediaType: "x/y", bytes: [], isKeptOnly: true)),
                ]),
            Message(
                role: .tool,
                parts: [
                    .toolResult(ToolResult(callID: "1", name: "list_events", text: "dentist")),
                    .toolResult(ToolResult(callID: "2", name: "gone", text: "")),
                ]),
        ])
        let kinds = SentContent.kinds(of: [first, turn([.user("and?")])]) {
            $0 == "list_events" ? "calendar" : nil
        }
        XCTAssertEqual(
            kinds,
            [
                "message", "history", "notes", "file:a.pdf", "calendar:list_events", "tool:gone",
                "untrusted text",
            ])
        XCTAssertEqual(SentContent.kinds(of: [turn([.user("hi")])]) { _ in nil }, ["message"])
    }
}
