import AgentCore
import Base
import DateLanguage

/// The tools as the model sees them: names, schemas, classes.
///
/// What they do is `RemindersServer+Calls`.
enum ReminderTools {
    private static let reference: JSONSchema = .string(
        description: "The title, a part of it that only one reminder has, or the id from a list")
    private static let when =
        """
        ISO 8601: 2026-11-22 for a day, 2026-11-22T09:00 for the user's local time, or with an \
        offset such as 2026-11-22T09:00:00+01:00
        """
    private static let rule =
        "RFC 5545 RRULE such as FREQ=WEEKLY;INTERVAL=2;BYDAY=TU; the first time is due_date"
    /// Ten years, in minutes.
    static let longestAlarm = 5_256_000
    /// A year and a day, in minutes.
    static let longestSnooze = 527_040

    static let all = [
        Tool(
            name: "create_reminder", title: "Create a reminder",
            description: """
                Creates one reminder. With a time in due_date it alerts the user then. Give \
                due_date only when the user named a day or time.
                """,
            inputSchema: .object([
                .init("title", .string(description: "What to be reminded of"), isRequired: true),
                .init("due_date", .string(description: when)),
                .init("recurrence", .string(description: rule)),
                .init(
                    "alarm_minutes_before",
                    .integer(
                        description: "Only to alert earlier than at due_date",
                        range: 0...longestAlarm)),
                .init(
                    "priority",
                    .integer(description: "1 is the highest, 5 medium, 9 the lowest", range: 1...9)),
                .init("list", .string(description: "The list, only if the user named one")),
                .init("tags", .array(of: .string(), description: "Only if the user gave some")),
                .init(
                    "parent",
                    .string(description: "The title or id of the reminder that this is a part of")),
                .init("notes", .string(description: "Details, only if the user gave some")),
            ]), toolClass: .write, isAddition: true),
        Tool(
            name: "list_reminders", title: "List reminders",
            description: "Lists reminders, one JSON object in each line, by due date.",
            inputSchema: .object([
                .init(
                    "filter",
                    .string(
                        description: "Open ones if not given",
                        choices: ReminderFilter.Span.allCases.map(\.rawValue))),
                .init("list", .string(description: "Only those of this list")),
                .init("tag", .string(description: "Only those with this tag")),
            ]), toolClass: .read),
        Tool(
            name: "complete_reminder", title: "Complete a reminder",
            description: """
                Marks one open reminder as done. One that repeats moves on to its next time.
                """,
            inputSchema: .object([.init("title", reference, isRequired: true)]),
            toolClass: .write),
        Tool(
            name: "reopen_reminder", title: "Reopen a reminder",
            description: "Makes one completed reminder open again.",
            inputSchema: .object([.init("title", reference, isRequired: true)]),
            toolClass: .write),
        Tool(
            name: "edit_reminder", title: "Change a reminder",
            description: """
                Changes one reminder. Give only what is to be different; "none" clears a field.
                """,
            inputSchema: .object([
                .init("title", reference, isRequired: true),
                .init("new_title", .string(description: "What it is called from now on")),
                .init("due_date", .string(description: when + "; or none")),
                .init("recurrence", .string(description: rule + "; or none")),
                .init(
                    "alarm_minutes_before",
                    .integer(
                        description: "0 is at due_date, -1 is no alert", range: -1...longestAlarm)),
                .init(
                    "priority",
                    .integer(description: "1 is the highest, 9 the lowest, 0 none", range: 0...9)),
                .init("list", .string(description: "The list to move it to")),
                .init(
                    "tags",
                    .array(of: .string(), description: "All tags from now on; empty for none")),
                .init("parent", .string(description: "The reminder it is a part of; or none")),
                .init("notes", .string(description: "All of the notes from now on; or none")),
            ]), toolClass: .write),
        Tool(
            name: "snooze_reminder", title: "Snooze a reminder",
            description: """
                Alerts the user again later about one open reminder. Its due date stays; to change \
                that use edit_reminder. Give minutes or until.
                """,
            inputSchema: .object([
                .init("title", reference, isRequired: true),
                .init(
                    "minutes", .integer(description: "From now", range: 1...longestSnooze)),
                .init("until", .string(description: when)),
            ]), toolClass: .write),
        Tool(
            name: "delete_reminder", title: "Delete a reminder",
            description: "Moves one reminder to the trash. To mark it done use complete_reminder.",
            inputSchema: .object([.init("title", reference, isRequired: true)]),
            toolClass: .destroy),
        Tool(
            name: "search_reminders", title: "Search reminders",
            description: "Finds reminders, open or done, by words in their title, notes or tags.",
            inputSchema: .object([
                .init("query", .string(description: "The words to look for"), isRequired: true)
            ]), toolClass: .read),
    ]
}
