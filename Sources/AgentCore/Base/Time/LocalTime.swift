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
    /// Why the zone is UTC although UTC was not asked for.
    /// Set where the zone is UTC because nothing readable says another; to be
    /// reported once.
    package let fallback: Fallback?

    /// What did not say which zone holds here.
    package enum Fallback: Sendable, Hashable {
        /// `TZ` is neither a name of the database nor a rule.
        case unknownName(String)
        /// `/etc/localtime` is missing or no zone file.
        case unreadable(path: String)
        /// No zone database is installed.
        case noDatabase(folder: String)

        /// Without a database that is the cause of either.
        fileprivate func explained(by zones: TimeZoneDatabase) -> Fallback {
            zones.isMissing ? .noDatabase(folder: zones.folder) : self
        }
    }

    package init(_ rules: TimeZoneRules) { self.init(rules, name: rules.name) }

    private init(_ rules: TimeZoneRules, name: String?, fallback: Fallback? = nil) {
        self.rules = rules
        zoneName = name
        self.fallback = fallback
    }

    /// The zone that is in force now: `TZ`, else what `/etc/localtime` links
    /// to; UTC where neither can be read.
    package init() {
        self.init(environment: getenv("TZ").map { String(cString: $0) })
    }

    /// The name of rules whose place is not known. It is not in the database,
    /// so a calendar file that uses it is read by the VTIMEZONE it holds.
    private static let unnamed = "localtime"

    /// The zone that a machine with these settings is in.
    init(
        environment: String?, link: String = "/etc/localtime", nameFile: String = "/etc/timezone",
        zones: TimeZoneDatabase = TimeZoneDatabase()
    ) {
        if let environment {
            self.init(variable: environment, zones: zones)
            return
        }
        let name = Self.zoneName(ofLink: link)
        if let name, let rules = zones.rules(named: name) {
            self.init(rules, name: name)
            return
        }
        // A file that is not a zone file leaves UTC, like a missing one.
        guard let bytes = TimeZoneDatabase.read(link),
            let rules = try? TimeZoneRules(name: Self.unnamed, file: bytes)
        else {
            self.init(
                .utc, name: "UTC", fallback: .unreadable(path: link).explained(by: zones))
            return
        }
        // A copy instead of a link: Debian writes the name into another file,
        // which is believed when it says the same.
        let written = TimeZoneDatabase.read(nameFile).map { String(decoding: $0, as: UTF8.self) }
        let named = written?.split(whereSeparator: \.isWhitespace).first.flatMap {
            zones.rules(named: String($0))
        }
        guard let named, named.agrees(with: rules) else {
            self.init(rules, name: nil)
            return
        }
        self.init(named)
    }

    /// What `TZ` says, in the forms glibc takes: a name, a path, a rule. An
    /// empty one is UTC.
    private init(variable: String, zones: TimeZoneDatabase) {
        let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if text.isEmpty {
            self.init(.utc)
        } else if text.hasPrefix("/"), let name = Self.zoneName(inPath: text),
            let rules = zones.rules(named: name)
        {
            self.init(rules)
        } else if text.hasPrefix("/"), let bytes = TimeZoneDatabase.read(text),
            // A file that is not a zone file is reported as an unknown name.
            let rules = try? TimeZoneRules(name: Self.unnamed, file: bytes)
        {
            self.init(rules, name: nil)
        } else if let rules = zones.rules(named: Self.withoutVariant(text)) {
            self.init(rules)
        } else if let rules = TimeZoneRules(posix: text) {
            self.init(rules, name: nil)
        } else {
            self.init(.utc, name: "UTC", fallback: .unknownName(text).explained(by: zones))
        }
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
        return clock.isoText + (minutes < 0 ? "-" : "+") + (size / 60).padded(to: 2) + ":"
            + (size % 60).padded(to: 2)
    }

    /// Whole seconds, rounded down; absurd values are bounded, so that no
    /// conversion can trap.
    package static func seconds(of instant: Date) -> Int {
        let seconds = instant.timeIntervalSince1970.rounded(.down)
        guard seconds.isFinite else { return 0 }
        return Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
    }

    /// The link is how Debian and systemd say which zone the machine is in.
    private static func zoneName(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &buffer, buffer.count)
        guard length > 0 else { return nil }
        return zoneName(inPath: String(decoding: buffer.prefix(length), as: UTF8.self))
    }

    private static func zoneName(inPath path: String) -> String? {
        path.firstRange(of: "/zoneinfo/").map { withoutVariant(String(path[$0.upperBound...])) }
    }

    /// `posix/Europe/Berlin` is Europe/Berlin once more.
    private static func withoutVariant(_ name: String) -> String {
        name.hasPrefix("posix/") ? String(name.dropFirst(6)) : name
    }
}
