import Foundation
import TestSupport
import XCTest

@testable import Base

/// Wall clocks and instants, against the zone files as Python reads them.
final class LocalTimeTests: XCTestCase {
    private func inZone<Result>(_ zone: String, _ body: (LocalTime) throws -> Result) rethrows
        -> Result
    {
        let old = getenv("TZ").map { String(cString: $0) }
        setenv("TZ", zone, 1)
        tzset()
        defer {
            if let old { setenv("TZ", old, 1) } else { unsetenv("TZ") }
            tzset()
        }
        return try body(LocalTime())
    }

    private func clock(
        _ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int
    ) throws -> CivilDateTime {
        let date = try XCTUnwrap(CivilDate(year: year, month: month, day: day))
        return try XCTUnwrap(CivilDateTime(date, hour: hour, minute: minute))
    }

    func testTimeInTheGapIsReadWithTheOffsetBeforeIt() throws {
        let gap = try clock(2026, 3, 29, 2, 30)
        inZone("Europe/Berlin") { local in
            let instant = local.instant(of: gap)
            XCTAssertEqual(local.isoText(instant), "2026-03-29T03:30:00+02:00")
            XCTAssertEqual(local.abbreviation(at: instant), "CEST")
        }
    }

    func testTimeThatComesTwiceIsTheFirst() throws {
        let overlap = try clock(2026, 10, 25, 2, 30)
        inZone("Europe/Berlin") { local in
            XCTAssertEqual(
                local.isoText(local.instant(of: overlap)), "2026-10-25T02:30:00+02:00")
        }
    }

    func testDaySkippedWholeIsReadWithTheOffsetBeforeIt() throws {
        let skipped = try clock(2011, 12, 30, 12, 0)
        inZone("Pacific/Apia") { local in
            XCTAssertEqual(
                local.isoText(local.instant(of: skipped)), "2011-12-31T12:00:00+14:00")
        }
    }

    func testMidnightInTheGapStartsTheDayAfterIt() throws {
        let day = try XCTUnwrap(CivilDate(year: 2018, month: 11, day: 4))
        inZone("America/Sao_Paulo") { local in
            XCTAssertEqual(local.isoText(local.start(of: day)), "2018-11-04T01:00:00-02:00")
        }
    }

    func testOffsetsWithMinutesAndWestOfUTCAreWritten() throws {
        let noon = try clock(2026, 7, 1, 12, 0)
        let texts = ["Asia/Kathmandu", "America/St_Johns", "UTC", "America/New_York"].map { zone in
            inZone(zone) { $0.isoText($0.instant(of: noon)) }
        }
        XCTAssertEqual(
            texts,
            [
                "2026-07-01T12:00:00+05:45", "2026-07-01T12:00:00-02:30",
                "2026-07-01T12:00:00+00:00", "2026-07-01T12:00:00-04:00",
            ])
    }

    func testZoneNameIsTheOneOfTheEnvironment() {
        XCTAssertEqual(inZone(":Europe/Oslo") { $0.zoneName }, "Europe/Oslo")
    }

    func testAbsurdInstantsDoNotTrap() {
        inZone("Europe/Berlin") { local in
            for seconds in [Double.infinity, -.infinity, .nan, 1e300, -1e300] {
                _ = local.isoText(Date(timeIntervalSince1970: seconds))
            }
        }
    }

    // MARK: Where nothing says the zone

    func testZoneNobodyKnowsIsUTCAndSaysSo() {
        for text in [":junk", "junk", "Mars/Base", "/etc/passwd", "/nonexistent", "🙂", "M3.2.0"] {
            let local = inZone(text) { $0 }
            XCTAssertEqual(
                local.fallback,
                .unknownName(text.hasPrefix(":") ? String(text.dropFirst()) : text))
            XCTAssertEqual(local.zoneName, "UTC")
            XCTAssertEqual(
                local.isoText(Date(timeIntervalSince1970: 0)), "1970-01-01T00:00:00+00:00")
        }
    }

    func testWithoutADatabaseThatIsTheCause() throws {
        let folder = try TemporaryFolder()
        let zones = TimeZoneDatabase(folder: folder.path("zoneinfo"))
        for variable in ["Europe/Oslo", nil] {
            let local = LocalTime(
                environment: variable, link: folder.path("localtime"),
                nameFile: folder.path("timezone"), zones: zones)
            XCTAssertEqual(local.fallback, .noDatabase(folder: folder.path("zoneinfo")))
        }
        XCTAssertNil(LocalTime(environment: "CET-1", zones: zones).fallback)
    }

    func testEmptyNamesPathsAndRulesInTheVariableAreNoFallback() {
        let expected = [
            ("", "UTC", 0), (":", "UTC", 0), ("UTC", "UTC", 0),
            ("Europe/Oslo", "Europe/Oslo", 3600),
            ("/usr/share/zoneinfo/Europe/Oslo", "Europe/Oslo", 3600),
            (":/usr/share/zoneinfo/Europe/Oslo", "Europe/Oslo", 3600),
            ("posix/Europe/Oslo", "Europe/Oslo", 3600),
            ("CET-1CEST", nil, 3600),
            ("<+03>-3", nil, 10_800),
        ]
        for (text, name, offset) in expected {
            let local = inZone(text) { $0 }
            XCTAssertNil(local.fallback, text)
            XCTAssertEqual(local.zoneName, name, text)
            XCTAssertEqual(
                local.offset(at: Date(timeIntervalSince1970: 1_800_000_000)), offset, text)
        }
    }

    func testLinkCopyLoopAndNothing() throws {
        let folder = try TemporaryFolder()
        let link = folder.path("localtime")
        func local() -> LocalTime {
            LocalTime(environment: nil, link: link, nameFile: folder.path("timezone"))
        }
        XCTAssertEqual(local().fallback, .unreadable(path: link))

        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: link)
        XCTAssertEqual(local().fallback, .unreadable(path: link))
        XCTAssertEqual(local().zoneName, "UTC")
        try FileManager.default.removeItem(atPath: link)

        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "../usr/share/zoneinfo/Europe/Oslo")
        XCTAssertEqual(local().zoneName, "Europe/Oslo")
        XCTAssertNil(local().fallback)
        try FileManager.default.removeItem(atPath: link)

        let copy = try XCTUnwrap(TimeZoneDatabase.read("/usr/share/zoneinfo/Europe/Oslo"))
        try folder.write(copy, to: "localtime")
        XCTAssertNil(local().zoneName)
        XCTAssertEqual(local().offset(at: Date(timeIntervalSince1970: 1_800_000_000)), 3600)
        try folder.write(Array("Asia/Tokyo\n".utf8), to: "timezone")
        XCTAssertNil(local().zoneName, "the two files disagree")
        try folder.write(Array("Europe/Oslo\n".utf8), to: "timezone")
        XCTAssertEqual(local().zoneName, "Europe/Oslo")

        try folder.write(Array("none".utf8), to: "localtime")
        XCTAssertEqual(local().fallback, .unreadable(path: link))
    }
}
