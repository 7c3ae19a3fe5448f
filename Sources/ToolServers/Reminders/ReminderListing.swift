import AgentCore
import FoundationEssentials

/// The list a person sees: reminders by when they are due, columns aligned.
///
/// What is in it is chosen by the caller; colours and width are the
/// terminal's.
package struct ReminderListing: Sendable {
    package enum Group: String, Sendable, CaseIterable {
        case overdue = "Overdue"
        case today = "Today"
        case tomorrow = "Tomorrow"
        /// The five days after tomorrow.
        case thisWeek = "This week"
        case later = "Later"
        case none = "No date"
        case done = "Done"
    }

    private let text: ReminderText
    private let groups: [(group: Group, reminders: [Reminder])]
    private let ids: [String: String]

    package init(_ reminders: [Reminder], text: ReminderText, ids: [String: String]) {
        self.text = text
        self.ids = ids
        var byGroup: [Group: [Reminder]] = [:]
        for reminder in reminders {
            byGroup[Self.group(of: reminder, text: text), default: []].append(reminder)
        }
        groups = Group.allCases.compactMap { group in
            byGroup[group].map { (group, Self.sorted($0, group: group, local: text.local)) }
        }
    }

    package static func group(of reminder: Reminder, text: ReminderText) -> Group {
        if reminder.completed { return .done }
        guard let due = reminder.due else { return .none }
        if text.isPast(due) { return .overdue }
        let today = text.local.civil(at: text.now).date.dayNumber
        switch due.day(in: text.local).dayNumber - today {
        case ...0: return .today
        case 1: return .tomorrow
        case 2...6: return .thisWeek
        default: return .later
        }
    }

    /// In the order of the list.
    package var reminders: [Reminder] { groups.flatMap(\.reminders) }

    package var lines: [StyledLine] {
        let cells = groups.map { $0.reminders.map { (id: id($0), due: dueText($0)) } }
        let titleWidth = groups.lazy.flatMap(\.reminders).map { Self.width($0.title) }.max() ?? 0
        let widths = Widths(
            id: cells.joined().map { Self.width($0.id) }.max() ?? 0, title: min(48, titleWidth),
            due: cells.joined().map { Self.width($0.due) }.max() ?? 0)
        var lines: [StyledLine] = []
        for (entry, cells) in zip(groups, cells) {
            if !lines.isEmpty { lines.append(StyledLine("")) }
            lines.append(
                StyledLine(entry.group.rawValue, entry.group == .overdue ? .failure : .bold))
            for (reminder, cell) in zip(entry.reminders, cells) {
                lines.append(
                    line(reminder, id: cell.id, due: cell.due, group: entry.group, widths: widths))
            }
        }
        return lines
    }

    /// Of the columns.
    private struct Widths {
        var id: Int
        var title: Int
        var due: Int
    }

    private func line(
        _ reminder: Reminder, id: String, due: String, group: Group, widths: Widths
    ) -> StyledLine {
        let style: StyledLine.Style =
            switch group {
            case .overdue: .failure
            case .done: .dim
            default: .plain
            }
        var spans: [StyledLine.Span] = [
            .init("  " + Self.padded(id, to: widths.id) + "  ", .dim),
            .init(Self.padded(reminder.title, to: widths.title), style),
            .init("  " + Self.padded(due, to: widths.due), style),
        ]
        var details: [String] = []
        if !reminder.completed, let hint = reminder.due.flatMap(text.hint) { details.append(hint) }
        if let priority = reminder.priority { details.append("!\(priority)") }
        if reminder.recurrence != nil { details.append("repeats") }
        details += reminder.categories.map { "#\($0)" }
        if reminder.list != ReminderStore.defaultList { details.append("@\(reminder.list)") }
        if !details.isEmpty { spans.append(.init("  " + details.joined(separator: " · "), .dim)) }
        // Nothing pads the end of a line.
        while var last = spans.popLast() {
            while last.text.last == " " { last.text.removeLast() }
            if last.text.isEmpty { continue }
            spans.append(last)
            break
        }
        return StyledLine(spans)
    }

    private func id(_ reminder: Reminder) -> String { ids[reminder.uid] ?? reminder.uid }

    /// The date is in the heading for today and tomorrow, but the column stays
    /// readable by itself.
    private func dueText(_ reminder: Reminder) -> String {
        if reminder.completed, let done = reminder.completedAt {
            return text.due(.instant(done))
        }
        return reminder.due.map(text.due) ?? ""
    }

    /// Sorts numbers of places: a reminder is a dozen strings to move.
    private static func sorted(
        _ reminders: [Reminder], group: Group, local: LocalTime
    ) -> [Reminder] {
        let times = reminders.map { reminder in
            group == .done
                ? -(reminder.completedAt?.timeIntervalSince1970 ?? 0)
                : reminder.due?.end(in: local).timeIntervalSince1970 ?? 0
        }
        return reminders.indices.sorted { first, second in
            if times[first] != times[second] { return times[first] < times[second] }
            let (left, right) = (reminders[first], reminders[second])
            return (left.priority ?? 10, left.title, left.uid)
                < (right.priority ?? 10, right.title, right.uid)
        }.map { reminders[$0] }
    }

    /// Columns as a terminal counts them: East Asian wide characters and
    /// emoji take two.
    private static func width(_ text: String) -> Int {
        // No letter needs to be looked at where each is one byte and one wide.
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.reduce(0) { total, character in
            guard let scalar = character.unicodeScalars.first else { return total }
            switch scalar.value {
            case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
                0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
                0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
                return total + 2
            default: return total + 1
            }
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - self.width(text)))
    }
}
