import AgentCore
import Foundation
import ICalendar
import Persistence
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
        let path = try await ToolCallContext.$hasUntrustedText.withValue(true) {
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
            let made = await rig.store.eventsMadeHere(in: files).uids
            XCTAssertEqual(made.isEmpty, !isOwn, "of the part that is in a file of its own")
        }
    }

    // MARK: - Events that were made here

    private func event(_ uid: String, _ title: String = "tea") throws -> Component {
        try CalendarParser.parse(
            Array(
                CalendarRig.calendar(
                    "BEGIN:VEVENT\nUID:\(uid)\nSUMMARY:\(title)\nDTSTART:20261121T150000Z\n"
                        + "END:VEVENT"
                ).utf8))
    }

    private func made(_ folder: CalendarFolder) async throws -> Set<String> {
        let files = try await folder.store.files(.init(kind: "VEVENT")).files
        return await folder.store.eventsMadeHere(in: files).uids
    }

    /// A phone that moves it writes a file of its own words, which no model may trust;
    /// that the event was made here stays true.
    func testAnEventMadeHereIsKnownWhateverOthersMakeOfItsFile() async throws {
        let folder = try CalendarFolder()
        try await ToolCallContext.$hasUntrustedText.withValue(true) {
            _ = try await folder.store.create(
                event("mine"), uid: "mine", in: "calendar",
                step: CalendarUndoTests.step("created"))
        }
        try folder.put(CalendarWriter.bytes(event("theirs")), "theirs.ics", list: "calendar")
        var found = try await made(folder)
        XCTAssertEqual(found, ["mine"])
        try folder.put(CalendarWriter.bytes(event("mine", "moved")), "mine.ics", list: "calendar")
        found = try await made(folder)
        XCTAssertEqual(found, ["mine"])
        let isTrusted = await folder.store.areOwn([folder.root + "/calendar/mine.ics"])
        XCTAssertFalse(isTrusted)
        // A copy of what others wrote is theirs.
        _ = try await folder.store.create(
            event("copy"), uid: "copy", in: "calendar",
            copyOf: folder.root + "/calendar/theirs.ics",
            step: CalendarUndoTests.step("moved", "theirs"))
        found = try await made(folder)
        XCTAssertEqual(found, ["mine"])
    }

    /// From before there was a list of them: by the content, and from then on by the UID.
    func testAnEventFromBeforeIsKnownByItsContent() async throws {
        let folder = try CalendarFolder()
        _ = try await folder.store.create(
            event("old"), uid: "old", in: "calendar", step: CalendarUndoTests.step("created"))
        let database = CalendarDatabase(folder: folder.state, environment: folder.environment)
        try database.connection().script("forget", "DELETE FROM own_events")
        database.close()
        var found = try await made(folder)
        XCTAssertEqual(found, ["old"])
        try folder.put(CalendarWriter.bytes(event("old", "moved")), "old.ics", list: "calendar")
        found = try await made(folder)
        XCTAssertEqual(found, ["old"])
    }
}
