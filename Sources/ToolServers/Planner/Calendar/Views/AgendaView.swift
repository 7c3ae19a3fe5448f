import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// Days as the user reads them: a heading for each, all-day events first, then
/// the hours in order with the free times between, the reminders due, and a
/// line for the current time. Pure; made for a width.
package struct AgendaView: Sendable {
    package struct Content: Sendable {
        package var events: [Event] = []
        package var tasks: [Reminder] = []
        package var days: ClosedRange<CivilDate>
    }

    private let text: ItemText
    private let width: Int
    private let colors: CalendarColors
    /// Shorter gaps are not useful time.
    private static let shortestGap = 30.0 * 60
    private static let timeWidth = 13
    /// Maximum number of names; more do not fit into a line.
    private static let namedConflicts = 5

    package init(text: ItemText, width: Int, colors: CalendarColors = CalendarColors()) {
        self.text = text
        self.width = width
        self.colors = colors
    }

    /// An empty day is left out, unless it is today or the only one.
    package func lines(_ content: Content) -> [StyledLine] {
        let byDay = byDay(content)
        // Empty days are skipped: a list may span years.
        var numbers = Set(byDay.keys)
        if content.days.contains(text.today) { numbers.insert(text.today.dayNumber) }
        if content.days.count == 1 { numbers.insert(content.days.lowerBound.dayNumber) }
        var lines: [StyledLine] = []
        for number in numbers.sorted() {
            let day = CivilDate(dayNumber: number)
            let entry = byDay[number] ?? Day()
            let rows = rows(of: day, entry.events, entry.tasks)
            if !lines.isEmpty { lines.append(StyledLine("")) }
            lines.append(
                StyledLine(day.heading(asOf: text.today), day == text.today ? .accent : .bold))
            lines += rows.isEmpty ? [StyledLine("  nothing", .dim)] : rows
        }
        if lines.isEmpty {
            let days = content.days
            lines = [
                StyledLine(
                    "Nothing from \(text.day(days.lowerBound)) to \(text.day(days.upperBound)).",
                    .dim)
            ]
        }
        return lines
    }

    // MARK: - One day

    private struct Day {
        var events: [Event] = []
        var tasks: [Reminder] = []
    }

    /// The contents of each day, by its number.
    private func byDay(_ content: Content) -> [Int: Day] {
        var byDay: [Int: Day] = [:]
        for event in content.events {
            let days = event.days(in: text.local)
            guard days.overlaps(content.days) else { continue }
            let shown = days.clamped(to: content.days)
            for number in shown.lowerBound.dayNumber...shown.upperBound.dayNumber {
                byDay[number, default: Day()].events.append(event)
            }
        }
        for task in content.tasks {
            if let day = task.due?.day(in: text.local), content.days.contains(day) {
                byDay[day.dayNumber, default: Day()].tasks.append(task)
            }
        }
        return byDay
    }

    private func rows(
        of day: CivilDate, _ events: [Event], _ tasks: [Reminder]
    ) -> [StyledLine] {
        var lines = events.filter(\.isAllDay).map { row($0, on: day, clashes: []) }
        lines += tasks.filter { $0.due?.isDate == true }.map { self.row($0, clock: "") }
        let timed = events.filter { !$0.isAllDay }
        let conflicts = FreeTime.conflicts(
            among: timed, limit: Self.namedConflicts, in: text.local)
        var items = timed.indices.map { Item(.event($0), timed[$0].start, text.local) }
        items += tasks.compactMap { task in
            task.due.flatMap { $0.isDate ? nil : Item(.task(task), $0, text.local) }
        }
        items.sort { $0.instant < $1.instant }
        var busyUntil: Date?
        var nowIsDue = day == text.today && !items.isEmpty
        for item in items {
            let at = item.instant
            if nowIsDue, at > text.now {
                lines.append(nowLine())
                nowIsDue = false
            }
            switch item.kind {
            case .task(let task): lines.append(row(task, clock: text.clock(at)))
            case .event(let place):
                let event = timed[place]
                if let gap = gap(from: busyUntil, to: at, on: day) { lines.append(gap) }
                lines.append(row(event, on: day, clashes: conflicts[place].map { timed[$0] }))
                if event.isBusy {
                    let end = event.interval(in: text.local).upperBound
                    busyUntil = max(busyUntil ?? end, end)
                }
            }
        }
        if nowIsDue, items.contains(where: { $0.isEvent }) { lines.append(nowLine()) }
        return lines
    }

    /// An item with a line of its own, and its time.
    private struct Item {
        enum Kind {
            /// The event by its index among the day's events.
            case event(Int)
            case task(Reminder)
        }

        let kind: Kind
        let instant: Date

        init(_ kind: Kind, _ time: ItemTime, _ local: LocalTime) {
            self.kind = kind
            instant = time.instant(in: local)
        }

        var isEvent: Bool { if case .event = kind { true } else { false } }
    }

    private func gap(from busyUntil: Date?, to next: Date, on day: CivilDate) -> StyledLine? {
        guard let busyUntil, text.local.civil(at: busyUntil).date == day else { return nil }
        // The free time of today begins now.
        let from = max(busyUntil, min(text.now, next))
        let length = next.timeIntervalSince(from)
        guard length >= Self.shortestGap else { return nil }
        return StyledLine(
            "  " + String(repeating: " ", count: Self.timeWidth)
                + "free \(ItemText.length(Int(length)))", .dim)
    }

    private func nowLine() -> StyledLine {
        let label = "  ── \(text.clock(text.now)) now "
        let rest = min(width, 60) - DisplayWidth.of(label)
        return StyledLine(label + String(repeating: "─", count: max(3, rest)), .accent)
    }

    private func row(_ task: Reminder, clock: String) -> StyledLine {
        let marks = ItemText.marks(
            repeats: task.isRecurring, rings: task.alarms.contains { !$0.isSeen })
        let room = width - 2 - Self.timeWidth - 2 - DisplayWidth.of(marks)
        return StyledLine(
            [
                .init("  " + DisplayWidth.pad(clock, to: Self.timeWidth), .dim),
                .init("☐ " + DisplayWidth.cut(task.name, to: room)),
            ] + (marks.isEmpty ? [] : [.init(marks, .dim)]))
    }

    private func row(_ event: Event, on day: CivilDate, clashes: [Event]) -> StyledLine {
        let isOver =
            !event.isAllDay && event.interval(in: text.local).upperBound <= text.now
            && event.start.instant(in: text.local) < text.now
        let time = time(of: event, on: day)
        var details: [StyledLine.Span] = []
        func detail(_ words: String, _ style: StyledLine.Style = .dim) {
            details.append(.init("  " + words, style))
        }
        if !clashes.isEmpty, !isOver {
            detail("overlaps \(clashes.map(\.name).joined(separator: ", "))", .warning)
        }
        if !event.isAllDay {
            let own = event.interval(in: text.local)
            if !own.isEmpty {
                detail(ItemText.length(Int(own.upperBound.timeIntervalSince(own.lowerBound))))
            }
        }
        if event.repeatsTooOften { detail("repeats too often to list", .warning) }
        if event.status == .tentative { detail("not sure") }
        if let location = event.location { detail(location) }
        if let clock = text.ownClock(event) { detail(clock) }
        let room = width - 4 - Self.timeWidth - DisplayWidth.of(event.marks)
        let title = DisplayWidth.cut(event.name, to: room)
        var spans: [StyledLine.Span] = [
            .init("  " + DisplayWidth.pad(time, to: Self.timeWidth), isOver ? .dim : .plain),
            .init("▎ ", isOver ? .dim : colors.style(of: event.folder)),
            .init(title, isOver ? .dim : .plain),
        ]
        if !event.marks.isEmpty { spans.append(.init(event.marks, .dim)) }
        var left = room - DisplayWidth.of(title)
        for detail in details {
            guard left > 6 else { break }
            let words = DisplayWidth.cut(detail.text, to: left)
            spans.append(.init(words, detail.style))
            left -= DisplayWidth.of(words)
        }
        return StyledLine(spans)
    }

    /// `09:00–10:30`; with an arrow if it comes from the day before or
    /// continues on the day after.
    private func time(of event: Event, on day: CivilDate) -> String {
        let days = event.days(in: text.local)
        if event.isAllDay {
            return days.count == 1
                ? "all day"
                : "day \(day.dayNumber - days.lowerBound.dayNumber + 1) of \(days.count)"
        }
        let own = event.interval(in: text.local)
        if own.isEmpty { return text.clock(own.lowerBound) }
        let (start, end) = (text.clock(own.lowerBound), text.clock(own.upperBound))
        switch (days.lowerBound == day, days.upperBound == day) {
        case (true, true): return "\(start)–\(end)"
        case (true, false): return "\(start) →"
        case (false, true): return "→ \(end)"
        case (false, false): return "→ all day →"
        }
    }
}
