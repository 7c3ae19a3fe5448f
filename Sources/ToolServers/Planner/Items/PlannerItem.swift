import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// A reminder or an event, in the form shown by the actions of both.
protocol PlannerItem: CalendarItem {
    static var noun: String { get }
    /// The command that acts on it.
    static var command: String { get }
    /// The object of `--json`.
    func json(_ text: ItemText) -> JSONValue
    /// One line for the model.
    ///
    /// - Parameter parent: the id of its parent.
    func told(_ text: ItemText, id: String, parent: String?) -> String
    /// The time it would have; nil if the edit does not change it.
    func time(after edit: ItemEdit, _ text: ItemText) -> String?
}

/// The context of the actions on reminders and events.
protocol PlannerContext: Sendable {
    var fields: DateFieldParser { get }
    var text: ItemText { get }
    var items: ItemActions { get }
    /// The reason why a recurrence requested by the model is not useful; nil if it is.
    func problem(of rule: RecurrenceRule, from time: ItemTime) -> String?
}

extension PlannerContext {
    func problem(of rule: RecurrenceRule, from time: ItemTime) -> String? { nil }

    /// One item that was created or changed.
    func row(_ item: some PlannerItem) -> Outcome.Row {
        let text = text
        return Outcome.Row(
            path: item.path, json: { item.json(text) },
            told: { item.told(text, id: String(item.uid.prefix(8)), parent: nil) })
    }

    /// - Parameters:
    ///   - named: all items that may be the parent of another.
    ///   - empty: the text for the model if there are none.
    ///   - shown: problems of the items themselves.
    func listing<Item: PlannerItem>(
        _ items: [Item], _ ids: ItemIDs, named: [String: [Item]] = [:],
        parent: (Item) -> String? = { _ in nil }, empty: String, more: String,
        _ problems: [CalendarStore.Problem], of shown: [CalendarStore.Problem] = [],
        lines: @escaping @Sendable () -> [StyledLine]
    ) -> Outcome {
        let text = text
        let rows = items.map { item in
            // An id may be any text of the program that made the file.
            let wholes = parent(item).flatMap { named[$0] } ?? []
            return Outcome.Row(
                path: item.path, quoted: wholes.map(\.path), json: { item.json(text) },
                told: { item.told(text, id: ids[item], parent: wholes.first.map { ids[$0] }) })
        }
        let unread = problems.filter { $0.title == nil }.count
        return Outcome(
            rows,
            listing: .init(noun: Item.noun, empty: empty, more: more, unread: unread),
            notices: (problems + shown).map(\.sentence), lines: lines)
    }
}

extension ActCall where Context: PlannerContext {
    func refuseEmpty(_ edit: ItemEdit, _ example: String) throws {
        guard edit.isEmpty else { return }
        if words == nil {
            throw ToolError.failed("nothing to change was given; give the fields that differ")
        }
        throw UsageError("edit needs something to change.", hint: "chat \(example)")
    }
}
