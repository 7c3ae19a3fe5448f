import AgentCore
import Base

/// The tools of the calendar as the model sees them.
extension CalendarServer {
    private static let when = "Day or time"
    private static let day = "Day"
    private static let occurrence: [JSONSchema.Property] = [
        .init(
            "event", .string(description: "Title, unique part of it, or id"),
            isRequired: true),
        .init("date", .string(description: "Of the occurrence, if it repeats")),
        .init(
            "scope",
            .string(
                description: "Needed if it repeats; ask if unclear",
                choices: EventScope.allCases.map(\.rawValue))),
    ]
    private static let lastDay = "Time, or last day"

    /// What a message says that speaks of the calendar.
    static let subject = """
        calendar* kalender* event* appointment* meeting* meet agenda* schedule* *termin* treffen* \
        besprechung* verabredung*
        """

    static let tools = [
        Tool(
            name: "create_event", title: "Create an event",
            description: "Creates one event and names those it overlaps. Invites no one.",
            inputSchema: .object([
                .init("title", .string(), isRequired: true),
                .init("start", .string(description: when), isRequired: true),
                .init("end", .string(description: lastDay)),
                .init("all_day", .boolean()),
                .init("location", .string()), .init("notes", .string()),
                .init("calendar", .string()),
                .init("repeat", .string(description: "RRULE")),
                .init("alarm_minutes", .integer(description: "-1 for none", range: -1...40_320)),
            ]), toolClass: .write, isAddition: true,
            cues: PlannerCues.times + """
                 meet* lunch dinner breakfast coffee birthday* anniversary holiday* vacation* trip \
                visit* block book from+to put+it mittagessen abendessen geburtstag* urlaub* reise \
                besuch* trag* eintragen vom+bis
                """),
        Tool(
            name: "list_events", title: "List events",
            description: "Lists the events of a span of days in order.",
            inputSchema: .object([
                .init("from", .string(description: day), isRequired: true),
                .init("to", .string(description: "Last day")),
                .init("calendar", .string()),
            ]), toolClass: .read,
            cues: PlannerCues.times + """
                 plate agenda coming+up busy plans anything+between ansteht steht+an kommt+zu los
                """),
        Tool(
            name: "edit_event", title: "Change an event",
            description: "Changes what is given of one event. A new start moves the end.",
            inputSchema: .object(
                occurrence + [
                    .init("title", .string()),
                    .init("start", .string(description: when)),
                    .init("end", .string(description: lastDay)),
                    .init("all_day", .boolean()),
                    .init("location", .string(description: "Empty for none")),
                    .init("notes", .string()), .init("calendar", .string()),
                    .init("repeat", .string(description: "RRULE, or none")),
                    .init(
                        "alarm_minutes",
                        .integer(description: "-1 for none", range: -1...40_320)),
                ]), toolClass: .write, cues: PlannerCues.changes + " back at+# um+# place ort im"),
        Tool(
            name: "delete_event", title: "Delete an event",
            description: "Moves one event to the trash, or takes out what scope says.",
            inputSchema: .object(occurrence), toolClass: .destroy,
            cues: PlannerCues.removals + """
                 called+off skip* off take+out fällt+aus ausgefallen entfällt absag* abgesagt aus
                """),
        Tool(
            name: "search_events", title: "Search events",
            description: "Finds events, past and to come, by words in them.",
            inputSchema: .object([.init("query", .string(), isRequired: true)]),
            toolClass: .read,
            cues: "find* search* when which+day did+see last wann such* finde letzte* nochmal"),
        Tool(
            name: "find_free_time", title: "Find free time",
            description: "Lists the times without an event.",
            inputSchema: .object([
                .init("from", .string(description: day), isRequired: true),
                .init("to", .string(description: "Last day")),
                .init(
                    "duration_minutes",
                    .integer(description: "At least; default 30", range: 1...1440)),
                .init("between", .string(description: "Default 9:00-17:00")),
            ]), toolClass: .read,
            cues: """
                free slot* gap squeeze* available availability hour hours busy fit frei* lücke* \
                stunde* minuten zeit passt
                """),
    ]
}
