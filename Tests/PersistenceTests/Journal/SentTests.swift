import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// The ledger of what was sent, in the database.
final class SentTests: XCTestCase {
    private func outgoing(
        _ purpose: Outgoing.Purpose = .turn, _ content: [String] = [], of id: String? = nil
    ) -> Outgoing {
        var outgoing = Outgoing(
            purpose, content, provider: .claude, model: "claude-sonnet-5-5", conversation: id)
        outgoing.approval = "y"
        return outgoing
    }

    func testARowHoldsWhatIsKnownBeforeAndGetsWhatCameBack() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let sent = outgoing(.turn, ["message", "file:a \"b\".pdf"])
        let id = try await store.recordSending(sent, host: "api.anthropic.com", bytes: 512)
        // Another process, after a crash at this moment.
        let crashed = try folder.copyOfNow().store()
        var row = try await crashed.sent(id)
        XCTAssertEqual(row?.outgoing, sent)
        XCTAssertEqual(row?.host, "api.anthropic.com")
        XCTAssertEqual(row?.bytesOut, 512)
        XCTAssertNil(row?.answer)
        await crashed.close()
        let answer = SentAnswer(
            status: 200, bytes: 4_096, usage: Usage(input: 10, cachedInput: 4, output: 3))
        let next = try await store.recordSending(
            outgoing(), host: "b.example", bytes: 0, closing: [(id, answer)])
        try await store.recordAnswers([(next, SentAnswer())])
        row = try await store.sent(id)
        XCTAssertEqual(row?.answer, answer)
        row = try await store.sent(next)
        XCTAssertEqual(row?.answer, SentAnswer())
        let none = try await store.sent(99)
        XCTAssertNil(none)
        await store.close()
    }

    func testAPortOfThisMachineWhereNothingListensLeavesNoRow() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        var kept: [String] = []
        for host in ["127.0.0.1:11434", "api.openai.com"] {
            for (purpose, status) in [
                (Outgoing.Purpose.models, nil), (.models, 200), (.turn, nil),
            ] {
                let id = try await store.recordSending(outgoing(purpose), host: host, bytes: 0)
                try await store.recordAnswers([(id, SentAnswer(status: status))])
                if try await store.sent(id) != nil { kept.append("\(host) \(purpose.rawValue)") }
            }
        }
        XCTAssertEqual(kept.count, 5)
        XCTAssertEqual(kept.filter { $0 == "127.0.0.1:11434 models" }.count, 1)
        await store.close()
    }

    func testTheListIsNarrowedByTimeHostAndLastTurn() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        func turn(_ text: String) async throws {
            let turn = try await journal.begin(user: .user(text), isLocal: false)
            _ = try await store.recordSending(
                outgoing(.turn, ["file:secret.pdf"], of: id), host: "api.anthropic.com",
                bytes: text.utf8.count)
            try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        }
        try await turn("a")
        try await turn("bb")
        _ = try await store.recordSending(outgoing(.webPage), host: "anthropic.com", bytes: 0)
        _ = try await store.recordSending(
            outgoing(.webPage), host: "notanthropic.com", bytes: 0)
        func ids(_ filter: SentFilter) async throws -> [Int64] {
            try await store.sent(filter).map(\.id)
        }
        var found = try await ids(SentFilter(limit: 3))
        XCTAssertEqual(found, [4, 3, 2])
        found = try await ids(SentFilter(host: "anthropic.com", limit: 9))
        XCTAssertEqual(found, [3, 2, 1])
        for (row, host) in [(5, "127.0.0.1:18799"), (6, "a.anthropic.com:8080"), (7, "[::1]:80")] {
            let id = try await store.recordSending(outgoing(.webPage), host: host, bytes: 0)
            XCTAssertEqual(id, Int64(row))
        }
        for (host, rows) in [
            ("127.0.0.1", [5]), ("127.0.0.1:18799", [5]), ("127.0.0.1:1", []), ("0.0.1", [5]),
            ("27.0.0.1", []), ("anthropic.com", [6, 3, 2, 1]), ("anthropic.com:8080", [6]),
            ("com", [6, 4, 3, 2, 1]), ("[::1]", [7]), ("anthropic", []),
        ] as [(String, [Int64])] {
            found = try await ids(SentFilter(host: host, limit: 9))
            XCTAssertEqual(found, rows, host)
        }
        found = try await ids(SentFilter(lastTurnOf: id, limit: 9))
        XCTAssertEqual(found, [2])
        let third = try await store.sent(3)
        found = try await ids(SentFilter(since: third?.made, limit: 9))
        XCTAssertEqual(found, [7, 6, 5, 4, 3])
        // What was sent stays sent, though the conversation is gone.
        try await store.moveToTrash(id)
        try await store.erase([id])
        found = try await ids(SentFilter(limit: 9))
        XCTAssertEqual(found, [7, 6, 5, 4, 3, 2, 1])
        let second = try await store.sent(2)
        XCTAssertEqual(second?.outgoing.content, [])
        XCTAssertNil(second?.outgoing.conversation)
        await store.close()
    }

    func testTheTotalsAreByMonthOfTheZoneAndByHost() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        for (host, bytes) in [("a.example", 10), ("b.example", 1), ("a.example", 5)] {
            let row = try await store.recordSending(outgoing(), host: host, bytes: bytes)
            try await store.recordAnswers([
                (row, SentAnswer(status: 200, bytes: 100, usage: Usage(input: 2)))
            ])
        }
        // An hour before and after the turn of a month in UTC.
        try await store.script("UPDATE sent SET made = 1767222000000 WHERE id = 1;")
        try await store.script("UPDATE sent SET made = 1767229200000 WHERE id > 1;")
        let zone = LocalTime(.utc)
        let totals = try await store.sentTotals(since: .distantPast, zone: zone)
        XCTAssertEqual(
            totals.map {
                "\($0.month.isoText) \($0.host) \($0.requests) \($0.bytesOut) \($0.bytesIn)"
            },
            [
                "2026-01-01 a.example 1 5 100", "2026-01-01 b.example 1 1 100",
                "2025-12-01 a.example 1 10 100",
            ])
        XCTAssertEqual(totals.map { $0.usage.map(\.usage.input) }, [[2], [2], [2]])
        await store.close()
    }

    func testAFullDiskIsAnErrorAndLeavesNoRow() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let pages = try await store.values("PRAGMA page_count")[0]
        try await store.script("PRAGMA max_page_count = \(pages);")
        let long = outgoing(.turn, [String(repeating: "x", count: 100_000)])
        do {
            _ = try await store.recordSending(long, host: "a.example", bytes: 1)
            XCTFail("it was recorded")
        } catch {
            XCTAssertEqual(error.reason, .full)
        }
        let rows = try await store.sent(SentFilter(limit: 9))
        XCTAssertEqual(rows, [])
        await store.close()
    }
}
