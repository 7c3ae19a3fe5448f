import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// Two machines, one CalDAV server, vdirsyncer between them: what is done on
/// one arrives on the other, and nothing is lost when both act at once.
final class SyncTests: XCTestCase {
    private static let todo = "b58ff5d1-7d9c-4ad0-9d54-0c2ce1c1f001"
    private static let event = "b58ff5d1-7d9c-4ad0-9d54-0c2ce1c1f002"

    private func calendar(_ lines: String...) -> String {
        (["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//chat//chat//EN"] + lines
            + ["END:VCALENDAR", ""])
            .joined(separator: "\r\n")
    }

    private var reminder: String {
        calendar(
            "BEGIN:VTODO", "UID:" + Self.todo, "DTSTAMP:20261121T120000Z",
            "SUMMARY:water Ödön’s fern",
            "DUE:20261201T080000Z", "PRIORITY:5", "CATEGORIES:home,plants", "STATUS:NEEDS-ACTION",
            "X-CHAT-TEST:kept", "BEGIN:VALARM", "ACTION:DISPLAY", "DESCRIPTION:water the fern",
            "TRIGGER;RELATED=END:PT0S", "END:VALARM", "END:VTODO")
    }

    private var dentist: String {
        calendar(
            "BEGIN:VEVENT", "UID:" + Self.event, "DTSTAMP:20261121T120000Z", "SUMMARY:dentist",
            "DTSTART:20261204T130000Z", "DTEND:20261204T143000Z", "END:VEVENT")
    }

    /// Both have the reminder and the event, by way of the server.
    private func sides() async throws -> (RadicaleServer, ours: SyncedSide, theirs: SyncedSide) {
        let folder = try TemporaryFolder()
        let server = try RadicaleServer(folder: folder.path("server"))
        let ours = try SyncedSide(server)
        let theirs = try SyncedSide(server)
        try await ours.create(reminder, uid: Self.todo)
        try await ours.create(dentist, uid: Self.event)
        try ours.vdirsyncer("discover", "chat")
        try ours.vdirsyncer("sync")
        try theirs.vdirsyncer("discover", "chat")
        try theirs.vdirsyncer("sync")
        addTeardownBlock { withExtendedLifetime((folder, server)) {} }
        return (server, ours, theirs)
    }

    private func exchange(_ first: SyncedSide, _ second: SyncedSide) throws {
        try first.vdirsyncer("sync")
        try second.vdirsyncer("sync")
    }

    func testItemsEditsAndDeletionsTravelBothWays() async throws {
        let (_, ours, theirs) = try await sides()
        let items = try await theirs.items()
        let reminder = try XCTUnwrap(items[Self.todo])
        XCTAssertEqual(items.count, 2)
        XCTAssertEqual(reminder.first("SUMMARY")?.value, "water Ödön’s fern")
        XCTAssertEqual(reminder.first("DUE")?.value, "20261201T080000Z")
        XCTAssertEqual(reminder.first("X-CHAT-TEST")?.value, "kept")
        XCTAssertEqual(
            reminder.components("VALARM").first?.first("TRIGGER")?.parameter("RELATED"), "END")
        XCTAssertEqual(items[Self.event]?.first("DTEND")?.value, "20261204T143000Z")
        // A UID without "@" is the file's name on every side.
        XCTAssertEqual(
            try theirs.folder.names(theirs.folder.list).filter { $0.hasSuffix(".ics") },
            [Self.todo + ".ics", Self.event + ".ics"])

        // Edits, on both sides at once.
        try await ours.change(Self.todo) { $0.set("DUE", value: "20261202T080000Z") }
        try await theirs.change(Self.event) {
            // Radicale cuts a text at a comma without its backslash.
            $0.set("SUMMARY", value: TextValue.escape("dentist, the new one"))
        }
        try Data("#3355ff\n".utf8).write(to: URL(fileURLWithPath: ours.folder.list + "/color"))
        try exchange(ours, theirs)
        try ours.vdirsyncer("sync")
        for side in [ours, theirs] {
            let items = try await side.items()
            XCTAssertEqual(items[Self.todo]?.first("DUE")?.value, "20261202T080000Z")
            XCTAssertEqual(items[Self.todo]?.first("X-CHAT-TEST")?.value, "kept")
            XCTAssertEqual(
                items[Self.event]?.first("SUMMARY").map { TextValue.unescape($0.value) },
                "dentist, the new one")
        }
        // What is deleted.
        try await ours.delete(Self.event)
        try exchange(ours, theirs)
        let left = try await theirs.items()
        XCTAssertEqual(Array(left.keys), [Self.todo])
        // Name and colour have a command of their own.
        try ours.vdirsyncer("metasync")
        try theirs.vdirsyncer("metasync")
        let collections = try await theirs.store.collections()
        XCTAssertEqual(collections.map { $0.color?.lowercased() }, ["#3355ff"])
    }

    func testAConflictLeavesBothUntilSomebodyDecides() async throws {
        let (_, ours, theirs) = try await sides()
        try await ours.change(Self.todo) { $0.set("SUMMARY", value: "ours") }
        try await theirs.change(Self.todo) { $0.set("SUMMARY", value: "theirs") }
        try theirs.vdirsyncer("sync")
        let said = try ours.vdirsyncer("sync", expecting: 1)
        XCTAssertTrue(said.contains("conflict"), said)
        XCTAssertTrue(said.contains(Self.todo), said)
        let unchanged = try await ours.items()
        XCTAssertEqual(unchanged[Self.todo]?.first("SUMMARY")?.value, "ours")

        try ours.setUp(conflicts: "\"a wins\"")
        try exchange(ours, theirs)
        let won = try await theirs.items()
        XCTAssertEqual(won[Self.todo]?.first("SUMMARY")?.value, "ours")

        try await ours.change(Self.todo) { $0.set("SUMMARY", value: "ours again") }
        try await theirs.change(Self.todo) { $0.set("SUMMARY", value: "theirs again") }
        try theirs.vdirsyncer("sync")
        try ours.setUp(conflicts: "\"b wins\"")
        try ours.vdirsyncer("sync")
        let lost = try await ours.items()
        XCTAssertEqual(lost[Self.todo]?.first("SUMMARY")?.value, "theirs again")
    }

    func testACompletedRepetitionTravelsAsSeriesAndCopy() async throws {
        let (_, ours, theirs) = try await sides()
        try await ours.change(Self.todo) { item in
            item.set("DTSTART", value: "20261201T080000Z")
            item.set("RRULE", value: "FREQ=WEEKLY")
        }
        try exchange(ours, theirs)
        // Done on the other side: the series moves on, a copy stays.
        let copy = "b58ff5d1-7d9c-4ad0-9d54-0c2ce1c1f003"
        try await theirs.change(Self.todo) { item in
            item.set("DTSTART", value: "20261208T080000Z")
            item.set("DUE", value: "20261208T080000Z")
        }
        try await theirs.create(
            calendar(
                "BEGIN:VTODO", "UID:" + copy, "DTSTAMP:20261121T120000Z",
                "SUMMARY:water Ödön’s fern", "DUE:20261201T080000Z", "STATUS:COMPLETED",
                "COMPLETED:20261121T120000Z", "RELATED-TO;RELTYPE=SIBLING:" + Self.todo,
                "END:VTODO"), uid: copy)
        try exchange(theirs, ours)
        let items = try await ours.items()
        XCTAssertEqual(items[Self.todo]?.first("DUE")?.value, "20261208T080000Z")
        XCTAssertEqual(items[Self.todo]?.first("RRULE")?.value, "FREQ=WEEKLY")
        XCTAssertEqual(items[Self.todo]?.components("VALARM").count, 1)
        XCTAssertEqual(items[copy]?.first("STATUS")?.value, "COMPLETED")
        XCTAssertEqual(items[copy]?.first("RELATED-TO")?.value, Self.todo)
        XCTAssertNil(items[copy]?.first("RRULE"))
    }

    func testARepetitionDoneOnBothSidesIsAConflictAndNeverTwoSeries() async throws {
        let (server, ours, theirs) = try await sides()
        try await ours.change(Self.todo) { item in
            item.set("DTSTART", value: "20261201T080000Z")
            item.set("RRULE", value: "FREQ=WEEKLY")
        }
        try exchange(ours, theirs)
        for (side, week) in [(ours, "20261208T080000Z"), (theirs, "20261215T080000Z")] {
            try await side.change(Self.todo) { item in
                item.set("DTSTART", value: week)
                item.set("DUE", value: week)
            }
        }
        try theirs.vdirsyncer("sync")
        try ours.vdirsyncer("sync", expecting: 1)
        try ours.setUp(conflicts: "\"b wins\"")
        let isFull = ProcessInfo.processInfo.environment["CHAT_FULL"] != nil
        for _ in 0..<(isFull ? 10 : 2) { try exchange(ours, theirs) }
        for side in [ours, theirs] {
            let items = try await side.items()
            XCTAssertEqual(Set(items.keys), [Self.todo, Self.event])
            XCTAssertEqual(items[Self.todo]?.first("DUE")?.value, "20261215T080000Z")
            let files = try await side.store.files().files
            XCTAssertEqual(files.count, 2)
        }
        // A machine that was never there before has the same.
        let fresh = try SyncedSide(server)
        try fresh.vdirsyncer("discover", "chat")
        try fresh.vdirsyncer("sync")
        let items = try await fresh.items()
        XCTAssertEqual(Set(items.keys), [Self.todo, Self.event])
    }

    func testAnEditOutlivesADeletionOnTheOtherSide() async throws {
        let (_, ours, theirs) = try await sides()
        try await ours.delete(Self.todo)
        try await theirs.change(Self.todo) { $0.set("SUMMARY", value: "edited") }
        try exchange(theirs, ours)
        try exchange(theirs, ours)
        for side in [ours, theirs] {
            let items = try await side.items()
            XCTAssertEqual(items[Self.todo]?.first("SUMMARY")?.value, "edited")
            XCTAssertEqual(items.count, 2)
        }
    }

    func testANameWithAnEmojiTravels() async throws {
        let (_, ours, theirs) = try await sides()
        try Data("Haus 🏡 & Hof".utf8).write(
            to: URL(fileURLWithPath: ours.folder.list + "/displayname"))
        try ours.setUp(conflicts: "\"a wins\"")
        try ours.vdirsyncer("metasync")
        try theirs.setUp(conflicts: "\"b wins\"")
        try theirs.vdirsyncer("metasync")
        let names = try await theirs.store.collections().map(\.displayName)
        XCTAssertEqual(names, ["Haus 🏡 & Hof"])
    }

    func testASyncBetweenOurReadAndOurWriteLosesNothing() async throws {
        let (_, ours, theirs) = try await sides()
        try await theirs.change(Self.todo) { $0.set("SUMMARY", value: "theirs") }
        try theirs.vdirsyncer("sync")
        let path = try await ours.path(Self.todo)
        let tries = try await ours.store.change(path, step: SyncedSide.step("changed", Self.todo)) {
            content in
            // The first time, vdirsyncer brings the other side's edit while
            // ours is being made.
            let isFirst = content.firstItem?.first("SUMMARY")?.value != "theirs"
            if isFirst { try ours.vdirsyncer("sync") }
            content.editItem { $0.set("PRIORITY", value: "1") }
            return isFirst
        }
        XCTAssertFalse(tries, "the edit was not made anew on what came in between")
        try exchange(ours, theirs)
        for side in [ours, theirs] {
            let item = try await side.items()[Self.todo]
            XCTAssertEqual(item?.first("SUMMARY")?.value, "theirs")
            XCTAssertEqual(item?.first("PRIORITY")?.value, "1")
        }
    }
}
