import AgentCore
import Base
import CalendarFiles
import DateLanguage
import ICalendar

/// `reminders review`: asks about each overdue reminder. Each answer is a command that carries it
/// out and asks about the next, so that no state is kept in between.
extension RemindersServer {
    private enum Answer: String, CaseIterable, Sendable {
        case done, tomorrow, leave, stop

        var label: String { self == .leave ? "leave it" : rawValue }
    }

    private struct Given: Sendable {
        var answer: Answer?
        var uid = ""
    }

    private static func field(_ answer: Answer, _ help: String) -> ActField<Given, RemindersServer>
    {
        ActField(answer == .stop ? "--stop" : "--\(answer) ID", help) { given, value, _ in
            given = Given(answer: answer, uid: answer == .stop ? "" : value.text)
        }
    }

    static let review = Act<RemindersServer>(
        Verb("review", "what was due and is not done, asked about one by one", json: json),
        [
            field(.done, "mark that one as done and go on behind it"),
            field(.tomorrow, "put that one off until tomorrow and go on"),
            field(.leave, "leave that one as it is and go on"),
            field(.stop, "leave the rest"),
        ]
    ) { call in try await call.context.review(try await call.read(into: Given())) }

    private func review(_ given: Given) async throws -> Outcome {
        if given.answer == .stop {
            return Outcome(CommandOutput(lines: [StyledLine("The rest stays as it is.", .dim)]))
        }
        let all = try await actions.all(openOnly: true)
        var due = ReminderQuery(.today)
        due.includesOverdue = true
        let found = all.reminders.filter { due.allows($0, at: text) }
        var open = ReminderListing(found, text: text, ids: ItemIDs(all.reminders)).reminders[...]
        var output = CommandOutput(notices: all.problems.map(\.sentence))
        if let answer = given.answer {
            guard let reminder = open.first(where: { $0.uid == given.uid }),
                // Twins in several lists are one.
                let place = open.lastIndex(where: { $0.uid == given.uid })
            else { throw ToolError.noMatch(query: given.uid) }
            open = open[(place + 1)...]
            if let line = try await carryOut(answer, reminder) {
                output.lines.append(StyledLine(line, .success))
            }
        }
        output.json = .array(open.map { text.json($0) })
        guard let next = open.first else {
            output.lines.append(
                StyledLine(given.answer == nil ? "Nothing is due." : "That was all.", .dim))
            return Outcome(output)
        }
        let rest = open.count == 1 ? "" : " (\(open.count - 1) more)"
        output.lines.append(StyledLine("Not done: \(text.title(next))\(rest)"))
        output.choices = Answer.allCases.map { answer in
            CommandOutput.Choice(
                answer.label,
                command: [name, "review", "--\(answer)"] + (answer == .stop ? [] : [next.uid]))
        }
        return Outcome(output)
    }

    private func carryOut(_ answer: Answer, _ reminder: Reminder) async throws -> String? {
        switch answer {
        case .leave, .stop: return nil
        case .done: return completed(try await actions.complete(reminder))
        case .tomorrow:
            guard let due = reminder.due else { return nil }
            let days = text.today.dayNumber + 1 - due.day(in: text.local).dayNumber
            let moved: ItemTime =
                switch due {
                case .date(let date): .date(date.adding(days: days))
                case .time(let clock, let zone):
                    .time(
                        CivilDateTime(secondsAsUTC: clock.secondsAsUTC + days * 86_400),
                        zone: zone)
                }
            // Changing the due time of a series would move all of it.
            if reminder.recurrence != nil || reminder.recurrenceID != nil {
                let until = fields.morning(moved)
                return snoozed(try await actions.snooze(reminder, until: until), until: until)
            }
            return "✓ " + text.title(try await actions.edit(reminder, ItemEdit(due: moved)))
        }
    }
}
