import AgentCore
import Base
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// A conversation that becomes too long for its model, with a real store and a
/// scripted server.
final class SessionCompactionTests: XCTestCase {
    /// What Claude was asked, and what it answers.
    private final class Server: Sendable {
        private let bodies = Mutex<[JSONValue]>([])
        let refuses: Bool
        let summary: RoutedTransport.Route

        init(summary: @escaping RoutedTransport.Route, refuses: Bool = false) {
            self.summary = summary
            self.refuses = refuses
        }

        var all: [JSONValue] { bodies.withLock { $0 } }
        /// Those that asked for a summary.
        var summaries: [JSONValue] { all.filter { Self.isSummary($0) } }
        var questions: [JSONValue] { all.filter { !Self.isSummary($0) } }

        static func isSummary(_ body: JSONValue) -> Bool {
            body["system"]?.arrayValue?.first?["text"]?.stringValue == Compaction.system
        }

        var route: RoutedTransport.Route {
            { [self] request in
                guard case .bytes(let bytes) = request.body else { return (500, "text/plain", "") }
                let body = try JSONParser.parse(bytes)
                bodies.withLock { $0.append(body) }
                if Self.isSummary(body) { return try await summary(request) }
                let found = ConversationValidator.violations(in: body, format: .messages)
                XCTAssertEqual(found, [])
                if refuses, (body["messages"]?.arrayValue ?? []).count > 6 {
                    let text =
                        #"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 5000 tokens > 4000 maximum"}}"#
                    return (400, "application/json", text)
                }
                var answer = try await RoutedTransport.claude("Noted.")(request)
                answer.body.replace(
                    "\"input_tokens\":10", with: "\"input_tokens\":\(bytes.count / 4)")
                return answer
            }
        }
    }

    private let long = String(repeating: "some words that fill it. ", count: 100)

    private func rig(_ server: Server, _ configuration: String) throws -> ChatRig {
        let rig = try ChatRig(variables: ChatRig.claude, configuration: configuration)
        rig.transport.set("api.anthropic.com", server.route)
        return rig
    }

    private func session(_ rig: ChatRig) async throws -> Session {
        let session = try await rig.session(
            flags: ProviderChoice.Selection(provider: .claude, model: "unknown-model"))
        try await session.openNew()
        return session
    }

    private final class Notices: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }

        @Sendable func observe(_ event: AgentEvent) async {
            guard case .compaction(let event) = event else { return }
            lines.withLock { $0.append(CompactionText.line(event).text) }
        }
    }

    private func texts(_ body: JSONValue) -> [String] {
        (body["messages"]?.arrayValue ?? []).map { message in
            (message["content"]?.arrayValue ?? []).compactMap { $0["text"]?.stringValue }
                .filter { !$0.hasPrefix("[Local time") }.joined(separator: "|")
        }
    }

    func testTheEarlierPartIsSummedUpBeforeTheWindowIsFull() async throws {
        let server = Server(summary: RoutedTransport.claude("They spoke of ferries."))
        let rig = try rig(server, #"{"context_window": 8192}"#)
        let session = try await session(rig)
        let notices = Notices()
        for number in 0..<12 {
            _ = try await session.send("\(number) \(long)", observe: notices.observe)
        }
        XCTAssertGreaterThan(server.summaries.count, 0)
        XCTAssertEqual(server.summaries[0]["tools"], nil)
        let last = texts(try XCTUnwrap(server.questions.last))
        XCTAssertTrue(last[0].hasPrefix("<summary of the earlier conversation"), last[0])
        XCTAssertTrue(last[0].contains("They spoke of ferries."))
        XCTAssertTrue(last.last?.hasPrefix("11 ") == true)
        XCTAssertTrue(
            notices.all[1].hasPrefix("  Summed up ")
                && notices.all[1].hasSuffix(
                    "tokens) · the originals are kept"),
            notices.all.joined(separator: "\n"))
        // The originals are there, and what the summary cost is counted.
        let id = await session.record?.id ?? ""
        let stored = try await rig.services.store().turns(of: id, last: 100)
        XCTAssertEqual(stored.count, 12)
        let usage = try await rig.services.store().usage(of: id)
        XCTAssertEqual(
            usage.reduce(0) { $0 + $1.usage.output }, 5 * server.all.count)
        await rig.services.close()
    }

    func testASummaryIsTheBeginningOfTheNextLaunchAsWell() async throws {
        let server = Server(summary: RoutedTransport.claude("They spoke of ferries."))
        let rig = try rig(server, #"{"context_window": 65536}"#)
        let session = try await session(rig)
        for number in 0..<6 { _ = try await session.send("\(number)") { _ in } }
        let report = try await session.compact(focus: "prices") { _ in }
        XCTAssertEqual(report.turns, 4)
        XCTAssertLessThan(report.after, report.before + 20)
        let asked = try XCTUnwrap(server.summaries.first)
        XCTAssertTrue(texts(asked)[0].contains("What matters most to the user: prices"))
        let record = await session.record
        try await session.openNew()
        let later = try await rig.session()
        let opening = try await later.open(try XCTUnwrap(record))
        XCTAssertEqual(opening, .opened)
        _ = try await later.send("And now?") { _ in }
        let sent = texts(try XCTUnwrap(server.questions.last))
        XCTAssertEqual(sent.count, 5, "\(sent)")
        XCTAssertTrue(
            sent[0].contains("They spoke of ferries.") && sent[0].hasSuffix("|4"), sent[0])
        await rig.services.close()
    }

    func testWhatTheServerFindsTooLongIsSummedUpOnceAndSentAgain() async throws {
        let server = Server(summary: RoutedTransport.claude("Ferries."), refuses: true)
        let rig = try rig(server, "{}")
        let session = try await session(rig)
        for number in 0..<3 { _ = try await session.send("\(number) \(long)") { _ in } }
        let notices = Notices()
        guard
            case .model(let outcome, _, _) = try await session.send(
                "again", observe: notices.observe)
        else { return XCTFail("not asked") }
        XCTAssertEqual(outcome.status, .done)
        XCTAssertEqual(notices.all.map { $0.prefix(8) }, ["  Summin", "  Summed"])
        XCTAssertEqual(server.questions.count, 5)
        let id = await session.record?.id ?? ""
        let stored = try await rig.services.store().turns(of: id, last: 100)
        XCTAssertEqual(stored.map(\.turn.status), [.done, .done, .done, .done])
        await rig.services.close()
    }

    func testWithCompactionOffItIsOfferedAndANoChangesNothing() async throws {
        let server = Server(summary: RoutedTransport.claude("Ferries."), refuses: true)
        let rig = try rig(server, #"{"compaction": "off"}"#)
        let session = try await session(rig)
        for number in 0..<3 { _ = try await session.send("\(number) \(long)") { _ in } }
        guard case .model(let outcome, _, _) = try await session.send("again", observe: { _ in })
        else { return XCTFail("not asked") }
        XCTAssertEqual(outcome.status, .failed)
        XCTAssertEqual(server.summaries.count, 0)
        await rig.services.close()
    }

    func testAFailedSummaryChangesNothingAndTheMessageGoesWithoutTheOldest() async throws {
        let server = Server(summary: { _ in (401, "application/json", "{}") })
        let rig = try rig(server, #"{"context_window": 8192}"#)
        let session = try await session(rig)
        let notices = Notices()
        for number in 0..<16 {
            guard
                case .model(let outcome, _, _) = try await session.send(
                    "\(number) \(long)", observe: notices.observe)
            else { return XCTFail("not asked") }
            XCTAssertEqual(outcome.status, .done)
        }
        let id = await session.record?.id ?? ""
        let summary = try await rig.services.store()
            .history(of: id, withinBytes: 10_000).summary
        XCTAssertNil(summary)
        XCTAssertTrue(
            notices.all.contains { $0.contains("could not be summed up") },
            notices.all.joined(separator: "\n"))
        XCTAssertTrue(
            notices.all.contains { $0.contains("not sent to the model: too long") },
            notices.all.joined(separator: "\n"))
        await rig.services.close()
    }

    func testTwoMegabytesAreSentInAValidRequestAndTheUserIsTold() async throws {
        let server = Server(summary: RoutedTransport.claude("Ferries."))
        let rig = try rig(server, "{}")
        let store = try rig.services.store()
        let draft = await store.newConversation(
            kind: .repl, provider: .claude, model: "unknown-model")
        let journal = store.journal(for: draft.id, in: .repl)
        let words = String(repeating: "some words that fill it. ", count: 1_000)
        for number in 0..<100 {
            let id = try await journal.begin(user: .user("\(number) \(words)"), isLocal: false)
            try await journal.close(id, status: .done, usage: Usage(), note: nil)
        }
        let session = try await rig.session()
        let record = try await store.conversation(draft.id)
        _ = try await session.open(try XCTUnwrap(record))
        let notices = Notices()
        guard
            case .model(let outcome, _, _) = try await session.send(
                "And now?", observe: notices.observe)
        else { return XCTFail("not asked") }
        XCTAssertEqual(outcome.status, .done)
        XCTAssertLessThanOrEqual(server.summaries.count, 4)
        let sent = JSONWriter.bytes(try XCTUnwrap(server.questions.last)).count
        XCTAssertLessThan(sent, 200_000 * 4)
        XCTAssertTrue(
            notices.all.contains { $0.contains("Summed up") },
            notices.all.joined(separator: "\n"))
        await rig.services.close()
    }

    func testForeignTextIsStillKnownAfterItWasSummedUp() async throws {
        let server = Server(summary: RoutedTransport.claude("They read a file."))
        let rig = try rig(server, #"{"context_window": 65536}"#)
        let session = try await session(rig)
        _ = try await session.send(
            "read", attachments: [Attachment(name: "a", mediaType: "text/plain", bytes: [65])]
        ) { _ in }
        for number in 0..<5 { _ = try await session.send("\(number)") { _ in } }
        _ = try await session.compact(focus: nil) { _ in }
        let first = try await session.loadHistory().first
        XCTAssertEqual(first?.hasUntrustedText, true)
        await rig.services.close()
    }

    func testAModelThatReadsLessThanTheToolsIsAskedWithoutThem() async throws {
        let server = Server(summary: RoutedTransport.claude("x"))
        let rig = try rig(server, #"{"context_window": 1024, "tools": {"offer": "all"}}"#)
        let session = try await session(rig)
        let notices = Notices()
        for word in ["one", "two"] {
            _ = try await session.send(word, observe: notices.observe)
        }
        XCTAssertEqual(server.questions.map { $0["tools"] }, [nil, nil])
        XCTAssertEqual(
            notices.all,
            ["  ! This model reads 1k tokens; the tools do not fit and are left out."])
        await rig.services.close()
    }

    func testWithNothingEarlierThereIsNothingToSumUp() async throws {
        let server = Server(summary: RoutedTransport.claude("x"))
        let rig = try rig(server, "{}")
        let session = try await session(rig)
        for number in 0..<2 { _ = try await session.send("\(number)") { _ in } }
        do {
            _ = try await session.compact(focus: nil) { _ in }
            XCTFail("summed up")
        } catch let error as CompactionError {
            XCTAssertEqual(error.reason, .nothingToSumUp)
        }
        XCTAssertEqual(server.summaries.count, 0)
        await rig.services.close()
    }
}
