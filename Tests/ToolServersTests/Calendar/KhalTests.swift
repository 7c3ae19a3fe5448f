import Foundation
import TestSupport
import XCTest

/// The same calendars used by khal, and read by python-icalendar, beside us.
final class KhalTests: XCTestCase {
    private func khal(
        _ rig: CalendarRig, _ arguments: [String], input: String = ""
    ) throws -> [String] {
        let program = try TestMachine.find("khal", package: "khal")
        let configuration = """
            [calendars]
            [[all]]
            path = \(rig.folder.root)/calendar
            [locale]
            timeformat = %H:%M
            dateformat = %Y-%m-%d
            longdateformat = %Y-%m-%d
            datetimeformat = %Y-%m-%d %H:%M
            longdatetimeformat = %Y-%m-%d %H:%M
            local_timezone = Europe/Berlin
            default_timezone = Europe/Berlin
            [default]
            default_calendar = all
            [sqlite]
            path = \(rig.folder.path)/khal.db
            """
        let file = rig.folder.path + "/khal.conf"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: file))
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-c", file] + arguments
        process.environment = [
            "HOME": rig.folder.path, "PATH": TestMachine.path, "LC_ALL": "C.UTF-8",
            "TZ": "Europe/Berlin",
        ]
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let problems = String(
            decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, text + problems)
        return text.split(separator: "\n").map(String.init)
    }

    /// `title start end` as khal lists them; of whole days it says the last.
    private func listed(_ rig: CalendarRig, _ from: String, _ to: String) throws -> [String] {
        // What goes over midnight it lists on both days.
        Set(
            try khal(
                rig,
                [
                    "list", "--notstarted", "--day-format", "", "-f",
                    "{title} {start} {end}", from, to,
                ]
            )
        ).sorted()
    }

    private func ours(_ rig: CalendarRig, _ from: String, _ to: String) async throws -> [String] {
        try await rig.listed(from, to).map { $0.replacingOccurrences(of: "T", with: " ") }.sorted()
    }

    func testKhalSeesWhatWeWriteAndWeSeeWhatItWrites() async throws {
        let rig = try CalendarRig()
        try await rig.run("add 'Zahnarzt, oben' --start 2026-03-27T14:00 --end 2026-03-27T15:30")
        try await rig.run(
            "add standup --start 2026-03-26T09:00 --end 2026-03-26T09:30 --repeat FREQ=DAILY;COUNT=8"
        )
        try await rig.run("edit standup --this 2026-03-28 --start 11:00")
        try await rig.run("delete standup --this 2026-03-27")
        try await rig.run("edit standup --following 2026-03-31 --start 10:00 --title late")
        try await rig.run("add 会議 --start 2026-03-30T23:00 --end 2026-03-31T01:00")
        let seen = try listed(rig, "2026-03-25", "2026-04-10")
        let expected = try await ours(rig, "2026-03-25", "2026-04-09")
        XCTAssertEqual(seen, expected)
        XCTAssertEqual(expected.count, 9)

        _ = try khal(rig, ["new", "2026-03-24", "16:00", "17:00", "made by khal", "::", "a note"])
        let both = try await ours(rig, "2026-03-24", "2026-03-24")
        XCTAssertEqual(both, ["made by khal 2026-03-24 16:00 2026-03-24 17:00"])
        try await rig.run("edit 'made by khal' --start 18:00 --alarm 10m")
        XCTAssertEqual(
            try listed(rig, "2026-03-24", "2026-03-25"),
            ["made by khal 2026-03-24 18:00 2026-03-24 19:00"])
    }

    func testKhalSeesASeriesThatWasCutAtAnAddedTimeAsWeDo() async throws {
        let rig = try CalendarRig()
        try rig.put(
            "choir.ics",
            """
            BEGIN:VEVENT
            UID:c
            DTSTAMP:20260101T000000Z
            SUMMARY:choir
            DTSTART;TZID=Europe/Berlin:20260303T200000
            DTEND;TZID=Europe/Berlin:20260303T210000
            RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=6
            RDATE;TZID=Europe/Berlin:20260326T180000,20260409T180000
            EXDATE;TZID=Europe/Berlin:20260414T200000
            END:VEVENT
            """)
        try await rig.run("edit choir --following 2026-03-26 --title band --by 30m")
        let expected = try await ours(rig, "2026-03-01", "2026-05-31")
        XCTAssertEqual(
            expected,
            [
                "band 2026-03-26 18:30 2026-03-26 19:30", "band 2026-03-31 20:30 2026-03-31 21:30",
                "band 2026-04-09 18:30 2026-04-09 19:30", "band 2026-04-28 20:30 2026-04-28 21:30",
                "band 2026-05-12 20:30 2026-05-12 21:30", "choir 2026-03-03 20:00 2026-03-03 21:00",
                "choir 2026-03-17 20:00 2026-03-17 21:00",
            ])
        let seen = try listed(rig, "2026-03-01", "2026-06-01")
        XCTAssertEqual(seen, expected)
    }

    func testPythonReadsEveryFileWeWrite() async throws {
        let rig = try CalendarRig()
        try await rig.run(
            "add 'lunch; \"with\" Ida, Bo' --start 2026-03-27T14:00 --location 'a\\b' --notes 'x' "
                + "--repeat FREQ=MONTHLY;BYDAY=-1FR --alarm 1h")
        try await rig.run("edit lunch --following 2026-05-29 --start 13:00")
        try await rig.run("add trip --start 2026-07-01 --end 2026-07-14")
        let text = try Python.run(
            """
            import sys, glob, icalendar
            for name in sorted(glob.glob(sys.argv[1] + '/*/*.ics')):
                calendar = icalendar.Calendar.from_ical(open(name, 'rb').read())
                used = set()
                for event in calendar.walk('VEVENT'):
                    start, end = event['DTSTART'], event['DTEND']
                    used |= {start.params.get('TZID'), end.params.get('TZID')}
                    rule = event['RRULE'].to_ical().decode() if 'RRULE' in event else '-'
                    print(start.dt.isoformat()[:16], event['SUMMARY'], end.dt.isoformat()[:16], rule)
                zones = {str(z['TZID']) for z in calendar.walk('VTIMEZONE')}
                assert used - {None} == zones, (used, zones)
            """, arguments: [rig.folder.root], modules: ["icalendar"])
        XCTAssertEqual(
            text.split(separator: "\n").sorted().map(String.init),
            [
                "2026-03-27T14:00 lunch; \"with\" Ida, Bo 2026-03-27T15:00 "
                    + "FREQ=MONTHLY;UNTIL=20260424T120000Z;BYDAY=-1FR",
                "2026-05-29T13:00 lunch; \"with\" Ida, Bo 2026-05-29T14:00 "
                    + "FREQ=MONTHLY;BYDAY=-1FR",
                "2026-07-01 trip 2026-07-15 -",
            ])
    }
}
