import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Persistence

/// `kill -9` of a real process that saves turns: this test program starts
/// itself again, and the child writes a line for everything acknowledged.
final class KillTests: XCTestCase {
    private static let variable = "CHAT_KILL_TEST_FOLDER"
    private static let id = "00000000-0000-4000-8000-000000000001"

    /// The child's work; does nothing in an ordinary run.
    func testChildSavesTurnsUntilItIsKilled() async throws {
        guard let folder = ProcessInfo.processInfo.environment[Self.variable] else { return }
        let store = try ConversationStore(
            path: folder + "/data/chat.db",
            environment: .system(variables: [:]).withID(Self.id))
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let lock = try ConversationLock.acquire(folder: folder + "/locks", id: id)
        XCTAssertNotNil(lock)
        let journal = store.journal(for: id, in: .repl)
        for round in 0..<100_000 {
            let turn = try await journal.begin(user: .user("question \(round)"), isLocal: false)
            Self.acknowledge("begun \(round)")
            for _ in 0..<3 {
                try await journal.append(
                    String(repeating: "a", count: 3_000), kind: .text, to: turn)
            }
            let call = ToolCall(id: "\(round)", name: "t", arguments: "{}")
            try await journal.record(Message(role: .assistant, parts: [.toolCall(call)]), in: turn)
            try await journal.recordResult(
                ToolResult(callID: "\(round)", name: "t", text: "r"), in: turn)
            try await journal.append("done", kind: .text, to: turn)
            try await journal.close(turn, status: .done, usage: Usage(), note: nil)
            Self.acknowledge("closed \(round)")
        }
        withExtendedLifetime(lock) {}
    }

    private static func acknowledge(_ line: String) {
        let bytes = Array(("ack " + line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
    }

    func testAKilledProcessLosesNothingItHasAcknowledged() async throws {
        var random = SeededGenerator(state: 42)
        for round in 0..<12 {
            let folder = try StoreFolder()
            // Killed when that much has been read, wherever it is by then.
            let acknowledgements = try run(
                in: folder, killAfter: Int.random(in: 1...40, using: &random))
            let begun = acknowledgements.filter { $0.hasPrefix("ack begun") }.count
            let closed = acknowledgements.filter { $0.hasPrefix("ack closed") }.count

            let store = try folder.store()
            let integrity = try await store.values("PRAGMA integrity_check")
            let foreignKeys = try await store.values("PRAGMA foreign_key_check")
            XCTAssertEqual(integrity + foreignKeys, ["ok"])
            let lock = try XCTUnwrap(
                try ConversationLock.acquire(folder: folder.locks, id: Self.id),
                "the kernel lets go of a dead process's lock")
            try await store.recover(holding: lock)
            let turns = try await store.turns(of: Self.id, last: 1_000)
            XCTAssertGreaterThanOrEqual(turns.count, begun, "round \(round)")
            XCTAssertLessThanOrEqual(turns.count, begun + 1)
            XCTAssertEqual(
                turns.map { $0.turn.messages.first?.text },
                turns.indices.map { "question \($0)" })
            for turn in turns.prefix(closed) {
                XCTAssertEqual(turn.turn.status, .done)
                XCTAssertEqual(
                    turn.turn.messages.map(\.role), [.user, .assistant, .tool, .assistant])
                XCTAssertEqual(turn.turn.messages.last?.text, "done")
            }
            XCTAssertEqual(turns.filter { $0.turn.status == .open }.count, 0)
            await store.close()
        }
    }

    /// Starts the child and kills it after that many lines; returns the lines
    /// it had written until it was dead.
    private func run(in folder: StoreFolder, killAfter lines: Int) throws -> [String] {
        let child = Process.apart()
        child.executableURL = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"))
        child.arguments = ["PersistenceTests.KillTests/testChildSavesTurnsUntilItIsKilled"]
        child.environment = ProcessInfo.processInfo.environment
            .merging(TestMachine.variables) { $1 }.merging([Self.variable: folder.path]) { $1 }
        let output = Pipe()
        child.standardOutput = output
        child.standardError = FileHandle.nullDevice
        try child.run()
        var text = Data()
        func acknowledged() -> [String] {
            String(decoding: text, as: UTF8.self).split(
                separator: "\n", omittingEmptySubsequences: true
            )
            .map(String.init).filter { $0.hasPrefix("ack ") }
        }
        while acknowledged().count < lines {
            let more = output.fileHandleForReading.availableData
            if more.isEmpty { break }
            text += more
        }
        kill(child.processIdentifier, SIGKILL)
        // What was written before the end counts as told.
        text += output.fileHandleForReading.readDataToEndOfFile()
        child.waitUntilExit()
        XCTAssertEqual(child.terminationReason, .uncaughtSignal)
        XCTAssertGreaterThanOrEqual(acknowledged().count, lines)
        return acknowledged()
    }
}

extension Environment {
    fileprivate func withID(_ id: String) -> Environment {
        var copy = self
        copy.uuid = { id }
        return copy
    }
}
