import AgentCore
import Base
import CalendarFiles
import DateLanguage
import FoundationEssentials
import ICalendar

/// A new item, or the changes to one, while the fields of an action are read.
@dynamicMemberLookup
struct PlannerDraft: Sendable {
    var edit: ItemEdit
    let isNew: Bool
    /// The item's current due time or start.
    let old: ItemTime?
    var isAllDay = false

    init(new edit: ItemEdit) { (self.edit, isNew, old) = (edit, true, nil) }
    init(changing time: ItemTime?) { (edit, isNew, old) = (ItemEdit(), false, time) }

    /// The new time, as far as it was read.
    var time: ItemTime? {
        edit.start ?? (edit.due == nil ? old : edit.due?.value)
    }

    subscript<Value>(dynamicMember path: WritableKeyPath<ItemEdit, Value>) -> Value {
        get { edit[keyPath: path] }
        set { edit[keyPath: path] = newValue }
    }
}

/// The fields that reminders and events share.
extension ActField where Input == PlannerDraft, Context: PlannerContext {
    typealias TextPath = WritableKeyPath<ItemEdit, ItemEdit.Change<String>?> & Sendable

    static func text(
        _ head: String, _ help: String, _ path: TextPath, model parameter: JSONSchema.Property
    ) -> Self {
        Self(head, help, model: parameter) { draft, value, _ in
            draft.edit[keyPath: path] = value.isNone ? .clear : .set(value.text)
        }
    }

    /// A title may be "None".
    static func title(_ parameter: String) -> Self {
        Self("--title T", "another title", model: .init(parameter, .string())) { draft, value, _ in
            draft.title = value.isTyped || !value.text.allSatisfy(\.isWhitespace) ? value.text : nil
        }
    }

    static func list(
        _ head: String, _ help: String, _ kind: Verb.Kind, model name: String
    ) -> Self {
        Self(head, help, kind, model: .init(name, .string())) { draft, value, _ in
            draft.list = value.name(orNone: draft.list)
        }
    }

    static func repetition(_ name: String, _ description: String = "RRULE") -> Self {
        Self(
            "--repeat RULE", "such as every other tuesday, or FREQ=WEEKLY;BYDAY=TU; none for once",
            model: .init(name, .string(description: description))
        ) { draft, value, context in
            if value.isNone {
                draft.recurrence = .clear
                return
            }
            let inWords = value.isTyped ? try value.read(context.fields.repetition) : nil
            let rule = try inWords?.rule ?? value.read(context.fields.rule)
            draft.recurrence = .set(rule)
            if draft.isNew {
                draft.repeatsFromCompletion = inWords?.isFromCompletion ?? false
                if draft.time == nil { draft.due = inWords?.start.map { .set($0) } }
                if draft.time == nil {
                    throw value.refusal(
                        "needs a first time",
                        hint: "--due \(context.fields.context.example), or in the words")
                }
            }
            if !value.isTyped, let time = draft.time,
                let problem = context.problem(of: rule, from: time)
            {
                throw value.refusal(problem)
            }
        }
    }

    /// The alarm in minutes for the model; a negative number means no alarm.
    static func alarm(
        _ name: String, _ description: String, _ range: ClosedRange<Int>
    ) -> Self {
        Self(
            "--alarm 15m", "alert this long before; none for no alarm",
            model: .init(name, .integer(description: description, range: range))
        ) { draft, value, context in
            if let minutes = value.number {
                draft.alarm =
                    minutes < 0 ? .clear : .set(CalendarDuration(seconds: -60 * minutes))
            } else {
                let time = draft.time
                draft.alarm = try value.change { try context.fields.alarm($0, for: time) }
            }
            if draft.alarm?.value != nil, draft.time == nil {
                throw value.refusal("needs a due time")
            }
        }
    }
}

extension ActValue {
    /// Whether it clears the field.
    var isNone: Bool { texts.allSatisfy(DateFieldParser.isNone) }

    /// A name, which may be "none" if typed by a user; from a model "none" means no name.
    func name(orNone other: String? = nil) -> String? { isTyped || !isNone ? text : other }

    func read<Value>(_ read: (String) throws -> Value) throws -> Value {
        do {
            return try read(text)
        } catch let problem as DateFieldParser.Problem {
            throw isTyped ? UsageError("\(name): \(problem.sentence)") : refusal(problem.sentence)
        }
    }

    func change<Value>(_ read: (String) throws -> Value) throws -> ItemEdit.Change<Value> {
        isNone ? .clear : .set(try self.read(read))
    }
}
