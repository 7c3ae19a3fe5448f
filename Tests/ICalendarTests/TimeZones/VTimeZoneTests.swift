import Base
import Foundation
import TestSupport
import XCTest

@testable import ICalendar

/// The VTIMEZONE components we write, as others read them and as we do.
///
/// Each run takes a seeded part of the database; all of it with CHAT_FULL=1.
final class VTimeZoneTests: XCTestCase {
    private let database = TimeZoneDatabase()
    /// 1 January 2020.
    private let from = Date(timeIntervalSince1970: 1_577_836_800)

    private func zones() throws -> [String] {
        let script =
            "import zoneinfo; print('\\n'.join(sorted(zoneinfo.available_timezones() - {'localtime', 'Factory'})))"
        let all = try Python.run(script).split(separator: "\n").map(String.init)
        if ProcessInfo.processInfo.environment["CHAT_FULL"] != nil { return all }
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        // Those with rules that few calendars can say, and others by chance.
        let odd = [
            "Europe/Dublin", "Africa/Casablanca", "Africa/Cairo", "Asia/Gaza", "America/Nuuk",
            "Asia/Jerusalem", "Australia/Lord_Howe", "Antarctica/Troll", "Pacific/Apia",
            "Asia/Kathmandu", "Europe/Volgograd", "America/Santiago", "Asia/Amman",
        ]
        return Array(Set(odd + all.shuffled(using: &random).prefix(27))).sorted()
    }

    private func file(_ zones: [String]) throws -> Component {
        let components = try zones.map { zone in
            Component.Item.component(
                VTimeZone.component(
                    for: try XCTUnwrap(database.rules(named: zone)), tzid: zone, from: from))
        }
        return Component("VCALENDAR", items: components)
    }

    func testEveryZoneIsReadByPythonAsZoneinfoHasIt() throws {
        let folder = try TemporaryFolder()
        let zones = try zones()
        try folder.write(CalendarWriter.bytes(try file(zones)), to: "zones.ics")
        let script = """
            import sys, datetime as d
            from zoneinfo import ZoneInfo
            from zoneinfo._zoneinfo import ZoneInfo as Pure
            from dateutil.tz import tzical
            import icalendar
            read = tzical(sys.argv[1])
            other = {}
            for part in icalendar.Calendar.from_ical(open(sys.argv[1], 'rb').read()).walk('VTIMEZONE'):
                other[str(part['TZID'])] = part.to_tz()
            for name in sys.argv[2:]:
                zone, ours = ZoneInfo(name), read.get(name)
                pure, begin, count = Pure(name), 1577836800, 0
                # Every ten days, and the seconds before and after every change.
                seconds = set(range(begin, 2398377600, 864000)) | set(pure._trans_utc)
                if hasattr(pure._tz_after, 'transitions'):
                    for year in range(2020, 2046):
                        start, stop = pure._tz_after.transitions(year)
                        seconds.add(start - int(pure._tz_after.std.utcoff.total_seconds()))
                        seconds.add(stop - int(pure._tz_after.dst.utcoff.total_seconds()))
                for second in sorted(seconds | {s - 1 for s in seconds}):
                    if not begin <= second < 2398377600 or count > 3: continue
                    utc = d.datetime.fromtimestamp(second, d.timezone.utc)
                    want = utc.astimezone(zone)
                    # Its way from UTC is wrong in the hour before a change
                    # between two standard times; the way to it is not.
                    got = want.replace(tzinfo=ours, fold=0)
                    if want.replace(fold=0).utcoffset() != got.utcoffset():
                        print('dateutil', name, utc, want.utcoffset(), got.utcoffset())
                        count += 1
                    # icalendar 4 makes pytz zones, which end in 2037.
                    if second < 2114380800:
                        got = utc.astimezone(other[name])
                        if got.utcoffset() != want.utcoffset():
                            print('icalendar', name, utc, want.utcoffset(), got.utcoffset())
                            count += 1
            print('done')
            """
        let output = try Python.run(
            script, arguments: [folder.path("zones.ics")] + zones,
            modules: ["dateutil", "icalendar"])
        XCTAssertEqual(output, "done\n")
        print("\(zones.count) zones")
    }

    func testEveryZoneIsReadByUsAsItWasWritten() throws {
        for zone in try zones() {
            let rules = try XCTUnwrap(database.rules(named: zone))
            let component = VTimeZone.component(for: rules, tzid: zone, from: from)
            let read = try XCTUnwrap(VTimeZoneReader.rules(component, name: zone), zone)
            // Every ten days, and the seconds before and after every change.
            var seconds = Array(stride(from: 1_577_836_800, to: 2_400_000_000, by: 864_000))
            var second = 1_577_836_800
            while let next = rules.transition(after: second), next.second < 2_400_000_000 {
                second = next.second
                seconds += [second - 1, second]
            }
            for second in seconds {
                let (wanted, got) = (rules.state(at: second), read.state(at: second))
                guard wanted.offset == got.offset, wanted.abbreviation == got.abbreviation else {
                    XCTFail("\(zone) at \(second): \(got), not \(wanted)")
                    break
                }
            }
        }
    }

    func testZoneWithARuleIsTwoSeasonsWithTheirRules() throws {
        let rules = try XCTUnwrap(database.rules(named: "Europe/Berlin"))
        let text = String(
            decoding: CalendarWriter.bytes(
                VTimeZone.component(for: rules, tzid: "Europe/Berlin", from: from)),
            as: UTF8.self)
        XCTAssertEqual(
            text,
            """
            BEGIN:VTIMEZONE
            TZID:Europe/Berlin
            BEGIN:DAYLIGHT
            DTSTART:20190331T020000
            RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
            TZNAME:CEST
            TZOFFSETFROM:+0100
            TZOFFSETTO:+0200
            END:DAYLIGHT
            BEGIN:STANDARD
            DTSTART:20191027T030000
            RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
            TZNAME:CET
            TZOFFSETFROM:+0200
            TZOFFSETTO:+0100
            END:STANDARD
            END:VTIMEZONE

            """.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n"))
    }

    func testZoneThatNeverChangesIsOneSeason() throws {
        for (zone, offset) in [("Asia/Kolkata", "+0530"), ("Etc/GMT+5", "-0500")] {
            let rules = try XCTUnwrap(database.rules(named: zone))
            let component = VTimeZone.component(for: rules, tzid: zone, from: from)
            XCTAssertEqual(component.components().map(\.name), ["STANDARD"])
            XCTAssertEqual(component.components()[0].first("TZOFFSETTO")?.value, offset)
        }
    }

    func testRuleOfTheVariableIsWrittenToo() throws {
        for text in [
            "CET-1CEST,M3.5.0,M10.5.0/3", "AAA3BBB,J60,J300", "AAA3BBB,59,299",
            "EET-2EEST,M3.4.4/50,M10.4.4/50", "AAA0BBB,M6.1.0,M12.5.0/167", "XXX-12:34:56",
        ] {
            let rules = try XCTUnwrap(TimeZoneRules(posix: text))
            let component = VTimeZone.component(for: rules, tzid: text, from: from)
            let again = try CalendarParser.parse(CalendarWriter.bytes(component))
            let read = try XCTUnwrap(VTimeZoneReader.rules(again.components()[0], name: text), text)
            for day in 0..<9000 {
                let second = 1_577_836_800 + day * 86_400 + 1800
                XCTAssertEqual(rules.state(at: second).offset, read.state(at: second).offset, text)
            }
        }
    }

    func testEnsureAddsWhatIsMissingOnceAndTouchesNothing() throws {
        let text = """
            BEGIN:VCALENDAR
            VERSION:2.0
            BEGIN:VTIMEZONE
            TZID:Own
            X-ODD:kept
            END:VTIMEZONE
            BEGIN:VEVENT
            DTSTART;TZID=Europe/Berlin:20260305T170000
            DTEND;TZID=Asia/Tokyo:20260305T180000
            RDATE;TZID=Europe/Berlin:20200301T100000,20270301T100000
            DTSTAMP;TZID=Own:20260305T180000
            X-A;TZID=Mars/Base:20260305T180000
            X-B;TZID=Europe/Oslo:no date
            END:VEVENT
            END:VCALENDAR

            """
        var file = try CalendarParser.parse(Array(text.utf8))
        guard case .component(var calendar) = file.items[0] else { return XCTFail("no calendar") }
        let resolver = ZoneResolver(calendar: calendar, local: .init(.utc), zones: database)
        VTimeZone.ensure(in: &calendar, zones: resolver)
        XCTAssertEqual(
            calendar.components("VTIMEZONE").compactMap(VTimeZone.tzid),
            ["Own", "Europe/Berlin", "Asia/Tokyo"].sorted { $0 == "Own" || $1 != "Own" && $0 > $1 })
        // From before the earliest use, 2020: an item may be moved to an earlier time.
        XCTAssertEqual(
            calendar.components("VTIMEZONE").first { VTimeZone.tzid(of: $0) == "Europe/Berlin" }?
                .components().first?.first("DTSTART")?.value, "20180325T020000")
        let once = calendar
        VTimeZone.ensure(in: &calendar, zones: resolver)
        XCTAssertEqual(calendar, once)
        file.items[0] = .component(calendar)
        let written = String(decoding: CalendarWriter.bytes(file), as: UTF8.self)
        XCTAssertFalse(written.contains("\r"))
        for line in text.split(separator: "\n") { XCTAssertTrue(written.contains(line)) }
        XCTAssertEqual(
            VTimeZone.zones(usedIn: calendar).map(\.tzid).filter { resolver.rules($0) == nil },
            ["Own", "Mars/Base"])
    }

    func testEveryYearOfFourDigitsCanBeTheFirst() throws {
        for zone in ["Europe/Berlin", "America/New_York", "Africa/Casablanca", "Africa/Cairo"] {
            let rules = try XCTUnwrap(database.rules(named: zone))
            for year in [1, 1850, 1900, 1945, 1970, 2037, 2099, 9998, 9999] {
                let day = try XCTUnwrap(CivilDate(year: year, month: 7, day: 1))
                let second = day.dayNumber * 86_400
                let component = VTimeZone.component(
                    for: rules, tzid: zone, from: Date(timeIntervalSince1970: Double(second)))
                XCTAssertLessThan(CalendarWriter.bytes(component).count, 16_000)
                // We read what lies between 1900 and 2100.
                guard (1901...2099).contains(year) else { continue }
                let read = try XCTUnwrap(VTimeZoneReader.rules(component, name: zone))
                for day in 0..<400 {
                    let second = second + day * 86_400
                    XCTAssertEqual(
                        read.state(at: second).offset, rules.state(at: second).offset,
                        "\(zone) \(year)")
                }
            }
        }
    }

    func testZoneThatOneFileAloneKnowsIsCopiedFromThere() throws {
        let source = try CalendarParser.parse(
            try CalendarFixtures.file("exchange-custom-zone.ics"))
        let old = try XCTUnwrap(source.components("VCALENDAR").first)
        var new = Component("VCALENDAR", items: old.components("VEVENT").map { .component($0) })
        let resolver = ZoneResolver(calendar: old, local: LocalTime(.utc), zones: database)
        VTimeZone.ensure(in: &new, zones: resolver)
        XCTAssertEqual(new.components("VTIMEZONE"), old.components("VTIMEZONE"))
    }

    /// khal shows an event of our writing at the hour of its reader.
    func testKhalReadsTheZonesWeWrite() throws {
        let program = try TestMachine.find("khal", package: "khal")
        let folder = try TemporaryFolder()
        // Noon in July there, and the hour of it in Berlin.
        let expected = [
            "America/New_York": "18:00", "Asia/Kathmandu": "08:15", "Europe/Dublin": "13:00",
            "Africa/Cairo": "11:00", "Australia/Lord_Howe": "03:30",
        ]
        for (zone, _) in expected {
            var event = Component("VEVENT")
            event.set("UID", value: zone.filter(\.isLetter))
            event.set("DTSTAMP", value: "20260101T000000Z")
            event.set("SUMMARY", value: zone)
            let moment = CalendarMoment(value: "20260701T120000", zone: zone)
            event.set("DTSTART", try XCTUnwrap(moment))
            event.set("DURATION", value: "PT1H")
            var calendar = Component(
                "VCALENDAR",
                items: [
                    .line(ContentLine("VERSION", value: "2.0")),
                    .line(ContentLine("PRODID", value: "-//chat//EN")), .component(event),
                ])
            let resolver = ZoneResolver(
                calendar: calendar, local: LocalTime(.utc), zones: database)
            VTimeZone.ensure(in: &calendar, zones: resolver)
            try folder.write(
                CalendarWriter.bytes(calendar), to: zone.filter(\.isLetter) + ".ics")
        }
        let configuration = """
            [calendars]
            [[home]]
            path = \(folder.path)
            [locale]
            local_timezone = Europe/Berlin
            default_timezone = Europe/Berlin
            timeformat = %H:%M
            dateformat = %Y-%m-%d
            longdateformat = %Y-%m-%d
            datetimeformat = %Y-%m-%d %H:%M
            longdatetimeformat = %Y-%m-%d %H:%M
            [sqlite]
            path = \(folder.path)/khal.db
            """
        try folder.write(Data(configuration.utf8), to: "khal.conf")
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "-c", folder.path + "/khal.conf", "list", "--format", "{title} {start-time}",
            "--day-format", "", "2026-07-01", "2026-07-02",
        ]
        process.environment = [
            "HOME": folder.path, "PATH": TestMachine.path, "LC_ALL": "C.UTF-8",
            "TZ": "Europe/Berlin",
        ]
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        for (zone, hour) in expected {
            XCTAssertTrue(output.contains("\(zone) \(hour)"), "\(zone): \(output)")
        }
    }
}
