import AgentCore
import Base
import Foundation
import TerminalKit
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// `config set` and `unset`: the value by the kind of the setting, the file with its
/// remarks, and nothing written that the program could not read.
final class ConfigChangeTests: XCTestCase {
    private func set(_ name: String, _ words: String..., in text: String? = nil) throws -> String {
        let change = try ConfigChange(
            setting: name, to: words, in: text.map { Array($0.utf8) }, file: "config.json")
        return String(decoding: change.bytes, as: UTF8.self)
    }

    private func problem(
        _ body: () throws -> some Any, line: UInt = #line
    ) -> [String] {
        do {
            _ = try body()
            XCTFail("it was done", line: line)
            return []
        } catch {
            let said = Diagnostic(of: error)
            return [said.what] + (said.todo.map { [$0] } ?? [])
        }
    }

    func testTheKindOfTheSettingReadsTheValue() throws {
        let cases: [(String, [String], String)] = [
            ("thinking", ["full"], "\"full\""), ("thinking", ["FULL"], "\"full\""),
            ("max_tokens", ["500"], "500"), ("model", ["500"], "\"500\""),
            ("temperature", ["0.5"], "0.5"), ("title", ["on"], "true"),
            ("title", ["false"], "false"), ("markdown", ["on"], "\"on\""),
            ("markdown", ["no"], "\"off\""), ("memory", ["true"], "\"on\""),
            ("allow_http", ["a.test,b.test"], "[\"a.test\", \"b.test\"]"),
            ("allow_http", ["a.test", "b.test"], "[\"a.test\", \"b.test\"]"),
            ("calendars", ["~/my calendars"], "\"~/my calendars\""),
            ("calendars", ["[\"~/a\",\"/b\"]"], "[\"~/a\", \"/b\"]"),
            ("locale", ["de_DE"], "\"de_DE\""), ("theme", ["dark"], "\"dark\""),
            (
                "prices", ["{\"m\":{\"input\":1,\"output\":2}}"],
                "{ \"m\": { \"input\": 1, \"output\": 2 } }"
            ),
        ]
        for (name, words, value) in cases {
            let change = try ConfigChange(setting: name, to: words, in: nil, file: "config.json")
            XCTAssertEqual(
                String(decoding: change.bytes, as: UTF8.self), "{\n    \"\(name)\": \(value)\n}\n")
        }
        XCTAssertEqual(
            try set("speech.player", "mpv", "--no-video"),
            "{\n    \"speech\": { \"player\": \"mpv --no-video\" }\n}\n")
        XCTAssertEqual(
            try set("prices.gpt-4.1*", "{ \"input\": 1, \"output\": 2 }"),
            "{\n    \"prices\": { \"gpt-4.1*\": { \"input\": 1, \"output\": 2 } }\n}\n")
        XCTAssertEqual(
            try set("roles.critic", "You", "say", "no."),
            "{\n    \"roles\": { \"critic\": \"You say no.\" }\n}\n")
        XCTAssertEqual(try set("Max-Tokens", "5"), "{\n    \"max_tokens\": 5\n}\n")
    }

    func testRemarksAndOrderStay() throws {
        let text = """
            // mine
            {
                "thinking": "off", // less to read
                /* money */ "budget": { "day": 2.50 },
                // "effort": "low",
            }

            """
        XCTAssertEqual(
            try set("thinking", "full", in: text),
            text.replacingOccurrences(of: "\"off\"", with: "\"full\""))
        XCTAssertEqual(
            try set("budget.month", "30", in: text),
            text.replacingOccurrences(of: "2.50 }", with: "2.50, \"month\": 30 }"))
        XCTAssertEqual(
            try set("effort", "low", in: text),
            text.replacingOccurrences(
                of: "2.50 },\n", with: "2.50 },\n    \"effort\": \"low\",\n"))
        let change = try XCTUnwrap(
            try ConfigChange(
                unsetting: "thinking", in: Array(text.utf8), file: "config.json"))
        XCTAssertEqual(
            String(decoding: change.bytes, as: UTF8.self),
            text.replacingOccurrences(of: "\"thinking\": \"off\", //", with: "//"))
        XCTAssertEqual(change.before, "off")
        XCTAssertEqual(change.settings.thinking, .summary)
        XCTAssertNil(
            try ConfigChange(unsetting: "effort", in: Array(text.utf8), file: "config.json"))
    }

    func testDollarsAreShownWithTwoPlacesOrNone() throws {
        for (value, shown) in [("2.50", "$2.50"), ("60", "$60"), ("0.075", "$0.075")] {
            let change = try ConfigChange(
                setting: "budget.day", to: [value], in: nil, file: "config.json")
            XCTAssertEqual(change.settings.listing(of: "budget.day").map { $0.1 }, [shown])
        }
    }

    func testWhatCannotBeIsRefusedWithWhatIsAccepted() throws {
        XCTAssertEqual(
            problem { try set("thinking", "loud") },
            ["thinking must be one of \"off\", \"summary\", \"full\"."])
        XCTAssertEqual(
            problem { try set("budget.day", "much") },
            ["budget.day must be dollars, 0 or more."])
        XCTAssertEqual(
            problem { try set("claude.base_url", "api.test") },
            ["claude.base_url must be a URL that begins with https:// or http://."])
        XCTAssertEqual(
            problem { try set("bugdet.day", "2") },
            ["There is no setting \"bugdet.day\".", "Did you mean budget.day?"])
        XCTAssertEqual(
            problem { try set("player", "mpv") },
            ["There is no setting \"player\".", "Did you mean speech.player?"])
        XCTAssertEqual(
            problem { try set("nothing.like.it", "x") },
            ["There is no setting \"nothing.like.it\".", "chat config show lists them."])
        XCTAssertEqual(
            problem { try set("budget.day", "2", in: "{ \"budget\": \"2\" }") },
            [
                "budget.day cannot be set: budget in config.json is not an object.",
                "To change it: chat config edit",
            ])
        // One bad value is left as it is; what is no file of settings is not built upon.
        XCTAssertEqual(
            try set("thinking", "full", in: "{ \"effort\": \"lots\" }"),
            "{ \"effort\": \"lots\", \"thinking\": \"full\" }")
        XCTAssertEqual(
            problem { try set("thinking", "full", in: "{ \"effort\" }") }.first?
                .hasPrefix("config.json:1:12 cannot be read"), true)
    }

    func testKeysAreRefusedBeforeAnythingElse() throws {
        let key = "sk-ant-api03-" + String(repeating: "A1b2C3d4", count: 6)
        for (name, value) in [
            ("claude.api_key", "x"), ("openai.key", "x"), ("model", key),
            ("claude.key_command", "echo \(key)"),
        ] {
            let said = problem { try set(name, value) }
            XCTAssertEqual(said.first?.hasPrefix("A key is never an argument"), true, "\(said)")
            XCTAssertFalse(said.joined().contains(key))
        }
    }

    /// A name that help and Tab offer can be set, and is then in the file.
    func testEveryNameThatIsOfferedIsKnown() throws {
        for name in Settings.table.names {
            guard let word = name.words.first else { continue }
            let change = try ConfigChange(
                setting: name.text, to: [word], in: nil, file: "config.json")
            XCTAssertEqual(change.settings.warnings, [], name.text)
            XCTAssertEqual(change.settings.source(of: name.text), .configuration, name.text)
        }
        XCTAssertGreaterThan(Settings.table.names.count, 60)
        XCTAssertTrue(
            Settings.live.isSubset(of: Settings.table.names.map(\.text)), "a name that is gone")
    }

    // MARK: - The command

    private func run(
        _ rig: ChatRig, _ words: String..., isChat: Bool = false
    ) async throws -> [String] {
        var editor = ConfigEditor.Dependencies.unattended
        editor.isChat = isChat
        let output = try await ConfigCommand(services: rig.services, editor: editor).command
            .run(words)
        return (output.lines + output.remarks).map(\.text) + output.notices
    }

    func testTheOldValueTheNewOneAndWhatComesBeforeThemAreSaid() async throws {
        let rig = try ChatRig(variables: ["CHAT_MODEL": "gpt-x"])
        let first = try await run(rig, "set", "thinking", "full")
        XCTAssertEqual(first, ["✓ thinking: summary (default) → full"])
        let second = try await run(rig, "set", "thinking", "off")
        XCTAssertEqual(second, ["✓ thinking: full → off"])
        let back = try await run(rig, "unset", "thinking")
        XCTAssertEqual(back, ["✓ thinking: off → summary (default)"])
        let none = try await run(rig, "unset", "thinking")
        XCTAssertEqual(none, ["thinking is not set in config.json."])
        let part = try await run(rig, "set", "budget.day", "2.5")
        XCTAssertEqual(part, ["✓ budget.day: not set → $2.50"])
        let model = try await run(rig, "set", "model", "gpt-y")
        XCTAssertEqual(
            model,
            [
                "✓ model: automatic (default) → gpt-y",
                "CHAT_MODEL is set and comes before config.json here.",
            ])
        XCTAssertEqual(
            try String(
                decoding: XCTUnwrap(Settings.bytes(of: rig.folder.path("config.json"))),
                as: UTF8.self),
            "{\n    \"budget\": { \"day\": 2.5 },\n    \"model\": \"gpt-y\"\n}\n")
        await rig.services.close()
    }

    func testTheFileIsPrivateAndALinkStaysOne() async throws {
        let rig = try ChatRig()
        try FileManager.default.createDirectory(
            atPath: rig.folder.path("dot"), withIntermediateDirectories: false)
        try rig.folder.write(Array("{ \"title\": true }\n".utf8), to: "dot/mine.json")
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.path("config.json"), withDestinationPath: "dot/mine.json")
        _ = try await run(rig, "set", "title", "off")
        XCTAssertEqual(
            try FileManager.default.destinationOfSymbolicLink(
                atPath: rig.folder.path("config.json")), "dot/mine.json")
        let facts = try FileManager.default.attributesOfItem(
            atPath: rig.folder.path("dot/mine.json"))
        XCTAssertEqual(facts[.posixPermissions] as? Int, 0o600)
        XCTAssertEqual(
            try String(contentsOfFile: rig.folder.path("dot/mine.json"), encoding: .utf8),
            "{ \"title\": false }\n")
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: rig.folder.path("dot")),
            ["mine.json"])
        await rig.services.close()
    }

    func testAtThePromptWhatCanChangesAtOnce() async throws {
        let rig = try ChatRig()
        let live = try await run(rig, "set", "thinking", "full", isChat: true)
        XCTAssertEqual(live, ["✓ thinking: summary (default) → full", "It takes effect now."])
        XCTAssertEqual(rig.services.settings.thinking, .full)
        let session = try await rig.session()
        let thinking = await session.thinking
        XCTAssertEqual(thinking, .full)
        let later = try await run(rig, "set", "keys", "vi", isChat: true)
        XCTAssertEqual(
            later, ["✓ keys: emacs (default) → vi", "It takes effect at the next launch."])
        XCTAssertEqual(rig.services.settings.keys, .emacs)
        let back = try await run(rig, "unset", "thinking", isChat: true)
        XCTAssertEqual(back.last, "It takes effect now.")
        XCTAssertEqual(rig.services.settings.thinking, .summary)
        await rig.services.close()
    }
}
