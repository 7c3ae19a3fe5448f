import Base
import Foundation
import TestSupport
import XCTest

@testable import ICalendar

/// What a TZID means: C3 of the time rules, each case by name.
final class ZoneResolverTests: XCTestCase {
    private static let zones = TimeZoneDatabase()

    private func resolver(_ calendar: String = "") throws -> ZoneResolver {
        let tokyo = try XCTUnwrap(Self.zones.rules(named: "Asia/Tokyo"))
        return ZoneResolver(
            calendar: try CalendarParser.parse(Array(calendar.utf8)), local: LocalTime(tokyo),
            zones: Self.zones)
    }

    private func vtimezone(_ tzid: String, _ parts: String) -> String {
        "BEGIN:VTIMEZONE\nTZID:\(tzid)\n\(parts)END:VTIMEZONE\n"
    }

    private let indianAllYear = """
        BEGIN:STANDARD
        DTSTART:19700101T000000
        TZOFFSETFROM:+0530
        TZOFFSETTO:+0530
        END:STANDARD

        """

    func testNamesOfEveryMakeAreFound() throws {
        let resolver = try resolver()
        let expected = [
            "Europe/Berlin": "Europe/Berlin", "europe/berlin": "Europe/Berlin",
            " Europe/Berlin ": "Europe/Berlin", "\"Europe/Berlin\"": "Europe/Berlin",
            "America/New York": "America/New_York", "Asia/Calcutta": "Asia/Calcutta",
            "US/Eastern": "US/Eastern", "UTC": "UTC", "Etc/UTC": "UTC", "utc": "UTC",
            "/freeassociation.sourceforge.net/Europe/Berlin": "Europe/Berlin",
            "/freeassociation.sourceforge.net/Tzfile/Europe/Berlin": "Europe/Berlin",
            "/freeassociation.sourceforge.net/America/Argentina/Buenos_Aires":
                "America/Argentina/Buenos_Aires",
            "/mozilla.org/20050126_1/Europe/Berlin": "Europe/Berlin",
            "/citadel.org/20211206_1/America/New_York": "America/New_York",
            "/softwarestudio.org/Olson_20011030_5/Australia/Sydney": "Australia/Sydney",
            "/Europe/Berlin": "Europe/Berlin", "/example.org/EST": "EST",
            "W. Europe Standard Time": "Europe/Berlin",
            "w. europe standard time": "Europe/Berlin",
            "W. Europe Daylight Time": "Europe/Berlin",
            "Pacific Standard Time": "America/Los_Angeles",
            "India Standard Time": "Asia/Kolkata", "UTC-11": "Etc/GMT+11",
            "tzone://Microsoft/Utc": "UTC",
            "(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna": "Europe/Berlin",
            "(GMT+01.00) Sarajevo/Warsaw/Zagreb": "Europe/Sarajevo",
            "(GMT-05:00) Eastern Time (US & Canada)": "America/New_York",
            "(UTC) Coordinated Universal Time": "UTC",
            "(UTC+10:00) Canberra, Melbourne, Sydney": "Australia/Sydney",
            "(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi": "Asia/Kolkata",
            "(UTC-07:00) Chihuahua, La Paz, Mazatlan": "America/Mazatlan",
            "(UTC-06:00) Guadalajara, Mexico City, Monterrey": "America/Mexico_City",
            "(UTC+08:00) Beijing, Chongqing, Hong Kong, Urumqi": "Asia/Shanghai",
            "(UTC-03:00) City of Buenos Aires": "America/Argentina/Buenos_Aires",
            "(GMT) Greenwich Mean Time : Dublin, Edinburgh, Lisbon, London": "Europe/London",
            "(UTC+13:00) Nuku'alofa": "Pacific/Tongatapu", "GMT-0330": "GMT-0330",
            "UTC+02:00": "UTC+02:00", "UTC+2": "UTC+2",
        ]
        for (tzid, name) in expected { XCTAssertEqual(resolver.rules(tzid)?.name, name, tzid) }
        XCTAssertEqual(resolver.rules("UTC+2")?.state(at: 0).offset, 7200)
        XCTAssertEqual(resolver.rules("GMT-0330")?.state(at: 0).offset, -12_600)
    }

    func testWhatNobodyKnowsIsNotGuessed() throws {
        let resolver = try resolver()
        for tzid in [
            "", " ", "/", "Mars/Base", "Customized Time Zone", "Berlin", "Custom/EST", "PST",
            // The city's clocks do not stand there.
            "(UTC+05:00) Berlin", "(UTC+01:00)", "(UTC+01:00", "UTC+99", "UTC+x", "GMT+",
            "../../../etc/passwd", "Europe/Berlin/../..", "localtime", "posixrules", "Factory",
            String(repeating: "Europe/Berlin", count: 100), "a\0b", "Ünknown/Zöne",
        ] {
            XCTAssertNil(resolver.rules(tzid), tzid)
        }
    }

    func testEveryWindowsNameLeadsToAZoneOfThisSystem() throws {
        let resolver = try resolver()
        XCTAssertEqual(WindowsZones.names.count, 143)
        for (name, zone) in WindowsZones.names {
            let wanted = zone == "Etc/UTC" ? "UTC" : zone
            XCTAssertEqual(resolver.rules(name)?.name, wanted, name)
        }
        for (name, zone) in WindowsZones.shownNames {
            let wanted = zone == "Etc/UTC" ? "UTC" : zone
            XCTAssertEqual(resolver.rules("(UTC) " + name)?.name, wanted, name)
        }
    }

    func testNamesAsOutlookShowsThemAreFoundHoweverTheyAreJoined() throws {
        let resolver = try resolver()
        for (text, zone) in [
            ("Eastern Time (US & Canada)", "America/New_York"),
            ("Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna", "Europe/Berlin"),
            ("Sarajevo, Skopje, Warsaw, Zagreb", "Europe/Warsaw"),
            ("Saint Pierre and Miquelon", "America/Miquelon"),
            ("Indiana (East)", "America/Indiana/Indianapolis"),
            ("Coordinated Universal Time-11", "Etc/GMT+11"),
            ("Coordinated Universal Time+12", "Etc/GMT-12"),
            ("Nuku'alofa", "Pacific/Tongatapu"),
        ] {
            let joined = [
                text, text.replacingOccurrences(of: " & ", with: " and "),
                text.replacingOccurrences(of: " and ", with: " & "),
                text.replacingOccurrences(of: ", ", with: "/"), text.uppercased(),
                text.replacingOccurrences(of: ", ", with: " and "),
            ]
            for prefix in ["", "(UTC-05:00) ", "(GMT+01.00) ", "(GMT) "] {
                for text in joined {
                    XCTAssertEqual(resolver.rules(prefix + text)?.name, zone, prefix + text)
                }
            }
        }
        // CLDR's zone since Chihuahua went over to the centre of the country.
        XCTAssertEqual(
            resolver.rules("Mountain Standard Time (Mexico)")?.name, "America/Mazatlan")
    }

    // MARK: VTIMEZONE

    func testOwnZoneOfTheFileIsUsedForANameNobodyKnows() throws {
        let resolver = try resolver(
            vtimezone(
                "My Zone",
                """
                BEGIN:STANDARD
                DTSTART:16010101T030000
                RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
                TZOFFSETFROM:+0200
                TZOFFSETTO:+0100
                END:STANDARD
                BEGIN:DAYLIGHT
                DTSTART:16010101T020000
                RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
                TZOFFSETFROM:+0100
                TZOFFSETTO:+0200
                END:DAYLIGHT

                """))
        let rules = try XCTUnwrap(resolver.rules("My Zone"))
        let berlin = try XCTUnwrap(Self.zones.rules(named: "Europe/Berlin"))
        // Berlin has had these rules since 1996.
        for day in 0..<25_000 {
            let second = 852_076_800 + day * 86_400 + 3600
            XCTAssertEqual(rules.state(at: second).offset, berlin.state(at: second).offset)
        }
        let clock = try XCTUnwrap(CalendarMoment(value: "20260705T120000", zone: "My Zone"))
        let read = resolver.time(clock)
        XCTAssertFalse(read.isGuess)
        XCTAssertEqual(
            LocalTime(.utc).isoText(read.time.instant(in: resolver.local)),
            "2026-07-05T10:00:00+00:00")
    }

    func testZoneThatDisagreesWithTheDatabaseLoses() throws {
        for tzid in ["Europe/Berlin", "/mozilla.org/20050126_1/Europe/Berlin"] {
            let resolver = try resolver(vtimezone(tzid, indianAllYear))
            XCTAssertEqual(resolver.rules(tzid)?.name, "Europe/Berlin")
        }
        let located = try resolver(
            vtimezone("Custom", "X-LIC-LOCATION:Europe/Berlin\n" + indianAllYear))
        XCTAssertEqual(located.rules("Custom")?.name, "Europe/Berlin")
    }

    func testRulesOfTheFileInAllTheirForms() throws {
        // What changes, and the first seconds of it that are after 2026.
        let forms = [
            "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU": "2026-04-05",
            "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYSETPOS=1": "2026-04-05",
            "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU": "2026-03-08",
            "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=-1": "2026-03-31",
            "RRULE:FREQ=YEARLY;BYDAY=20MO": "2026-05-18",
            "RRULE:FREQ=YEARLY;BYDAY=-1MO": "2026-12-28",
            "RRULE:FREQ=YEARLY": "2026-03-05", "RRULE:FREQ=YEARLY;INTERVAL=2": "2026-03-05",
            "RRULE:FREQ=MONTHLY;INTERVAL=12": "2026-03-05",
            "RRULE:FREQ=YEARLY;WKST=MO;BYMONTH=2;BYDAY=-1SU": "2026-02-22",
            "RDATE:20260601T020000,20270601T020000": "2026-06-01",
            "RDATE;VALUE=PERIOD:20260601T020000/PT1H": "2026-06-01",
            "RDATE;VALUE=DATE-TIME:20260601T020000": "2026-06-01",
        ]
        for (form, day) in forms {
            let rules = try XCTUnwrap(
                try resolver(
                    vtimezone(
                        "X",
                        "BEGIN:DAYLIGHT\nDTSTART:20000305T020000\n\(form)\nTZOFFSETFROM:+0000\n"
                            + "TZOFFSETTO:+0100\nEND:DAYLIGHT\nBEGIN:STANDARD\n"
                            + "DTSTART:20000101T000000\nRRULE:FREQ=YEARLY\nTZOFFSETFROM:+0100\n"
                            + "TZOFFSETTO:+0000\nEND:STANDARD\n")
                ).rules("X"), form)
            let next = try XCTUnwrap(rules.transition(after: 1_767_312_000), form)
            XCTAssertEqual(
                CivilDateTime(secondsAsUTC: next.second).isoText, day + "T02:00:00", form)
        }
    }

    func testRuleEndsAtItsTimeInUTC() throws {
        func rules(_ until: String) throws -> TimeZoneRules? {
            try resolver(
                vtimezone(
                    "X",
                    """
                    BEGIN:DAYLIGHT
                    DTSTART:20200301T020000
                    RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=1SU;\(until)
                    TZOFFSETFROM:-0500
                    TZOFFSETTO:-0400
                    END:DAYLIGHT
                    BEGIN:STANDARD
                    DTSTART:20201101T020000
                    RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU
                    TZOFFSETFROM:-0400
                    TZOFFSETTO:-0500
                    END:STANDARD

                    """)
            ).rules("X")
        }
        let july2022 = 1_656_633_600
        // 6 March 2022, 02:00 at -0500 is 07:00 in UTC.
        for (until, offset) in [
            ("UNTIL=20220306T070000Z", -14_400), ("UNTIL=20220306T065959Z", -18_000),
            ("COUNT=3", -14_400), ("COUNT=2", -18_000),
        ] {
            XCTAssertEqual(try rules(until)?.state(at: july2022).offset, offset, until)
        }
    }

    func testHostileZonesAreUnknownAndCheap() throws {
        let part = "TZOFFSETFROM:+0000\nTZOFFSETTO:+0100\nEND:STANDARD\n"
        let hostile = [
            "": "", "no offsets": "BEGIN:STANDARD\nDTSTART:20200101T000000\nEND:STANDARD\n",
            "no start": "BEGIN:STANDARD\n" + part,
            "bad start": "BEGIN:STANDARD\nDTSTART:99999999T000000\n" + part,
            "bad rule": "BEGIN:STANDARD\nDTSTART:20200101T000000\nRRULE:FREQ=SECONDLY\n" + part,
            "unknown part":
                "BEGIN:STANDARD\nDTSTART:20200101T000000\nRRULE:FREQ=YEARLY;BYFOO=1\n" + part,
            "no interval":
                "BEGIN:STANDARD\nDTSTART:20200101T000000\nRRULE:FREQ=YEARLY;INTERVAL=0\n" + part,
            "empty list":
                "BEGIN:STANDARD\nDTSTART:20200101T000000\nRRULE:FREQ=YEARLY;BYDAY=XX\n" + part,
            "offset": "BEGIN:STANDARD\nDTSTART:20200101T000000\nTZOFFSETFROM:+9900\n"
                + "TZOFFSETTO:+0100\nEND:STANDARD\n",
            "parts": String(
                repeating: "BEGIN:STANDARD\nDTSTART:20200101T000000\n" + part, count: 600),
            "onsets": String(
                repeating: "BEGIN:STANDARD\nDTSTART:19000101T000000\n"
                    + String(repeating: "RRULE:FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU\n", count: 10)
                    + part, count: 400),
        ]
        for (name, parts) in hostile {
            let resolver = try resolver(vtimezone("X", parts))
            let time = ProcessorTime.measure { XCTAssertNil(resolver.rules("X"), name) }
            // A guard against a bomb, not a measure.
            XCTAssertLessThan(time, .seconds(10), name)
        }
    }

    func testSeededFuzzOfZonesNeverTraps() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let berlin = try XCTUnwrap(Self.zones.rules(named: "Europe/Berlin"))
        let text = CalendarWriter.bytes(
            VTimeZone.component(for: berlin, tzid: "X", from: Date(timeIntervalSince1970: 0)))
        let pieces = [
            "9", "-", "+", "0", ",", ";", "=", "RRULE:", "BYDAY=", "INTERVAL=", "COUNT=", "UNTIL=",
            "99999999999999999999", "Z", "\r\n", "-53SU", "BYSETPOS=-366", "BYMONTHDAY=-31",
        ]
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 1500 : 50_000
        for _ in 0..<rounds {
            var bytes = text
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                if Bool.random(using: &random) {
                    bytes[place] = UInt8.random(in: 32...127, using: &random)
                } else {
                    let piece = pieces[Int.random(in: 0..<pieces.count, using: &random)]
                    bytes.insert(contentsOf: Array(piece.utf8), at: place)
                }
            }
            let file = try CalendarParser.parse(bytes)
            for component in file.components() {
                let rules = VTimeZoneReader.rules(component, name: "X")
                _ = rules?.state(at: 1_800_000_000)
                _ = rules?.transition(after: 1_800_000_000)
            }
        }
    }

    func testZonesAreResolvedOnceForAResolver() throws {
        let resolver = try resolver(vtimezone("X", indianAllYear))
        let rules = try XCTUnwrap(resolver.rules("X"))
        for _ in 0..<10_000 { XCTAssertEqual(resolver.rules("X"), rules) }
        // Many names of a hostile file are answered, not kept.
        for number in 0..<1000 { XCTAssertNil(resolver.rules("Z\(number)")) }
    }

    // MARK: Days and floating times

    func testUnknownZoneIsTheReadersOwnAndSaysSo() throws {
        let resolver = try resolver()
        let moment = try XCTUnwrap(CalendarMoment(value: "20260305T170000", zone: "Mars/Base"))
        let read = resolver.time(moment)
        XCTAssertTrue(read.isGuess)
        XCTAssertEqual(moment.zone, "Mars/Base")
        XCTAssertEqual(read.time.isoText(in: resolver.local), "2026-03-05T17:00:00+09:00")
    }

    func testDayIsTheSameDayInEveryPlace() throws {
        let line = try CalendarParser.parse(
            Array("DUE;VALUE=DATE;TZID=America/New_York:20260305\n".utf8)
        ).first("DUE")
        let moment = try XCTUnwrap(line.flatMap(CalendarMoment.init))
        for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Europe/Berlin", "Pacific/Apia"] {
            let local = LocalTime(try XCTUnwrap(Self.zones.rules(named: zone)))
            let read = ZoneResolver(calendar: nil, local: local, zones: Self.zones).time(moment)
            XCTAssertFalse(read.isGuess)
            XCTAssertEqual(read.time.day(in: local).isoText, "2026-03-05", zone)
            XCTAssertEqual(read.time.isoText(in: local), "2026-03-05", zone)
        }
    }
}
