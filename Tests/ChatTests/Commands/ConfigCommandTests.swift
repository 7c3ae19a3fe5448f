import AgentCore
import TestSupport
import XCTest

@testable import chat

final class ConfigCommandTests: XCTestCase {
    private func validate(_ text: String) throws -> [String] {
        let folder = try TemporaryFolder()
        try folder.write(Array(text.utf8), to: "config.json")
        let output = ConfigCommand.check(folder.path + "/config.json")
        return (output.lines.map(\.text) + output.notices).map {
            $0.replacingOccurrences(of: folder.path + "/", with: "")
        }
    }

    func testWrongValueIsShownWhereItStands() throws {
        XCTAssertEqual(
            try validate("{\n  // a comment\n\t\"thinking\": \"sumary\",\n}\n"),
            [
                "✗ config.json:3:14: thinking must be one of \"off\", \"summary\", \"full\".",
                "  3 │  \"thinking\": \"sumary\",", "                   ^",
            ])
    }

    func testSyntaxIsShownWhereItStopsBehindWideCharacters() throws {
        XCTAssertEqual(
            try validate("{\n  \"model\": \"会議\" \"x\": 1\n}"),
            [
                "✗ config.json:2:21 cannot be read: unexpected byte.",
                "  2 │   \"model\": \"会議\" \"x\": 1", "                        ^",
            ])
    }

    func testUnknownNamesAreDoubtsWithTheNearest() throws {
        XCTAssertEqual(
            try validate(
                "{ \"bugdet\": {}, \"roles\": { \"a\": { \"system\": \"x\", \"efort\": 1 } } }"),
            [
                "config.json can be used, with 2 doubts.",
                "config.json:1: there is no setting bugdet. Did you mean budget?",
                "config.json:1: there is no setting roles.a.efort. Did you mean roles.a.effort?",
            ])
    }

    func testEverySettingWithPartsIsRead() throws {
        let file = try Configuration.parse(
            Array(
                """
                { "thinking": "full", "effort": "low", "markdown": "off", "title": true,
                  "prices": { "gpt-6*": { "input": 1.5, "output": 6, "cached_input": 0.15 } },
                  "budget": { "day": 2.5 }, "notify": "bell", "compaction": "off",
                  "roles": { "poet": "You rhyme.", "critic": { "system": "No.", "effort": "max" } },
                  "theme": { "base": "dark", "heading": "bold blue" }, "clipboard": "osc52" }
                """.utf8), file: "config.json")
        XCTAssertEqual(file.thinking, .full)
        XCTAssertEqual(file.effort, .low)
        XCTAssertEqual(file.markdown, .off)
        XCTAssertEqual(file.title, true)
        XCTAssertEqual(
            file.prices,
            [
                "gpt-6*": Configuration.Price(
                    input: 1.5, output: 6, cachedInput: 0.15, cacheWrite: nil)
            ])
        XCTAssertEqual(file.budget, Configuration.Budget(conversation: nil, day: 2.5, month: nil))
        XCTAssertEqual(file.roles?["critic"], Configuration.Role(system: "No.", effort: .max))
        XCTAssertEqual(file.roles?["poet"], Configuration.Role(system: "You rhyme."))
        XCTAssertEqual(file.theme?.base, .dark)
        XCTAssertEqual(file.theme?.looks, [.heading: "bold blue"])
        XCTAssertEqual(file.warnings, [])
    }

    func testOneSettingIsShownByItsName() async throws {
        let rig = try ChatRig(configuration: "{ \"claude\": { \"model\": \"claude-x\" } }")
        let command = ConfigCommand(services: rig.services).command
        let output = try await command.run(
            CommandInvocation(verb: "show", arguments: ["claude"]))
        XCTAssertEqual(
            output.lines.dropFirst().map(\.text),
            [
                "  claude.base_url  https://api.anthropic.com  (default)",
                "  claude.model     claude-x  (config.json)",
            ])
        do {
            _ = try await command.run(CommandInvocation(verb: "show", arguments: ["modle"]))
            XCTFail("no error")
        } catch let error as UsageError {
            XCTAssertEqual(error.hint, "Did you mean model?")
        }
    }
}
