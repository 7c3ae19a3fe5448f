import AgentCore
import Base
import Planner
import XCTest

@testable import ChatKit
@testable import chat

/// What one bad value of the configuration stops, and what it does not.
final class BrokenSettingsTests: XCTestCase {
    private func settings(_ text: String) throws -> Settings {
        let folder = try TemporaryHome(self)
        try folder.write("config.json", text)
        return try Settings.load(folder.path + "/config.json")
    }

    func testItsDefaultIsUsedAndTheOtherValuesHold() throws {
        let read = try settings(
            "{\n\"alerts\": {\"bell\": 7, \"snooze_minutes\": 5},\n\"max_tokens\": 0, \"model\": \"m\"}"
        )
        XCTAssertEqual(read.alerts.snoozeMinutes, 5)
        XCTAssertEqual(read.alerts.bell, Settings().alerts.bell)
        XCTAssertEqual(read.model, "m")
        XCTAssertEqual(read.broken.map(\.part), ["alerts", "max_tokens"])
        XCTAssertEqual(read.broken.map(\.error.line), [2, 3])
        XCTAssertEqual(read.source(of: "max_tokens"), .standard)
    }

    func testItStopsWhatReadsThatPartAndGuardsStopWhateverActs() throws {
        let list = Settings.Use.command(noun: "reminders", verb: "list")
        let add = Settings.Use.command(noun: "reminders", verb: "add")
        let run = Settings.Use.command(noun: "alerts", verb: "run")
        let say = Settings.Use.command(noun: "say", verb: "")
        let serve = Settings.Use.command(noun: "mcp", verb: "serve")
        let export = Settings.Use.command(noun: "library", verb: "export")
        let all = [
            ("list", list), ("add", add), ("run", run), ("say", say), ("serve", serve),
            ("export", export), ("message", Settings.Use.message), ("ring", .ringing),
            ("change", .change),
        ]
        let acts = "add export message run say serve change".split(separator: " ").map(String.init)
        for (text, stopped) in [
            ("\"theme\": \"pink\"", []), ("\"keys\": \"nano\"", []),
            ("\"speech\": {\"rate\": \"x\"}", ["say"]),
            ("\"temperature\": 9", ["message", "serve"]),
            ("\"budget\": {\"day\": \"x\"}", ["message", "serve"]),
            ("\"hours\": 9", ["list", "add", "run", "ring", "message", "serve"]),
            ("\"tools\": {\"alow\": []}", acts), ("\"tools\": 1", acts),
            ("\"redact\": \"yes\"", acts), ("\"web\": 1", acts),
            ("\"claude\": {\"base_url\": \"x\"}", acts), ("\"provider\": \"x\"", acts),
            ("\"calendars\": 1", acts + ["list", "ring"]),
        ] {
            let read = try settings("{\(text)}")
            XCTAssertEqual(
                Set(all.filter { read.refusal(of: $0.1) != nil }.map(\.0)), Set(stopped), text)
        }
    }

    func testAVariableThatCannotBeUsedIsAPartAsWell() throws {
        let paths = try Paths(variables: ["HOME": "/"])
        let read = Settings().applying(variables: ["ANTHROPIC_BASE_URL": "x"], paths: paths)
        XCTAssertNotNil(read.refusal(of: .message))
        XCTAssertNil(read.refusal(of: .command(noun: "reminders", verb: "list")))
    }

    func testNothingIsSentAndCommandsThatLookWork() async throws {
        let rig = try ChatRig(
            variables: ChatRig.claude, configuration: "{\n \"redact\": \"yes\"\n}")
        let session = try await rig.session()
        do {
            _ = try await session.send("hello") { _ in }
            XCTFail("sent")
        } catch let error as ConfigurationError {
            XCTAssertEqual(error.line, 2)
        }
        let listed = try await rig.run(["reminders", "list"])
        XCTAssertEqual(listed.outcome, .ok)
        do {
            _ = try await rig.run(["reminders", "add", "buy milk"])
            XCTFail("written")
        } catch is ConfigurationError {}
    }

    /// The prompt keeps what it was made with: a folder of calendars that was mended in
    /// the file is read at the next launch.
    func testAtThePromptAMendedValueCountsWhereItIsReadEachTime() throws {
        let live = LiveSettings(try settings("{\"calendars\": 1, \"tools\": 1}"))
        live.set(try settings("{\"calendars\": \"/c\", \"tools\": {}}"))
        XCTAssertEqual(live.now.broken.map(\.part), ["calendars"])
    }
}
