import Foundation
import XCTest

@testable import AgentCore
@testable import Base
@testable import ChatKit

final class KeysCommandTests: XCTestCase {
    private let unreachable = ProviderError(
        reason: .transport(TransportError(reason: .nameNotResolved, host: "h", detail: "")),
        provider: .openai,
        host: "h")

    private func command(
        _ home: TemporaryHome, typing text: String? = canary, answer: Bool = false,
        outcome: KeyVerdict = .valid(models: [
            ModelInfo(id: "a"), ModelInfo(id: "b"), ModelInfo(id: "c"),
        ]), variables: [String: String] = [:]
    ) -> Command {
        let ring = KeyRing(
            variables: variables, commands: [:],
            service: SecretService(variables: variables, mayPrompt: true), file: home.keyFile)
        return KeysCommand(
            ring: ring,
            dependencies: .init(
                readSecret: { _ in text }, confirm: { _ in answer },
                check: { _, _, _ in outcome }, origin: { $0.vendorOrigin })
        ).command
    }

    private func run(
        _ command: Command, _ verb: String, _ arguments: String..., isConfirmed: Bool = false
    ) async throws -> CommandOutput {
        try await command.run(
            [verb] + arguments + (isConfirmed ? ["--yes"] : []))
    }

    func testAValidKeyIsSavedAndThePlaceIsSaid() async throws {
        let home = try TemporaryHome(self)
        let output = try await run(
            command(home, typing: " Bearer \(canary)\n"), "set", "openai")
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "The key is valid: 3 models at https://api.openai.com.",
                "Saved openai …wxyz for https://api.openai.com: file \(home.keyFile.path)",
            ])
        XCTAssertEqual(
            output.notices,
            [
                "No Secret Service is in use here. "
                    + "The key is in a file that only you can read, as readable text."
            ])
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(
            try home.keyFile.read(),
            [StoredKey(name: .openai, origin: openAI, secret: Secret(canary))])
    }

    func testWhatTheServerSaysDecidesWhetherAKeyIsKept() async throws {
        // outcome, --yes, answer → kept, outcome of the command
        let table: [(KeyVerdict, Bool, Bool, Bool, ExitCode)] = [
            (.valid(models: [ModelInfo(id: "a")]), false, false, true, .ok),
            (.validCannotList, false, false, true, .ok),
            (.restricted(reason: "region"), false, false, true, .ok),
            (.noMoney(reason: nil), false, false, true, .ok),
            (.rateLimited, false, false, true, .ok),
            (.rejected(reason: "revoked"), true, true, false, .needsKeyOrNetwork),
            (.wrongBaseURL, false, false, false, .needsKeyOrNetwork),
            (.couldNotCheck(unreachable), false, false, false, .needsKeyOrNetwork),
            (.couldNotCheck(unreachable), true, false, true, .ok),
            (.couldNotCheck(unreachable), false, true, true, .ok),
            (.wrongBaseURL, true, false, true, .ok),
        ]
        var sentences: Set<String> = []
        for (outcome, isConfirmed, answer, isKept, result) in table {
            let home = try TemporaryHome(self)
            let output = try await run(
                command(home, answer: answer, outcome: outcome), "set", "openai",
                isConfirmed: isConfirmed)
            XCTAssertEqual(try home.keyFile.read().count, isKept ? 1 : 0, "\(outcome)")
            XCTAssertEqual(output.outcome, result, "\(outcome)")
            let shown = output.lines.map(\.text) + output.notices
            XCTAssertTrue(shown.contains(outcome.sentence(openAI)), "\(outcome)")
            sentences.insert(outcome.sentence(openAI))
        }
        XCTAssertEqual(sentences.count, 8)
    }

    func testAKeyAsAnArgumentIsRefusedAndNotRepeated() async throws {
        for arguments in [
            [canary], ["openai", canary], [canary, "openai"], ["x", "y"], ["nope"],
        ] {
            let home = try TemporaryHome(self)
            do {
                _ = try await command(home).run(
                    ["set"] + arguments)
                XCTFail("accepted")
            } catch let error as UsageError {
                XCTAssertFalse("\(error)".contains("canary"))
            }
            XCTAssertEqual(try home.keyFile.read(), [])
        }
    }

    func testNothingTypedOrABadKeyIsNotChecked() async throws {
        for text in [nil, "", "sk-a\u{7}b", "sk-é"] {
            let home = try TemporaryHome(self)
            let output = try await run(
                command(home, typing: text, outcome: .valid(models: [])), "set", "claude")
            XCTAssertEqual(output.outcome, .failure)
            XCTAssertEqual(output.lines, [])
            XCTAssertEqual(output.notices.count, 1)
        }
    }

    func testListShowsNameTailOriginAndSource() async throws {
        let home = try TemporaryHome(self)
        try home.keyFile.update { _ in
            [StoredKey(name: .openai, origin: openAI, secret: Secret(canary))]
        }
        let output = try await run(
            command(home, variables: ["ANTHROPIC_API_KEY": "sk-ant-0000000000-1234"]), "list")
        XCTAssertEqual(
            output.lines.map(\.text),
            [
                "openai  …wxyz  https://api.openai.com     file \(home.keyFile.path)",
                "claude  …1234  https://api.anthropic.com  environment (ANTHROPIC_API_KEY)",
            ])
        XCTAssertEqual(
            output.json?[0],
            [
                "name": "openai", "source": .string("file \(home.keyFile.path)"),
                "origin": "https://api.openai.com", "tail": "wxyz",
            ])
        XCTAssertEqual(output.notices, [])
    }

    func testCheckAsksForEachKeyAndReportsTheWorst() async throws {
        let home = try TemporaryHome(self)
        try home.keyFile.update { _ in
            [StoredKey(name: .openai, origin: openAI, secret: Secret(canary))]
        }
        let good = try await run(command(home), "check")
        XCTAssertEqual(good.outcome, .ok)
        XCTAssertEqual(good.json?[0]?["verdict"], "valid")
        let bad = try await run(
            command(home, outcome: .rejected(reason: "revoked")), "check", "openai")
        XCTAssertEqual(bad.outcome, .needsKeyOrNetwork)
        XCTAssertEqual(
            bad.lines.map(\.text),
            [
                "openai …wxyz, file \(home.keyFile.path): https://api.openai.com rejected the key. "
                    + "The reason given: revoked"
            ])
        let none = try await run(command(home), "check", "claude")
        XCTAssertEqual(none.outcome, .needsKeyOrNetwork)
        XCTAssertEqual(none.notices, ["No key for Claude. Next: chat keys set claude"])
    }

    func testRemoveSaysFromWhereAndWhatRemains() async throws {
        let home = try TemporaryHome(self)
        try home.keyFile.update { _ in
            [StoredKey(name: .openai, origin: openAI, secret: Secret(canary))]
        }
        let command = command(home, variables: ["OPENAI_API_KEY": canary])
        let output = try await run(command, "remove", "openai")
        XCTAssertEqual(
            output.lines.map(\.text), ["Removed openai from: file \(home.keyFile.path)"])
        XCTAssertEqual(
            output.notices,
            ["A key for OpenAI remains: environment (OPENAI_API_KEY). chat cannot remove it."])
        XCTAssertEqual(try home.keyFile.read(), [])
        let again = try await run(command, "remove", "openai")
        XCTAssertEqual(again.outcome, .failure)
    }
}
