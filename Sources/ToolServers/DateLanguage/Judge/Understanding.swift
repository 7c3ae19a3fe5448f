import AgentCore
import Base
import ICalendar

/// The effect of a message, decided once by `MessageJudge`: the act, whether it happens with and
/// without a model, and the unexplained words.
///
/// Whether the item that a change names exists is known only when it is carried out; the
/// message may still go to the model then.
package struct Understanding: Sendable, Equatable {
    package enum Outcome: String, Sendable {
        /// Creates an item.
        case store
        /// Changes or deletes an existing item.
        case change
        /// Only answers.
        case answer
        /// Asks one numbered question; nothing is done.
        case ask
        /// Leaves the message to the model.
        case model
    }

    package enum Kind: String, Sendable { case reminder, event }

    package enum Act: Sendable, Equatable {
        /// Several phrases if one message names several times or tasks.
        case store([ParsedPhrase], Kind)
        /// A possible item; `unused` of the understanding holds the words that were not
        /// understood.
        case ask(ParsedPhrase, Kind)
        case reminders(ReminderQuery)
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
            /// The time or the length of the snooze, in words; nil for the default time.
            case snooze(String?)
            case move(to: String)
            /// Moves by an amount, and then to that clock time of the new day.
            case shift(CalendarDuration, at: String? = nil)
            case end(at: String)
            /// Only the start, not the end.
            case begin(at: String)
            /// Makes an event longer; moves an item without a length to a later time.
            case extend(CalendarDuration)
            /// Sets the length of an event or a timer.
            case lasts(CalendarDuration)
            /// The rule, in words.
            case repeats(String)
            /// The alarm's offset from the item's time; nil for no alarm.
            case alarm(CalendarDuration?)
            case place(String)
            /// Makes a second item of the same kind at that time.
            case copy(to: String)
            /// Another word or name in the title.
            case retitle(Retitling)
            /// Its clock time in another half of the day or zone: "am", "London time".
            case retime(String)
            /// Only on that day, without a rule.
            case once(String)
            /// Rings at that clock time, so long after the item.
            case ring(CalendarDuration, at: String)
            /// No time any more; and two items at each other's time.
            case untimed, swap

            var isMove: Bool { if case .move = self { true } else { false } }

            /// Whether it only changes fields of the item.
            var isEdit: Bool {
                switch self {
                case .complete, .reopen, .delete, .snooze, .copy, .swap: false
                default: true
                }
            }
        }

        /// The time of the item that is meant: "the dentist on tuesday", "my 7am alarm".
        package struct Occasion: Sendable, Equatable {
            package static let any = Occasion()

            package var day: CivilDate?
            package var clock: CivilDateTime?
            /// Whether the title is only the kind of item: "my 3pm meeting".
            package var isOnlyName = false
            /// "the first one": without a title, which of the last two.
            package var pick: Pick?

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

        package enum Pick: String, Sendable { case first, second, earlier, later, other }

        package var verb: Verb
        /// "sunday, and make it 6"
        package var also: [Verb] = []
        /// nil means the last mentioned item.
        package var title: String?
        /// Whether the item's title must equal this one, not just contain it.
        package var isExact = false
        package var occasion = Occasion.any
        /// nil if either kind may be meant.
        package var kind: Kind?
        /// Whether the user is asked even if only one item matches: deleting by a title
        /// alone.
        package var asksFirst = false
        /// Whether that question is left out for a single item of exactly that title or, without a
        /// title, for the one that was changed last.
        package var actsIfExact = false
        /// "both": the two items that were made or shown last.
        package var isOfBoth = false
        /// "no, the other one": whether the last change is undone first.
        package var isInstead = false
        /// "make it 3 or 4": the other possible new times.
        package var others: [String] = []

        /// One change for each of the possible times.
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
    /// Words about a time or a condition that were not used.
    package var unused: [String] = []
    /// Whether it refers back with "it" or "that"; right after an answer of the model, such a
    /// message goes to the model.
    var refersBack = false
    /// Whether the message is nothing that is known; it may still be an item.
    package var isUnclaimed = false
    /// The message if nothing could be done and no model is connected.
    var fallbackMessage: String?
    /// The tools a model would need, most likely first.
    var tools: [String] = []
    var reasoning = ""

    /// Whether it may be about the last change: it is nothing else, or names another title.
    var isCorrection: Bool {
        if case .change(let change)? = act, case .retitle = change.verb { true } else { act == nil }
    }

    /// The server that carries out the act; the more likely one if both may.
    package var server: Kind? {
        switch act {
        case nil, .undo: nil
        case .store(_, let kind), .ask(_, let kind): kind
        case .reminders: .reminder
        case .agenda, .free, .when, .next, .find: .event
        case .change(let change): change.kind ?? .event
        }
    }

    /// The title to store or look for.
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

    /// The message's match for one of the two servers.
    package func match(for kind: Kind) -> IntentMatch {
        guard act != nil, isFor(kind) else {
            // Mentioning reminders is enough to suggest their tools.
            return IntentMatch(
                confidence: act == nil && !tools.isEmpty && isSuggested(kind) ? 0.5 : 0,
                suggestedTools: tools, reasoning: reasoning, fallbackMessage: fallbackMessage)
        }
        let isPrimary = server == kind
        // An item that depends on an event is looked up when the act is carried out.
        let isLookedUp = if case .store = act { online == .ask } else { false }
        let isComplete = isLookedUp || online != .model && online != .ask
        let confidence = isComplete ? 0.95 : isUnclaimed ? 0.2 : offline == .model ? 0.4 : 0.6
        return IntentMatch(
            confidence: isPrimary ? confidence : confidence - 0.05, suggestedTools: tools,
            reasoning: reasoning, isComplete: isComplete, fallbackMessage: fallbackMessage,
            refersBack: refersBack)
    }

    private func isSuggested(_ kind: Kind) -> Bool {
        tools.contains { $0.contains(kind.rawValue) || kind == .event && $0.contains("free") }
    }
}
