import Base
import XCTest

@testable import ChatKit

/// Which values of which settings let the program do more than the defaults.
final class SettingReachTests: XCTestCase {
    private func widening(_ text: String) throws -> [WideningSetting] {
        try Settings.widening(Array(text.utf8), file: "config.json")
    }

    private func names(_ text: String) throws -> [String] { try widening(text).map(\.name) }

    func testWhatRunsReadsWritesSendsOrAsksLessWidens() throws {
        let table: [(String, [String])] = [
            (
                #"{ "tools": { "allow": ["delete_*"], "ask": ["a"], "deny": ["b"] } }"#,
                ["tools.allow"]
            ),
            (#"{ "open": "/" }"#, ["open"]), (#"{ "calendars": ["/etc", "~/x"] }"#, ["calendars"]),
            (#"{ "web": "on" }"#, ["web"]), (#"{ "failover": "auto" }"#, ["failover"]),
            (#"{ "clipboard": "osc52" }"#, ["clipboard"]),
            (#"{ "allow_http": ["evil.example"] }"#, ["allow_http"]),
            (#"{ "alerts": { "bell": false, "hook": "curl evil" } }"#, ["alerts.hook"]),
            (#"{ "recording": { "command": "evil", "cap_minutes": 5 } }"#, ["recording.command"]),
            (
                #"{ "speech": { "player": "evil", "base_url": "https://e.example", "rate": 0.5,"#
                    + #" "engine": "server", "key_command": "evil" } }"#,
                ["speech.base_url", "speech.engine", "speech.key_command", "speech.player"]
            ),
            (
                #"{ "transcription": { "base_url": "https://e.example", "key_command": "e" } }"#,
                ["transcription.base_url", "transcription.key_command"]
            ),
            (
                #"{ "claude": { "base_url": "https://e.example", "model": "m" },"#
                    + #" "local": { "key_command": "evil" } }"#,
                ["claude.base_url", "local.key_command"]
            ),
            (
                #"{ "roles": { "critic": "Obey.", "b": { "system": "Obey.", "model": "m" } } }"#,
                ["roles.b", "roles.critic"]
            ),
            (#"{ "ledger": { "bodies": 7 } }"#, ["ledger.bodies"]),
            (#"{ "prices": { "m": { "input": 0, "output": 0 } } }"#, ["prices.m"]),
        ]
        for (text, expected) in table { XCTAssertEqual(try names(text), expected, text) }
    }

    func testAppearanceAndWhatNarrowsDoNotWiden() throws {
        for text in [
            "{}", #"{ "keys": "vi", "theme": "dark", "locale": "de_DE", "hours": { "noon": 13 } }"#,
            #"{ "web": "off", "failover": "off", "clipboard": "off", "memory": "off" }"#,
            #"{ "web": "ask", "redact": true, "tools": { "allow": [], "deny": ["*"] } }"#,
            #"{ "speech": { "engine": "espeak", "voice": "en" }, "budget": { "day": 1 } }"#,
            #"{ "theme": "light", "voice_presets": { "a": { "rate": 0 } } }"#,
            #"{ "alerts": { "hook": null }, "open": null, "ledger": { "bodies": 0 } }"#,
            // In a remark it says nothing.
            "{ /* \"web\": \"on\", */ // \"open\": \"/\"\n \"keys\": \"vi\", }",
        ] {
            XCTAssertEqual(try names(text), [], text)
        }
    }

    func testANameThatIsNotKnownWidensForALaterVersionMayKnowIt() throws {
        XCTAssertEqual(
            try widening(#"{ "daemon": { "run": "evil" }, "speech": { "filter": "evil" } }"#),
            [
                WideningSetting(
                    path: ["daemon"], value: ["run": "evil"], isKnown: false),
                WideningSetting(path: ["speech", "filter"], value: "evil", isKnown: false),
            ])
    }

    func testOfANameThatIsThereTwiceTheValueInUseCounts() throws {
        XCTAssertEqual(try names(#"{ "web": "on", "web": "off" }"#), [])
        XCTAssertEqual(
            try widening(#"{ "open": "/a", "open": "/b" }"#),
            [WideningSetting(path: ["open"], value: "/b", isKnown: true)])
        // Both objects are read, so the first one's command is in use.
        XCTAssertEqual(
            try names(#"{ "speech": { "player": "evil" }, "speech": { "rate": 0.5 } }"#),
            ["speech.player"])
        XCTAssertEqual(
            try names(#"{ "alerts": { "hook": "evil" }, "alerts": null }"#), ["alerts.hook"])
        // A name may be written with escapes.
        XCTAssertEqual(try names("{ \"\\u0077eb\": \"on\" }"), ["web"])
    }

    func testAFileThatTheProgramRefusesIsRefused() {
        for text in [
            "not json", "[]", "{ \"web\": \"sometimes\" }", "{ \"tools\": { \"alow\": [] } }",
            "{ \"roles\": { \"a\": {} } }", String(repeating: " ", count: 1 << 20) + "{}",
        ] {
            XCTAssertThrowsError(try widening(text), String(text.prefix(40)))
        }
    }

    func testOfManyNamesThatAreNotKnownSomeAreReported() throws {
        let text = "{" + (0..<3_000).map { "\"n\($0)\": 1" }.joined(separator: ",") + "}"
        XCTAssertEqual(try widening(text).count, 3_000)
        XCTAssertEqual(try Settings.parse(Array(text.utf8), file: "c").warnings.count, 100)
    }
}
