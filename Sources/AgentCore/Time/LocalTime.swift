import FoundationEssentials
import Glibc

/// Wall clocks of one place: what they show at an instant, and which instant
/// they mean. Without a zone given, the place this process is in.
///
/// Text other than ISO 8601 is not its business, nor is reading zone files
/// (`TimeZoneDatabase`).
package struct LocalTime: Sendable {
    package let rules: TimeZoneRules
    /// The zone's name in the zone database (`Europe/Berlin`), where the
    /// system says it.
    package let zoneName: String?

    package init(_ rules: TimeZoneRules) {
        self.rules = rules
        zoneName = rules.name
    }

    /// The zone that is in force now: `TZ`, else what `/etc/localtime` links
    /// to; UTC where neither can be read.
    package init() {
        let database = TimeZoneDatabase()
        if let value = getenv("TZ").map({ String(cString: $0) }) {
            // An empty TZ is UTC, as glibc has it.
            let name = value.hasPrefix(":") ? String(value.dropFirst()) : value
            rules = database.rules(named: name) ?? TimeZoneRules(posix: name) ?? .utc
            zoneName = name.isEmpty ? "UTC" : name
            return
        }
        let name = Self.linkedZoneName()
        zoneName = name
        rules =
            name.flatMap(database.rules)
            ?? TimeZoneDatabase.read("/etc/localtime").flatMap {
                // A file that is none leaves UTC, like no file.
                try? TimeZoneRules(name: name ?? "", file: $0)
            } ?? .utc
    }

    /// Seconds east of UTC at that instant.
    package func offset(at instant: Date) -> Int {
        rules.state(at: Self.seconds(of: instant)).offset
    }

    package func civil(at instant: Date) -> CivilDateTime {
        rules.civil(atSecond: Self.seconds(of: instant))
    }

    /// The instant at which a clock here shows `civil`. A time that the clock
    /// jumps over is read with the offset before the jump, and one that it
    /// shows twice is the first of the two (RFC 5545 §3.3.5).
    package func instant(of civil: CivilDateTime) -> Date {
        Date(timeIntervalSince1970: Double(rules.second(of: civil)))
    }

    /// The start of that day here; where midnight is jumped over, the first
    /// instant after it.
    package func start(of date: CivilDate) -> Date {
        instant(of: CivilDateTime(secondsAsUTC: date.dayNumber * 86_400))
    }

    /// The short name of the zone at that instant: `CET`, or `-03` where the
    /// zone has only a number.
    package func abbreviation(at instant: Date) -> String {
        rules.state(at: Self.seconds(of: instant)).abbreviation
    }

    /// `2026-11-22T09:00:00+01:00`.
    package func isoText(_ instant: Date) -> String {
        let offset = offset(at: instant)
        // RFC 3339 has no offset seconds (some zones had them before 1972);
        // what is cut from the offset is cut from the clock, so that the text
        // still names the same instant.
        let minutes = offset / 60
        let clock = CivilDateTime(secondsAsUTC: Self.seconds(of: instant) + minutes * 60)
        let size = abs(minutes)
        return clock.isoText + (minutes < 0 ? "-" : "+") + CivilDate.padded(size / 60, to: 2) + ":"
            + CivilDate.padded(size % 60, to: 2)
    }

    /// Whole seconds, rounded down; absurd values are bounded, so that no
    /// conversion can trap.
    package static func seconds(of instant: Date) -> Int {
        let seconds = instant.timeIntervalSince1970.rounded(.down)
        guard seconds.isFinite else { return 0 }
        return Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
    }

    /// The link is how Debian and systemd say which zone the machine is in.
    private static func linkedZoneName() -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/etc/localtime", &buffer, buffer.count)
        guard length > 0 else { return nil }
        let target = String(decoding: buffer.prefix(length), as: UTF8.self)
        guard let range = target.firstRange(of: "/zoneinfo/") else { return nil }
        return String(target[range.upperBound...])
    }
}
