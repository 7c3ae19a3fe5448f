import AgentCore

/// What words mean to the judge of messages, one value for each language:
/// lead-ins, courtesy, verbs with the act each of them asks for, nouns of
/// appointments, and words that nothing may be left over of.
///
/// The words of dates and numbers are in `Vocabulary`.
struct Lexicon: Sendable {
    /// What a lead-in says about the rest of the message.
    enum Lead: Sendable, Equatable {
        /// "remind me", "wake me": addressed to the reminders whatever follows.
        case reminder
        /// Rings at a clock time or after a duration, or is nothing.
        case alarm, timer
        /// "don't forget", "todo:": a task where a time is said as well.
        case task
        /// "add an event", "… to my calendar".
        case event
        /// "I need to", "schedule": a wish only where no model can be asked.
        case weakTask, weakEvent
        case filler
    }

    /// What stands before a request and is no part of it.
    enum Courtesy: Sendable {
        case filler
        /// "can you": a question mark at the end asks nothing.
        case request
        /// "I want to": counts only before a verb that changes something.
        case wish
        /// "no,", "actually": the rest corrects what was done last.
        case correction
    }

    /// What a question asks for.
    enum Question: Sendable, Equatable {
        /// `isAddressed`: it says whose day or list is meant.
        case agenda(isAddressed: Bool)
        case free, busy
        case when
        case next
        /// Reminders, of a span that may follow.
        case reminders
        /// One list, named before the word: "show me my shopping list".
        case list
        case due, overdue, completed
        case find
    }

    /// What a verb does to something that is there.
    enum Verb: Sendable, Equatable {
        case done, reopen, delete, cancel, rename, snooze, move, end, silence
        /// "make it": what was spoken of last, to a time.
        case adjust
    }

    struct Change: Sendable {
        var verb: Verb
        /// It is said of lists and calendars alone: "tick off", "snooze".
        var isListVerb: Bool
        /// The words one of which has to end the sentence: "mark … as done".
        var closing: [WordPattern]
        /// "an hour earlier": the direction that the verb gives a length.
        var isEarlier: Bool
        /// It may be said of anything: without a model it is asked about.
        var asksFirst: Bool

        init(
            _ verb: Verb, isListVerb: Bool = false, closing: String = "", isEarlier: Bool = false,
            asksFirst: Bool = false
        ) {
            self.asksFirst = asksFirst
            self.verb = verb
            self.isListVerb = isListVerb
            self.closing = closing.split(separator: "\n").map { WordPattern(String($0)) }
            self.isEarlier = isEarlier
        }
    }

    let leads: PatternTable<Lead>
    /// A lead-in around a duration or the task: "set a 10 minute timer".
    let splitLeads: [SplitLead]
    let courtesy: PatternTable<Courtesy>
    let closings: [WordPattern]
    let questions: PatternTable<Question>
    let changes: PatternTable<Change>
    /// As a whole message; whether it is redone.
    let undoing: PatternTable<Bool>
    /// "the reminder to", "my … appointment": the kind of a thing, before its
    /// title and after it.
    let kinds: PatternTable<Understanding.Kind>
    let kindNouns: [String: Understanding.Kind]
    /// "the milk is done" ends in one of them.
    let doneEndings: [WordPattern]
    /// Verbs that begin what somebody has to do.
    let taskVerbs: Set<String>
    /// Of those, what people note down for themselves; others ("write", "find",
    /// "plan") are as likely said to an assistant.
    let choreVerbs: Set<String>
    /// Of those, the ones that no program could be asked to do.
    let personalVerbs: Set<String>
    /// What is done without an object: "swim tomorrow at 7".
    let aloneVerbs: Set<String>
    /// "called" → "call".
    let pastVerbs: [String: String]
    /// "put milk on my list"
    let puttingVerbs: Set<String>
    /// Things that a person attends.
    let appointments: Set<String>
    /// How compounds end that name one: "Spanischkurs".
    let appointmentEndings: [String]
    /// What programs are about: nothing that stands on a person's list.
    let technical: Set<String>
    /// Speak of time or condition: never part of a title that was understood.
    let leftovers: Set<String>
    /// In what was read as a time they make it unsure: "after 5", "at sunset".
    let unsureTimes: Set<String>
    /// Vague times; they ask.
    let vague: [WordPattern]
    /// What an assistant is asked to do, at the head of a message; after "and"
    /// they begin another request.
    let assistantVerbs: Set<String>
    /// Nouns of what is told or written, not attended or done.
    let writings: Set<String>
    let questionWords: Set<String>
    /// A sentence is built around one of them.
    let finiteVerbs: Set<String>
    let subjects: Set<String>
    let prepositions: Set<String>
    let pronouns: Set<String>
    let articles: Set<String>

    struct SplitLead: Sendable {
        var head: WordPattern
        var tail: Set<String>
        var lead: Lead
        /// The tail is the last word of the message.
        var isLast: Bool
    }

    static let all = [english, german]

    /// The answer of the first language that has one.
    static func first<Answer>(_ ask: (Lexicon) -> Answer?) -> Answer? {
        for lexicon in all {
            if let answer = ask(lexicon) { return answer }
        }
        return nil
    }

    static func isTaskVerb(_ word: String) -> Bool { all.contains { $0.taskVerbs.contains(word) } }
    /// "dentist", "Spanischkurs", also where the word is a verb as well.
    static func namesAppointment(_ word: String) -> Bool {
        all.contains { lexicon in
            lexicon.appointments.contains(word)
                || lexicon.appointmentEndings.contains {
                    word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2
                }
        }
    }

    static func isPuttingVerb(_ word: String) -> Bool {
        all.contains { $0.puttingVerbs.contains(word) }
    }

    /// "after 5", "at sunset", "two days or so"
    static func isUnsureTime(_ words: [String]) -> Bool {
        ["after", "past", "nach"].contains(words.first ?? "")
            || words.contains { word in all.contains { $0.unsureTimes.contains(word) } }
    }

    static func isAssistantVerb(_ word: String) -> Bool {
        all.contains { $0.assistantVerbs.contains(word) }
    }

    static func isWriting(_ word: String) -> Bool { all.contains { $0.writings.contains(word) } }

    static func isTechnical(_ word: String) -> Bool { all.contains { $0.technical.contains(word) } }

    /// A word as patterns have it: "reminf" before "me" is "remind".
    static func corrected(_ words: [String]) -> [String] {
        guard let index = words.firstIndex(where: { $0 == "me" || $0 == "mich" }), index > 0
        else { return words }
        var words = words
        let typed = words[index - 1]
        for word in ["remind", "erinnere"]
        where typed != word && !["rewind", "remand", "reminds", "erinner"].contains(typed)
            && typed.first == word.first
            && EditDistance.between(Array(typed.utf8), Array(word.utf8)) == 1
        {
            words[index - 1] = word
        }
        return words
    }

    /// A thing to attend whatever stands around it: "dentist", not "call".
    static func isAppointment(_ word: String) -> Bool {
        namesAppointment(word) && !isTaskVerb(word)
    }

    static func words(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    static func patterns(_ text: String) -> [WordPattern] {
        text.split(separator: "\n").map { WordPattern(String($0)) }
    }
}
