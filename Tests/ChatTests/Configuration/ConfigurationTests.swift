import AgentCore
import Base
import DateLanguage
import Foundation
import Planner
import XCTest

@testable import ChatKit
@testable import TerminalKit

final class ConfigurationTests: XCTestCase {
    private func parse(_ text: String) throws -> Settings {
        try Settings.parse(Array(text.utf8), file: "/c/config.json")
    }

    private func error(_ text: String) -> ConfigurationError? {
        do {
            _ = try parse(text)
            return nil
        } catch { return error as? ConfigurationError }
    }

    func testEverySettingIsReadWithCommentsAndTrailingCommas() throws {
        let read = try parse(
            """
            // mine
            {
              "provider": "claude", /* not "openai", */ "model": "m // no comment",
              "openai": {"base_url": "https://o.example/v1", "model": "a",
                         "key_command": ["pass", "show", "a b"],},
              "claude": {"key_command": "op read 'op://x/y z'"},
              "local": {},
              "max_tokens": 1000, "temperature": 0.5, "keys": "vi", "routing": "local",
              "failover": "off", "send_local_turns": false, "calendars": "~/cal",
              "default_list": "todo", "default_calendar": "work", "locale": "de_DE",
              "hours": {"morning": 8, "end_of_day": 18, "noon": null},
              "alerts": {"bell": false, "hook": ["notify", "-x"], "snooze_minutes": 5,
                         "all_day_hour": 8, "event_minutes": "none",
                         "event_alarm_written": ["Family"], "late_hours": 24},
              "allow_http": ["NAS.local",],
            }
            """)
        var expected = Settings()
        expected.provider = .claude
        expected.model = "m // no comment"
        expected[server: .openai] = .init(
            format: .responses, baseURL: "https://o.example/v1", model: "a",
            keyCommand: ["pass", "show", "a b"])
        expected[server: .claude].keyCommand = ["op", "read", "op://x/y z"]
        expected[server: .local] = .init(baseURL: Settings.ollamaURL)
        expected.maxTokens = 1000
        expected.temperature = 0.5
        expected.keys = .vi
        expected.routing = .local
        expected.failover = .off
        expected.sendLocalTurns = false
        expected.calendars = ["~/cal"]
        expected.defaultList = "todo"
        expected.defaultCalendar = "work"
        expected.locale = "de_DE"
        (expected.hours.morning, expected.hours.endOfDay) = (8, 18)
        var alerts = AlertSettings()
        alerts.bell = false
        alerts.hook = .words(["notify", "-x"])
        alerts.snoozeMinutes = 5
        alerts.allDayHour = 8
        alerts.eventMinutes = nil
        alerts.eventAlarmWritten = ["Family"]
        alerts.lateHours = 24
        expected.alerts = alerts
        expected.allowHTTP = ["nas.local"]
        // Where each comes from is in `SettingsTests`.
        expected.sources = read.sources
        XCTAssertEqual(read, expected)
        XCTAssertEqual(
            Set(read.sources.keys.filter { $0.hasPrefix("hours") }),
            ["hours", "hours.morning", "hours.end_of_day"])
        XCTAssertEqual(
            try parse("{\"calendars\": [\"/a\", \"~/b\"]}").calendars, ["/a", "~/b"])
        XCTAssertEqual(try parse("{}"), Settings())
        XCTAssertEqual(try parse("{\"model\": null}"), Settings())
    }

    func testAWrongValueIsFoundByLineAndNamed() {
        let table: [(String, String, Int, String)] = [
            ("{\n  \"max_tokens\": \"many\"\n}", "max_tokens", 2, "a whole number above 0"),
            ("{\"max_tokens\": 0}", "max_tokens", 1, "a whole number above 0"),
            ("{\"escape_ms\": 4}", "escape_ms", 1, "milliseconds, from 5 to 2000"),
            ("{\n\"temperature\": 3}", "temperature", 2, "a number from 0 to 2"),
            ("{\n/*\n*/\"keys\": \"nano\"}", "keys", 3, "one of \"emacs\", \"vi\""),
            (
                "{\"provider\": 1}", "provider", 1,
                "one of "
                    + ProviderName.builtIn.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
                    + ", or a name in \"providers\""
            ),
            (
                "{\"model\": \"x\",\n\"openai\": {\n\"model\": 4}}", "openai.model", 3,
                "a string that is not empty"
            ),
            ("{\"openai\":\n []}", "openai", 2, "an object with base_url, model or key_command"),
            (
                "{\"openai\": {\"base_url\": \"o.example\"}}", "openai.base_url", 1,
                "a URL that begins with https:// or http://"
            ),
            (
                "{\"local\": {\"key_command\": \"a 'b\"}}", "local.key_command", 1,
                "an array of words, such as [\"pass\", \"show\", \"openai\"]"
            ),
            (
                "{\"calendars\": \"cal\"}", "calendars", 1,
                "an absolute path, or one that begins with ~/, or an array of such"
            ),
            (
                "{\"default_list\": \"a/b\"}", "default_list", 1,
                "the name of a folder, without a slash"
            ),
            ("{\"hours\": {\n\"night\": 24}}", "hours.night", 2, "an hour from 0 to 23"),
            (
                "{\"alerts\": {\"hook\": \"\"}}", "alerts.hook", 1,
                "a line for the shell, or an array of words"
            ),
            (
                "{\"alerts\": {\n\"all_day_hour\": 24}}", "alerts.all_day_hour", 2,
                "a whole number from 0 to 23"
            ),
            (
                "{\"alerts\": {\"event_minutes\": \"soon\"}}", "alerts.event_minutes", 1,
                "minutes from 0 to 40320, or \"none\""
            ),
            (
                "{\"alerts\": {\"event_alarm_written\": \"Family\"}}", "alerts.event_alarm_written",
                1,
                "an array of names of calendars"
            ),
            ("{\"alerts\": {\"bell\": 1}}", "alerts.bell", 1, "true or false"),
            ("{\"hours\": 9}", "hours", 1, "an object such as { \"morning\": 8 }"),
            ("{\"allow_http\": [1]}", "allow_http", 1, "an array of host names"),
            ("{\"send_local_turns\": \"no\"}", "send_local_turns", 1, "true or false"),
        ]
        for (text, name, line, accepted) in table {
            let error = error(text)
            XCTAssertEqual(error?.reason, .wrongValue(name: name, accepted: accepted), text)
            XCTAssertEqual(error?.line, line, text)
            XCTAssertEqual(error?.file, "/c/config.json")
        }
    }

    func testBrokenTextIsFoundByLineAndColumn() {
        let table: [(String, JSONParser.Failure.Reason, Int, Int)] = [
            ("{\n  \"model\" \"x\"\n}", .unexpectedByte, 2, 11),
            ("", .unexpectedEnd, 1, 1),
            ("{} x", .trailingBytes, 1, 4),
            ("{,}", .unexpectedByte, 1, 2),
            ("{\"a\": 1,,}", .unexpectedByte, 1, 9),
            ("{\n /* open", .unexpectedByte, 2, 2),
        ]
        for (text, reason, line, column) in table {
            XCTAssertEqual(
                error(text),
                ConfigurationError(
                    reason: .syntax(reason), file: "/c/config.json", line: line, column: column),
                text)
        }
    }

    func testAnUnknownNameIsAWarningWithTheNearest() throws {
        let read = try parse(
            "{\n\"modle\": \"x\",\n\"claude\": {\"baseurl\": \"x\"}, \"zzzzzzzzz\": 1, \"model\": \"m\"}"
        )
        XCTAssertEqual(read.model, "m")
        XCTAssertEqual(
            read.warnings,
            [
                "/c/config.json:2: there is no setting modle. Did you mean model?",
                "/c/config.json:3: there is no setting claude.baseurl."
                    + " Did you mean claude.base_url?",
                "/c/config.json:3: there is no setting zzzzzzzzz. chat config lists them.",
            ])
    }

    func testNoFileIsAnEmptyConfigurationAndAFolderIsAnError() throws {
        let home = try TemporaryHome(self)
        XCTAssertEqual(try Settings.load(home.path + "/config.json"), Settings())
        XCTAssertThrowsError(try Settings.load(home.path)) {
            XCTAssertEqual(
                $0 as? ConfigurationError,
                ConfigurationError(reason: .unreadable(EISDIR), file: home.path))
        }
        try home.write("config.json", "\u{FEFF}{\"model\": \"m\"}")
        XCTAssertEqual(try Settings.load(home.path + "/config.json").model, "m")
    }

    func testBlankingKeepsEveryOffsetAndNeverTouchesAString() {
        let text = "{\"a//,}\": \"/*\\\"*/,]\", // x,\n \"b\": [1, /*,*/ 2 , /* */ ], }"
        let blanked = String(decoding: JSON5.blanked(Array(text.utf8)), as: UTF8.self)
        XCTAssertEqual(
            blanked, "{\"a//,}\": \"/*\\\"*/,]\",      \n \"b\": [1,       2         ]  }")
        XCTAssertEqual(blanked.utf8.count, text.utf8.count)
    }

    func testRandomBytesNeverTrap() {
        var generator = SeededGenerator(state: 42)
        let alphabet = Array("{}[]\",:/*\\ \n-1e.atru\u{FEFF}é".utf8)
        for _ in 0..<20_000 {
            let bytes = (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                alphabet.randomElement(using: &generator) ?? 0
            }
            _ = try? Settings.parse(bytes, file: "f")
            _ = JSON5.offset(of: ["a"], in: bytes)
            XCTAssertEqual(JSON5.blanked(bytes).count, bytes.count)
        }
    }

    func testWordsAreSplitAsAShellWouldWithoutItsPowers() {
        let table: [(String, [String]?)] = [
            ("pass show a", ["pass", "show", "a"]), ("  a   b ", ["a", "b"]), ("", []),
            ("a 'b c' \"d \\\" $e\" f\\ g", ["a", "b c", "d \" $e", "f g"]),
            ("a '' b", ["a", "", "b"]), ("x'y'z", ["xyz"]), ("\"a\\b\"", ["a\\b"]),
            ("$(id) `id` ; rm *", ["$(id)", "`id`", ";", "rm", "*"]), ("a 'b", nil), ("a\\", nil),
        ]
        for (line, words) in table { XCTAssertEqual(ShellTokenizer.words(of: line), words, line) }
    }
}

private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
