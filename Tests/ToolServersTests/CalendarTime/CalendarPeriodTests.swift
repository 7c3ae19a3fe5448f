import AgentCore
import XCTest

@testable import ToolServers

/// Lists of moments, periods and offsets from UTC.
final class CalendarPeriodTests: XCTestCase {
    private func line(_ text: String) throws -> ContentLine {
        let file = try CalendarParser.parse(Array(text.utf8))
        let lines = file.items.compactMap { item in
            if case .line(let line) = item { line } else { nil }
        }
        return try XCTUnwrap(lines.first)
    }

    func testExamplesOfTheStandardAreWrittenBack() throws {
        for text in ["19970101T180000Z/19970102T070000Z", "19970101T180000Z/PT5H30M"] {
            XCTAssertEqual(CalendarPeriod(value: text)?.text, text)
        }
        let zoned = try XCTUnwrap(CalendarPeriod(value: "19970101T180000/P1D", zone: "Etc/GMT"))
        XCTAssertEqual(zoned.start.zone, "Etc/GMT")
        XCTAssertEqual(zoned.end, .duration(CalendarDuration(days: 1)))
    }

    func testTextsThatAreNoneAreRefused() {
        for text in [
            "", "/", "19970101T180000Z", "19970101T180000Z/", "/PT1H", "19970101/PT1H",
            "19970101T180000Z/19970102", "19970101T180000Z/-PT1H", "a/b",
            "19970101T180000Z/PT1H/PT1H",
        ] {
            XCTAssertNil(CalendarPeriod(value: text), text)
        }
    }

    func testListsLeaveOutWhatIsNone() throws {
        let free = try line(
            "FREEBUSY;FBTYPE=BUSY:19970308T160000Z/PT3H,junk,19970308T200000Z/PT1H\n")
        XCTAssertEqual(
            CalendarPeriod.list(free).map(\.text),
            ["19970308T160000Z/PT3H", "19970308T200000Z/PT1H"])
        let added = try line(
            "RDATE;VALUE=PERIOD;TZID=Europe/Oslo:19960403T020000/19960403T040000,19960404T010000/PT3H\n"
        )
        XCTAssertEqual(
            CalendarMoment.list(added).map(\.text), ["19960403T020000", "19960404T010000"])
        XCTAssertEqual(Set(CalendarMoment.list(added).map(\.zone)), ["Europe/Oslo"])
        XCTAssertEqual(
            CalendarMoment.list(try line("EXDATE;VALUE=DATE:20260101,20260102,,20269999\n")).map(
                \.text),
            ["20260101", "20260102"])
    }

    func testHugeListIsCut() throws {
        let bomb = "RDATE:" + String(repeating: "20260101T000000Z,", count: 100_000) + "\n"
        XCTAssertEqual(CalendarMoment.list(try line(bomb)).count, CalendarMoment.listLimit)
    }

    func testMomentsAreWrittenALineForEachKindAndZone() throws {
        let values: [(String, String?)] = [
            ("20260305T170000", "Europe/Berlin"), ("20260306", nil), ("20260307T170000Z", nil),
            ("20260308T170000", nil), ("20260309T170000", "Europe/Berlin"),
            ("20260310T170000", "Asia/Tokyo"), ("20260311", nil),
        ]
        let moments = values.compactMap { CalendarMoment(value: $0.0, zone: $0.1) }
        let lines = CalendarMoment.lines("EXDATE", moments)
        XCTAssertEqual(
            lines.map { String(decoding: $0.content, as: UTF8.self) },
            [
                "EXDATE;TZID=Europe/Berlin:20260305T170000,20260309T170000",
                "EXDATE;VALUE=DATE:20260306,20260311", "EXDATE:20260307T170000Z",
                "EXDATE:20260308T170000", "EXDATE;TZID=Asia/Tokyo:20260310T170000",
            ])
        XCTAssertEqual(Set(lines.flatMap(CalendarMoment.list)), Set(moments))
    }

    func testOffsetsFromUTC() {
        for (text, seconds) in [
            ("+0100", 3600), ("-0500", -18_000), ("+0530", 19_800), ("-033015", -12_615),
            ("+0000", 0), ("+1400", 50_400), ("-001515", -915),
        ] {
            XCTAssertEqual(UTCOffset.seconds(text), seconds, text)
            XCTAssertEqual(UTCOffset.text(seconds), text)
        }
        XCTAssertEqual(UTCOffset.seconds("-0000"), 0)
        for text in [
            "", "+", "0100", "+1", "+01", "+010", "+01:00", "+0160", "+9900", "+01000", "±0100",
            "+0１00", "+010060", "+0100000",
        ] {
            XCTAssertNil(UTCOffset.seconds(text), text)
        }
    }
}
