import AgentCore
import FoundationEssentials
import ICalendar

/// One line for the person about what was done: the same for a tool, a command
/// and a message.
extension RemindersServer {
    func completed(_ done: ReminderActions.Completed) -> String {
        var text = "✓ done: \(ReminderText.name(done.reminder))"
        if let next = done.nextDue { text += " · next \(words().fullTime(next))" }
        if !done.openParts.isEmpty {
            text += " · \(Self.count(done.openParts)) still open"
        }
        return text
    }

    func deleted(_ reminder: Reminder, _ parts: [Reminder]) -> String {
        "✓ deleted: \(words().title(reminder)) (in the trash)"
            + (parts.isEmpty ? "" : " · \(Self.count(parts)) of it kept")
    }

    func snoozed(_ reminder: Reminder, until instant: Date) -> String {
        let words = self.words()
        return "✓ \(ReminderText.name(reminder)) · snoozed to "
            + words.fullTime(ItemTime(instant, in: words.local))
    }
}
