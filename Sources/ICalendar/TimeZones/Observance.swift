import Base

/// One STANDARD or DAYLIGHT part of a VTIMEZONE that we write: a change of the
/// clocks with its times, or with its rule.
struct Observance {
    var before: TimeZoneRules.State
    var after: TimeZoneRules.State
    /// Wall-clock times before the change, in order; with a rule only the first.
    var onsets: [CivilDateTime]
    /// The value of an RRULE.
    var rule: String?

    /// Number of years listed for rules that RRULE cannot express.
    private static let listedYears = 50

    /// The observances that describe a zone from that second on.
    static func all(of rules: TimeZoneRules, from second: Int) -> [Observance] {
        // The season in effect then began at most a year before.
        let year = max(1, CivilDateTime(secondsAsUTC: second).date.year - 1)
        let start = (CivilDate(year: year, month: 1, day: 1)?.dayNumber ?? 0) * 86_400
        let initial = rules.state(at: start)
        let seasons = rules.rule.map { ObservanceRule.seasons(of: $0) } ?? []
        let end =
            max(start, rules.lastListed ?? start)
            + (seasons.isEmpty && rules.rule?.daylight != nil
                ? listedYears * 31_557_600 : 366 * 86_400)
        var changes: [TimeZoneRules.Transition] = []
        while let next = rules.transition(after: changes.last?.second ?? start), next.second <= end
        {
            changes.append(next)
        }
        let regular = seasons.isEmpty ? changes.count : regularStart(of: changes, rules.rule)
        var observances = listed(Array(changes[..<regular]))
        if changes.first.map({ $0.second > second }) ?? true {
            // An observance must be in effect before the first change.
            let onset = CivilDateTime(secondsAsUTC: changes.isEmpty ? 0 : start)
            observances.insert(
                Observance(before: initial, after: initial, onsets: [onset]), at: 0)
        }
        if regular < changes.count, let rule = rules.rule {
            observances += seasons.compactMap { season in
                season.observance(of: rule, notBefore: changes[regular].second)
            }
        }
        return observances
    }

    /// The index of the first change from which all follow the rule.
    private static func regularStart(
        of changes: [TimeZoneRules.Transition], _ rule: PosixTimeZone?
    ) -> Int {
        guard let rule else { return changes.count }
        var index = changes.count
        while index > 0 {
            let change = changes[index - 1]
            // The rule must also have no change between this one and the next.
            guard rule.state(at: change.second) == change.after,
                rule.state(at: change.second - 1) == change.before,
                index == changes.count
                    || rule.change(after: change.second) == changes[index].second
            else { break }
            index -= 1
        }
        return index
    }

    /// Changes of the same kind form one part with several times.
    private static func listed(_ changes: [TimeZoneRules.Transition]) -> [Observance] {
        var observances: [Observance] = []
        for change in changes {
            let onset = CivilDateTime(secondsAsUTC: change.second + change.before.offset)
            let index = observances.firstIndex {
                $0.before == change.before && $0.after == change.after
            }
            if let index {
                observances[index].onsets.append(onset)
            } else {
                observances.append(
                    Observance(before: change.before, after: change.after, onsets: [onset]))
            }
        }
        return observances
    }

    /// Daylight time is the time to which the clocks go forward: the zone database marks Ireland's
    /// winter as the differing season, but readers expect the summer.
    private var isDaylight: Bool {
        before.isDaylight != after.isDaylight && before.offset != after.offset
            ? after.offset > before.offset : after.isDaylight
    }

    func component(ending: [UInt8]) -> Component {
        var lines = CalendarMoment.lines(
            "DTSTART", onsets.prefix(1).map { .floating($0) }, ending: ending)
        if let rule { lines.append(ContentLine("RRULE", value: rule, ending: ending)) }
        lines += CalendarMoment.lines(
            "RDATE", onsets.dropFirst().map { .floating($0) }, ending: ending)
        lines += [
            ContentLine("TZNAME", value: TextValue.escape(after.abbreviation), ending: ending),
            ContentLine("TZOFFSETFROM", value: UTCOffset.text(before.offset), ending: ending),
            ContentLine("TZOFFSETTO", value: UTCOffset.text(after.offset), ending: ending),
        ]
        return Component(
            isDaylight ? "DAYLIGHT" : "STANDARD", items: lines.map { .line($0) }, ending: ending)
    }

    /// A yearly change of a POSIX rule as an RRULE.
    struct ObservanceRule {
        var isStart: Bool
        var text: String
        /// The days of the year, one of which is the day of the change.
        var month: Int
        var monthDays: ClosedRange<Int>

        /// Both changes of a rule; empty if RRULE cannot express one of them.
        static func seasons(of rule: PosixTimeZone) -> [ObservanceRule] {
            guard let daylight = rule.daylight,
                let start = texts(daylight.start, isStart: true),
                let end = texts(daylight.end, isStart: false)
            else { return [] }
            return start + end
        }

        private static func texts(
            _ change: PosixTimeZone.Change, isStart: Bool
        ) -> [ObservanceRule]? {
            // A change at 24:00 or at −1:00 is on another day.
            let shift = (change.second - (change.second % 86_400 + 86_400) % 86_400) / 86_400
            switch change.day {
            case .weekday(let month, let week, let day):
                let code = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][((day + shift) % 7 + 7) % 7]
                let length = CivilDate.days(inMonth: month, of: 2001)
                let first = (week == 5 ? length - 6 : week * 7 - 6) + shift
                if shift == 0 {
                    let ordinal = week == 5 ? -1 : week
                    return [
                        ObservanceRule(
                            isStart: isStart,
                            text: "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(ordinal)\(code)",
                            month: month, monthDays: first...min(31, first + 6))
                    ]
                }
                // The last day of February is not always the same.
                guard month != 2 || week < 4 else { return nil }
                // A week that reaches into the next month needs two rules, of
                // which one applies each year.
                let here = max(1, first)...max(1, min(length, first + 6))
                guard first >= 1, first <= length else { return nil }
                var texts = [text(month, here, code, isStart: isStart)]
                if first + 6 > length {
                    guard month < 12 else { return nil }
                    texts.append(text(month + 1, 1...(first + 6 - length), code, isStart: isStart))
                }
                return texts
            case .julian(let number) where shift == 0:
                guard let newYear = CivilDate(year: 2001, month: 1, day: 1) else { return nil }
                let date = newYear.adding(days: number - 1)
                return [
                    ObservanceRule(
                        isStart: isStart,
                        text: "FREQ=YEARLY;BYMONTH=\(date.month);BYMONTHDAY=\(date.day)",
                        month: date.month, monthDays: date.day...date.day)
                ]
            default: return nil
            }
        }

        private static func text(
            _ month: Int, _ days: ClosedRange<Int>, _ code: String, isStart: Bool
        ) -> ObservanceRule {
            let list = days.map(String.init).joined(separator: ",")
            return ObservanceRule(
                isStart: isStart,
                text: "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(list);BYDAY=\(code)",
                month: month, monthDays: days)
        }

        /// The observance with the first change at or after that second that
        /// this rule describes.
        func observance(of rule: PosixTimeZone, notBefore second: Int) -> Observance? {
            guard let daylight = rule.daylight else { return nil }
            let change = isStart ? daylight.start : daylight.end
            let offset = isStart ? rule.offset : daylight.offset
            let year = CivilDateTime(secondsAsUTC: second).date.year
            // Each year uses another of seven days of the month; 40 years cover all.
            for year in max(1, year - 1)...min(9999, year + 40) {
                let wall = change.wallSecond(in: year)
                let onset = CivilDateTime(secondsAsUTC: wall)
                guard wall - offset >= second, onset.date.month == month,
                    monthDays.contains(onset.date.day)
                else { continue }
                return Observance(
                    before: rule.state(at: wall - offset - 1), after: rule.state(at: wall - offset),
                    onsets: [onset], rule: text)
            }
            return nil
        }
    }
}
