import Base
import CalendarFiles
import FoundationEssentials
import ICalendar

/// The list a user sees: reminders by due time, columns aligned, parts below
/// their parents.
///
/// The caller chooses the contents; colours and width are the terminal's.
package struct ReminderListing: Sendable {
    package enum Group: Hashable, Sendable {
        case overdue, today, tomorrow
        /// One of the five days after tomorrow, by its distance.
        case day(Int)
        case later, undated, done
    }

    /// A reminder, by its index in `all`, and its nesting depth.
    private struct Row {
        var index: Int
        var depth: Int
    }

    private let all: [Reminder]
    private let text: ItemText
    private let groups: [(group: Group, rows: [Row])]
    private let ids: ItemIDs

    package init(_ reminders: [Reminder], text: ItemText, ids: ItemIDs) {
        all = reminders
        self.text = text
        self.ids = ids
        var byGroup: [Group: [(key: Key, rows: [Row])]] = [:]
        for tree in Self.trees(reminders, text: text) {
            byGroup[tree.group, default: []].append((tree.key, tree.rows))
        }
        groups = byGroup.keys.sorted { Self.place($0) < Self.place($1) }.map { group in
            let trees = (byGroup[group] ?? []).sorted { $0.key < $1.key }
            return (group, trees.flatMap(\.rows))
        }
    }

    package static func group(of reminder: Reminder, text: ItemText) -> Group {
        if reminder.completed { return .done }
        guard let due = reminder.due else { return .undated }
        if text.isPast(due) { return .overdue }
        switch due.day(in: text.local).dayNumber - text.today.dayNumber {
        case ...0: return .today
        case 1: return .tomorrow
        case let days where days <= 6: return .day(days)
        default: return .later
        }
    }

    private static func place(_ group: Group) -> Int {
        switch group {
        case .overdue: 0
        case .today: 1
        case .tomorrow: 2
        case .day(let days): 2 + days
        case .later: 10
        case .undated: 11
        case .done: 12
        }
    }

    private func heading(_ group: Group) -> String {
        switch group {
        case .overdue: "Overdue"
        case .today: text.today.heading(asOf: text.today)
        case .tomorrow: text.today.adding(days: 1).heading(asOf: text.today)
        case .day(let days): text.day(text.today.adding(days: days))
        case .later: "Later"
        case .undated: "No date"
        case .done: "Done"
        }
    }

    /// The reminders in the order of the list.
    package var reminders: [Reminder] { groups.flatMap { $0.rows.map { all[$0.index] } } }

    // MARK: - Trees

    /// The sort key within a group.
    private struct Key: Comparable {
        var time: Double
        var priority: Int
        var title: String
        var uid: String

        static func < (left: Key, right: Key) -> Bool {
            (left.time, left.priority, left.title, left.uid)
                < (right.time, right.priority, right.title, right.uid)
        }
    }

    private struct Tree {
        var group: Group
        var key: Key
        var rows: [Row]
    }

    /// Each reminder without a parent here, with its parts below. A part that
    /// is due before its parent moves it into the part's group.
    private static func trees(_ reminders: [Reminder], text: ItemText) -> [Tree] {
        guard reminders.contains(where: { $0.parent != nil }) else {
            return reminders.indices.map { tree($0, of: reminders, parts: [:], text: text) }
        }
        let wholes = Dictionary(grouping: reminders.indices) { reminders[$0].uid }
        var parts: [Int: [Int]] = [:]
        var roots: [Int] = []
        for (index, reminder) in reminders.enumerated() {
            if let parent = reminder.parent, parent != reminder.uid, let all = wholes[parent] {
                // If several have that UID, the one in its own list.
                let whole = all.first { reminders[$0].folder == reminder.folder } ?? all[0]
                parts[whole, default: []].append(index)
            } else {
                roots.append(index)
            }
        }
        var trees = roots.map { tree($0, of: reminders, parts: parts, text: text) }
        let shown = Set(trees.flatMap { $0.rows.map(\.index) })
        // Files from elsewhere may declare two reminders parts of each other.
        trees += reminders.indices.filter { !shown.contains($0) }.map {
            tree($0, of: reminders, parts: [:], text: text)
        }
        return trees
    }

    /// Maximum depth of indentation; deeper parts are indented like these.
    private static let deepest = 6

    private static func tree(
        _ index: Int, of reminders: [Reminder], parts: [Int: [Int]], depth: Int = 0,
        text: ItemText
    ) -> Tree {
        let reminder = reminders[index]
        var result = Tree(
            group: group(of: reminder, text: text), key: key(reminder, text.local),
            rows: [Row(index: index, depth: depth)])
        guard depth < deepest, let own = parts[index] else { return result }
        let inner = own.map {
            tree($0, of: reminders, parts: parts, depth: depth + 1, text: text)
        }.sorted { $0.key < $1.key }
        for part in inner {
            result.rows += part.rows
            guard place(part.group) < place(result.group) else { continue }
            result.group = part.group
            result.key.time = part.key.time
        }
        return result
    }

    private static func key(_ reminder: Reminder, _ local: LocalTime) -> Key {
        let time =
            reminder.completed
            ? -(reminder.completedAt?.timeIntervalSince1970 ?? 0)
            : reminder.due?.deadline(in: local).timeIntervalSince1970 ?? 0
        return Key(
            time: time, priority: reminder.priority ?? 10, title: reminder.title,
            uid: reminder.uid)
    }

    // MARK: - Lines

    /// The columns of one line.
    private struct Cells {
        var id: String
        var title: String
        var due: String
        var hint: String
    }

    /// Maximum width of titles; a wider one pushes out its own line only.
    private static let titleLimit = 48

    package var lines: [StyledLine] {
        var widths = (id: 0, title: 0, due: 0, hint: 0)
        let cells = groups.map { entry in
            entry.rows.map { row in
                let cells = self.cells(row, in: entry.group)
                widths.id = max(widths.id, DisplayWidth.of(cells.id))
                let title = min(Self.titleLimit, DisplayWidth.of(cells.title))
                widths.title = max(widths.title, title)
                widths.due = max(widths.due, DisplayWidth.of(cells.due))
                widths.hint = max(widths.hint, DisplayWidth.of(cells.hint))
                return cells
            }
        }
        var lines: [StyledLine] = []
        for (entry, cells) in zip(groups, cells) {
            if !lines.isEmpty { lines.append(StyledLine("")) }
            lines.append(
                StyledLine(heading(entry.group), entry.group == .overdue ? .failure : .bold))
            for (row, cell) in zip(entry.rows, cells) {
                let reminder = all[row.index]
                let style = style(of: reminder)
                var spans: [StyledLine.Span] = [
                    .init("  " + DisplayWidth.pad(cell.id, to: widths.id) + "  ", .dim),
                    .init(DisplayWidth.pad(cell.title, to: widths.title), style),
                    .init("  " + DisplayWidth.pad(cell.due, to: widths.due), style),
                    .init(
                        "  " + DisplayWidth.pad(cell.hint, to: widths.hint),
                        style == .plain ? .dim : style),
                ]
                let marks = self.marks(reminder)
                if !marks.isEmpty { spans.append(.init("  " + marks, .dim)) }
                lines.append(StyledLine.trimmed(spans))
            }
        }
        return lines
    }

    private func style(of reminder: Reminder) -> StyledLine.Style {
        if reminder.completed { return .dim }
        return reminder.due.map(text.isPast) == true ? .failure : .plain
    }

    private func cells(_ row: Row, in group: Group) -> Cells {
        let reminder = all[row.index]
        let indent = row.depth == 0 ? "" : String(repeating: "  ", count: row.depth - 1) + "└ "
        var cells = Cells(
            id: ids[reminder], title: indent + reminder.name,
            due: "", hint: "")
        if reminder.completed {
            cells.due = reminder.completedAt.map { text.time(ItemTime($0, in: text.local)) } ?? ""
        } else if let due = reminder.due {
            cells.due = dueText(reminder, due, in: group)
            cells.hint = text.hint(due) ?? ""
            // The heading already contains it.
            if group == .tomorrow, cells.hint == "tomorrow" { cells.hint = "" }
        }
        return cells
    }

    /// The due time; under the heading of its own day only the clock time.
    private func dueText(_ reminder: Reminder, _ due: ItemTime, in group: Group) -> String {
        let full = text.time(due, isGuess: reminder.unknownZone != nil)
        guard Self.group(of: reminder, text: text) == group else { return full }
        switch group {
        case .today, .tomorrow, .day:
            return due.isDate ? "" : String(full.split(separator: " ").last ?? "")
        case .overdue, .later, .undated, .done: return full
        }
    }

    private func marks(_ reminder: Reminder) -> String {
        var marks: [String] = []
        if !reminder.completed {
            if let repetition = text.repetition(reminder) { marks.append(repetition) }
            if let alert = text.alert(reminder) { marks.append(alert) }
            if let zone = reminder.unknownZone { marks.append("unknown zone \(zone)") }
            if let percent = reminder.percent, percent > 0, percent < 100 {
                marks.append("\(percent) %")
            }
        }
        return (marks + text.marks(reminder)).joined(separator: " · ")
    }
}
