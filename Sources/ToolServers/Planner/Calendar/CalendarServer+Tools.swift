import AgentCore
import Base

/// The tools of the calendar as the model sees them.
extension CalendarServer {
    private static let when =
        """
        ISO 8601: 2026-11-22 for a whole day, 2026-11-22T09:00 for the user's local time, or \
        with an offset such as 2026-11-22T09:00:00+01:00
        """
    private static let reference =
        "The title, a part of it that only one event has, or the id from a list"
    private static let scope =
        """
        Needed if the event repeats: this (the occurrence on date), following (it and all \
        later ones) or all. Ask the user when it is not clear
        """
    private static let date =
        "For an event that repeats: the day of the occurrence that is meant, 2026-11-22"
    private static let occurrence: [JSONSchema.Property] = [
        .init("event", .string(description: reference), isRequired: true),
        .init("date", .string(description: date)),
        .init(
            "scope", .string(description: scope, choices: EventScope.allCases.map(\.rawValue))),
    ]
    private static let lastDay = "For a timed event a time; for whole days the last day"
    private static let rule =
        "RRULE of RFC 5545, for example FREQ=WEEKLY;BYDAY=MO,WE; only if it repeats"

    static let tools = [
        Tool(
            name: "create_event", title: "Create an event",
            description: """
                Creates one event in the user's calendar and names the events it overlaps. \
                It invites no one.
                """,
            inputSchema: .object([
                .init("title", .string(description: "What it is"), isRequired: true),
                .init("start", .string(description: when), isRequired: true),
                .init("end", .string(description: lastDay + "; without it an hour, or one day")),
                .init("all_day", .boolean(description: "Only the days of start and end count")),
                .init("location", .string(description: "Where, only if the user said so")),
                .init("notes", .string(description: "Details, only if the user gave some")),
                .init("calendar", .string(description: "Name of a calendar, only if the user did")),
                .init("repeat", .string(description: rule)),
                .init(
                    "alarm_minutes",
                    .integer(
                        description: "Alert so many minutes before, only if the user said so; "
                            + "-1 for none at all",
                        range: -1...40_320)),
            ]), toolClass: .write, isAddition: true),
        Tool(
            name: "list_events", title: "List events",
            description: """
                Lists the events of a span of days, one JSON object in each line, in order; \
                repeating events are there once for each time they take place.
                """,
            inputSchema: .object([
                .init("from", .string(description: "First day, 2026-11-22"), isRequired: true),
                .init("to", .string(description: "Last day; without it only the first")),
                .init("calendar", .string(description: "Only this calendar")),
            ]), toolClass: .read),
        Tool(
            name: "edit_event", title: "Change an event",
            description: """
                Changes one event; what is not given stays. A new start moves the end with it.
                """,
            inputSchema: .object(
                occurrence + [
                    .init("title", .string(description: "New title")),
                    .init("start", .string(description: when)),
                    .init("end", .string(description: lastDay)),
                    .init("all_day", .boolean(description: "Make it one of whole days")),
                    .init("location", .string(description: "New place; empty takes it away")),
                    .init("notes", .string(description: "New notes; empty takes them away")),
                    .init("calendar", .string(description: "Move it to that calendar")),
                    .init("repeat", .string(description: rule + "; none ends the repetition")),
                    .init(
                        "alarm_minutes",
                        .integer(
                            description: "Alert so many minutes before; -1 for none",
                            range: -1...40_320)),
                ]), toolClass: .write),
        Tool(
            name: "delete_event", title: "Delete an event",
            description: "Moves one event to the trash, or takes out what scope says.",
            inputSchema: .object(occurrence), toolClass: .destroy),
        Tool(
            name: "search_events", title: "Search events",
            description: """
                Finds events, past and to come, by words in their title, place, notes or \
                categories.
                """,
            inputSchema: .object([
                .init("query", .string(description: "The words to look for"), isRequired: true)
            ]), toolClass: .read),
        Tool(
            name: "find_free_time", title: "Find free time",
            description: "Lists the times in which the user has no event.",
            inputSchema: .object([
                .init("from", .string(description: "First day, 2026-11-22"), isRequired: true),
                .init("to", .string(description: "Last day; without it only the first")),
                .init(
                    "duration_minutes",
                    .integer(description: "At least that long; default 30", range: 1...1440)),
                .init(
                    "between", .string(description: "Hours of the day; default 9:00-17:00")),
            ]), toolClass: .read),
    ]
}
