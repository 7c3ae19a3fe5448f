import AgentCore

/// When a STANDARD or DAYLIGHT part of a VTIMEZONE begins, in seconds of UTC:
/// its DTSTART, the times of its RDATE, and those of its RRULE from 1900 to
/// 2100.
///
/// Its times are on the clock that holds before the change (RFC 5545 §3.6.5),
/// which makes the part a recurring item in a place of that offset.
enum ZoneOnsets {
    /// Outlook lets every rule begin in 1601.
    private static let first = -2_208_988_800
    private static let end = 4_133_980_800
    private static let ruleLimit = 10

    /// nil where the part cannot be understood, or is too much for the budget,
    /// which is for a whole VTIMEZONE.
    static func seconds(
        of part: Component, offset: Int, budget: inout RecurrenceBudget
    ) -> [Int]? {
        let place = LocalTime(TimeZoneRules(name: "", offset: offset, abbreviation: ""))
        let resolver = ZoneResolver(calendar: nil, local: place, zones: TimeZoneDatabase())
        guard let set = RecurrenceSet(component: part, resolver: resolver), set.problems.isEmpty,
            set.rules.count <= ruleLimit
        else { return nil }
        var starts = RecurrenceStarts(set, from: set.rules.isEmpty ? .min : first, in: place)
        var seconds: [Int] = []
        do {
            while let next = try starts.next(&budget), next.second < end {
                seconds.append(next.second)
            }
        } catch {
            // Too much leaves the zone unknown, which is said.
            return nil
        }
        return seconds
    }
}
