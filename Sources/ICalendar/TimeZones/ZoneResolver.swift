import Base
import CWords
import FoundationEssentials
import Synchronization

/// Resolves the TZIDs of one file (RFC 5545 §3.2.19), in this order:
///
///     Europe/Berlin                       a name of the zone database
///     /mozilla.org/20050126_1/Europe/Berlin   one after another program's prefix
///     W. Europe Standard Time             Windows' name of one
///     (UTC+01:00) Amsterdam, Berlin, …    what Windows shows to people
///     anything                            the file's own VTIMEZONE
///     UTC+02:00                           an offset, for want of more
///
/// If a VTIMEZONE disagrees with the database, the database is used: the
/// VTIMEZONE is a copy from the time when the file was written. An unknown zone
/// is read as the reader's own, and callers report it.
package struct ZoneResolver: Sendable {
    package let local: LocalTime
    private let zones: TimeZoneDatabase
    private let calendar: Component?
    private let known = Known()

    /// `calendar` is the VCALENDAR whose components are read.
    package init(calendar: Component?, local: LocalTime, zones: TimeZoneDatabase) {
        self.calendar = calendar
        self.local = local
        self.zones = zones
    }

    /// The rules of a TZID; nil if it is unknown, in which case its times are
    /// read as local and reported.
    package func rules(_ tzid: String) -> TimeZoneRules? {
        // Nearly every file has these, and the database caches them.
        if let rules = zones.rules(named: tzid) { return rules }
        if let found = known.zones.withLock({ $0[tzid] }) { return found }
        let rules = find(tzid)
        known.zones.withLock { if $0.count < Known.limit { $0[tzid] = .some(rules) } }
        return rules
    }

    /// `isGuess`: the zone (`moment.zone`) is unknown, and the reader's own was used.
    package func time(_ moment: CalendarMoment) -> (time: ItemTime, isGuess: Bool) {
        switch moment {
        case .date(let date): (.date(date), false)
        case .utc(let instant):
            (
                .time(
                    CivilDateTime(secondsAsUTC: LocalTime.seconds(of: instant)), zone: .utc), false
            )
        case .floating(let clock): (.time(clock, zone: nil), false)
        case .zoned(let clock, let tzid, let offset?):
            (.time(clock, zone: rules(tzid, offset, at: clock)), false)
        case .zoned(let clock, let tzid, nil):
            rules(tzid).map { (.time(clock, zone: $0), false) } ?? (.time(clock, zone: nil), true)
        }
    }

    /// The zone, if it has that offset at that time, so that a series follows
    /// its clock changes; else the offset, which determines the instant.
    private func rules(_ tzid: String, _ offset: Int, at clock: CivilDateTime) -> TimeZoneRules {
        if let rules = rules(tzid), rules.second(of: clock) == clock.secondsAsUTC - offset {
            return rules
        }
        let name = "UTC" + UTCOffset.text(offset)
        return TimeZoneRules(name: name, offset: offset, abbreviation: name)
    }

    // MARK: Finding

    private func find(_ tzid: String) -> TimeZoneRules? {
        let text = Self.trimmed(tzid)
        guard !text.isEmpty, text.utf8.count <= 200 else { return nil }
        return named(text) ?? described(tzid) ?? Self.offset(text)
    }

    /// Looks up names only, without the file.
    private func named(_ text: String) -> TimeZoneRules? {
        if let rules = zones.rules(matching: text) { return rules }
        let parts = text.split(separator: "/")
        // No name has more than three parts. A single one (`EST`) counts only
        // after the slash that marks a prefix (RFC 5545 §3.8.3.1).
        for count in stride(from: min(3, parts.count), to: 0, by: -1)
        where count > 1 || text.hasPrefix("/") {
            let suffix = parts.suffix(count).joined(separator: "/")
            if let rules = zones.rules(matching: suffix) { return rules }
        }
        let underscored = String(text.map { $0 == " " ? "_" : $0 })
        return zones.rules(matching: underscored) ?? windows(text) ?? shown(text)
    }

    private func windows(_ text: String) -> TimeZoneRules? {
        // Some programs write the name of the season.
        let standard = text.firstRange(of: " Daylight Time").map {
            text[..<$0.lowerBound] + " Standard Time" + text[$0.upperBound...]
        }
        return
            (WindowsZones.name(of: text) ?? standard.flatMap { WindowsZones.name(of: String($0)) })
            .flatMap(zones.rules(matching:))
    }

    /// Windows' display names: `Eastern Time (US & Canada)` or `(UTC+01:00)
    /// Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna`. For other cities,
    /// `(GMT+01.00) Sarajevo/Warsaw/Zagreb`, the first in the database, if it
    /// has that offset in winter or in summer.
    private func shown(_ text: String) -> TimeZoneRules? {
        if let name = WindowsZones.name(ofShown: text) { return zones.rules(matching: name) }
        guard text.hasPrefix("("), let close = text.firstIndex(of: ")"),
            let offset = Self.offset(text[text.index(after: text.startIndex)..<close])
        else { return nil }
        let places = Self.trimmed(String(text[text.index(after: close)...]))
        if let name = WindowsZones.name(ofShown: places) { return zones.rules(matching: name) }
        for place in places.split(whereSeparator: { $0 == "," || $0 == "/" || $0 == ";" }) {
            for name in zones.names(ofCity: Self.trimmed(String(place))) {
                guard let rules = zones.rules(named: name) else { continue }
                // Both halves of 2026, as a substitute for today.
                let offsets = [1_768_000_000, 1_784_000_000].map { rules.state(at: $0).offset }
                if offsets.contains(offset.state(at: 0).offset) { return rules }
            }
        }
        return nil
    }

    /// The file's VTIMEZONE for a TZID that has no other meaning.
    func description(_ tzid: String) -> Component? {
        named(Self.trimmed(tzid)) == nil ? component(tzid) : nil
    }

    private func component(_ tzid: String) -> Component? {
        let wanted = Self.trimmed(tzid)
        return calendar?.components("VTIMEZONE").first {
            VTimeZone.tzid(of: $0).map(Self.trimmed) == wanted
        }
    }

    private func described(_ tzid: String) -> TimeZoneRules? {
        guard let component = component(tzid) else { return nil }
        // libical and its users name the actual zone there.
        if let location = component.first("X-LIC-LOCATION").map({ TextValue.unescape($0.value) }),
            let rules = zones.rules(matching: Self.trimmed(location))
        {
            return rules
        }
        return zones.rules(describedBy: CalendarWriter.bytes(component)) {
            VTimeZoneReader.rules(component, name: tzid)
        }
    }

    /// `UTC+2`, `GMT-03:30`, `UTC`: these have no daylight time.
    private static func offset(_ text: some StringProtocol) -> TimeZoneRules? {
        let upper = text.uppercased()
        guard upper.hasPrefix("UTC") || upper.hasPrefix("GMT") else { return nil }
        let rest = upper.dropFirst(3).filter { $0 != ":" && $0 != "." && $0 != " " }
        if rest.isEmpty { return .utc }
        let digits = rest.dropFirst()
        let padded = digits.count <= 2 ? String(digits) + "00" : String(digits)
        guard
            let seconds = UTCOffset.seconds(
                String(rest.prefix(1)) + (padded.utf8.count == 3 ? "0" : "") + padded)
        else { return nil }
        return TimeZoneRules(name: String(text), offset: seconds, abbreviation: upper)
    }

    private static func trimmed(_ text: String) -> String {
        String(text.trimming { $0.isWhitespace || $0 == "\"" })
    }

    /// Names already resolved, so that a VTIMEZONE is read once per file.
    private final class Known: Sendable {
        static let limit = 200
        let zones = Mutex<[String: TimeZoneRules?]>([:])
    }
}

extension RecurrenceSet {
    /// nil for a component without a readable DTSTART (for a VTODO, DUE).
    package init?(component: Component, resolver: ZoneResolver) {
        self.init(component: component, local: resolver.local) { resolver.time($0).time }
    }
}

/// The names of time zones in Windows, Outlook and Exchange, each with the zone
/// of the database that CLDR gives for an unknown country.
///
/// The table, its date and its licence are in `windows-zones.txt`.
enum WindowsZones {
    /// The zone database's name for a Windows name, in any letter case.
    static func name(of text: String) -> String? { names[text.lowercased()] }

    /// The zone for a display name of Windows, `Eastern Time (US & Canada)`,
    /// however its parts are joined: with `,`, `/`, `&` or `and`.
    static func name(ofShown text: String) -> String? { shownNames[key(text)] }

    /// Keyed by name in lower case.
    static let names = table.names
    /// The zone of each display name, keyed by `key`.
    static let shownNames = table.shown

    private static let table: (names: [String: String], shown: [String: String]) = {
        var (names, shown) = (["tzone://microsoft/utc": "UTC"], [String: String]())
        let text = WordFile.windowsZones.text
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: "|").map(String.init)
            guard parts.count > 1 else { continue }
            names[parts[0].lowercased()] = parts[1]
            for part in parts[2...] { shown[key(part)] = parts[1] }
        }
        return (names, shown)
    }()

    /// The words in lower case. A sign belongs to the number after it.
    private static func key(_ text: String) -> String {
        text.lowercased().split {
            !$0.isLetter && !$0.isNumber && $0 != "+" && $0 != "-"
        }.filter { $0 != "and" }.joined(separator: " ")
    }
}
