import AgentCore
import Base
import Foundation
import Synchronization
import XCTest

@testable import Persistence

/// A temporary folder with a database in it, gone when the value goes away.
final class StoreFolder {
    let path: String
    var database: String { path + "/data/chat.db" }
    var locks: String { path + "/locks" }

    init() throws {
        let name = "chat-store-\(UUID().uuidString.lowercased())"
        path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path + "/" + name
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // A folder that is left behind fails no test.
        try? FileManager.default.removeItem(atPath: path)
    }

    func store(
        _ world: World = World(), busyTimeoutInMilliseconds: Int32 = 5_000
    ) throws -> ConversationStore {
        try ConversationStore(
            path: database, environment: world.environment,
            busyTimeoutInMilliseconds: busyTimeoutInMilliseconds)
    }

    /// The database and its log as they are now, in another folder: what a
    /// crash at this moment would leave.
    func copyOfNow() throws -> StoreFolder {
        let copy = try StoreFolder()
        try FileManager.default.createDirectory(
            atPath: copy.path + "/data", withIntermediateDirectories: false)
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: database + suffix) {
            try FileManager.default.copyItem(
                atPath: database + suffix, toPath: copy.database + suffix)
        }
        return copy
    }

    func bytes(_ suffix: String = "") throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: database + suffix))
    }

    /// Another reader of the file, as a foreign program would be.
    func foreign<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Connection) async throws -> Value
    ) async throws -> Value {
        let connection = try Connection(path: database)
        defer { connection.close() }
        return try await body(connection)
    }
}

/// The outside world of a test: a clock that ticks a second per look, ids that
/// count, and sleep that ends when the test says so.
final class World: Sendable {
    private struct State {
        var seconds = 1_800_000_000.0
        var ids = 0
        var sleepers: [CheckedContinuation<Void, any Error>] = []
        var watchers: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    var environment: Environment {
        Environment(
            now: {
                self.state.withLock {
                    $0.seconds += 1
                    return Date(timeIntervalSince1970: $0.seconds)
                }
            },
            uptime: { 0 },
            sleep: { _ in try await self.sleep() },
            uuid: {
                let number = self.state.withLock {
                    $0.ids += 1
                    return $0.ids
                }
                let digits = String(number)
                return "00000000-0000-4000-8000-"
                    + String(repeating: "0", count: 12 - digits.count) + digits
            },
            random: { 0.5 }, variables: [:])
    }

    private func sleep() async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let watchers = self.state.withLock { state in
                    if Task.isCancelled { return nil as [CheckedContinuation<Void, Never>]? }
                    state.sleepers.append(continuation)
                    defer { state.watchers = [] }
                    return state.watchers
                }
                guard let watchers else {
                    continuation.resume(throwing: CancellationError())
                    return
                }
                for watcher in watchers { watcher.resume() }
            }
        } onCancel: {
            let sleepers = self.takeSleepers()
            for sleeper in sleepers { sleeper.resume(throwing: CancellationError()) }
        }
    }

    private func takeSleepers() -> [CheckedContinuation<Void, any Error>] {
        state.withLock { state in
            defer { state.sleepers = [] }
            return state.sleepers
        }
    }

    /// Returns once something sleeps.
    func someoneSleeps() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.sleepers.isEmpty { return true }
                state.watchers.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    /// The time that was slept for has come.
    func wake() {
        for sleeper in takeSleepers() { sleeper.resume() }
    }
}

extension ConversationStore {
    /// The outcome of a statement, one string per row, columns joined by `|`.
    func values(_ sql: String, columns: Int32 = 1) throws -> [String] {
        try connection.rows(SQL(stringLiteral: sql)) { row in
            (0..<columns).map { row.text(.place($0)) }.joined(separator: "|")
        }
    }

    func script(_ sql: String) throws { try connection.script("test", sql) }
}

/// SplitMix64: the same numbers for the same seed on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

enum Samples {
    /// Strings that break careless code.
    static let naughty: [String] = [
        "", " ", "'", "''; DROP TABLE turns; --", "\"", "\\", "%", "_", "\0", "a\0b", "\u{1}\u{1F}",
        "\u{7F}", "\u{FEFF}bom", "\u{FFFD}", "\u{202E}rtl", "\u{200B}", "e\u{301}", "é", "👩‍👩‍👧‍👦", "🏳️‍🌈",
        "\u{10FFFF}", "田中さん", "مرحبا", "\r\n", "\u{2028}\u{2029}", "NULL", "nil", "undefined",
        "1e999", "-0", "{\"text\":1}", "\\u0000", "</script>", "${HOME}", "$(rm -rf /)", "%s%n",
        String(repeating: "x", count: 100_000), String(repeating: "\u{301}", count: 1_000),
    ]

    static let everyPart: [Part] = {
        let numbers: JSONValue = [
            "big": 9_223_372_036_854_775_807, "small": .integer(.min), "exact": .number("1.10"),
            "exponent": .number("1E+400"), "null": nil, "list": [true, false, []],
            "object": .object(JSONObject([.init("a", 1), .init("a", 2)])),
        ]
        return [
            .text(TextPart("plain")), .text(TextPart("a phase", phase: "commentary")),
            .refusal("I cannot"), .thinking(Thinking(text: "hm")),
            .thinking(Thinking(text: "", item: numbers)),
            .thinking(Thinking(text: "null item", item: .null)),
            .toolCall(ToolCall(id: "c1", name: "list", arguments: "{\"half\":", itemID: "fc_1")),
            .toolCall(ToolCall(id: "c2", name: "list", arguments: "{}")),
            .toolResult(ToolResult(callID: "c1", name: "list", text: "none")),
            .toolResult(
                ToolResult(
                    callID: "c2", name: "list", text: "bad", isError: true, isUntrusted: true)),
            .attachment(
                Attachment(
                    name: "a.bin", mediaType: "application/octet-stream",
                    bytes: Array(0...255))),
            .attachment(Attachment(name: "empty", mediaType: "text/plain", bytes: [])),
            .opaque(numbers), .opaque(.null), .opaque("text"),
        ]
    }()
}
