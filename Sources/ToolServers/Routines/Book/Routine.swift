import Base
import FoundationEssentials
import ICalendar

/// A prompt that is sent on a schedule, as the user approved it: the request, the times, the
/// model, the tools and the budget. A value; `RoutineBook` keeps its file and its pin.
package struct Routine: Sendable, Equatable {
    /// A condition for asking a model.
    package enum Gate: Sendable, Equatable {
        /// Something is due or an event is today.
        case due
        /// A file, a folder or a page is not as it was.
        case changed(String)
        /// The command of the pin succeeds.
        case command
    }

    /// Lower-case UUID, the name of its file.
    package let id: String
    package var name: String
    package var prompt: String
    /// The first time, on the clock of the user's zone, and the rule for the others.
    package var start: CivilDateTime
    package var rule: RecurrenceRule
    package var gates: [Gate] = []
    /// Whether a result that equals the one before is not reported.
    package var isUnlessSame = false
    /// Whether the launch after a run asks about each due item.
    package var isReview = false
    /// The provider, host and model that were shown when it was approved; no other is asked.
    package var provider: String
    package var host: String
    package var model: String
    /// Rules for its actions other than reading, such as `create_reminder`.
    package var tools: [String] = []
    /// Budget of a run in dollars.
    package var runBudget = 0.5
    package var monthBudget = 5.0
    /// Seconds after its time in which a missed run is made up for.
    package var catchUp = 3 * 3_600
    /// A file to which each result is appended.
    package var file: String?

    package init(
        id: String, name: String, prompt: String, start: CivilDateTime, rule: RecurrenceRule,
        provider: String, host: String, model: String
    ) {
        (self.id, self.name, self.prompt) = (id, name, prompt)
        (self.start, self.rule) = (start, rule)
        (self.provider, self.host, self.model) = (provider, host, model)
    }

    package var schedule: RecurrenceSet {
        RecurrenceSet(start: .time(start, zone: nil), rules: [rule])
    }

    /// `every weekday at 07:30`.
    package func times(in local: LocalTime) -> String {
        let text = RuleDescription.of(rule, start: .time(start, zone: nil), in: local)
        let isWithinDay = ["FREQ=HOURLY", "FREQ=MINUTELY"].contains { rule.text.contains($0) }
        return isWithinDay || text.contains(" at ") ? text : "\(text) at \(start.clockText)"
    }

    /// - Throws: `RecurrenceError` for a rule that takes too long.
    package func next(
        _ count: Int, after now: Date, in local: LocalTime
    ) throws(RecurrenceError) -> [Date] {
        var times: [Date] = []
        while times.count < count,
            let next = try schedule.next(after: times.last ?? now, in: local)
        {
            times.append(next.instant(in: local))
        }
        return times
    }
}

// MARK: - Its file

extension Routine {
    /// Changes with any member: a routine with another digest has to be approved again.
    package var digest: String { SHA256.hex(SHA256.digest(JSONWriter.bytes(json))) }

    package var json: JSONValue {
        .compact([
            "version": 1, "id": .string(id), "name": .string(name), "prompt": .string(prompt),
            "start": .string(start.isoText), "rule": .string(rule.text),
            "when": gates.isEmpty ? nil : .array(gates.map(\.json)),
            "unlessSame": isUnlessSame ? true : nil, "review": isReview ? true : nil,
            "provider": .string(provider),
            "host": .string(host), "model": .string(model),
            "tools": tools.isEmpty ? nil : .array(tools.map(JSONValue.string)),
            "runBudget": JSONValue(runBudget), "monthBudget": JSONValue(monthBudget),
            "catchUp": JSONValue(catchUp), "to": file.map(JSONValue.string),
        ])
    }

    /// Nil for a file that is not ours, or is of a later version; it is not changed.
    package init?(_ json: JSONValue) {
        guard json["version"] == 1, let id = json["id"]?.stringValue,
            let name = json["name"]?.stringValue, let prompt = json["prompt"]?.stringValue,
            let provider = json["provider"]?.stringValue, let host = json["host"]?.stringValue,
            let model = json["model"]?.stringValue,
            case .local(let start)? = (json["start"]?.stringValue).flatMap({
                // An error means that it is not ours.
                try? ISO8601.parse($0)
            }),
            // So does a rule that cannot be read.
            let rule = (json["rule"]?.stringValue).flatMap({ try? RecurrenceRule(parsing: $0) }),
            let runBudget = json["runBudget"]?.doubleValue, runBudget.isFinite,
            let monthBudget = json["monthBudget"]?.doubleValue, monthBudget.isFinite,
            let catchUp = json["catchUp"]?.integerValue, (0...31 * 86_400).contains(catchUp)
        else { return nil }
        self.init(
            id: id, name: name, prompt: prompt, start: start, rule: rule, provider: provider,
            host: host, model: model)
        let gates = json["when"]?.arrayValue ?? []
        self.gates = gates.compactMap(Gate.init)
        // A gate unknown to this version must not count as open.
        guard self.gates.count == gates.count else { return nil }
        isUnlessSame = json["unlessSame"]?.boolValue ?? false
        isReview = json["review"]?.boolValue ?? false
        tools = (json["tools"]?.arrayValue ?? []).compactMap(\.stringValue)
        (self.runBudget, self.monthBudget, self.catchUp) = (runBudget, monthBudget, catchUp)
        file = json["to"]?.stringValue
    }
}

extension Routine.Gate {
    fileprivate var json: JSONValue {
        switch self {
        case .due: "due"
        case .changed(let what): ["changed": .string(what)]
        case .command: "command"
        }
    }

    fileprivate init?(_ json: JSONValue) {
        switch json {
        case "due": self = .due
        case "command": self = .command
        default:
            guard let what = json["changed"]?.stringValue else { return nil }
            self = .changed(what)
        }
    }
}
