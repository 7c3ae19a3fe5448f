import Foundation
import TestSupport
import XCTest

@testable import Base

/// Rules in the words of POSIX TZ, against glibc.
final class PosixTimeZoneTests: XCTestCase {
    private static let texts = [
        "CET-1CEST,M3.5.0,M10.5.0/3", "EST5EDT,M3.2.0,M11.1.0", "EST5", "UTC0", "<+03>-3",
        "<-03>3<-02>,M3.5.0/-2,M10.5.0/-1",
        "IST-2IDT,M3.4.4/26,M10.5.0", "IST-1GMT0,M10.5.0,M3.5.0/1", "AEST-10AEDT,M10.1.0,M4.1.0/3",
        "NST3:30NDT,M3.2.0,M11.1.0", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "AAA3BBB,J60,J300",
        "AAA3BBB,59,299", "AAA3BBB4:30:15,J1/0,J365/3", "EET-2EEST,M3.4.4/50,M10.4.4/50",
        "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "XXX-12:34:56", "PST8PDT7,M3.2.0/2:30:30,M11.1.0",
    ]

    func testStatesAgreeWithTheCLibrary() throws {
        let script = """
            import os, sys, time
            for text in sys.argv[1:]:
                os.environ['TZ'] = text
                time.tzset()
                for year in (1971, 2000, 2024, 2026, 2037, 2099):
                    for step in range(0, 366 * 24, 11):
                        second = int((year - 1970) * 31556952) + step * 3600
                        local = time.localtime(second)
                        print(text, second, local.tm_gmtoff, local.tm_zone, local.tm_isdst)
            """
        var (checked, wrong) = (0, [String]())
        for line in try Python.run(script, arguments: Self.texts).split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            let rules = try XCTUnwrap(TimeZoneRules(posix: parts[0]), parts[0])
            let state = rules.state(at: try XCTUnwrap(Int(parts[1])))
            let ours = [
                state.offset.description, state.abbreviation, state.isDaylight ? "1" : "0",
            ]
            checked += 1
            if ours != Array(parts[2...]) { wrong.append("\(line): \(ours)") }
        }
        XCTAssertTrue(wrong.isEmpty, "\(wrong.count) of \(checked): \(wrong.prefix(5))")
        XCTAssertGreaterThan(checked, 70_000)
    }

    func testDaylightTimeAllYearNeverChanges() throws {
        let rules = try XCTUnwrap(TimeZoneRules(posix: "XXX3EDT4,0/0,J365/23"))
        XCTAssertEqual(Set((0..<400).map { rules.state(at: $0 * 86_400).abbreviation }), ["EDT"])
        XCTAssertNil(rules.transition(after: 1_700_000_000))
    }

    func testChangeAfterTheEndOfItsYearCounts() throws {
        // 167 hours after the last Sunday of December lies in January.
        let rules = try XCTUnwrap(TimeZoneRules(posix: "AAA0BBB,M6.1.0,M12.5.0/167"))
        let date = try XCTUnwrap(CivilDate(year: 2027, month: 1, day: 2))
        XCTAssertEqual(rules.state(at: date.dayNumber * 86_400).abbreviation, "BBB")
        XCTAssertEqual(rules.state(at: (date.dayNumber + 5) * 86_400).abbreviation, "AAA")
    }

    func testTextsThatAreNoRuleAreRefused() {
        for text in [
            "", "junk", "E5", "EST", "EST25", "EST5EDT,", "EST5EDT,M3.2.0", "EST5EDT,M3.2.0,M11.1",
            "EST5EDT,M13.2.0,M11.1.0", "EST5EDT,M3.6.0,M11.1.0", "EST5EDT,M3.2.7,M11.1.0",
            "EST5EDT,J0,J365", "EST5EDT,366,1", "EST5EDT,M3.2.0/168,M11.1.0", "<+03-3", "<>3",
            "EST5EDT,M3.2.0,M11.1.0x", "EST99999999999999999999", "Ünd5", "5", ",", "EST5EDT4x",
        ] {
            XCTAssertNil(TimeZoneRules(posix: text), text)
        }
    }
}
