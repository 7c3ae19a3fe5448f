import AgentCore
import TestSupport
import XCTest

@testable import Persistence

/// What a crash leaves at each step of a turn: the files are copied after
/// every call, and each copy is opened as the next launch would.
final class CrashRecoveryTests: XCTestCase {
    private static let id = "00000000-0000-4000-8000-000000000001"

    private struct Step {
        var copy: StoreFolder
        /// What has been acknowledged, after recovery.
        var expected: [Message]
        var status: Turn.Status
    }

    /// A turn with a tool call and two answers; copies after each step.
    private func script() async throws -> [Step] {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        XCTAssertEqual(id, Self.id)
        let journal = store.journal(for: id, in: .repl)
        var steps: [Step] = []
        var acknowledged: [Message] = []
        func crash(_ partial: String? = nil, _ status: Turn.Status = .interrupted) throws {
            let rest = partial.map { [Message(role: .assistant, parts: [.text($0)])] } ?? []
            steps.append(
                Step(copy: try folder.copyOfNow(), expected: acknowledged + rest, status: status))
        }
        let turn = try await journal.begin(user: .user("hello"), isLocal: false)
        acknowledged = [.user("hello")]
        try crash()
        var streamed = ""
        for _ in 0..<3 {
            let text = String(repeating: "word ", count: 1_000)
            streamed += text
            try await journal.append(text, kind: .text, to: turn)
            try crash(streamed)
        }
        let call = Message(
            role: .assistant,
            parts: [.text(streamed), .toolCall(ToolCall(id: "1", name: "a", arguments: "{}"))],
            origin: ModelOrigin(provider: .claude, format: .messages, model: "m"))
        try await journal.record(call, in: turn)
        acknowledged.append(call)
        try crash()
        let result = ToolResult(callID: "1", name: "a", text: "one")
        try await journal.recordResult(result, in: turn)
        acknowledged.append(Message(role: .tool, parts: [.toolResult(result)]))
        try crash()
        let answer = String(repeating: "answer ", count: 1_000)
        try await journal.append(answer, kind: .text, to: turn)
        try crash(answer)
        let last = Message(role: .assistant, parts: [.text(answer)])
        try await journal.record(last, in: turn)
        acknowledged.append(last)
        try crash()
        try await journal.close(turn, status: .done, usage: Usage(input: 1), note: nil)
        try crash(nil, .done)
        await store.close()
        try crash(nil, .done)
        return steps
    }

    func testEveryStepOfATurnSurvivesACrash() async throws {
        let steps = try await script()
        XCTAssertEqual(steps.count, 10)
        for (number, step) in steps.enumerated() {
            let store = try step.copy.store()
            let integrity = try await store.values("PRAGMA integrity_check")
            let foreignKeys = try await store.values("PRAGMA foreign_key_check")
            XCTAssertEqual(integrity + foreignKeys, ["ok"])

            let before = try await store.turns(of: Self.id, last: 9)
            XCTAssertEqual(before.map(\.turn.messages), [step.expected], "step \(number) as left")
            let lock = try XCTUnwrap(
                try ConversationLock.acquire(folder: step.copy.locks, id: Self.id))
            let recovered = try await store.recover(holding: lock)
            XCTAssertEqual(recovered.count, step.status == .done ? 0 : 1)

            let after = try await store.turns(of: Self.id, last: 9)
            XCTAssertEqual(after.map(\.turn.messages), [step.expected], "step \(number)")
            XCTAssertEqual(after.map(\.turn.status), [step.status])
            XCTAssertEqual(after.compactMap(\.ended).count, 1)
            let counted = try await store.conversation(Self.id)?.messages
            XCTAssertEqual(counted, step.expected.count)
            let chunks = try await store.values("SELECT count(*) FROM chunks")
            XCTAssertEqual(chunks, ["0"])
            let again = try await store.recover(holding: lock)
            XCTAssertEqual(again, [])

            // The conversation goes on.
            let journal = store.journal(for: Self.id, in: .repl)
            let turn = try await journal.begin(user: .user("more"), isLocal: false)
            try await journal.close(turn, status: .done, usage: Usage(), note: nil)
            let count = try await store.turns(of: Self.id, last: 9).count
            XCTAssertEqual(count, 2)
            await store.close()
        }
    }

    func testALogThatIsCutAnywhereOpensWithATurnThatIsWholeOrPartial() async throws {
        let steps = try await script()
        let folder = try XCTUnwrap(steps.dropLast(2).last?.copy)
        let log = try folder.bytes("-wal")
        let frames = (log.count - 32) / (24 + 4_096)
        XCTAssertGreaterThan(frames, 20)
        var random = SeededGenerator(state: 3)
        for frame in 0...frames {
            // A torn write: some bytes of the next frame, some of them wrong.
            let copy = try folder.copyOfNow()
            let whole = 32 + frame * (24 + 4_096)
            var cut = log.prefix(min(log.count, whole + Int.random(in: 0..<4_120, using: &random)))
            if cut.count > whole { cut[cut.count - 1] ^= 0x55 }
            try cut.write(to: URL(fileURLWithPath: copy.database + "-wal"))
            let store = try copy.store()
            let integrity = try await store.values("PRAGMA integrity_check")
            XCTAssertEqual(integrity, ["ok"])
            let messages = try await store.turns(of: Self.id, last: 9).first?.turn.messages ?? []
            if let first = messages.first { XCTAssertEqual(first, .user("hello")) }
            await store.close()
        }
    }

    func testALivingTurnIsLeftAlone() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let lock = try XCTUnwrap(try ConversationLock.acquire(folder: folder.locks, id: id))
        let nothing = try await store.recover(holding: lock)
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("hello"), isLocal: false)
        let own = try await store.recover(holding: lock)
        XCTAssertEqual(nothing + own, [])
        XCTAssertNil(try ConversationLock.acquire(folder: folder.locks, id: id))
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        await store.close()
    }

    func testAFileFoundByAnotherInstanceShowsTheAnswerBeingGiven() async throws {
        let folder = try StoreFolder()
        let store = try folder.store()
        let reader = try folder.store()
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: .user("hello"), isLocal: false)
        let text = String(repeating: "a", count: 4_096)
        try await journal.append(text, kind: .text, to: turn)
        let seen = try await reader.turns(of: id, last: 1)
        XCTAssertEqual(seen.map(\.turn.status), [.open])
        XCTAssertEqual(seen.map(\.isPartial), [true])
        XCTAssertEqual(seen.first?.turn.messages.map(\.text), ["hello", text])
        try await journal.close(turn, status: .done, usage: Usage(), note: nil)
        await store.close()
        await reader.close()
    }
}
