import Base

/// Reads a VTIMEZONE (RFC 5545 §3.6.5) as the rules it describes: the
/// beginnings of its STANDARD and DAYLIGHT parts, up to the year 2100.
///
/// Bounded, since the file is not trusted: if it is too large or not
/// understood, there are no rules, and the zone counts as unknown.
enum VTimeZoneReader {
    private static let partLimit = 500
    private static let onsetLimit = 20_000

    static func rules(_ component: Component, name: String) -> TimeZoneRules? {
        let parts = component.components().filter { $0.name == "STANDARD" || $0.name == "DAYLIGHT" }
        guard !parts.isEmpty, parts.count <= partLimit else { return nil }
        var budget = RecurrenceBudget()
        var onsets: [(second: Int, before: Int, state: TimeZoneRules.State)] = []
        for part in parts {
            guard let from = part.first("TZOFFSETFROM").flatMap({ UTCOffset.seconds($0.value) }),
                let to = part.first("TZOFFSETTO").flatMap({ UTCOffset.seconds($0.value) }),
                let seconds = starts(of: part, offset: from, budget: &budget)
            else { return nil }
            let state = TimeZoneRules.State(
                offset: to, isDaylight: part.name == "DAYLIGHT",
                abbreviation: part.first("TZNAME").map { TextValue.unescape($0.value) }
                    ?? UTCOffset.text(to))
            onsets += seconds.map { ($0, from, state) }
            guard onsets.count <= onsetLimit else { return nil }
        }
        // If parts begin at the same time, the last one written is used.
        let sorted = onsets.enumerated().sorted {
            ($0.element.second, $0.offset) < ($1.element.second, $1.offset)
        }.map(\.element)
        guard let first = sorted.first else { return nil }
        let standard = sorted.first { $0.state.offset == first.before && !$0.state.isDaylight }
        let initial =
            standard?.state
            ?? TimeZoneRules.State(
                offset: first.before, isDaylight: false,
                abbreviation: UTCOffset.text(first.before))
        var changes: [(second: Int, state: TimeZoneRules.State)] = []
        for onset in sorted {
            if changes.last?.second == onset.second { changes.removeLast() }
            if (changes.last?.state ?? initial) != onset.state {
                changes.append((onset.second, onset.state))
            }
        }
        return TimeZoneRules(name: name, initial: initial, changes: changes)
    }

    /// The year 1900, since Outlook starts every rule in 1601.
    private static let firstOnset = -2_208_988_800
    private static let lastOnset = 4_133_980_800
    private static let ruleLimit = 10

    /// The beginnings of a part, in seconds of UTC: its DTSTART, the times of its
    /// RDATE, and those of its RRULE from 1900 to 2100. Its times are on the clock
    /// before the change, which makes the part a recurring item in a zone with that
    /// offset.
    ///
    /// nil if the part cannot be understood, or exceeds the budget, which is
    /// for a whole VTIMEZONE.
    private static func starts(
        of part: Component, offset: Int, budget: inout RecurrenceBudget
    ) -> [Int]? {
        let place = LocalTime(TimeZoneRules(name: "", offset: offset, abbreviation: ""))
        let resolver = ZoneResolver(calendar: nil, local: place, zones: TimeZoneDatabase())
        guard let set = RecurrenceSet(component: part, resolver: resolver), set.problems.isEmpty,
            set.rules.count <= ruleLimit
        else { return nil }
        var starts = RecurrenceStarts(set, from: set.rules.isEmpty ? .min : firstOnset, in: place)
        var seconds: [Int] = []
        do {
            while let next = try starts.next(&budget), next.second < lastOnset {
                seconds.append(next.second)
            }
        } catch {
            // The zone stays unknown, which callers report.
            return nil
        }
        return seconds
    }
}
