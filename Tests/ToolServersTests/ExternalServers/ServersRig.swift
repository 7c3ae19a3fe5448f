import AgentCore
import Base
import Foundation
import MCP
import Synchronization
import TestSupport
import XCTest

@testable import Outside

/// Servers of others over a temporary folder: the script of the fixtures as real children.
struct ServersRig: Sendable {
    let folder: TemporaryFolder
    let book: ServerBook
    let servers: ExternalServers
    private let script: [String]
    private var limits = MCPClient.Limits()

    /// Skips the test where Python is missing.
    /// - Parameters: limits of a start and a call, which a busy machine may need; a test of a
    ///   server that never answers gives shorter ones.
    init(start: Duration = .seconds(60), call: Duration = .seconds(60)) throws {
        script = try ToolServerScript.command()
        folder = try TemporaryFolder()
        book = ServerBook(
            path: folder.path("mcp.json"), pins: folder.path("pins.json"),
            environment: .system(variables: Self.variables(folder)))
        limits.probe = .milliseconds(300)
        (limits.start, limits.call) = (start, call)
        servers = Self.servers(book, folder, nil, limits)
    }

    func end() async { await servers.stop(patience: .milliseconds(200)) }

    var variables: [String: String] { Self.variables(folder) }

    private static func variables(_ folder: TemporaryFolder) -> [String: String] {
        [
            "PATH": TestMachine.path, "HOME": folder.path, "GIVEN": "yes", "SECRET": "no",
            "OPENAI_API_KEY": "sk-canary-000000000000",
        ]
    }

    /// As in another program on the same files.
    func another(environment: Base.Environment? = nil) -> ExternalServers {
        Self.servers(
            book, folder, environment, environment == nil ? limits : MCPClient.Limits())
    }

    private static func servers(
        _ book: ServerBook, _ folder: TemporaryFolder, _ environment: Base.Environment?,
        _ limits: MCPClient.Limits
    ) -> ExternalServers {
        ExternalServers(
            book: book, records: folder.path("offers.json"),
            environment: environment ?? .system(variables: variables(folder)),
            identity: MCPIdentity(name: "chat", version: "1"), transport: CurlTransport(),
            home: folder.path, limits: limits, token: { _, _ in nil }, log: { _ in })
    }

    func command(_ words: [String]) -> [String] { script + words }

    /// What the user would have agreed to.
    func pin(_ entry: ServerEntry) throws -> ServerPin {
        var pin = ServerPin()
        pin.launch = try ExternalServers.launch(entry, variables)
        pin.tools = [try MCPToolDefinition(["name": "echo"])]
        return pin
    }

    /// - Parameter answers: to the questions, in order; then no.
    @discardableResult
    func run(
        _ words: [String], answers: [Bool] = [], shown: ShownLines = ShownLines()
    ) async throws -> CommandOutput {
        let left = Mutex(answers[...])
        var interaction = Interaction()
        interaction.confirm = { _, _ in left.withLock { $0.popFirst() ?? false } }
        interaction.show = { more in shown.add(more.map(\.text)) }
        let command = Command(
            name: "mcp", summary: "",
            verbs: ServersCommand(servers, home: folder.path) { _, _, _ in CommandOutput() }.verbs)
        return try await command.run(words, interaction)
    }

    func add(_ name: String, _ words: [String] = [], options: [String] = []) async throws {
        let report = try await run(["add", name, "--yes"] + options + ["--"] + command(words))
        XCTAssertEqual(report.outcome, .ok, report.text)
    }

    /// As after an edit of the file by hand.
    func checkNew(_ name: String, _ words: [String]) async throws -> CommandOutput {
        try await book.setEntry(
            name, ServerEntry(name: name, command: command(words), variables: [:]))
        try await book.setPin(name, nil)
        let report = try await run(["check", name, "--yes"])
        _ = try await run(["remove", name])
        return report
    }

    // MARK: - Looking

    func pids(_ path: String) throws -> [pid_t] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .compactMap { pid_t($0) }
    }

    /// The end of a process is not announced: looked for until it is there.
    func waitUntilGone(_ pid: pid_t, line: UInt = #line) async {
        let limit = Date().addingTimeInterval(20)
        while kill(pid, 0) == 0 {
            if Date() > limit { return XCTFail("\(pid) is there", line: line) }
            await Task.yield()
        }
    }

    func waitForFile(_ path: String, line: UInt = #line) async {
        let limit = Date().addingTimeInterval(20)
        while !FileManager.default.fileExists(atPath: path) {
            if Date() > limit { return XCTFail("\(path) is not there", line: line) }
            await Task.yield()
        }
    }

    /// Until it throws: a notification may come a moment after an answer.
    func until(_ body: () async throws -> ToolOutput) async throws {
        let limit = Date().addingTimeInterval(20)
        while Date() < limit { _ = try await body() }
    }
}

/// What was shown, from whatever thread.
final class ShownLines: Sendable {
    private let lines = Mutex<[String]>([])

    func add(_ more: [String]) { lines.withLock { $0 += more } }
    var all: [String] { lines.withLock { $0 } }
    var text: String { all.joined(separator: "\n") }
}

extension JSONObject {
    static func object(_ members: KeyValuePairs<String, JSONValue>) -> JSONObject {
        JSONObject(members.map { .init($0.key, $0.value) })
    }
}

extension CommandOutput {
    var text: String { lines.map(\.text).joined(separator: "\n") }
}

/// - Parameter words: of what is said about the error; nil where any will do.
func XCTAssertThrows<Value>(
    _ body: @autoclosure () async throws -> Value, _ words: String?, line: UInt = #line
) async {
    do {
        let value = try await body()
        // A report that is no success is as good here.
        if words == nil, let output = value as? CommandOutput, output.outcome != .ok { return }
        XCTFail("nothing was thrown", line: line)
    } catch {
        guard let words else { return }
        let said = Diagnostic(of: error).what
        XCTAssert(said.contains(words), said, line: line)
    }
}
