import Foundation
import XCTest

@testable import AgentCore

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

    /// Hours around every change of the clock from 2000 to 2037 in zones with
    /// odd rules, compared with Python's zoneinfo (PEP 495, fold=0: the same
    /// answers RFC 5545 asks for).
    func testEveryChangeOfTheClockAgreesWithPython() throws {
        let python = "/usr/bin/python3"
        guard FileManager.default.isExecutableFile(atPath: python) else {
            throw XCTSkip("python3 is not installed")
        }
        let zones = [
            "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca",
            "Pacific/Apia", "America/Sao_Paulo", "Asia/Tehran", "Europe/Dublin", "Asia/Gaza",
        ]
        let script = """
            import sys, datetime as d
            from zoneinfo import ZoneInfo
            for name in sys.argv[1:]:
                zone = ZoneInfo(name)
                hour, last = d.datetime(2000, 1, 1, tzinfo=d.timezone.utc), None
                while hour.year < 2038:
                    offset = hour.astimezone(zone).utcoffset()
                    if last is not None and offset != last:
                        for minutes in range(-26 * 60, 27 * 60, 30):
                            wall = hour.astimezone(zone).replace(tzinfo=None) + d.timedelta(minutes=minutes)
                            print(name, int((wall - d.datetime(1970, 1, 1)).total_seconds()), int(wall.replace(tzinfo=zone).timestamp()))
                    last = offset
                    hour += d.timedelta(hours=1)
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: python)
        process.arguments = ["-c", script] + zones
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = String(
            decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw XCTSkip("python3 has no zone data") }
        var rows: [String: [(Int, Int)]] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, let wall = Int(parts[1]), let instant = Int(parts[2]) else {
                return XCTFail("unreadable row \(line)")
            }
            rows[String(parts[0]), default: []].append((wall, instant))
        }
        XCTAssertEqual(Set(rows.keys), Set(zones))
        for (zone, pairs) in rows {
            inZone(zone) { local in
                let wrong = pairs.filter { wall, instant in
                    local.instant(of: CivilDateTime(secondsAsUTC: wall)).timeIntervalSince1970
                        != Double(instant)
                }
                XCTAssertTrue(wrong.isEmpty, "\(zone): \(wrong.prefix(3)) of \(pairs.count)")
            }
        }
    }
}
