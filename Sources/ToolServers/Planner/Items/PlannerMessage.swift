import AgentCore
import Base
import CalendarFiles
import DateLanguage

/// Parts of the answers to messages, for reminders and for events.
extension CommandOutput {
    /// The answers about the items of one message, as one.
    init(joining answers: [CommandOutput]) {
        self.init(lines: answers.flatMap(\.lines))
        json = answers.count == 1 ? answers[0].json : .array(answers.compactMap(\.json))
        if answers.contains(where: { $0.sources != nil }) {
            sources = answers.flatMap { $0.sources ?? [] }
        }
    }
}

extension Understanding.Change {
    /// Whether it answers an alert.
    var answersAlert: Bool {
        switch verb {
        case .complete, .snooze: true
        default: false
        }
    }

    /// An item as an answer to the question which one is meant; nil if nothing of it would change.
    func choice(
        _ item: some PlannerItem, named name: String, id: String, scope: [String] = [],
        edit: ItemEdit?, _ text: ItemText
    ) -> CommandOutput.Choice? {
        var (words, result): ([String], [String]) = ([], [])
        switch verb {
        case .complete: words = ["done"]
        case .reopen: words = ["reopen"]
        case .delete: words = ["delete"]
        case .snooze(let phrase): words = ["snooze", "--for", phrase ?? "10m"]
        default:
            guard let edit else { return nil }
            words = ["edit"] + edit.options(in: text.local)
            result = [edit.title?.oneLine, item.time(after: edit, text)].compactMap(\.self)
        }
        return .init(
            ([name] + (result.isEmpty ? [] : [result.joined(separator: " · ")]))
                .joined(separator: " → "),
            command: [type(of: item).command] + words + scope + ["--", id])
    }
}

extension ItemText {
    /// "the haircut on friday" if it is on another day.
    func isNotThen(_ title: String, _ occasion: Understanding.Change.Occasion) -> String {
        let when = [
            occasion.day.map { "on \(day($0))" }, occasion.clock.map { "at \($0.clockText)" },
        ]
        return "No \"\(title.oneLine)\" \(when.compactMap(\.self).joined(separator: " ")). "
            + "Is this what you mean?"
    }
}
