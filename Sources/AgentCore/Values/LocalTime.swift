import FoundationEssentials
import Glibc

/// The time zone of the process: what its clocks show at an instant, and
/// which instant a wall clock means.
///
/// Reads TZ and the zone files through glibc, because Foundation's zones are
/// GMT in a statically linked program. Other zones than the process's own are
/// not its business, nor is text (`ISO8601`).
package struct LocalTime: Sendable {
    /// The zone's name in the zone database (`Europe/Berlin`), where the
    /// system says it.
    package let zoneName: String?

    /// Reads the zone that is in force now.
    package init() {
        tzset()
        zoneName = Self.systemZoneName()
    }

    /// Seconds east of UTC at that instant.
    package func offset(at instant: Date) -> Int {
        Self.offset(atSecond: Self.seconds(of: instant))
    }

    package func civil(at instant: Date) -> CivilDateTime {
        let seconds = Self.seconds(of: instant)
        return CivilDateTime(secondsAsUTC: seconds + Self.offset(atSecond: seconds))
    }

    /// The instant at which a clock here shows `civil`. A time that the clock
    /// jumps over is read with the offset before the jump, and one that it
    /// shows twice is the first of the two (RFC 5545 §3.3.5).
    package func instant(of civil: CivilDateTime) -> Date {
        // mktime leaves both cases to chance, so the offsets in force around
        // the time are tried. A zone is less than a day from UTC, so the
        // probes lie surely before and after.
        let asUTC = civil.secondsAsUTC
        let before = Self.offset(atSecond: asUTC - 86_400)
        var first: Int?
        for probe in [before, Self.offset(atSecond: asUTC), Self.offset(atSecond: asUTC + 86_400)] {
            let candidate = asUTC - probe
            guard Self.offset(atSecond: candidate) == probe else { continue }
            first = min(first ?? candidate, candidate)
        }
        return Date(timeIntervalSince1970: Double(first ?? asUTC - before))
    }

    /// The start of that day here; where midnight is jumped over, the first
    /// instant after it.
    package func start(of date: CivilDate) -> Date {
        instant(of: CivilDateTime(secondsAsUTC: date.dayNumber * 86_400))
    }

    /// The short name of the zone at that instant: `CET`, or `-03` where the
    /// zone has only a number.
    package func abbreviation(at instant: Date) -> String {
        guard let parts = Self.parts(atSecond: Self.seconds(of: instant)), let name = parts.tm_zone
        else { return "UTC" }
        return String(cString: name)
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
    private static func seconds(of instant: Date) -> Int {
        let seconds = instant.timeIntervalSince1970.rounded(.down)
        guard seconds.isFinite else { return 0 }
        return Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
    }

    private static func offset(atSecond second: Int) -> Int {
        parts(atSecond: second).map { Int($0.tm_gmtoff) } ?? 0
    }

    private static func parts(atSecond second: Int) -> tm? {
        var time = time_t(second)
        var parts = tm()
        return localtime_r(&time, &parts) == nil ? nil : parts
    }

    private static func systemZoneName() -> String? {
        if let value = getenv("TZ").map({ String(cString: $0) }), !value.isEmpty {
            return value.hasPrefix(":") ? String(value.dropFirst()) : value
        }
        // The link is how Debian and systemd say which zone the machine is in.
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink("/etc/localtime", &buffer, buffer.count)
        guard length > 0 else { return nil }
        let target = String(decoding: buffer.prefix(length), as: UTF8.self)
        guard let range = target.firstRange(of: "/zoneinfo/") else { return nil }
        return String(target[range.upperBound...])
    }
}
