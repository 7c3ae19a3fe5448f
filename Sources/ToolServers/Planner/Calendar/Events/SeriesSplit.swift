import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// Splits a series in two: each of its rules before an occurrence and from it
/// on, and the start of the later series. Pure.
///
/// Rules take their clock time, weekday and INTERVAL phase from DTSTART. So the
/// later series begins at the occurrence only if that produces the same times (an
/// RDATE is not a time of a rule); otherwise at the last earlier time of the
/// rules that does, which is then excluded (EXDATE). The old DTSTART always
/// works.
struct SeriesSplit {
    struct Rule {
        let earlier: RRuleLine
        /// nil if the rule has ended by then.
        let later: RRuleLine?
    }

    /// The DTSTART of the later series.
    let start: ItemTime
    /// The rules in the order of the RRULE lines.
    let rules: [Rule]
    /// Later times that the later series must exclude.
    let excluded: [ItemTime]

    /// Number of starts before the cut that are tried.
    private static let tries = 8
    /// Maximum number of times compared, and of times to exclude.
    private static let timeLimit = 500

    /// - Parameters:
    ///   - lines: the values of the RRULE lines.
    ///   - id: an occurrence after the first.
    init(
        _ set: RecurrenceSet, _ lines: [String], at id: ItemTime, in local: LocalTime
    ) throws(EventChangeError) {
        guard set.problems.isEmpty, lines.count == set.rules.count,
            // A rule that cannot be followed cannot be split either.
            let split = try? Self(finding: set, lines, id, local)
        else { throw EventChangeError(.rulesDoNotSplit) }
        self = split
    }

    private init?(
        finding set: RecurrenceSet, _ lines: [String], _ id: ItemTime, _ local: LocalTime
    ) throws(RecurrenceError) {
        let cut = id.instant(in: local)
        let before = cut.addingTimeInterval(-1)
        // A moment after the last remaining occurrence, so that the rule names
        // its day, and not the day of the first removed one.
        let last = try set.previous(before: cut, in: local)
        let end =
            switch last {
            case .date(let day)?: ItemTime.date(day.adding(days: 1))
            case let time?: time.with(CivilDateTime(secondsAsUTC: time.clock.secondsAsUTC + 1))
            case nil: id
            }
        let until = TimeLines.untilText(before: end.like(set.start), in: local)
        var goesOn: [Bool] = []
        var alive: [RecurrenceRule] = []
        for rule in set.rules {
            let alone = RecurrenceSet(start: set.start, rules: [rule])
            goesOn.append(try alone.next(after: before, in: local) != nil)
            if goesOn.last == true { alive.append(rule) }
        }
        let wanted = try set.starts(from: cut, to: .distantFuture, limit: Self.timeLimit, in: local)
        for start in try Self.candidates(set, alive, from: id, in: local) {
            guard
                let later = try Self.series(set, alive, from: start, cut: cut, in: local),
                try later.set.starts(
                    from: .distantPast, to: .distantFuture, limit: Self.timeLimit, in: local
                )
                .map({ later.set.second(of: $0, in: local) })
                    == wanted.map({ set.second(of: $0, in: local) })
            else { continue }
            var counts = later.set.rules.makeIterator()
            self.start = start
            excluded = later.excluded
            rules = zip(lines, goesOn).map { line, goesOn in
                let text = RRuleLine(line)
                guard goesOn, let rule = counts.next() else {
                    return Rule(earlier: text, later: nil)
                }
                var (earlier, after) = (text, text)
                earlier.end(until: until)
                switch rule.bound {
                case .count(let count): after["COUNT"] = String(count)
                case .until(let moment) where after["COUNT"] != nil: after.end(until: moment.text)
                case .until, .none: break
                }
                return Rule(earlier: earlier, later: after)
            }
            return
        }
        return nil
    }

    private static func candidates(
        _ set: RecurrenceSet, _ rules: [RecurrenceRule], from id: ItemTime, in local: LocalTime
    ) throws(RecurrenceError) -> [ItemTime] {
        var starts = [id.isDate == set.start.isDate ? id : nil].compactMap { $0 }
        if rules.isEmpty { return starts }
        let ruled = RecurrenceSet(start: set.start, rules: rules)
        var instant = id.instant(in: local)
        for _ in 0..<tries {
            guard let start = try ruled.previous(before: instant, in: local) else { break }
            starts.append(start)
            instant = start.instant(in: local)
        }
        return starts + [set.start]
    }

    /// The later series with that start; nil if it cannot be written. A COUNT of
    /// a rule that does not include the start would count it too; UNTIL its last
    /// time means the same.
    private static func series(
        _ set: RecurrenceSet, _ rules: [RecurrenceRule], from start: ItemTime, cut: Date,
        in local: LocalTime
    ) throws(RecurrenceError) -> (set: RecurrenceSet, excluded: [ItemTime])? {
        var later = set
        later.start = start
        later.rules = rules
        for (index, rule) in rules.enumerated() where start != set.start {
            guard case .count(let count) = rule.bound else { continue }
            // Excluded times count too (RFC 5545 §3.3.10).
            let alone = RecurrenceSet(start: set.start, rules: [rule])
            guard try alone.contains(start, in: local) else {
                guard count <= timeLimit, let last = try alone.first(count, in: local).last else {
                    return nil
                }
                later.rules[index].bound = .until(
                    last.isDate
                        ? .date(last.civilDate)
                        : last.zone == nil
                            ? .floating(last.clock) : .utc(last.instant(in: local)))
                continue
            }
            let passed = try alone.starts(
                from: set.start.instant(in: local), to: start.instant(in: local), in: local
            ).count
            later.rules[index].bound = .count(max(1, count - passed))
        }
        later.added = set.added.filter { $0.instant(in: local) >= cut }
        let first = start.instant(in: local)
        guard first < cut else { return (later, []) }
        let early = try later.starts(from: first, to: cut, limit: timeLimit, in: local)
        guard early.count < timeLimit else { return nil }
        later.excluded += early
        return (later, early)
    }
}

extension ItemTime {
    /// The time in the form of `other`: a day for a day, and a time in its zone for a time.
    fileprivate func like(_ other: ItemTime) -> ItemTime {
        if isDate == other.isDate { return self }
        return other.isDate ? .date(civilDate) : .time(clock, zone: other.zone)
    }
}
