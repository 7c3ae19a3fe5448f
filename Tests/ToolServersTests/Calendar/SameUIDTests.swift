import AgentCore
import Base
import Foundation
import ICalendar
import Persistence
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// One UID in two files: each is listed under an id of its own, and is changed
/// without the other.
final class SameUIDTests: XCTestCase {
    private func put(
        _ folder: CalendarFolder, _ name: String, _ component: String, list: String,
        title: String = "dentist"
    ) throws {
        let times =
            component == "VTODO" ? "DUE:20261128T080000Z" : "DTSTART:20261128T080000Z"
        try folder.put(
            Array(
                CalendarRig.calendar(
                    "BEGIN:\(component)\nUID:4f1c9a02-7d\nSUMMARY:\(title)\n\(times)\n"
                        + "END:\(component)"
                ).utf8), name, list: list)
    }

    private func text(_ folder: CalendarFolder, _ name: String) throws -> String {
        String(decoding: try folder.bytes(folder.root + "/" + name), as: UTF8.self)
    }

    /// The ids that a listing shows, by the list they are marked with.
    private func ids(_ output: CommandOutput) -> [String] {
        output.lines.map(\.text).filter { $0.contains("dentist") }.compactMap {
            $0.split(separator: " ").first.map(String.init)
        }
    }

    func testEachReminderIsShownEditedCompletedAndDeletedByItsOwnID() async throws {
        for (one, other) in [("office/a.ics", "family/a.ics"), ("family/a.ics", "family/b.ics")] {
            let folder = try CalendarFolder()
            for path in [one, other] {
                let parts = path.components(separatedBy: "/")
                try put(folder, parts[1], "VTODO", list: parts[0])
            }
            let server = folder.server
            let shown = ids(try await server.run("list"))
            XCTAssertEqual(Set(shown).count, 2, "\(shown)")
            do {
                _ = try await server.run("done", "dentist")
                XCTFail("one of two was picked")
            } catch ToolError.ambiguous(_, let candidates) {
                XCTAssertEqual(candidates.count, 2)
                for id in shown { XCTAssertEqual(candidates.filter { $0.contains(id) }.count, 1) }
                for path in [one, other] {
                    XCTAssertEqual(candidates.filter { $0.contains(path) }.count, 1)
                }
            }
            let before = [one: try text(folder, one), other: try text(folder, other)]
            let edited = try await server.run("edit", shown[0], "--title", "dentist again")
            let first = try XCTUnwrap(edited.json?["path"]?.stringValue)
            let second = first.hasSuffix(one) ? other : one
            XCTAssertTrue(try text(folder, first.hasSuffix(one) ? one : other).contains("again"))
            XCTAssertEqual(try text(folder, second), before[second])
            // By its file as well.
            _ = try await server.run("done", first)
            XCTAssertEqual(try text(folder, second), before[second])
            let done = try await server.run("list", "completed")
            XCTAssertEqual(done.json?.arrayValue?.compactMap { $0["path"]?.stringValue }, [first])
            _ = try await server.run("reopen", first)
            _ = try await server.run("delete", shown[1])
            let rest = try await server.run("list", "--all")
            XCTAssertEqual(rest.json?.arrayValue?.compactMap { $0["path"]?.stringValue }, [first])
            XCTAssertEqual(ids(rest), ["4f1c9a02"])
        }
    }

    func testEachEventIsShownEditedAndDeletedByItsOwnID() async throws {
        let rig = try CalendarRig()
        try put(rig.folder, "a.ics", "VEVENT", list: "office")
        try put(rig.folder, "a.ics", "VEVENT", list: "family")
        let shown = ids(try await rig.run("search dentist"))
        XCTAssertEqual(Set(shown).count, 2, "\(shown)")
        let edited = try await rig.run("edit \(shown[0]) --title 'dentist again'")
        let first = try XCTUnwrap(edited.json?["path"]?.stringValue)
        let listed = try await rig.run("list --from 2026-11-28 --to 2026-11-28", json: true)
        XCTAssertEqual(
            Set(listed.json?.arrayValue?.compactMap { $0["title"]?.stringValue } ?? []),
            ["dentist", "dentist again"])
        try await rig.run("delete \(shown[1])")
        let rest = try await rig.run("search dentist", json: true)
        XCTAssertEqual(rest.json?.arrayValue?.compactMap { $0["path"]?.stringValue }, [first])
    }

    func testTheChoicesOfAQuestionAreTwoItems() async throws {
        let folder = try CalendarFolder()
        try put(folder, "a.ics", "VTODO", list: "office")
        try put(folder, "a.ics", "VTODO", list: "family")
        let output = try await folder.server.handle(message: "mark dentist as done", mayAsk: true)
        let commands = try XCTUnwrap(output).choices.map(\.command)
        XCTAssertEqual(commands.count, 2)
        XCTAssertEqual(Set(commands).count, 2)
        for command in commands {
            let all = try await folder.server.actions.all().reminders
            XCTAssertEqual(Reminder.named(try XCTUnwrap(command.last), in: all).count, 1)
        }
    }

    func testDoneMeansTheOneThatRang() async throws {
        let folder = try CalendarFolder()
        try put(folder, "a.ics", "VTODO", list: "office")
        try put(folder, "a.ics", "VTODO", list: "family")
        let actions = AlertActions(folder.server.actions)
        var rung = Alert(
            key: AlertLog.Key(uid: "4f1c9a02-7d", occurrence: "", fires: 0), title: "dentist",
            isEvent: false, time: try ItemTime.at("2026-11-28T09:00"))
        let before = try text(folder, "family/a.ics")
        do {
            try await actions.done(rung)
            XCTFail("one of two was picked")
        } catch is ToolError {}
        rung.path = folder.root + "/office/a.ics"
        try await actions.done(rung)
        XCTAssertTrue(try text(folder, "office/a.ics").contains("COMPLETED"))
        XCTAssertEqual(try text(folder, "family/a.ics"), before)
    }

    func testPartsStandBelowTheWholeOfTheirOwnList() async throws {
        let folder = try CalendarFolder()
        try put(folder, "a.ics", "VTODO", list: "office")
        try put(folder, "a.ics", "VTODO", list: "family")
        try folder.put(
            Array(
                CalendarRig.calendar(
                    "BEGIN:VTODO\nUID:part\nSUMMARY:bring card\nRELATED-TO:4f1c9a02-7d\nEND:VTODO"
                ).utf8), "part.ics", list: "family")
        let lines = try await folder.server.run("list").lines.map(\.text)
        let place = try XCTUnwrap(lines.firstIndex { $0.contains("└ bring card") })
        XCTAssertEqual(lines.filter { $0.contains("bring card") }.count, 1)
        XCTAssertTrue(lines[place - 1].hasSuffix("@family"), "\(lines)")
    }

    func testDoctorNamesThePair() async throws {
        let rig = try CalendarRig()
        try put(rig.folder, "a.ics", "VEVENT", list: "office")
        try put(rig.folder, "b.ics", "VTODO", list: "family")
        try put(rig.folder, "a.ics", "VEVENT", list: "other")
        let problems = try await EventBook.problems(in: rig.store, rig.server.moment().context)
        let root = rig.folder.root
        XCTAssertEqual(
            problems.map(\.sentence),
            ["office", "other"].map {
                "\(root)/family/b.ics: its UID 4f1c9a02-7d is in \(root)/\($0)/a.ics too"
            })
    }
}
