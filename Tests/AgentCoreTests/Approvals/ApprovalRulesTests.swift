import XCTest

@testable import AgentCore
@testable import Base

final class ApprovalRulesTests: XCTestCase {
    private func arguments(_ json: String) throws -> JSONObject {
        try XCTUnwrap(try JSONParser.parse(json).objectValue)
    }

    private func effect(
        _ tool: String, _ json: String = "{}", allow: [String] = [], ask: [String] = [],
        deny: [String] = []
    ) throws -> ApprovalRules.Ruling? {
        var rules = ApprovalRules()
        rules.allow = try allow.map { try XCTUnwrap(ApprovalRule($0), $0) }
        rules.ask = try ask.map { try XCTUnwrap(ApprovalRule($0), $0) }
        rules.deny = try deny.map { try XCTUnwrap(ApprovalRule($0), $0) }
        return rules.ruling(on: tool, arguments: try arguments(json))
    }

    func testDenyComesBeforeAskAndAskBeforeAllow() throws {
        let all = ["delete_*"]
        XCTAssertEqual(try effect("delete_x", allow: all, ask: all, deny: all), .deny)
        XCTAssertEqual(try effect("delete_x", allow: all, ask: all), .ask)
        XCTAssertEqual(try effect("delete_x", allow: all), .allow)
        XCTAssertNil(try effect("edit_x", allow: all, ask: all, deny: all))
    }

    func testAStarStandsForAnyCharactersAndEverythingElseForItself() throws {
        let names: [(String, String, Bool)] = [
            ("reminders_*", "reminders_", true), ("reminders_*", "reminders_a_b", true),
            ("reminders_*", "xreminders_a", false), ("*_reminder", "delete_reminder", true),
            ("*_reminder", "delete_reminders", false), ("*", "anything", true),
            ("a*b*c", "a1b2b3c", true), ("a*b*c", "a1b2", false), ("a**b", "ab", true),
            ("note", "Note", false), ("n.te", "note", false), ("note", "nоte", false),
        ]
        for (rule, tool, expected) in names {
            XCTAssertEqual(try effect(tool, allow: [rule]) == .allow, expected, "\(rule) \(tool)")
        }
    }

    func testAnArgumentIsMatchedWholeAndAbsentOnesNever() throws {
        let rule = ["fetch_url(url: https://example.org/*)"]
        let cases: [(String, Bool)] = [
            (#"{"url":"https://example.org/"}"#, true),
            (#"{"url":"https://example.org/a?b=(c)"}"#, true),
            (#"{"url":"https://example.org.evil.test/"}"#, false),
            (#"{"url":"https://evil.test/https://example.org/"}"#, false),
            (#"{"url":"HTTPS://example.org/"}"#, false),
            (#"{"link":"https://example.org/"}"#, false),
            ("{}", false), (#"{"url":["https://example.org/a","https://example.org/b"]}"#, true),
            (#"{"url":["https://example.org/a","https://evil.test/"]}"#, false),
            (#"{"url":[]}"#, false),
        ]
        for (json, expected) in cases {
            XCTAssertEqual(try effect("fetch_url", json, allow: rule) == .allow, expected, json)
        }
        XCTAssertEqual(try effect("t", #"{"n":25,"b":true}"#, allow: ["t(n: 2*)"]), .allow)
        XCTAssertEqual(try effect("t", #"{"n":25,"b":true}"#, allow: ["t(b:true)"]), .allow)
    }

    /// What is written differently must not slip past a rule that forbids it.
    func testDenyAndAskTakeAnyValueInAnyCapitals() throws {
        let rule = ["mail(to: *@rival.test)"]
        for json in [
            #"{"to":"Bo@Rival.TEST"}"#, #"{"to":["ida@example.org","bo@rival.test"]}"#,
        ] {
            XCTAssertEqual(try effect("mail", json, deny: rule), .deny, json)
            XCTAssertEqual(try effect("mail", json, ask: rule), .ask, json)
            XCTAssertNil(try effect("mail", json, allow: rule), json)
        }
    }

    func testManyStarsTakeNoTime() throws {
        let text = String(repeating: "a", count: 20_000)
        let rule = "t(x: \(String(repeating: "*a", count: 40))b)"
        XCTAssertNil(try effect("t", "{\"x\":\"\(text)\"}", deny: [rule]))
    }

    func testWhatIsNoRuleIsNotRead() {
        for text in [
            "", " ", "a b", "fetch_url(", "fetch_url(url", "fetch_url(url)", "fetch_url(url:)",
            "fetch_url(: x)", "(url: x)", "a(b: c) d", "delete-reminder!", "é*",
        ] {
            XCTAssertNil(ApprovalRule(text), text)
        }
        XCTAssertNotNil(ApprovalRule(" fetch_url ( url : a, b: (c) ) "))
    }

    /// A rule that cannot be read, or a list with a misspelt name, protects nothing
    /// in silence: the file is refused, with the place.
    func testABrokenSettingIsAnErrorWithItsPlace() throws {
        for (json, line) in [
            (#"{"deny": "delete_*"}"#, 1), ("{\n\"deny\": [\"delete_reminder(\"]}", 2),
            ("{\n\n\"denny\": []}", 3), (#"{"deny": [5]}"#, 1), ("[]", 1),
        ] {
            var rules = ApprovalRules()
            var reader = ConfigurationReader(bytes: Array(json.utf8), file: "config.json")
            let value = try JSON5.parse(Array(json.utf8))
            do {
                try reader.read(value, [], ApprovalRules.settings, into: &rules)
                XCTAssertEqual(reader.errors.first?.line, line, json)
            } catch {
                XCTAssertEqual(error.line, line, json)
            }
        }
    }

    func testRulesThatNoToolCanMeetAreNamed() throws {
        var rules = ApprovalRules()
        rules.deny = ["delete_*", "delet_reminder", "mail(to: x)"].compactMap(ApprovalRule.init)
        rules.allow = ["*"].compactMap(ApprovalRule.init)
        XCTAssertEqual(
            rules.unmatched(among: ["delete_reminder"]), ["delet_reminder", "mail(to: x)"])
    }
}
