import Base

/// Reads a `RecurrenceSet` from the lines of a VEVENT or VTODO.
extension RecurrenceSet {
    /// Limits of rules: programs write one rule (RFC 5545 §3.8.5.3 discourages more), of 100 bytes; one with every day
    /// of the year has 1.5 KB.
    package static let ruleLimit = 100
    package static let ruleBytes = 10 << 10

    /// nil for a component without a readable DTSTART (for a VTODO, DUE).
    /// Unreadable rules and times beyond the limit of a list are left out and
    /// reported in `problems`.
    /// - Parameter time: resolves a moment of the file.
    init?(component: Component, local: LocalTime, time: (CalendarMoment) -> ItemTime) {
        let line =
            component.first("DTSTART") ?? (component.name == "VTODO" ? component.first("DUE") : nil)
        guard let line, let moment = CalendarMoment(line) else { return nil }
        self.init(start: time(moment))
        (rules, problems) = Self.rules(component.all("RRULE"))
        let (exclusions, unread) = Self.rules(component.all("EXRULE"))
        (exclusionRules, problems) = (exclusions, problems + unread)
        var room = CalendarMoment.listLimit
        for line in component.all("EXDATE") {
            excluded += Self.times(line, in: local, time, &room).map(\.start)
        }
        if room < 0 { problems.append(RecurrenceError(.tooManyTimes, part: "EXDATE")) }
        room = CalendarMoment.listLimit
        for line in component.all("RDATE") {
            for (start, end) in Self.times(line, in: local, time, &room) {
                added.append(start)
                if let end { addedEnds[start] = end }
            }
        }
        if room < 0 { problems.append(RecurrenceError(.tooManyTimes, part: "RDATE")) }
    }

    /// The rules of a component that cannot be followed, even if it has no start.
    package static func ruleProblems(_ component: Component) -> [RecurrenceError] {
        rules(component.all("RRULE")).problems + rules(component.all("EXRULE")).problems
    }

    private static func rules(
        _ lines: [ContentLine]
    ) -> (rules: [RecurrenceRule], problems: [RecurrenceError]) {
        var (rules, problems): ([RecurrenceRule], [RecurrenceError]) = ([], [])
        if lines.count > ruleLimit { problems.append(RecurrenceError(.tooManyRules)) }
        for line in lines.prefix(ruleLimit) {
            guard line.content.count <= ruleBytes else {
                problems.append(RecurrenceError(.tooLong))
                continue
            }
            do throws(RecurrenceError) {
                // Accepted from a user; in a file it is a mistake that no other
                // program accepts.
                if line.value.prefix(6).uppercased() == "RRULE:" {
                    throw RecurrenceError(.invalidRule, part: String(line.value.prefix(40)))
                }
                rules.append(try RecurrenceRule(parsing: line.value))
            } catch {
                problems.append(error)
            }
        }
        return (rules, problems)
    }

    /// The values of an RDATE or EXDATE line; invalid times are skipped, as
    /// every program does. VALUE is not trusted: the form of a value determines
    /// its type.
    private static func times(
        _ line: ContentLine, in local: LocalTime, _ time: (CalendarMoment) -> ItemTime,
        _ room: inout Int
    ) -> [(start: ItemTime, end: ItemTime?)] {
        if room < 0 { return [] }
        let zone = line.parameter("TZID")
        func read(_ text: Substring) -> ItemTime? {
            CalendarMoment(value: String(text), zone: zone).map(time)
        }
        // No value is longer than a period of two times.
        let values = line.value(upTo: 64 * (room + 1)).split(separator: ",", maxSplits: room)
        defer { room -= values.count }
        return values.prefix(room).compactMap { value in
            let parts = value.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let start = read(first) else { return nil }
            guard parts.count == 2 else { return (start, nil) }
            let end =
                CalendarDuration(String(parts[1])).map { $0.added(to: start, in: local) }
                ?? read(parts[1])
            return (start, end)
        }
    }
}
