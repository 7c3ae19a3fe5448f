import AgentCore
import Base
import ICalendar

/// What a message would do, read once by `MessageJudge`: the act, whether it
/// happens with and without a model, and the words that remain unexplained.
///
/// Whether the item that a change names exists is known only when it is
/// carried out; then it may still go to the model.
package struct Understanding: Sendable, Equatable {
    package enum Outcome: String, Sendable {
        /// Creates an item.
        case store
        /// Changes or deletes one that is there.
        case change
        /// Only says something.
        case answer
        /// One numbered question; nothing is done.
        case ask
        /// Left to the model.
        case model
    }

    package enum Kind: String, Sendable { case reminder, event }

    package enum Act: Sendable, Equatable {
        /// Several where one message names several times or tasks.
        case store([ParsedPhrase], Kind)
        /// What may be meant; `unused` of the understanding says what was not
        /// understood.
        case ask(ParsedPhrase, Kind)
        case reminders(ReminderFilter)
        case agenda(Period)
        case free(Period, isBusyAsked: Bool)
        case when(String)
        case next(Kind?)
        case find(String)
        case change(Change)
        case undo(isRedo: Bool)
    }

    package struct Change: Sendable, Equatable {
        package enum Verb: Sendable, Equatable {
            case complete, reopen, delete
            case rename(to: String)
            /// Until when or for how long, in words; nil is the usual while.
            case snooze(String?)
            case move(to: String)
            case shift(CalendarDuration)
            case end(at: String)
            /// Makes an event longer, and what has no length later.
            case extend(CalendarDuration)
        }

        /// When the one that is meant is: "the dentist on tuesday", "my 7am alarm".
        package struct Occasion: Sendable, Equatable {
            package static let any = Occasion()

            package var day: CivilDate?
            package var clock: CivilDateTime?
            /// Its title says no more than what it is: "my 3pm meeting".
            package var isOnlyName = false

            package func fits(_ time: ItemTime?, in local: LocalTime) -> Bool {
                guard self != .any else { return true }
                guard let time else { return false }
                let isThen = clock.map { clock in
                    !time.isDate
                        && local.civil(at: time.instant(in: local)).clockText == clock.clockText
                }
                return (day.map { $0 == time.day(in: local) } ?? true) && isThen ?? true
            }
        }

        package var verb: Verb
        /// nil is what was spoken of last.
        package var title: String?
        /// The title has to be exactly this, not hold it.
        package var isExact = false
        package var occasion = Occasion.any
        /// nil where either may be meant.
        package var kind: Kind?
        /// Asked about even where one item fits: deleting by a title alone.
        package var asksFirst = false
        /// "make it 3 or 4": the other times that it may be moved to.
        package var others: [String] = []

        /// The same with each of the times.
        package var variants: [Change] {
            others.reduce(into: [self]) { variants, time in
                var other = self
                other.verb = .move(to: time)
                variants.append(other)
            }
        }
    }

    package var act: Act?
    package var online = Outcome.model
    package var offline = Outcome.model
    /// Words that speak of a time or a condition and were not used.
    package var unused: [String] = []
    /// "it", "that": after an answer of the model it is the model's.
    var refersBack = false
    /// Shown where nothing could be done and no model is connected.
    var fallbackMessage: String?
    /// The tools a model would need, the likeliest first.
    var tools: [String] = []
    var reasoning = ""

    /// The server that the act is for; where both may be, the likelier.
    package var server: Kind? {
        switch act {
        case nil, .undo: nil
        case .store(_, let kind), .ask(_, let kind): kind
        case .reminders: .reminder
        case .agenda, .free, .when, .next, .find: .event
        case .change(let change): change.kind ?? .event
        }
    }

    /// The title that is stored or looked for.
    package var target: String? {
        switch act {
        case .store(let readings, _): readings.first?.title
        case .ask(let reading, _): reading.title
        case .when(let title), .find(let title): title
        case .change(let change): change.title
        case nil, .reminders, .agenda, .free, .next, .undo: nil
        }
    }

    private func isFor(_ kind: Kind) -> Bool {
        switch act {
        case .change(let change): change.kind == nil || change.kind == kind
        case .find: true
        case .undo: false
        default: server == kind
        }
    }

    /// How one of the two servers judges the message.
    package func match(for kind: Kind) -> IntentMatch {
        guard act != nil, isFor(kind) else {
            // Speaking of reminders is enough to suggest their tools.
            return IntentMatch(
                confidence: act == nil && !tools.isEmpty && isSuggested(kind) ? 0.5 : 0,
                suggestedTools: tools, reasoning: reasoning, fallbackMessage: fallbackMessage)
        }
        let isPrimary = server == kind
        // Something that hangs on an event is looked up when it is done.
        let isLookedUp = if case .store = act { online == .ask } else { false }
        let isComplete = isLookedUp || online != .model && online != .ask
        let confidence = isComplete ? 0.95 : offline == .model ? 0.4 : 0.6
        return IntentMatch(
            confidence: isPrimary ? confidence : confidence - 0.05, suggestedTools: tools,
            reasoning: reasoning, isComplete: isComplete, fallbackMessage: fallbackMessage,
            refersBack: refersBack)
    }

    private func isSuggested(_ kind: Kind) -> Bool {
        tools.contains { $0.contains(kind.rawValue) || kind == .event && $0.contains("free") }
    }
}
