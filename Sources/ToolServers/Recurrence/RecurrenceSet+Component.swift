import AgentCore

/// Reading a `RecurrenceSet` from the lines of a VEVENT or VTODO.
extension RecurrenceSet {
    /// nil for a component without a readable DTSTART (or, of a VTODO, DUE).
    /// A rule that cannot be read is left out and stands in `problems`.
    package init?(component: Component, resolver: ZoneResolver) {
        let line =
            component.first("DTSTART") ?? (component.name == "VTODO" ? component.first("DUE") : nil)
        guard let line, let moment = CalendarMoment(line) else { return nil }
        self.init(start: resolver.time(moment).time)
        (rules, problems) = Self.rules(component.all("RRULE"))
        let (exclusions, unread) = Self.rules(component.all("EXRULE"))
        (exclusionRules, problems) = (exclusions, problems + unread)
        for line in component.all("EXDATE") {
            excluded += Self.times(line, resolver).map(\.start)
        }
        for line in component.all("RDATE") {
            for (start, end) in Self.times(line, resolver) {
                added.append(start)
                if let end { addedEnds[start] = end }
            }
        }
    }

    private static func rules(
        _ lines: [ContentLine]
    ) -> (rules: [RecurrenceRule], problems: [RecurrenceError]) {
        var (rules, problems): ([RecurrenceRule], [RecurrenceError]) = ([], [])
        for line in lines {
            do throws(RecurrenceError) {
                rules.append(try RecurrenceRule(parsing: line.value))
            } catch {
                problems.append(error)
            }
        }
        return (rules, problems)
    }

    /// The values of an RDATE or EXDATE line; those that are no time are
    /// passed over, as every program does. VALUE is not trusted: the form of a
    /// value says what it is.
    private static func times(
        _ line: ContentLine, _ resolver: ZoneResolver
    ) -> [(start: ItemTime, end: ItemTime?)] {
        let zone = line.parameter("TZID")
        let read = { (text: Substring) -> ItemTime? in
            let text = text.drop { $0 == " " }
            return CalendarMoment(value: String(text), zone: zone).map { resolver.time($0).time }
        }
        return line.value.split(separator: ",").compactMap { value in
            let parts = value.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let start = read(first) else { return nil }
            guard parts.count == 2 else { return (start, nil) }
            let end =
                CalendarDuration(String(parts[1])).map { $0.added(to: start, in: resolver.local) }
                ?? read(parts[1])
            return (start, end)
        }
    }
}
