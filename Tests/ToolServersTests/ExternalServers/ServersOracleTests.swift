import AgentCore
import Base
import Foundation
import MCP
import Synchronization
import TestSupport
import XCTest

@testable import Outside

/// Our client with servers that others have made: the official SDK in both eras, on pipes
/// and over HTTP, and two servers of PyPI.
final class ServersOracleTests: XCTestCase {
    private var made: ServersRig?

    private var rig: ServersRig {
        guard let made else { preconditionFailure("every test begins with setUp") }
        return made
    }

    override func setUp() async throws { made = try ServersRig() }
    override func tearDown() async throws { await made?.end() }

    private func add(_ name: String, _ words: [String]) async throws {
        let report = try await rig.run(["add", name, "--yes"] + words)
        XCTAssertEqual(report.outcome, .ok, report.text)
    }

    private func call(
        _ tool: String, _ arguments: KeyValuePairs<String, JSONValue> = [:],
        emit: Emitter = .none, of servers: ExternalServers? = nil
    ) async throws -> ToolOutput {
        let servers = servers ?? rig.servers
        let (offer, notices) = try await servers.extend(.init(), for: nil)
        XCTAssertEqual(notices, [])
        return try await ExternalTools(servers, offer).callTool(
            tool, arguments: .object(arguments), emit: emit)
    }

    /// - Parameter era: nil for what is found.
    private func tryAll(_ name: String, era: MCPClientSession.Era) async throws {
        var pin = try await rig.book.read().pin(name)
        XCTAssertEqual(pin.era, .modern, "the SDK is of the newest era")
        XCTAssertEqual(pin.tools.map(\.name), ["add", "fail", "draw", "count"])
        pin.era = era
        try await rig.book.setPin(name, pin)
        let servers = rig.another()
        let sum = try await call("\(name)__add", ["a": 2, "b": 40], of: servers)
        XCTAssertEqual(sum, ToolOutput(text: "42", isUntrusted: true))
        let failed = try await call("\(name)__fail", of: servers)
        XCTAssert(failed.isError)
        XCTAssert(failed.text.contains("Error executing tool fail"), failed.text)
        let drawn = try await call("\(name)__draw", of: servers)
        XCTAssertEqual(drawn.pictures.map(\.mediaType), ["image/png"])
        let told = ShownLines()
        let counted = try await call(
            "\(name)__count", ["upto": 3], emit: Emitter { told.add([$0.part]) }, of: servers)
        XCTAssertEqual(counted.text, "counted")
        XCTAssertEqual(told.all, ["at 1", "at 2", "at 3"])
        let wrong = try await call("\(name)__add", ["a": "x", "b": 1], of: servers)
        XCTAssert(wrong.isError, wrong.text)
        await servers.stop()
    }

    func testTheOfficialSDKOnPipes() async throws {
        try await add("sdk", ["--"] + Python.command(of: "sdk.py", packages: ["mcp"]))
        for era in [MCPClientSession.Era.modern, .legacy] { try await tryAll("sdk", era: era) }
    }

    func testTheOfficialSDKOverHTTP() async throws {
        for (name, words) in [("stream", []), ("json", ["json"])] {
            let port = try LoopbackServer.freePort()
            let command = try Python.command(of: "sdk.py", packages: ["mcp"])
            let process = Process.apart()
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst()) + ["\(port)"] + words
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            defer {
                // It would wait for our open streams.
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            try await waitUntilOpen(port)
            try await add(name, ["--url", "http://127.0.0.1:\(port)/mcp"])
            for era in [MCPClientSession.Era.modern, .legacy] {
                // Of a stream of JSON alone there is no progress on the way.
                if words.isEmpty { try await tryAll(name, era: era) }
            }
            let sum = try await call("\(name)__add", ["a": 1, "b": 1])
            XCTAssertEqual(sum.text, "2")
        }
    }

    private func waitUntilOpen(_ port: Int) async throws {
        let limit = Date().addingTimeInterval(30)
        while Date() < limit {
            let request = HTTPRequest(method: "GET", url: "http://127.0.0.1:\(port)/")
            let transport = CurlTransport()
            defer { transport.shutDown() }
            if (try? await transport.send(request)) != nil { return }
            await Task.yield()
        }
        XCTFail("the server does not listen")
    }

    func testTheServersOfTimeAndGit() async throws {
        let python = try Python.command(packages: ["mcp_server_time", "mcp_server_git"])
        try await add(
            "time", ["--"] + python + ["-m", "mcp_server_time", "--local-timezone", "UTC"])
        let converted = try await call(
            "time__convert_time",
            ["source_timezone": "Europe/Berlin", "time": "16:30", "target_timezone": "Asia/Tokyo"])
        XCTAssertFalse(converted.isError, converted.text)
        XCTAssert(converted.text.contains("Asia/Tokyo"), converted.text)

        let git = try Process.run(
            URL(fileURLWithPath: "/usr/bin/git"), arguments: ["init", "-q", rig.folder.path])
        git.waitUntilExit()
        try rig.folder.write("x".utf8, to: "unseen.txt")
        try await add("git", ["--"] + python + ["-m", "mcp_server_git", "-r", rig.folder.path])
        let status = try await call("git__git_status", ["repo_path": .string(rig.folder.path)])
        XCTAssert(status.text.contains("unseen.txt"), status.text)
        let outside = try await call("git__git_status", ["repo_path": "/"])
        XCTAssert(outside.isError, outside.text)
    }
}
