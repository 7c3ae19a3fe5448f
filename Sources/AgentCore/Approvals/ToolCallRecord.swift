import Base
import FoundationEssentials
import Privacy

/// A log entry about one tool call: the request, who approved or refused it, how long it took and
/// how it ended. Keys and personal data are already removed from its arguments, and long values are
/// cut.
package struct ToolCallRecord: Sendable, Equatable {
    package enum Outcome: String, Sendable, CaseIterable {
        case ok, error, denied, invalid, interrupted
    }

    /// The name the model wrote, which can be any text of any length.
    package var tool: String
    /// Nil for a tool that does not exist.
    package var toolClass: ToolClass?
    /// Redacted; see `redacted`. Empty if they could not be read.
    package var arguments = JSONObject()
    /// `policy`, `rule`, `--allow`, `y`, `a`, `e`; or `denied: ` and the reason.
    package var approval: String
    /// The text that the user typed instead of an answer, redacted.
    package var reason: String?
    package var duration: Duration
    package var outcome: Outcome
    /// Size of the model's result in UTF-8 bytes.
    package var resultBytes = 0
    /// The steps that undo it, in the order they were made.
    package var undoSteps: [String] = []

    package init(
        tool: String, toolClass: ToolClass?, approval: String, duration: Duration,
        outcome: Outcome
    ) {
        self.tool = tool
        self.toolClass = toolClass
        self.approval = approval
        self.duration = duration
        self.outcome = outcome
    }

    /// Maximum bytes of a text that is searched; longer ones are replaced by their size.
    private static let redactedLimitInBytes = 4_096
    /// Number of code points kept of a text.
    private static let keptLength = 200
    private static let keptMembers = 32

    /// The arguments in a form that may be stored: personal data and keys are replaced, then long
    /// texts are cut; nested values are written as JSON.
    package static func redacted(
        _ arguments: JSONObject, for person: PersonalData
    ) -> JSONObject {
        let redactor = Redactor(person, hidesEmployers: true)
        return JSONObject(
            arguments.members.prefix(keptMembers).map { member in
                JSONObject.Member(
                    redacted(member.name, redactor),
                    kept(member.value, redactor))
            })
    }

    private static func kept(_ value: JSONValue, _ redactor: Redactor) -> JSONValue {
        if let text = value.stringValue { return .string(redacted(text, redactor)) }
        if value.arrayValue != nil || value.objectValue != nil || value.doubleValue != nil {
            let text = JSONWriter.string(value)
            let shown = redacted(text, redactor)
            return shown == text && value.doubleValue != nil ? value : .string(shown)
        }
        return value
    }

    /// Whether one of the texts contains a key, or a name, an address or a number of this person.
    package static func identifies(_ person: PersonalData, _ arguments: JSONObject) -> Bool {
        let redactor = Redactor(person)
        func isFound(in value: JSONValue) -> Bool {
            switch value {
            case .string(let text):
                KeyShape.isFound(in: text)
                    || redactor.findings(in: text).contains { $0.by == .person }
            case .array(let values): values.contains(where: isFound)
            case .object(let object):
                object.members.contains { isFound(in: .string($0.name)) || isFound(in: $0.value) }
            default:
                value.doubleValue != nil && isFound(in: .string(JSONWriter.string(value)))
            }
        }
        return isFound(in: .object(arguments))
    }

    /// A text of the user or a model in a form that may be stored.
    package static func redacted(_ text: String, for person: PersonalData) -> String {
        redacted(text, Redactor(person, hidesEmployers: true))
    }

    private static func redacted(_ text: String, _ redactor: Redactor) -> String {
        let bytes = text.utf8.count
        guard bytes <= redactedLimitInBytes else { return "[\(bytes) bytes]" }
        var map = RedactionMap(avoiding: text)
        let redacted = KeyShape.redacted(redactor.redact(text, into: &map))
        let scalars = redacted.unicodeScalars
        return scalars.count <= keptLength
            ? redacted : String(scalars.prefix(keptLength)) + "… [\(bytes) bytes]"
    }
}
