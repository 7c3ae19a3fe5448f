import Base
import Foundation
import Glibc
import TestSupport
import XCTest

/// Alerts of the real program: in an open chat, from the daemon, on a desktop,
/// after a stop, and with several instances at once. The clock is the real
/// one, so things are due in a second or two.
final class AlertTests: XCTestCase {
    private func count(_ screen: [String], _ text: String) -> Int {
        screen.filter { $0.contains("⏰") && $0.contains(text) }.count
    }

    func testAnAlertAppearsAboveTheHalfTypedLineWhichSurvives() throws {
        let chat = try ChatProgram()
        let session = try ChatTerminal(chat)
        try session.waitForPrompt()
        try chat.putReminder("take the bread out", dueIn: 2)
        session.terminal.type("half typed li")
        try session.waitFor("take the bread out · /done · /snooze 10m")
        try session.waitForLine("> half typed li")
        session.terminal.type("ne")
        try session.waitForLine("> half typed line")
        session.terminal.type("\u{15}")
        try session.waitForLine(">")
        session.enter("/done")
        try session.waitForPrompt(after: "✓ done: take the bread out · /undo")
        XCTAssertEqual(count(session.transcript, "take the bread out"), 1)
        session.leave()
        let text = String(
            decoding: try chat.bytes("calendars/reminders/takethebreadout.ics"), as: UTF8.self)
        XCTAssert(text.contains("STATUS:COMPLETED"), text)
    }

    func testSnoozedInTheChatItRingsAgainThenEvenAfterALaunch() throws {
        let chat = try ChatProgram()
        try chat.putReminder("tea", dueIn: -5)
        let session = try ChatTerminal(chat)
        try session.waitFor("tea · /done")
        try session.waitForPrompt()
        try session.enter("/snooze 2h", until: "tea · again at ")
        session.leave()
        let text = String(decoding: try chat.bytes("calendars/reminders/tea.ics"), as: UTF8.self)
        XCTAssert(text.contains("RELATED-TO;RELTYPE=SNOOZE"), text)
        let status = try chat.json(["alerts", "status", "--json"])
        XCTAssertEqual(status["next"]?.arrayValue?.map { $0["title"] }, ["tea"])
        XCTAssertEqual(status["next"]?.arrayValue?[0]["in"], "in 2 h")
        XCTAssertEqual(status["daemonRunning"], false)
        // Nothing here could reach anyone, so installing would not help.
        let warning = status["warning"]?.stringValue ?? ""
        XCTAssert(warning.contains("nothing would deliver an alert"), warning)
    }

    func testAFileThatAsksForAlarmsWithoutEndIsNamed() throws {
        let chat = try ChatProgram()
        let alarm = "BEGIN:VALARM\nTRIGGER:-PT5M\nREPEAT:1000\nDURATION:PT1M\nEND:VALARM\n"
        try chat.prepare(
            "calendars/work/bomb.ics",
            "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:b\nSUMMARY:boom\n"
                + "DTSTART:20200101T000000Z\nRRULE:FREQ=MINUTELY\n"
                + String(repeating: alarm, count: 100) + "END:VEVENT\nEND:VCALENDAR\n")
        try chat.prepare("calendars/work/broken.ics", "no calendar\n")
        let status = try chat.json(["alerts", "status", "--json"])
        XCTAssertEqual(status["next"]?.arrayValue?.count, 10)
        XCTAssertEqual(
            Set((status["problems"]?.arrayValue ?? []).compactMap { $0["path"]?.stringValue }),
            [chat.file("calendars/work/bomb.ics"), chat.file("calendars/work/broken.ics")])
        let text = try chat.run(["alerts", "status"]).errorText
        XCTAssert(text.contains("bomb.ics: it asks for more than can be looked at"), text)
        // The next ones are a minute apart, each told of once.
        let times = (status["next"]?.arrayValue ?? []).compactMap { $0["at"]?.stringValue }
        XCTAssertEqual(Set(times).count, 10)
    }

    func testAfterAStopLongerThanTheDueTimeItRingsLateAndOnce() throws {
        let chat = try ChatProgram()
        try chat.putReminder("water the plants", dueIn: -3 * 3600)
        let session = try ChatTerminal(chat)
        try session.waitFor("missed at ")
        try session.waitForPrompt()
        XCTAssertEqual(count(session.transcript, "water the plants"), 1)
        session.leave()
        let later = try ChatTerminal(chat)
        try chat.putReminder("call", dueIn: 1)
        try later.waitFor("call · /done")
        try later.waitForPrompt()
        XCTAssertEqual(count(later.transcript, "water the plants"), 0)
        later.leave()
    }

    func testThreeChatsAtOnceRingOnce() throws {
        let chat = try ChatProgram()
        let sessions = try (0..<3).map { _ in try ChatTerminal(chat) }
        for session in sessions { try session.waitForPrompt() }
        for title in ["milk", "post", "rent"] { try chat.putReminder(title, dueIn: 2) }
        // The last of all comes after them.
        try chat.putReminder("last", dueIn: 4)
        let deadline = Date().addingTimeInterval(15)
        func rung(_ title: String) -> Int {
            sessions.reduce(0) { $0 + count($1.transcript, title) }
        }
        while rung("last") == 0, Date() < deadline {
            for session in sessions {
                // Reads what has come; nothing more is waited for.
                do { try session.terminal.waitFor("more", limit: 0.1) { _ in false } } catch {}
            }
        }
        XCTAssertEqual(["milk", "post", "rent", "last"].map(rung), [1, 1, 1, 1])
        for session in sessions {
            try session.waitForPrompt()
            session.leave()
        }
    }

    func testTheDaemonNotifiesTheDesktopAndItsDoneButtonCompletes() throws {
        let chat = try ChatProgram()
        let desktop = try NotificationServer(folder: chat.folder, pressing: "done")
        defer { desktop.finish() }
        chat.variables["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
        let daemon = try chat.start(["--verbose", "alerts", "run"])
        try chat.putReminder("-i <b>bread</b> & \\n --wait", dueIn: 1)
        try desktop.wait("shown chat|")
        let shown = try XCTUnwrap(desktop.lines.first { $0.hasPrefix("shown") })
        XCTAssertEqual(
            shown.split(separator: "|").dropLast(3).joined(separator: "|"),
            "shown chat|-i <b>bread</b> & --wait")
        XCTAssert(shown.hasSuffix("|done,Done,snooze,Snooze 10 min|urgency 2"), shown)
        try desktop.wait("pressed done")
        let file = "calendars/reminders/ibbreadbnwait.ics"
        try daemon.waitFor(errors: "button was carried out")
        let text = String(decoding: try chat.bytes(file), as: UTF8.self)
        XCTAssert(text.contains("STATUS:COMPLETED"), text)
        // A second one has nothing to do.
        let second = try chat.run(["alerts", "run"])
        XCTAssertEqual(second.exit, 0)
        XCTAssert(second.errorText.contains("running already"), second.errorText)
        kill(daemon.pid, SIGTERM)
        daemon.endInput()
        XCTAssertEqual(try daemon.finish().exit, 0)
        XCTAssertEqual(desktop.lines.filter { $0.hasPrefix("shown") }.count, 1)
    }

    func testTheSnoozeButtonPutsItOffAndAnOpenNotificationEndsWithTheDaemon() throws {
        let chat = try ChatProgram()
        let desktop = try NotificationServer(folder: chat.folder, pressing: "snooze")
        defer { desktop.finish() }
        chat.variables["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
        let daemon = try chat.start(["--verbose", "alerts", "run"])
        try chat.putReminder("tea", dueIn: 0)
        try desktop.wait("pressed snooze")
        try daemon.waitFor(errors: "button was carried out")
        let text = String(decoding: try chat.bytes("calendars/reminders/tea.ics"), as: UTF8.self)
        XCTAssert(text.contains("RELTYPE=SNOOZE"), text)
        kill(daemon.pid, SIGTERM)
        daemon.endInput()
        XCTAssertEqual(try daemon.finish().exit, 0)
    }

    /// It has no alarm in its file; the daemon knows it from the log alone.
    func testAnAppointmentRingsAheadInTheChatAndFromTheDaemon() throws {
        let chat = try ChatProgram()
        try chat.prepare("config.json", "{\"alerts\": {\"event_minutes\": 1}}")
        func add(_ title: String, _ more: String...) throws {
            let start = Date().addingTimeInterval(62)
            let words = ["calendar", "add", title, "--start", start.ISO8601Format()]
            XCTAssertEqual(try chat.run(words + more).exit, 0)
        }
        let session = try ChatTerminal(chat)
        try session.waitForPrompt()
        try add("quiet", "--alarm", "none")
        try add("dentist")
        try session.waitFor("dentist · /snooze 10m")
        session.leave()
        let desktop = try NotificationServer(folder: chat.folder, pressing: "")
        defer { desktop.finish() }
        chat.variables["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
        let daemon = try chat.start(["--verbose", "alerts", "run"])
        try add("lunch")
        try desktop.wait("shown chat|lunch")
        kill(daemon.pid, SIGTERM)
        daemon.endInput()
        XCTAssertEqual(try daemon.finish().exit, 0)
        XCTAssertEqual(desktop.lines.filter { $0.hasPrefix("shown") }.count, 1)
        let files = try FileManager.default.contentsOfDirectory(
            atPath: chat.file("calendars/calendar")
        ).filter { $0.hasSuffix(".ics") }
        XCTAssertEqual(files.count, 3)
        for file in files {
            let text = String(
                decoding: try chat.bytes("calendars/calendar/\(file)"), as: UTF8.self)
            XCTAssertFalse(text.contains("VALARM"), text)
        }
    }

    func testADaemonThatIsKilledLosesAndRepeatsNothing() throws {
        let chat = try ChatProgram()
        let desktop = try NotificationServer(folder: chat.folder, pressing: "")
        defer { desktop.finish() }
        chat.variables["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
        let daemon = try chat.start(["--verbose", "alerts", "run"])
        try chat.putReminder("first", dueIn: 0)
        try desktop.wait("shown chat|first")
        try chat.putReminder("second", dueIn: 1)
        kill(daemon.pid, SIGKILL)
        daemon.endInput()
        XCTAssertEqual(try daemon.finish().exit, -SIGKILL)
        let next = try chat.start(["--verbose", "alerts", "run"])
        try desktop.wait("shown chat|second")
        kill(next.pid, SIGTERM)
        next.endInput()
        XCTAssertEqual(try next.finish().exit, 0)
        // The first may have been killed before it was noted as given.
        let shown = desktop.lines.filter { $0.hasPrefix("shown chat|second") }
        XCTAssertEqual(shown.count, 1)
    }

    /// No table of the machine is touched: both programs are fakes of the test.
    func testInstallAndStatusAgreeAboutWhatWouldDeliverAndTheZoneGoesAlong() throws {
        let chat = try ChatProgram(["TZ": "Europe/Oslo"])
        let table = chat.folder.path("table")
        let bin = chat.folder.path("bin")
        try FileManager.default.createDirectory(
            atPath: bin, withIntermediateDirectories: false)
        for (name, script) in [
            ("systemctl", "exit 1"),
            ("crontab", "[ \"$1\" = - ] && exec cat >\(table); exec cat \(table)"),
        ] {
            try Data("#!/bin/sh\n\(script)\n".utf8).write(
                to: URL(fileURLWithPath: "\(bin)/\(name)"))
            chmod("\(bin)/\(name)", 0o755)
        }
        try Data("# mine\n".utf8).write(to: URL(fileURLWithPath: table))
        chat.variables["PATH"] = "\(bin):\(TestMachine.path)"

        let installed = try chat.run(["alerts", "install", "--json"])
        XCTAssertEqual(installed.exit, 6, installed.errorText)
        let output = try JSONParser.parse(installed.output)
        XCTAssertEqual(output["delivery"], [])
        let lines = try String(contentsOfFile: table, encoding: .utf8)
        XCTAssert(lines.contains("TZ='Europe/Oslo'"), lines)
        var status = try chat.json(["alerts", "status", "--json"])
        XCTAssertEqual(status["installed"], ["cron"])
        XCTAssertEqual(status["warning"], output["warning"])
        XCTAssert(installed.errorText.contains(try XCTUnwrap(status["warning"]?.stringValue)))
        let doctor = try chat.run(["doctor"])
        XCTAssert(doctor.text.contains("cron cannot reach the desktop"), doctor.text)

        try chat.prepare("config.json", #"{"alerts": {"hook": "true"}}"#)
        let hooked = try chat.run(["alerts", "install", "--json"])
        XCTAssertEqual(hooked.exit, 0, hooked.errorText)
        XCTAssertEqual(try JSONParser.parse(hooked.output)["delivery"], ["hook"])
        status = try chat.json(["alerts", "status", "--json"])
        XCTAssertEqual(status["warning"], .null)
        XCTAssertEqual(try chat.run(["alerts", "uninstall"]).exit, 0)
        XCTAssertEqual(try String(contentsOfFile: table, encoding: .utf8), "# mine\n")
    }

    func testOnceGivesWhatIsDueAndEnds() throws {
        let chat = try ChatProgram()
        let desktop = try NotificationServer(folder: chat.folder, pressing: "")
        defer { desktop.finish() }
        chat.variables["DBUS_SESSION_BUS_ADDRESS"] = desktop.address
        try chat.putReminder("now", dueIn: -1)
        try chat.putReminder("later", dueIn: 3600)
        for _ in 0..<2 { XCTAssertEqual(try chat.run(["alerts", "run", "--once"]).exit, 0) }
        XCTAssertEqual(desktop.lines.filter { $0.hasPrefix("shown") }.count, 1)
        XCTAssert(desktop.lines.last?.hasPrefix("shown chat|now|") ?? false)
    }
}
