import Foundation
import TestSupport
import XCTest

@testable import Base

/// Zone files, against Python's zoneinfo reading the same ones.
///
/// Each run takes a seeded part of the database; all of it with CHAT_FULL=1.
final class TimeZoneRulesTests: XCTestCase {
    /// For each zone: its changes from 1970 to 2100 with what holds before and
    /// after, and wall clocks around them with the seconds they mean. Python's
    /// fold=0 is the rule of RFC 5545: offset before a gap, first of two.
    private static let script = """
        import sys, datetime as d
        from zoneinfo import ZoneInfo
        from zoneinfo._zoneinfo import ZoneInfo as Pure
        epoch = d.datetime(1970, 1, 1)
        end = int((d.datetime(2100, 1, 1) - epoch).total_seconds())
        utc = d.timezone.utc
        for name in sys.argv[1:]:
            zone, pure = ZoneInfo(name), Pure(name)
            seconds = set(pure._trans_utc)
            after = pure._tz_after
            if hasattr(after, 'transitions'):
                # Local times of the changes, which are a day off at most.
                for year in range(1969, 2101):
                    start, stop = after.transitions(year)
                    seconds.add(start - int(after.std.utcoff.total_seconds()))
                    seconds.add(stop - int(after.dst.utcoff.total_seconds()))
            def at(second):
                moment = d.datetime.fromtimestamp(second, utc).astimezone(zone)
                return int(moment.utcoffset().total_seconds()), moment.tzname()
            for second in sorted(s for s in seconds if 0 < s < end):
                before, now = at(second - 1), at(second)
                if before == now: continue
                print('T', name, second, *before, *now)
                low, high = sorted((before[0], now[0]))
                for edge in (low, (low + high) // 2, high):
                    for step in (-90000, -1, 0, 1, 90000):
                        wall = epoch + d.timedelta(seconds=second + edge + step)
                        print('W', name, second + edge + step, int(wall.replace(tzinfo=zone).timestamp()))
        """

    private func zones() throws -> [String] {
        let script =
            "import zoneinfo; print('\\n'.join(sorted(zoneinfo.available_timezones() - {'localtime', 'Factory'})))"
        let all = try Python.run(script).split(separator: "\n").map(String.init)
        XCTAssertGreaterThan(all.count, 400)
        if ProcessInfo.processInfo.environment["CHAT_FULL"] != nil { return all }
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        // Rules of every odd kind, and others by chance.
        let odd = [
            "Europe/Dublin", "Africa/Casablanca", "Asia/Gaza", "Pacific/Apia", "Asia/Jerusalem",
            "Australia/Lord_Howe", "America/Nuuk", "Antarctica/Troll", "Africa/Monrovia",
        ]
        return Array(Set(odd + all.shuffled(using: &random).prefix(31))).sorted()
    }

    func testChangesAndWallClocksAgreeWithPythonFrom1970To2100() throws {
        let zones = try zones()
        let database = TimeZoneDatabase()
        var changes: [String: [TimeZoneRules.Transition]] = [:]
        for zone in zones {
            let rules = try XCTUnwrap(database.rules(named: zone), zone)
            var second = 0
            while let next = rules.transition(after: second), next.second < 4_102_444_800 {
                // That daylight time has begun under the same name shows nowhere.
                if (next.before.offset, next.before.abbreviation)
                    != (next.after.offset, next.after.abbreviation)
                {
                    changes[zone, default: []].append(next)
                }
                second = next.second
            }
        }
        var (checked, wrong) = (0, [String]())
        for line in try Python.run(Self.script, arguments: zones).split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            let numbers = parts.map { Int($0) ?? 0 }
            checked += 1
            if parts[0] == "T" {
                var left = (changes[parts[1]] ?? [])[...]
                let next = left.popFirst()
                changes[parts[1]] = Array(left)
                let ours = next.map {
                    [
                        $0.second.description, $0.before.offset.description,
                        $0.before.abbreviation, $0.after.offset.description,
                        $0.after.abbreviation,
                    ]
                }
                if ours != Array(parts[2...]) { wrong.append("\(line): \(ours ?? [])") }
            } else {
                let rules = try XCTUnwrap(database.rules(named: parts[1]))
                let second = rules.second(of: CivilDateTime(secondsAsUTC: numbers[2]))
                if second != numbers[3] { wrong.append("\(line): \(second)") }
            }
        }
        XCTAssertTrue(wrong.isEmpty, "\(wrong.count) of \(checked): \(wrong.prefix(5))")
        XCTAssertTrue(changes.values.allSatisfy(\.isEmpty), "changes that Python has not")
        XCTAssertGreaterThan(checked, 5000)
        print("\(zones.count) zones, \(checked) rows")
    }

    func testEdgesOfTimeNeitherTrapNorGoWrong() throws {
        for zone in ["Europe/Berlin", "America/New_York", "Europe/Dublin", "Etc/UTC"] {
            let rules = try XCTUnwrap(TimeZoneDatabase().rules(named: zone))
            for second in [Int.min, -1 << 59, -62_135_596_800, -1, 0, 253_402_300_799, 1 << 59] {
                _ = rules.state(at: second)
                _ = rules.transition(after: second)
            }
            _ = rules.state(at: .max)
            for (year, month, day) in [(1, 1, 1), (1900, 1, 1), (1970, 1, 1), (9999, 12, 31)] {
                let date = try XCTUnwrap(CivilDate(year: year, month: month, day: day))
                let clock = try XCTUnwrap(CivilDateTime(date, hour: 12, minute: 0))
                XCTAssertEqual(rules.civil(atSecond: rules.second(of: clock)), clock, zone)
            }
        }
        let berlin = try XCTUnwrap(TimeZoneDatabase().rules(named: "Europe/Berlin"))
        XCTAssertEqual(berlin.state(at: 0).abbreviation, "CET")
        XCTAssertEqual(berlin.state(at: -2_500_000_000).offset, 3208)
        // July 9999 has summer time like any other.
        XCTAssertEqual(berlin.state(at: 253_387_000_000).abbreviation, "CEST")
    }

    // MARK: Files that are none

    private func berlin() throws -> [UInt8] {
        try XCTUnwrap(TimeZoneDatabase.read("/usr/share/zoneinfo/Europe/Berlin"))
    }

    func testFileCutAnywhereIsRefusedOrLosesItsRuleOnly() throws {
        let file = try berlin()
        let whole = try TimeZoneRules(name: "x", file: file)
        var refused = 0
        for length in 0..<file.count {
            do {
                let cut = try TimeZoneRules(name: "x", file: Array(file.prefix(length)))
                // All changes are there, and the rule is whole or absent.
                XCTAssertEqual(cut.lastListed, whole.lastListed)
                XCTAssertEqual(cut.state(at: 1_700_000_000), whole.state(at: 1_700_000_000))
            } catch { refused += 1 }
        }
        XCTAssertGreaterThan(refused, file.count - 40)
    }

    func testHugeCountsBadIndicesAndAbsurdValuesAreRefused() throws {
        func header(
            version: UInt8 = 0, leaps: UInt32 = 0, times: UInt32 = 0, types: UInt32 = 1,
            characters: UInt32 = 4
        ) -> [UInt8] {
            Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
                + [0, 0, leaps, times, types, characters].flatMap { number in
                    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
                }
        }
        let utc: [UInt8] = [0, 0, 0, 0, 0, 0, 0x55, 0x54, 0x43, 0]
        XCTAssertEqual(
            try TimeZoneRules(name: "x", file: header() + utc).state(at: 0).abbreviation, "UTC")
        let bad: [(String, [UInt8])] = [
            ("empty", []), ("text", Array("BEGIN:VCALENDAR".utf8)),
            ("counts", header(times: .max)), ("counts", header(types: .max)),
            ("counts", header(leaps: .max)), ("counts", header(characters: .max) + utc),
            ("no types", header(types: 0)),
            ("index", header(times: 1) + [0, 0, 0, 0] + [7] + utc),
            ("order", header(times: 2) + [0, 0, 0, 9, 0, 0, 0, 8] + [0, 0] + utc),
            ("offset", header() + [0x7F, 0xFF, 0xFF, 0xFF] + utc.dropFirst(4)),
            ("no second block", header(version: 0x32) + utc),
        ]
        for (name, file) in bad {
            XCTAssertThrowsError(try TimeZoneRules(name: "x", file: file), name)
        }
        // The first of all times in 64 bits.
        let block = header(version: 0x32) + utc + header(version: 0x32, times: 1)
        XCTAssertThrowsError(
            try TimeZoneRules(name: "x", file: block + [0x80, 0, 0, 0, 0, 0, 0, 0, 0] + utc))
    }

    func testSeededFuzzNeverTraps() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SplitMix(seed: seed)
        let file = try berlin()
        var read = 0
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 1500 : 50_000
        for _ in 0..<rounds {
            var bytes = file
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                // The headers and the footer are where it can hurt.
                let place =
                    random.once(in: 2)
                    ? Int.random(in: 0..<60, using: &random)
                    : Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            if random.once(in: 3) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
            }
            guard let rules = try? TimeZoneRules(name: "x", file: bytes) else { continue }
            read += 1
            for _ in 0..<8 {
                let second = Int.random(in: -1 << 40...1 << 40, using: &random)
                _ = rules.state(at: second)
                _ = rules.transition(after: second)
                _ = rules.second(of: CivilDateTime(secondsAsUTC: second))
            }
        }
        XCTAssertGreaterThan(read, 100)
    }
}
