import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// The fields of a reminder that can be set when it is created or changed.
extension RemindersServer {
    typealias DraftField = ActField<PlannerDraft, RemindersServer>

    /// The longest alarm in minutes: ten years.
    private static let longestAlarm = 5_256_000

    static func draftFields(isNew: Bool) -> [DraftField] {
        let when = isNew ? "Day or time, if the user named one" : "Day or time"
        let all = isNew ? nil : "All of them"
        return [
            .init(
                "--due WHEN", "in words, or as 2026-11-22T09:00",
                model: .init("due_date", .string(description: when))
            ) { draft, value, server in
                let fields = server.fields
                draft.due = try value.change { text in
                    try value.isTyped ? fields.due(text) : fields.iso(text)
                }
                if !isNew, !value.isTyped, let due = draft.due?.value,
                    let problem = server.problem(ofMoveTo: due)
                {
                    throw value.refusal(problem)
                }
            },
            .repetition("recurrence"),
            isNew
                ? .alarm("alarm_minutes_before", "Before due_date", 0...longestAlarm)
                : .alarm("alarm_minutes_before", "-1 is no alert", -1...longestAlarm),
            .init(
                "--priority LEVEL", "high, medium, low or 1 to 9; 1 is the highest",
                .examples(["high", "medium", "low", "none"]),
                model: .init(
                    "priority",
                    isNew
                        ? .integer(description: "1 highest, 9 lowest", range: 1...9)
                        : .integer(description: "0 is none", range: 0...9))
            ) { draft, value, _ in draft.priority = try priority(value) },
            .list("--list L", "the list to put it in", .list, model: "list"),
            .init(
                "--tag T", "may be given several times", repeats: true,
                model: .init("tags", .array(of: .string(), description: all))
            ) { draft, value, _ in
                let kept = isNew ? draft.categories?.value ?? [] : []
                draft.categories = value.isNone ? .clear : .set(kept + value.texts)
            },
            .init(
                "--parent TITLE", "the reminder it is part of",
                model: .init("parent", .string(description: isNew ? "It is a part of this" : nil))
            ) { draft, value, server in
                draft.parent =
                    value.isNone ? .clear : .set(try await server.find(value.text, .any).uid)
            },
            .text(
                "--notes TEXT", "more about it", \.notes,
                model: .init("notes", .string(description: all))),
        ]
    }

    private static func priority(_ value: ActValue) throws -> ItemEdit.Change<Int> {
        if let number = value.number { return number == 0 ? .clear : .set(number) }
        if value.isNone { return .clear }
        switch value.text.lowercased() {
        case "high", "p1", "!!!": return .set(1)
        case "medium", "p2", "!!": return .set(5)
        case "low", "p3", "!": return .set(9)
        default:
            guard let priority = Int(value.text), (1...9).contains(priority) else {
                throw value.refusal(
                    "\"\(value.text)\" is not high, medium, low or a number from 1 to 9",
                    hint: "1 is the highest, 9 the lowest")
            }
            return .set(priority)
        }
    }

    // MARK: - What the model may not do in the guise of a change

    /// A reminder moved out of sight is as good as deleted.
    private func problem(ofMoveTo due: ItemTime) -> String? {
        if text.isPast(due) {
            return "is in the past; to finish the reminder use complete_reminder or delete_reminder"
        }
        return due.civilDate.year > text.today.year + 50 ? "is too far away" : nil
    }

    /// A series needs a future time.
    func problem(of rule: RecurrenceRule, from due: ItemTime) -> String? {
        let context = self.context()
        let set = RecurrenceSet(start: due, rules: [rule.bounded(like: due, in: context.local)])
        var isAlive = !words(context).isPast(due)
        // A rule that cannot be followed is refused like one that is over.
        if let next = try? set.next(after: context.now, in: context.local) {
            isAlive = next.instant(in: context.local) > context.now
        }
        if case .until(let moment) = rule.bound {
            let end = context.resolver().time(moment).time
            isAlive = isAlive && end.deadline(in: context.local) > context.now
        }
        return isAlive ? nil : "ends before it would ever remind the user"
    }
}
