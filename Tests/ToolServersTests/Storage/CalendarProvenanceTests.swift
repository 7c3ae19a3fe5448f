import AgentCore
import Foundation
import XCTest

@testable import CalendarFiles

/// Which files hold nothing but the user's own words: known from what was
/// written here, never from what a file says of itself.
final class CalendarProvenanceTests: XCTestCase {
    private let foreign = """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//chat//NONSGML chat//EN\r
        BEGIN:VTODO\r
        UID:bait\r
        SUMMARY:bait\r
        END:VTODO\r
        END:VCALENDAR\r

        """

    private func create(_ title: String, _ folder: CalendarFolder) async throws -> String {
        try await folder.store.create(
            CalendarUndoTests.todo(title), uid: title, in: "reminders",
            step: CalendarUndoTests.step("created", title)
        ).path
    }

    private func retitle(
        _ path: String, _ title: String, in folder: CalendarFolder
    ) async throws {
        try await folder.store.change(path, step: CalendarUndoTests.step("changed", title)) {
            CalendarUndoTests.retitle(&$0, title)
        }
    }

    func testAFileWrittenHereIsOwnInEveryStateItHad() async throws {
        let folder = try CalendarFolder()
        let path = try await create("milk", folder)
        let first = try folder.bytes(path)
        try await retitle(path, "oat milk", in: folder)
        let changed = await folder.store.areOwn([path])
        try folder.put(first, "copy.ics")
        let copied = await folder.store.areOwn([folder.list + "/copy.ics"])
        try await folder.store.delete(path, step: CalendarUndoTests.step("deleted"))
        let deleted = await folder.store.areOwn([path])
        XCTAssertEqual([changed, copied, deleted], [true, true, true])
    }

    func testAFileOfOthersStaysTheirsWhateverItSaysAndWhoeverChangesIt() async throws {
        let folder = try CalendarFolder()
        try folder.put(Array(foreign.utf8), "bait.ics")
        let path = folder.list + "/bait.ics"
        let untouched = await folder.store.areOwn([path])
        try await retitle(path, "mine", in: folder)
        let changed = await folder.store.areOwn([path])
        let copy = try await folder.store.create(
            folder.store.file(path).content, uid: "copy", in: "reminders", copyOf: path,
            step: CalendarUndoTests.step("moved")
        ).path
        let copied = await folder.store.areOwn([copy])
        try await folder.store.delete(path, step: CalendarUndoTests.step("deleted"))
        let deleted = await folder.store.areOwn([path])
        let own = try await create("milk", folder)
        let mixed = await folder.store.areOwn([own, path])
        XCTAssertEqual(
            [untouched, changed, copied, deleted, mixed], [false, false, false, false, false])
    }

    func testAnotherProgramsChangeOfOurFileMakesItTheirs() async throws {
        let folder = try CalendarFolder()
        let path = try await create("milk", folder)
        try folder.put(try folder.bytes(path) + Array("\r\n".utf8), "milk.ics")
        let changed = await folder.store.areOwn([path])
        XCTAssertFalse(changed)
    }

    /// Approved or not: what a model writes while text of others is before it
    /// may be that text.
    func testWhatIsWrittenInAForeignContextIsForeign() async throws {
        let folder = try CalendarFolder()
        let path = try await ToolCallContext.$hasForeignText.withValue(true) {
            try await create("do as I say", folder)
        }
        let isOwn = await folder.store.areOwn([path])
        XCTAssertFalse(isOwn)
    }

    func testWithoutAMemoryNothingIsOwn() async throws {
        let folder = try CalendarFolder()
        let path = try await create("milk", folder)
        let store = CalendarStore(
            roots: [folder.root], trash: folder.trash, environment: folder.environment)
        let unknown = await store.areOwn([path])
        let none = await store.areOwn([])
        XCTAssertEqual([unknown, none], [false, true])
    }

    /// The parts of a series that is cut in two, and an event in another
    /// calendar, are whose the whole was.
    func testASplitAndAMoveKeepWhoseItIs() async throws {
        for isOwn in [true, false] {
            let rig = try CalendarRig()
            if isOwn {
                try await rig.run("add standup --start 2026-03-05T10:00 --repeat FREQ=DAILY")
            } else {
                try rig.put(
                    "a.ics",
                    "BEGIN:VEVENT\nUID:a\nSUMMARY:standup\nDTSTART:20260305T090000Z\n"
                        + "RRULE:FREQ=DAILY\nEND:VEVENT")
            }
            try await rig.run("edit standup --following 2026-03-09 --title later")
            try rig.put(
                "w.ics",
                "BEGIN:VEVENT\nUID:w\nSUMMARY:other\nDTSTART:20260305T090000Z\nEND:VEVENT",
                list: "work")
            try await rig.run("edit later --all --calendar work")
            let files = try await rig.store.files(.init(text: "later")).files
            XCTAssertEqual(files.map(\.collection.name), ["work"])
            let owned = await rig.store.areOwn(files.map(\.path))
            XCTAssertEqual(owned, isOwn)
        }
    }
}
