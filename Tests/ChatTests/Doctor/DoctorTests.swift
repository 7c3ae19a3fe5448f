import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import chat

final class DoctorTests: XCTestCase {
    private func findings(_ rig: ChatRig) async throws -> [(String, String)] {
        let output = try await DoctorCommand(services: rig.services).command.run(
            CommandInvocation(verb: "check", arguments: []))
        return (output.json?.arrayValue ?? []).map {
            ($0["level"]?.stringValue ?? "", $0["text"]?.stringValue ?? "")
        }
    }

    func testNewcomerIsToldWhoCouldAnswerAndNothingIsMade() async throws {
        let rig = try ChatRig()
        let found = try await findings(rig)
        XCTAssertTrue(found.contains { $0 == ("absent", "claude: no key") })
        XCTAssertTrue(
            found.contains { $0 == ("warning", "nobody answers messages; everything local works") })
        XCTAssertFalse(found.contains { $0.0 == "broken" }, "\(found)")
        XCTAssertEqual(try FileManager.default.contentsOfDirectory(atPath: rig.folder.path), [])
    }

    func testKeyIsNamedByItsPlaceAndNeverShown() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        let found = try await findings(rig)
        XCTAssertTrue(
            found.contains {
                $0.0 == "good" && $0.1.hasPrefix("claude: api.anthropic.com, key from the ")
                    && $0.1.contains("ANTHROPIC_API_KEY")
            }, "\(found)")
        XCTAssertFalse(found.contains { $0.1.contains("sk-ant") })
        XCTAssertEqual(rig.transport.urls.filter { $0.contains("anthropic") }, [])
    }

    func testOnlineAsksThoseWhoHaveAKey() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com") { _ in
            (401, "application/json", #"{"type":"error","error":{"type":"authentication_error"}}"#)
        }
        let output = try await DoctorCommand(services: rig.services).command.run(
            CommandInvocation(verb: "check", arguments: ["--online"]))
        XCTAssertEqual(output.outcome, .failed)
        XCTAssertTrue(
            output.lines.contains { $0.text.contains("✗ Claude did not accept the key") },
            output.lines.map(\.text).joined(separator: "\n"))
    }

    func testFolderThatOthersCanReadIsAWarningWithTheLineThatMendsIt() async throws {
        let rig = try ChatRig()
        chmod(rig.folder.path, 0o755)
        defer { chmod(rig.folder.path, 0o700) }
        let output = try await DoctorCommand(services: rig.services).command.run(
            CommandInvocation(verb: "check", arguments: []))
        XCTAssertTrue(output.lines.contains { $0.text.hasPrefix("      chmod 700 ") })
    }

    func testDamagedConversationsAreBroken() async throws {
        let rig = try ChatRig()
        try rig.folder.write(Array(repeating: 0x41, count: 8_192), to: "chat.db")
        let output = try await DoctorCommand(services: rig.services).command.run(
            CommandInvocation(verb: "check", arguments: []))
        XCTAssertEqual(output.outcome, .failed)
        let bytes = try rig.folder.read("chat.db")
        XCTAssertEqual(bytes, Array(repeating: 0x41, count: 8_192))
    }

    func testUnknownWordIsNamed() async throws {
        let rig = try ChatRig()
        do {
            _ = try await DoctorCommand(services: rig.services).command.run(
                CommandInvocation(verb: "check", arguments: ["--fast"]))
            XCTFail("no error")
        } catch let error as UsageError {
            XCTAssertEqual(error.problem, "doctor does not know \"--fast\".")
        }
    }
}
