import Base
import FoundationEssentials
import TestSupport
import XCTest

@testable import ICalendar

/// The examples of RFC 5545 §3.8.5.3, all of them and in its order, with
/// verified errata (the two that give times after a day of
/// summer time, and the UNTIL of the 20-minute one).
///
/// A row is DTSTART in New York, the rule, and what the text lists: days of
/// 09:00 unless a time is given, `…` where the list goes on.
final class RFC5545ExamplesTests: XCTestCase {
    private struct Row {
        var start: String
        var rule: String
        var times: String
        var excluded = ""
    }

    private let newYork = TimeZoneDatabase().rules(named: "America/New_York")

    func testDaily() throws {
        let september = (2...30).map { "199709" + two($0) }
        let october = (1...31).map { "199710" + two($0) }
        let november = (1...30).map { "199711" + two($0) }
        let december = (1...23).map { "199712" + two($0) }
        try check([
            Row(
                start: "19970902T090000", rule: "FREQ=DAILY;COUNT=10",
                times: (2...11).map { "199709" + two($0) }.joined(separator: " ")),
            Row(
                start: "19970902T090000", rule: "FREQ=DAILY;UNTIL=19971224T000000Z",
                times: (september + october + november + december).joined(separator: " ")),
            Row(
                start: "19970902T090000", rule: "FREQ=DAILY;INTERVAL=2",
                times: "19970902 19970904 19970906 19970908 19970910 …"),
            Row(
                start: "19970902T090000", rule: "FREQ=DAILY;INTERVAL=10;COUNT=5",
                times: "19970902 19970912 19970922 19971002 19971012"),
        ])
    }

    func testEveryDayInJanuaryForThreeYearsInTwoWays() throws {
        let times = (1998...2000).flatMap { year in (1...31).map { "\(year)01" + two($0) } }
            .joined(separator: " ")
        try check([
            Row(
                start: "19980101T090000",
                rule: "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
                times: times),
            Row(
                start: "19980101T090000", rule: "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
                times: times),
        ])
    }

    func testWeekly() throws {
        let everyTuesday =
            "19970902 19970909 19970916 19970923 19970930 19971007 19971014 19971021 19971028 19971104"
        let tuesdaysAndThursdays =
            "19970902 19970904 19970909 19970911 19970916 19970918 19970923 19970925 19970930 19971002"
        try check([
            Row(
                start: "19970902T090000", rule: "FREQ=WEEKLY;COUNT=10", times: everyTuesday),
            Row(
                start: "19970902T090000", rule: "FREQ=WEEKLY;UNTIL=19971224T000000Z",
                times: everyTuesday
                    + " 19971111 19971118 19971125 19971202 19971209 19971216 19971223"),
            Row(
                start: "19970902T090000", rule: "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
                times: "19970902 19970916 19970930 19971014 19971028 19971111 19971125 "
                    + "19971209 19971223 19980106 19980120 19980203 …"),
            Row(
                start: "19970902T090000",
                rule: "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
                times: tuesdaysAndThursdays),
            Row(
                start: "19970902T090000", rule: "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
                times: tuesdaysAndThursdays),
            Row(
                start: "19970901T090000",
                rule: "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
                times: "19970901 19970903 19970905 19970915 19970917 19970919 19970929 19971001 "
                    + "19971003 19971013 19971015 19971017 19971027 19971029 19971031 19971110 "
                    + "19971112 19971114 19971124 19971126 19971128 19971208 19971210 19971212 "
                    + "19971222"),
            Row(
                start: "19970902T090000",
                rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
                times: "19970902 19970904 19970916 19970918 19970930 19971002 19971014 19971016"),
        ])
    }

    func testMonthly() throws {
        try check([
            Row(
                start: "19970905T090000", rule: "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
                times: "19970905 19971003 19971107 19971205 19980102 19980206 19980306 "
                    + "19980403 19980501 19980605"),
            Row(
                start: "19970905T090000", rule: "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
                times: "19970905 19971003 19971107 19971205"),
            Row(
                start: "19970907T090000", rule: "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
                times: "19970907 19970928 19971102 19971130 19980104 19980125 19980301 "
                    + "19980329 19980503 19980531"),
            Row(
                start: "19970922T090000", rule: "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
                times: "19970922 19971020 19971117 19971222 19980119 19980216"),
            Row(
                start: "19970928T090000", rule: "FREQ=MONTHLY;BYMONTHDAY=-3",
                times: "19970928 19971029 19971128 19971229 19980129 19980226 …"),
            Row(
                start: "19970902T090000", rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
                times: "19970902 19970915 19971002 19971015 19971102 19971115 19971202 "
                    + "19971215 19980102 19980115"),
            Row(
                start: "19970930T090000", rule: "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
                times: "19970930 19971001 19971031 19971101 19971130 19971201 19971231 "
                    + "19980101 19980131 19980201"),
            Row(
                start: "19970910T090000",
                rule: "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
                times: "19970910 19970911 19970912 19970913 19970914 19970915 19990310 "
                    + "19990311 19990312 19990313"),
            Row(
                start: "19970902T090000", rule: "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
                times: "19970902 19970909 19970916 19970923 19970930 19971104 19971111 "
                    + "19971118 19971125 19980106 19980113 19980120 19980127 19980303 "
                    + "19980310 19980317 19980324 19980331 …"),
        ])
    }

    func testYearly() throws {
        try check([
            Row(
                start: "19970610T090000", rule: "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
                times: "19970610 19970710 19980610 19980710 19990610 19990710 20000610 "
                    + "20000710 20010610 20010710"),
            Row(
                start: "19970310T090000", rule: "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
                times: "19970310 19990110 19990210 19990310 20010110 20010210 20010310 "
                    + "20030110 20030210 20030310"),
            Row(
                start: "19970101T090000",
                rule: "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
                times: "19970101 19970410 19970719 20000101 20000409 20000718 20030101 "
                    + "20030410 20030719 20060101"),
            Row(
                start: "19970519T090000", rule: "FREQ=YEARLY;BYDAY=20MO",
                times: "19970519 19980518 19990517 …"),
            Row(
                start: "19970512T090000", rule: "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
                times: "19970512 19980511 19990517 …"),
            Row(
                start: "19970313T090000", rule: "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
                times: "19970313 19970320 19970327 19980305 19980312 19980319 19980326 "
                    + "19990304 19990311 19990318 19990325 …"),
            Row(
                start: "19970605T090000", rule: "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
                times: "19970605 19970612 19970619 19970626 19970703 19970710 19970717 "
                    + "19970724 19970731 19970807 19970814 19970821 19970828 19980604 …"),
        ])
    }

    func testFridayTheThirteenthAndOtherCrossings() throws {
        try check([
            // DTSTART does not match, and is taken out by an EXDATE.
            Row(
                start: "19970902T090000", rule: "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
                times: "19980213 19980313 19981113 19990813 20001013 …",
                excluded: "19970902T090000"),
            Row(
                start: "19970913T090000",
                rule: "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
                times: "19970913 19971011 19971108 19971213 19980110 19980207 19980307 "
                    + "19980411 19980509 19980613 …"),
            Row(
                start: "19961105T090000",
                rule: "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
                times: "19961105 20001107 20041102 …"),
            Row(
                start: "19970904T090000", rule: "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
                times: "19970904 19971007 19971106"),
            Row(
                start: "19970929T090000", rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
                times: "19970929 19971030 19971127 19971230 19980129 19980226 19980330 …"),
        ])
    }

    func testHoursAndMinutes() throws {
        let everyTwentyMinutes = ["19970902", "19970903"].flatMap { day in
            (9...16).flatMap { hour in
                ["00", "20", "40"].map { "\(day)T\(two(hour))\($0)00" }
            }
        }.joined(separator: " ")
        try check([
            // The erratum: 17:00 in New York is 21:00 UTC.
            Row(
                start: "19970902T090000", rule: "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z",
                times: "19970902T090000 19970902T120000 19970902T150000"),
            Row(
                start: "19970902T090000", rule: "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
                times: "19970902T090000 19970902T091500 19970902T093000 19970902T094500 "
                    + "19970902T100000 19970902T101500"),
            Row(
                start: "19970902T090000", rule: "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
                times: "19970902T090000 19970902T103000 19970902T120000 19970902T133000"),
            Row(
                start: "19970902T090000",
                rule: "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
                times: everyTwentyMinutes + " …"),
            Row(
                start: "19970902T090000",
                rule: "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
                times: everyTwentyMinutes + " …"),
        ])
    }

    func testTheDayTheWeekStartsOnMatters() throws {
        try check([
            Row(
                start: "19970805T090000",
                rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
                times: "19970805 19970810 19970819 19970824"),
            Row(
                start: "19970805T090000",
                rule: "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
                times: "19970805 19970817 19970819 19970831"),
            Row(
                start: "20070115T090000", rule: "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
                times: "20070115 20070130 20070215 20070315 20070330"),
        ])
    }

    /// §3.3.10 and §3.8.5.1.
    func testExamplesInTheTextOfTheStandard() throws {
        try check([
            Row(
                start: "19970105T083000",
                rule: "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30",
                times: "19970105T083000 19970105T093000 19970112T083000 19970112T093000 "
                    + "19970119T083000 19970119T093000 19970126T083000 19970126T093000 "
                    + "19990103T083000 …"),
            Row(
                start: "19970930T090000", rule: "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
                times: "19970930 19971031 19971128 19971231 …"),
            Row(
                start: "19971225T090000", rule: "FREQ=YEARLY;COUNT=3",
                times: "19971225 19991225", excluded: "19981225T090000"),
        ])
    }

    private func check(_ rows: [Row], line: UInt = #line) throws {
        let zone = try XCTUnwrap(newYork)
        let local = LocalTime(.utc)
        for row in rows {
            var set = RecurrenceSet(
                start: try time(row.start), rules: [try RecurrenceRule(parsing: row.rule)])
            set.excluded = row.excluded.isEmpty ? [] : [try time(row.excluded)]
            var wanted = row.times.split(separator: " ").map {
                $0.contains("T") || $0 == "…" ? String($0) : "\($0)T090000"
            }
            let goesOn = wanted.last == "…"
            if goesOn { wanted.removeLast() }
            let found = try set.first(goesOn ? wanted.count : wanted.count + 5, in: local)
            XCTAssertEqual(
                found.map { $0.clock.isoText.filter { $0 != "-" && $0 != ":" } }, wanted, row.rule,
                line: line)
            // From any of them on the search finds the rest.
            for index in found.indices {
                let from = found[index].instant(in: local)
                XCTAssertEqual(
                    try set.starts(
                        from: from, to: .distantFuture, limit: found.count - index, in: local),
                    Array(found[index...]), row.rule, line: line)
                XCTAssertEqual(
                    try set.previous(before: from, in: local), index > 0 ? found[index - 1] : nil,
                    row.rule, line: line)
            }
            XCTAssertEqual(found.first?.zone, zone)
        }
    }

    private func time(_ text: String) throws -> ItemTime {
        let moment = try XCTUnwrap(CalendarMoment(value: text))
        guard case .floating(let clock) = moment else { throw OtherKindOfTime(text) }
        return .time(clock, zone: newYork)
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
