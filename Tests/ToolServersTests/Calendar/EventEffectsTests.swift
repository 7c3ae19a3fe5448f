import AgentCore
import Base
import XCTest

@testable import CalendarFiles
@testable import Planner

/// What a change of an event or a reminder does, by its arguments.
final class EventEffectsTests: XCTestCase {
    private func words(_ effects: [CallEffect]?) -> [String] {
        (effects ?? []).map { "\($0.kind) \($0.tool)" }
    }

    private func effects(_ rig: CalendarRig, _ arguments: String) async throws -> [String] {
        let value = try JSONParser.parse(arguments)
        return words(
            await rig.server.effects(
                of: "edit_event", arguments: try XCTUnwrap(value.objectValue)))
    }

    /// It is Wed 4 Mar 2026, 10:15.
    func testAnEventOfWhichNothingIsLeftToComeIsAsGoodAsDeleted() async throws {
        let rig = try CalendarRig()
        try await rig.run("add dentist --start 2026-03-05T14:00")
        try await rig.run("add course --start 2026-02-02T18:00 --repeat FREQ=WEEKLY")
        try await rig.run("add party --start 2026-02-01T20:00")
        let change = ["change edit_event"]
        let gone = change + ["overwrite delete_event"]
        let table: [(String, [String])] = [
            (#"{"event":"dentist","title":"gone","notes":""}"#, change),
            (#"{"event":"dentist","start":"2026-03-06T14:00"}"#, change),
            (#"{"event":"dentist","start":"2026-03-03T14:00"}"#, gone),
            (#"{"event":"dentist","start":"1970-01-01T00:00"}"#, gone),
            (#"{"event":"dentist","start":"2999-01-01T00:00"}"#, gone),
            (#"{"event":"dentist","end":"2026-03-04T09:00"}"#, gone),
            // It is over, whatever becomes of it.
            (#"{"event":"party","start":"2026-01-31T20:00"}"#, change),
            (#"{"event":"party","start":"2026-04-01T20:00"}"#, change),
            (
                #"{"event":"course","scope":"this","date":"2026-03-09","start":"2026-03-01"}"#, gone
            ),
            (
                #"{"event":"course","scope":"this","date":"2026-03-09","start":"2026-03-10"}"#,
                change
            ),
            (#"{"event":"course","scope":"all","repeat":"none"}"#, gone),
            (
                #"{"event":"course","scope":"all","repeat":"FREQ=WEEKLY;UNTIL=20260301T000000Z"}"#,
                gone
            ),
            (#"{"event":"course","scope":"all","repeat":"FREQ=WEEKLY;COUNT=2"}"#, gone),
            (#"{"event":"course","scope":"all","repeat":"FREQ=MONTHLY"}"#, change),
            // The call says what is missing.
            (#"{"event":"course","repeat":"FREQ=WEEKLY;COUNT=2"}"#, change),
            (#"{"event":"nothing","start":"1970-01-01"}"#, change),
        ]
        for (arguments, wanted) in table {
            let found = try await effects(rig, arguments)
            XCTAssertEqual(found, wanted, arguments)
        }
    }

    func testTheQuestionSaysThatNothingWouldBeLeft() async throws {
        let rig = try CalendarRig()
        try await rig.run("add dentist --start 2026-03-05T14:00")
        let preview = await rig.server.preview(
            of: "edit_event",
            arguments: JSONObject([
                .init("event", "dentist"), .init("start", "1970-01-01T00:00"),
            ]))
        guard case .touches(let words?, _) = preview else { return XCTFail("\(preview)") }
        XCTAssertTrue(words.hasSuffix("(nothing of it would be left to come)"), words)
    }

    /// So that `ask: create_event(calendar: work)` holds for it too.
    func testWhatIsMovedIntoAnotherCalendarOrListIsNewThere() async throws {
        let rig = try CalendarRig()
        try await rig.run("add dentist --start 2026-03-05T14:00")
        let moved = try await effects(rig, #"{"event":"dentist","calendar":"work"}"#)
        XCTAssertEqual(moved, ["change edit_event", "addition create_event"])
        let server = try CalendarFolder().server
        for (arguments, wanted) in [
            (
                ["title": "x", "list": "home"],
                ["change edit_reminder", "addition create_reminder"]
            ),
            (["title": "x", "notes": "none"], ["change edit_reminder"]),
        ] {
            let found = await server.effects(
                of: "edit_reminder",
                arguments: JSONObject(arguments.map { .init($0.key, .string($0.value)) }))
            XCTAssertEqual(words(found), wanted)
        }
    }
}
