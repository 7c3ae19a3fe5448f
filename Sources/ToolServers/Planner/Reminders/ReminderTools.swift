import AgentCore
import Base
import DateLanguage

/// The tools as the model sees them: names, schemas, classes.
///
/// What they do is `RemindersServer+Calls`.
enum ReminderTools {
    private static let reference: JSONSchema = .string(
        description: "Title, unique part of it, or id")
    private static let when = "Day or time"
    /// Ten years, in minutes.
    static let longestAlarm = 5_256_000
    /// A year and a day, in minutes.
    static let longestSnooze = 527_040

    /// What a message says that speaks of reminders.
    static let topic = """
        remind* reminder* todo* to+do task* chore* errand* deadline* overdue due snooze* alarm* \
        erinner* aufgabe* erledig* fällig* einkaufsliste* einkaufszettel* list liste
        """

    static let all = [
        Tool(
            name: "create_reminder", title: "Create a reminder",
            description: "Creates one reminder; alerts at the time of due_date.",
            inputSchema: .object([
                .init("title", .string(), isRequired: true),
                .init("due_date", .string(description: when + ", if the user named one")),
                .init("recurrence", .string(description: "RRULE")),
                .init(
                    "alarm_minutes_before",
                    .integer(description: "Before due_date", range: 0...longestAlarm)),
                .init("priority", .integer(description: "1 highest, 9 lowest", range: 1...9)),
                .init("list", .string()),
                .init("tags", .array(of: .string())),
                .init("parent", .string(description: "It is a part of this")),
                .init("notes", .string()),
            ]), toolClass: .write, isAddition: true,
            cues: PlannerCues.times + """
                 remind* nudge* poke* ping bug forget* miss alarm* wake* buy pick+up put+list \
                add+list erinner* bescheid vergess* weck* kaufen einkaufen besorgen abholen \
                schreib*+liste setz*+liste
                """),
        Tool(
            name: "list_reminders", title: "List reminders",
            description: "Lists reminders by due date; open ones without a filter.",
            inputSchema: .object([
                .init("filter", .string(choices: ReminderFilter.Span.allCases.map(\.rawValue))),
                .init("list", .string()), .init("tag", .string()),
            ]), toolClass: .read,
            cues: PlannerCues.times + """
                 overdue behind plate open pending left need shop* buy tagged offen* ansteh* \
                ansteht steht+an muss+noch kaufen
                """),
        Tool(
            name: "complete_reminder", title: "Complete a reminder",
            description: "Marks one reminder done; a repeating one moves to its next time.",
            inputSchema: .object([.init("title", reference, isRequired: true)]),
            toolClass: .write,
            cues: """
                done paid bought finished finally sent called complete* tick* check*+off cross*+off \
                mark* abhak* abgehakt erledigt fertig bezahlt gekauft geschafft überwiesen
                """),
        Tool(
            name: "reopen_reminder", title: "Reopen a reminder",
            description: "Makes one completed reminder open again.",
            inputSchema: .object([.init("title", reference, isRequired: true)]),
            toolClass: .write,
            cues: """
                reopen* back+open again+open untick* uncheck* never not+done wieder+offen \
                doch+nicht doch+noch
                """),
        Tool(
            name: "edit_reminder", title: "Change a reminder",
            description: "Changes what is given of one reminder; \"none\" clears a field.",
            inputSchema: .object([
                .init("title", reference, isRequired: true),
                .init("new_title", .string()),
                .init("due_date", .string(description: when)),
                .init("recurrence", .string(description: "RRULE")),
                .init(
                    "alarm_minutes_before",
                    .integer(description: "-1 is no alert", range: -1...longestAlarm)),
                .init("priority", .integer(description: "0 is none", range: 0...9)),
                .init("list", .string()),
                .init("tags", .array(of: .string(), description: "All of them")),
                .init("parent", .string()), .init("notes", .string(description: "All of them")),
            ]), toolClass: .write,
            cues: PlannerCues.changes + """
                 priority prioritise* prioritize* weekday* only every priorität* wichtig* werktag* \
                alle jeden
                """),
        Tool(
            name: "snooze_reminder", title: "Snooze a reminder",
            description:
                "Alerts again about one reminder after minutes, or at until. Its due date stays.",
            inputSchema: .object([
                .init("title", reference, isRequired: true),
                .init(
                    "minutes", .integer(description: "From now", range: 1...longestSnooze)),
                .init("until", .string(description: when)),
            ]), toolClass: .write,
            cues: """
                snooze* again+in again+minute* again+hour again+ask again+ring not+now later \
                nochmal noch+mal später klingel* schlummer* gleich
                """),
        Tool(
            name: "delete_reminder", title: "Delete a reminder",
            description: "Moves one reminder to the trash. Done ones are completed instead.",
            inputSchema: .object([.init("title", reference, isRequired: true)]),
            toolClass: .destroy,
            cues: PlannerCues.removals + """
                 stop+bug* stop+remind* stop+nag* anymore longer nicht+mehr
                """),
        Tool(
            name: "search_reminders", title: "Search reminders",
            description: "Finds reminders, open or done, by words in title, notes or tags.",
            inputSchema: .object([.init("query", .string(), isRequired: true)]),
            toolClass: .read,
            cues: "find* search* look*+for when+suppose* when+need did+write such* finde wann wo"),
    ]
}

/// Words of messages that reminders and events share, for `Tool.cues`.
enum PlannerCues {
    static let times = """
        today tonight tomorrow week weeks weekend monday* tuesday* wednesday* thursday* friday* \
        saturday* sunday* morning noon evening #am #pm at+# the+#th the+#st the+#rd heute morgen \
        übermorgen woche wochenende montag* dienstag* mittwoch* donnerstag* freitag* samstag* \
        sonntag* früh mittag abend #uhr um+# am+#
        """
    static let changes = """
        move* push* shift* postpone* delay* reschedul* change* instead now earlier later rename* \
        due+on make verschieb* verleg* änder* statt jetzt früher später umbenenn*
        """
    static let removals = """
        delete* remove* cancel* drop* clear* scrap* losch* lösch* streich* entfern* weg
        """
}
