import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// A month as on a wall calendar: weeks with their numbers, today marked, a dot for each event of a
/// day, and a list of the events beside it, or below if there are many or the terminal is narrow.
/// Pure; laid out for a given width.
package struct MonthView: Sendable {
    private let text: ItemText
    private let width: Int
    private let colors: CalendarColors
    private let firstWeekday: RecurrenceRule.Weekday
    private let first: CivilDate
    private let last: CivilDate

    private static let cellWidth = 5
    private static let gridWidth = 3 + 7 * cellWidth
    private static let gap = "   "
    /// Maximum number of lines beside the weeks; a longer list is below, where titles have room.
    private static let besideLimit = 14

    /// `day` is any day of the month.
    package init(
        of day: CivilDate, text: ItemText, width: Int, firstWeekday: RecurrenceRule.Weekday,
        colors: CalendarColors = CalendarColors()
    ) {
        self.text = text
        self.width = max(Self.gridWidth, width)
        self.firstWeekday = firstWeekday
        self.colors = colors
        first = day.adding(days: 1 - day.day)
        last = first.adding(days: CivilDate.days(inMonth: day.month, of: day.year) - 1)
    }

    package var days: ClosedRange<CivilDate> { first...last }

    package func lines(_ events: [Event]) -> [StyledLine] {
        let grid = grid(events)
        let room = width - Self.gridWidth - Self.gap.count
        let rows = list(events, width: room >= 30 ? room : width)
        if rows.isEmpty {
            return grid + [StyledLine("")]
                + [StyledLine("No events in \(CivilDate.longMonthNames[first.month - 1]).", .dim)]
        }
        guard room >= 30, rows.count <= Self.besideLimit else {
            return grid + [StyledLine("")] + list(events, width: width)
        }
        // The list begins beside the first week, under the two headings.
        let right = [StyledLine(""), StyledLine("")] + rows
        return (0..<max(grid.count, right.count)).map { index in
            let left = index < grid.count ? grid[index] : StyledLine("")
            guard index < right.count, !right[index].text.isEmpty else { return left }
            let padding = Self.gridWidth - DisplayWidth.of(left.text)
            return StyledLine(
                left.spans + [.init(String(repeating: " ", count: padding) + Self.gap)]
                    + right[index].spans)
        }
    }

    // MARK: - Weeks

    private func grid(_ events: [Event]) -> [StyledLine] {
        let title = "\(CivilDate.longMonthNames[first.month - 1]) \(first.year)"
        let indent = (Self.gridWidth - title.count) / 2
        let names = (0..<7).map {
            CivilDate.weekdayNames[(firstWeekday.rawValue + $0) % 7].prefix(2)
        }
        var lines = [
            StyledLine(String(repeating: " ", count: indent) + title, .bold),
            StyledLine.trimmed([.init("   " + names.map { " \($0)  " }.joined(), .dim)]),
        ]
        let marks = marks(events)
        let offset = (first.weekday - firstWeekday.rawValue + 7) % 7
        var start = first.adding(days: -offset)
        while start <= last {
            // ISO 8601: the week has the number of its Thursday.
            let thursday = (0..<7).map { start.adding(days: $0) }.first { $0.weekday == 4 }
            let number = String(Self.weekNumber(thursday ?? start))
            var spans: [StyledLine.Span] = [
                .init(String(repeating: " ", count: 2 - number.count) + number + " ", .dim)
            ]
            for day in (0..<7).map({ start.adding(days: $0) }) {
                spans += cell(day, marks[day.dayNumber] ?? [])
            }
            lines.append(StyledLine.trimmed(spans))
            start = start.adding(days: 7)
        }
        return lines
    }

    private func cell(_ day: CivilDate, _ styles: [StyledLine.Style]) -> [StyledLine.Span] {
        guard days.contains(day) else {
            return [.init(String(repeating: " ", count: Self.cellWidth))]
        }
        let isPast = day < text.today
        let numberStyle: StyledLine.Style =
            day == text.today ? .accent : isPast ? .dim : styles.isEmpty ? .plain : .bold
        // Visible without colours too.
        let sign = day == text.today ? "›" : " "
        let number = (day.day < 10 ? " " : "") + sign + String(day.day)
        var spans: [StyledLine.Span] = [.init(number, numberStyle)]
        switch styles.count {
        case 0: spans.append(.init("  "))
        case 1: spans += [.init("•", styles[0]), .init(" ")]
        case 2: spans += [.init("•", styles[0]), .init("•", styles[1])]
        case 3...9: spans += [.init("•", styles[0]), .init(String(styles.count), .dim)]
        default: spans += [.init("•", styles[0]), .init("+", .dim)]
        }
        return spans
    }

    /// The colours of the events of each day, by day number.
    private func marks(_ events: [Event]) -> [Int: [StyledLine.Style]] {
        var marks: [Int: [StyledLine.Style]] = [:]
        for event in events {
            let own = event.days(in: text.local).clamped(to: days)
            guard event.days(in: text.local).overlaps(days) else { continue }
            let style = colors.style(of: event.folder)
            for number in own.lowerBound.dayNumber...own.upperBound.dayNumber {
                marks[number, default: []].append(style)
            }
        }
        return marks
    }

    static func weekNumber(_ day: CivilDate) -> Int {
        // The Thursday of the same ISO week decides the year (ISO 8601 §2.2.10).
        let thursday = day.adding(days: 4 - (day.weekday == 0 ? 7 : day.weekday))
        let newYear = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
        return (thursday.dayNumber - newYear.dayNumber) / 7 + 1
    }

    // MARK: - List

    private struct Row {
        var day: String
        var time: String
        var title: String
        var details: String
        var style: StyledLine.Style
        var isOver: Bool
        var isToday: Bool
    }

    /// An event that occurs more often is one line, at its first occurrence.
    private static let oftenLimit = 3

    private func list(_ events: [Event], width: Int) -> [StyledLine] {
        var counts: [String: Int] = [:]
        let ids = ItemIDs(events)
        for event in events { counts[ids.full(event), default: 0] += 1 }
        var seen: Set<String> = []
        let rows = events.compactMap { event -> Row? in
            let id = ids.full(event)
            let count = counts[id] ?? 1
            if count > Self.oftenLimit, !seen.insert(id).inserted { return nil }
            return row(event, count: count > Self.oftenLimit ? count : 1)
        }
        let timeWidth = rows.map { DisplayWidth.of($0.time) }.max() ?? 0
        var lastDay = ""
        return rows.map { row in
            let day = row.day == lastDay ? "" : row.day
            lastDay = row.day
            let left = width - 7 - timeWidth - (timeWidth > 0 ? 1 : 0) - 2
            let title = DisplayWidth.cut(row.title, to: left)
            let details = DisplayWidth.cut(row.details, to: left - DisplayWidth.of(title))
            let style: StyledLine.Style = row.isOver ? .dim : .plain
            return StyledLine.trimmed([
                .init(
                    DisplayWidth.pad(day, to: 7), row.isToday ? .accent : row.isOver ? .dim : .bold),
                .init(
                    DisplayWidth.pad(row.time, to: timeWidth) + (timeWidth > 0 ? " " : ""), style),
                .init("▎ ", row.isOver ? .dim : row.style),
                .init(title, style),
                .init(details, .dim),
            ])
        }
    }

    private func row(_ event: Event, count: Int) -> Row {
        let span = event.days(in: text.local)
        let day = max(span.lowerBound, first)
        var details: [String] = []
        if count > 1 { details.append("×\(count)") }
        if event.isAllDay, span.count > 1 {
            details.append(
                "to \(CivilDate.weekdayNames[span.upperBound.weekday]) \(span.upperBound.day)")
        }
        if let location = event.location { details.append(location) }
        let isOver = event.interval(in: text.local).upperBound <= text.now && count == 1
        let number = (day.day < 10 ? " " : "") + String(day.day)
        return Row(
            day: "\(CivilDate.weekdayNames[day.weekday]) \(number)",
            time: event.isAllDay ? "" : text.clock(event.start.instant(in: text.local)),
            title: event.name, details: event.marks + details.map { "  " + $0 }.joined(),
            style: colors.style(of: event.folder), isOver: isOver,
            isToday: day == text.today)
    }
}
