import AgentCore
import Base
import Foundation
import Synchronization
import TerminalKit
import TestSupport
import XCTest

@testable import ChatKit
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
        let file = try Settings.parse(
            Array(
                """
                { "thinking": "full", "effort": "low", "markdown": "off", "title": true,
                  "prices": { "gpt-6*": { "input": 1.5, "output": 6, "cached_input": 0.15 } },
                  "budget": { "day": 2.5 }, "notify": "bell", "compaction": "off",
                  "roles": { "poet": "You rhyme.", "critic": { "system": "No.", "effort": "max" } },
                  "theme": "dark", "clipboard": "osc52" }
                """.utf8), file: "config.json")
        XCTAssertEqual(file.thinking, .full)
        XCTAssertEqual(file.effort, .low)
        XCTAssertFalse(file.markdown)
        XCTAssertEqual(file.title, true)
        XCTAssertEqual(
            file.prices,
            [
                "gpt-6*": Settings.Price(
                    input: 1.5, output: 6, cachedInput: 0.15, cacheWrite: nil)
            ])
        XCTAssertEqual(file.budget, Settings.Budget(conversation: nil, day: 2.5, month: nil))
        XCTAssertEqual(file.roles["critic"], Settings.Role(system: "No.", effort: .max))
        XCTAssertEqual(file.roles["poet"], Settings.Role(system: "You rhyme."))
        XCTAssertEqual(file.theme, .dark)
        XCTAssertEqual(file.warnings, [])
    }

    func testOneSettingIsShownByItsName() async throws {
        let rig = try ChatRig(configuration: "{ \"claude\": { \"model\": \"claude-x\" } }")
        let command = ConfigCommand(services: rig.services, editor: .unattended).command
        let output = try await command.run(
            ["show", "claude"])
        XCTAssertEqual(
            output.lines.dropFirst().map(\.text),
            [
                "  claude.base_url  https://api.anthropic.com  (default)",
                "  claude.model     claude-x  (config.json)",
            ])
        do {
            _ = try await command.run(["show", "modle"])
            XCTFail("no error")
        } catch let error as UsageError {
            XCTAssertEqual(error.hint, "Did you mean model?")
        }
    }

    func testAMemberOfAnObjectIsReadAlone() async throws {
        let rig = try ChatRig(
            configuration: """
                { "speech": { "voice": "en-gb+f3" }, "budget": { "day": 2.5 },
                  "claude": { "key_command": "pass claude" },
                  "roles": { "poet": "You rhyme." } }
                """)
        let command = ConfigCommand(services: rig.services, editor: .unattended).command
        for (name, value, source) in [
            ("speech.voice", "en-gb+f3", "config.json"), ("speech.rate", "0.3", "default"),
            ("hours.morning", "9", "default"), ("budget.day", "$2.50", "config.json"),
            ("claude.key_command", "set", "config.json"),
            ("openai.key_command", "not set", "default"),
        ] {
            let got = try await command.run(["get", name])
            XCTAssertEqual(got.lines.map(\.text), [value], name)
            let shown = try await command.run(["show", name])
            XCTAssertEqual(
                shown.lines.dropFirst().map(\.text), ["  \(name)  \(value)  (\(source))"])
        }
        let role = try await command.run(["get", "roles.poet"])
        XCTAssertTrue(role.lines[0].text.contains("You rhyme."), role.lines[0].text)
    }
}

/// `config edit` with editors that are one line of sed.
final class ConfigEditorTests: XCTestCase {
    private func edit(
        _ rig: ChatRig, confirms: [Bool] = []
    ) async throws -> CommandOutput {
        let answers = Mutex(confirms)
        let dependencies = ConfigEditor.Dependencies(
            lend: { await $0() },
            confirm: { _ in answers.withLock { $0.isEmpty ? false : $0.removeFirst() } },
            show: { _ in }, isChat: false)
        return try await ConfigEditor(services: rig.services, dependencies: dependencies).edit()
    }

    private func rig(_ configuration: String?, editor: String) throws -> ChatRig {
        return try ChatRig(
            variables: ["VISUAL": editor, "PATH": TestMachine.path], configuration: configuration)
    }

    func testWhatCanBeUsedTakesTheFilesPlace() async throws {
        let rig = try rig("{\n  // kept\n  \"effort\": \"low\",\n}\n", editor: "sed -i s/low/high/")
        let output = try await edit(rig)
        XCTAssertEqual(
            output.lines.map(\.text), ["✓ \(rig.folder.path)/config.json is changed."])
        XCTAssertEqual(
            String(decoding: try rig.folder.read("config.json"), as: UTF8.self),
            "{\n  // kept\n  \"effort\": \"high\",\n}\n")
    }

    func testAMistakeLeavesTheFileAndKeepsWhatWasWritten() async throws {
        let text = "{ \"effort\": \"low\" }\n"
        let rig = try rig(text, editor: "sed -i s/low/lowww/")
        let output = try await edit(rig, confirms: [])
        XCTAssertEqual(output.outcome, .refused)
        XCTAssertEqual(String(decoding: try rig.folder.read("config.json"), as: UTF8.self), text)
        XCTAssertEqual(
            String(decoding: try rig.folder.read("config.json.rejected"), as: UTF8.self),
            "{ \"effort\": \"lowww\" }\n")
    }

    func testAMistakeCanBeMendedAtOnce() async throws {
        let rig = try rig(
            "{ \"effort\": \"low\" }\n", editor: "sed -i -e s/lowww/max/ -e t -e s/low/lowww/")
        let output = try await edit(rig, confirms: [true])
        XCTAssertEqual(output.outcome, .ok)
        XCTAssertEqual(
            String(decoding: try rig.folder.read("config.json"), as: UTF8.self),
            "{ \"effort\": \"max\" }\n")
    }

    func testTheFirstFileIsATemplateThatChangesNothing() async throws {
        let rig = try rig(nil, editor: "sed -i s/docs:/see:/")
        _ = try await edit(rig)
        let written = try Settings.load(rig.folder.path("config.json"))
        XCTAssertEqual(written, Settings())
    }

    func testALinkToTheFileStaysALink() async throws {
        let rig = try rig(nil, editor: "sed -i s/low/high/")
        _ = try rig.folder.write(Array("{ \"effort\": \"low\" }\n".utf8), to: "dotfile.json")
        XCTAssertEqual(
            symlink(rig.folder.path("dotfile.json"), rig.folder.path("config.json")), 0)
        _ = try await edit(rig)
        XCTAssertEqual(
            String(decoding: try rig.folder.read("dotfile.json"), as: UTF8.self),
            "{ \"effort\": \"high\" }\n")
        var status = stat()
        XCTAssertEqual(lstat(rig.folder.path("config.json"), &status), 0)
        XCTAssertEqual(status.st_mode & S_IFMT, S_IFLNK)
    }

    func testAnEditorThatSaysNoLeavesEverything() async throws {
        let rig = try rig("{}\n", editor: "false")
        do {
            _ = try await edit(rig)
            XCTFail("no error")
        } catch let error as ToolError {
            XCTAssertEqual(error, .failed("false ended with 1"))
        }
        XCTAssertEqual(try rig.folder.read("config.json"), Array("{}\n".utf8))
    }
}
