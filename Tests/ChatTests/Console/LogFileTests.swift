import Foundation
import TestSupport
import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit
@testable import chat

final class LogFileTests: XCTestCase {
    private func lines(_ body: (LogFile) -> Void) throws -> [String] {
        let folder = try TemporaryFolder()
        body(
            LogFile(
                path: folder.path("state/log"), environment: ManualClock().environment,
                isVerbose: false))
        let text = String(decoding: try folder.read("state/log"), as: UTF8.self)
        // Without the time, which is local.
        return text.split(separator: "\n").map { line in
            line.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
        }
    }

    func testAResponseWithItsIDAndLimits() throws {
        let head = HTTPResponseHead(
            status: 200,
            headers: [
                HTTPHeader("request-id", "req_1"),
                HTTPHeader("anthropic-ratelimit-requests-limit", "50"),
                HTTPHeader("anthropic-ratelimit-requests-remaining", "49"),
                HTTPHeader("anthropic-ratelimit-output-tokens-remaining", "8000"),
            ])
        let written = try lines { log in
            log.record(
                ResponseNote(
                    provider: .claude, model: "claude-x", status: 200, seconds: 0.35,
                    limits: RateLimits(from: head, hiding: nil)))
            log.record(
                ResponseNote(
                    provider: .local, model: "", status: 500, seconds: 1, limits: RateLimits()))
        }
        XCTAssertEqual(
            written,
            [
                "claude claude-x 200 350 ms, request req_1, requests 49/50, output tokens 8000",
                "local 500 1000 ms",
            ])
    }

    func testALogThatIsALinkOrHasAnotherNameIsLeftAlone() throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("state"), withIntermediateDirectories: true)
        let (path, victim) = (folder.path("state/log"), folder.path("victim"))
        let log = LogFile(path: path, environment: ManualClock().environment, isVerbose: false)
        log.write("a line")
        XCTAssertNil(log.refusal)
        XCTAssertEqual(rename(path, victim), 0)
        let before = try folder.read("victim")
        for make in [link, symlink] {
            XCTAssertEqual(make(victim, path), 0)
            log.write("another")
            XCTAssertEqual(try folder.read("victim"), before)
            unlink(path)
        }
        XCTAssertEqual(log.refusal, .init(reason: .link, path: path))
    }

    func testAToolCallIsOneLineWhateverItsName() throws {
        let written = try lines { log in
            var call = ToolCallRecord(
                tool: "a\nb\u{1B}[2J" + String(repeating: "x", count: 100_000), toolClass: .read,
                approval: "policy", duration: .milliseconds(12), outcome: .ok)
            call.arguments = JSONObject([.init("title", "a word"), .init("notes", "another")])
            log.record(call)
        }
        XCTAssertEqual(written.count, 1)
        XCTAssertLessThan(written[0].utf8.count, 200)
        XCTAssertTrue(written[0].hasSuffix("(title,notes) ok 12 ms"))
    }

    func testANameThatNoToolHasIsNotWritten() throws {
        let written = try lines { log in
            log.record(
                ToolCallRecord(
                    tool: "sk-proj-0123456789abcdefABCDEF", toolClass: nil,
                    approval: "denied: unknown tool", duration: .zero, outcome: .invalid))
        }
        XCTAssertEqual(written, ["tool ?() invalid 0 ms"])
    }

    func testAFailedRequestIsLoggedToo() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com") { _ in (404, "text/html", "<html>") }
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("A secret question") { _ in }
        let text = String(decoding: try rig.folder.read("state/log"), as: UTF8.self)
        XCTAssertTrue(text.contains(" 404 "))
        XCTAssertFalse(text.contains("secret"))
        XCTAssertFalse(text.contains("sk-ant"))
        await rig.services.close()
    }
}
