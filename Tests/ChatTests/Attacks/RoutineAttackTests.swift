import AgentCore
import Base
import Foundation
import ICalendar
import Persistence
import Routines
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// A model that obeys the page it was given, in a routine that nobody watches: nothing is
/// changed, deleted or sent, everything it tried is held back, and each request has its row.
final class RoutineAttackTests: XCTestCase {
    private var count: Int {
        ProcessInfo.processInfo.environment["CHAT_FULL"] == "1" ? 1_000 : 60
    }

    func testAHostilePageMovesARoutineToNothing() async throws {
        let rig = try await AttackRig()
        var routine = Routine(
            id: "r", name: "Page watch", prompt: "What is new?",
            start: CivilDateTime(secondsAsUTC: 1_795_251_600),
            rule: try RecurrenceRule(parsing: "FREQ=DAILY"),
            provider: rig.model.provider.rawValue, host: "127.0.0.1", model: "attacker")
        // Even of tools that were named, none runs after the page.
        routine.tools = AttackWords.calls.map(\.tool)
        let before = try await rig.belongings()
        let sent = try await rows(rig).count
        let secrets = SecretScan(AttackRig.secrets.values + [HostileModel.key])
        var random = SplitMix(seed: 35)
        var (tried, held) = (0, 0)
        for round in 0..<count {
            let order = AttackWords.orders.randomElement(using: &random) ?? ""
            let text = AttackWords.text(
                order, in: AttackWords.dresses.randomElement(using: &random) ?? "")
            let calls = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                let call = AttackWords.calls.randomElement(using: &random)
                return ToolCall(
                    id: "", name: call?.tool ?? "",
                    arguments: call?.arguments.randomElement(using: &random) ?? "")
            }
            tried += calls.count
            rig.model.play([calls], closing: text)
            let page = Attachment(
                name: "news", mediaType: "text/plain", bytes: Array(text.utf8))
            let answer = await rig.services.answer(
                routine, [page], title: "Page watch",
                limit: Money(dollars: 1))
            XCTAssertNil(answer.failure, "\(round)")
            held += answer.held.count
            XCTAssertEqual(rig.model.left, 0, "\(round)")
        }
        let after = try await rig.belongings()
        XCTAssertEqual(after, before)
        XCTAssertGreaterThan(held, tried / 2)
        let requests = rig.model.requests.filter { $0.method == "POST" }
        XCTAssertEqual(requests.flatMap { secrets.hits(in: $0.body) }, [])
        XCTAssertEqual(rig.model.requests.filter { !rig.model.asksForAnswer($0) }, [])
        // The ledger beside what the server has counted.
        let written = try await rows(rig).dropLast(sent).filter { $0.outgoing.routine == "r" }
        let turns = written.filter { $0.outgoing.purpose == .routine }
        XCTAssertEqual(turns.map(\.bytesOut).sorted(), requests.map(\.body.count).sorted())
        XCTAssertTrue(turns.allSatisfy { $0.outgoing.content.contains(SentContent.untrusted) })
        await rig.end()
    }

    private func rows(_ rig: AttackRig) async throws -> [SentRow] {
        await rig.services.ledger.writeAnswers()
        return try await rig.services.store().sent(SentFilter(limit: 100_000))
    }
}
