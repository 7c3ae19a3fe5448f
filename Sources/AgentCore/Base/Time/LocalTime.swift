import FoundationEssentials
import Glibc

/// The local time of one place: converts between instants and wall clock times. Without a given
/// zone, it is the zone of this process.
///
/// Other formats than ISO 8601 are elsewhere; `TimeZoneDatabase` reads zone files.
package struct LocalTime: Sendable {
    package let rules: TimeZoneRules
    /// The zone's name in the zone database (`Europe/Berlin`), if known.
    package let zoneName: String?
    /// The reason why UTC is used although it was not requested: no readable zone was found.
    /// Reported once.
    package let fallback: Fallback?

    /// The source that failed to give a zone.
    package enum Fallback: Sendable, Hashable {
        /// `TZ` is neither a name in the database nor a rule.
        case unknownName(String)
        /// `/etc/localtime` is missing or not a zone file.
        case unreadable(path: String)
        /// No zone database is installed.
        case noDatabase(folder: String)

        /// The cause: `self`, or a missing database.
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

    /// The current zone: `TZ`, else the target of `/etc/localtime`; UTC if neither can be
    /// read.
    package init() {
        self.init(environment: getenv("TZ").map { String(cString: $0) })
    }

    /// The zone name for rules without a known place. It is not in the database, so a calendar file
    /// that uses it is read by its own VTIMEZONE.
    private static let unnamed = "localtime"

    /// The zone of a machine with these settings.
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
        guard let bytes = TimeZoneDatabase.read(link),
            // An invalid zone file means UTC, like a missing one.
            let rules = try? TimeZoneRules(name: Self.unnamed, file: bytes)
        else {
            self.init(
                .utc, name: "UTC", fallback: .unreadable(path: link).explained(by: zones))
            return
        }
        // A copy instead of a link: Debian writes the name into another file. It is used if that
        // zone has the same rules.
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

    /// Parses `TZ` in glibc's forms: a name, a path, a rule. An empty one is UTC.
    private init(variable: String, zones: TimeZoneDatabase) {
        let text = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if text.isEmpty {
            self.init(.utc)
        } else if text.hasPrefix("/"), let name = Self.zoneName(inPath: text),
            let rules = zones.rules(named: name)
        {
            self.init(rules)
        } else if text.hasPrefix("/"), let bytes = TimeZoneDatabase.read(text),
            // An invalid zone file is reported as an unknown name.
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

    /// The instant at which a clock here shows `civil`. A skipped time is read with the offset
    /// before the jump; of an ambiguous time, the first is meant (RFC 5545 §3.3.5).
    package func instant(of civil: CivilDateTime) -> Date {
        Date(timeIntervalSince1970: Double(rules.second(of: civil)))
    }

    /// The start of that day here: the first instant after midnight if midnight is skipped.
    package func start(of date: CivilDate) -> Date {
        instant(of: CivilDateTime(secondsAsUTC: date.dayNumber * 86_400))
    }

    /// The zone's abbreviation at that instant: `CET`, or `-03` if the zone has only a
    /// number.
    package func abbreviation(at instant: Date) -> String {
        rules.state(at: Self.seconds(of: instant)).abbreviation
    }

    /// `2026-11-22T09:00:00+01:00`.
    package func isoText(_ instant: Date) -> String {
        let offset = offset(at: instant)
        // RFC 3339 has no offset seconds (some zones had them before 1972); the part cut
        // from the offset is also cut from the clock, so that the text still names the same
        // instant.
        let minutes = offset / 60
        let clock = CivilDateTime(secondsAsUTC: Self.seconds(of: instant) + minutes * 60)
        let size = abs(minutes)
        return clock.isoText + (minutes < 0 ? "-" : "+") + (size / 60).padded(to: 2) + ":"
            + (size % 60).padded(to: 2)
    }

    /// Whole seconds, rounded down; extreme values are bounded, so that no conversion traps.
    package static func seconds(of instant: Date) -> Int {
        let seconds = instant.timeIntervalSince1970.rounded(.down)
        guard seconds.isFinite else { return 0 }
        return Int(min(max(seconds, -62_135_596_800), 253_402_300_799))
    }

    /// Debian and systemd configure the machine's zone as this link.
    private static func zoneName(ofLink path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = readlink(path, &buffer, buffer.count)
        guard length > 0 else { return nil }
        return zoneName(inPath: String(decoding: buffer.prefix(length), as: UTF8.self))
    }

    private static func zoneName(inPath path: String) -> String? {
        path.firstRange(of: "/zoneinfo/").map { withoutVariant(String(path[$0.upperBound...])) }
    }

    /// `posix/Europe/Berlin` is the same as Europe/Berlin.
    private static func withoutVariant(_ name: String) -> String {
        name.hasPrefix("posix/") ? String(name.dropFirst(6)) : name
    }
}
