import Base
import CWords

/// What words mean in one language: lead-ins, courtesy, verbs with the act
/// each of them asks for, classes of words, and the words of dates. All of it
/// is in `english.txt` and `german.txt`.
package final class Lexicon: Sendable {
    /// What a lead-in says about the rest of the message.
    enum Lead: String, Sendable {
        /// "remind me": addressed to the reminders whatever follows.
        case reminder
        /// Rings at a clock time or after a duration, or is nothing.
        case alarm, timer
        /// "don't forget", "todo:": a task if a time is given as well.
        case task
        /// "add an event", "… to my calendar".
        case event
        /// "I need to", "schedule": a wish only where no model can be asked.
        case weakTask, weakEvent
        case filler
    }

    /// What stands before a request without being part of it.
    enum Courtesy: String, Sendable {
        case filler
        /// "can you": a question mark at the end asks nothing.
        case request
        /// "I want to": counts only before a verb that changes something.
        case wish
        /// "no,", "actually": the rest corrects what was done last.
        case correction
    }

    /// What a question asks for.
    struct Question: Sendable {
        enum Topic: String, Sendable {
            case agenda, free, busy, when, next, find
            /// Reminders; of a list that is named before the word "list".
            case reminders, list
            case due, overdue, completed
        }

        var topic: Topic
        /// It does not say whose day is meant: "anything on?".
        var isOpen: Bool
    }

    /// What a verb does to something that is there.
    struct Change: Sendable {
        enum Verb: String, Sendable {
            case done, reopen, delete, cancel, rename, snooze, move, end, silence
            /// "make it": what was spoken of last, to a time.
            case adjust
        }

        var verb: Verb
        /// Only lists and calendars have it: "tick off", "snooze".
        var isListVerb: Bool
        /// The direction that the verb gives a length: "bring … forward".
        var isEarlier: Bool
        /// It may be said of anything: without a model it is asked about.
        var asksFirst: Bool
    }

    /// Classes of words; each is a section `[words …]` of the file.
    enum Words: String, Sendable, CaseIterable {
        /// Verbs that begin a task; of those what people note down for
        /// themselves; of those what no program could be asked to do;
        /// and what is done without an object.
        case taskVerbs, choreVerbs, personalVerbs, aloneVerbs
        /// Verbs that are nouns as well, words that mark the object of one, and
        /// what stands after "call" where it is a noun: "call center".
        case nounVerbs, objectMarkers, calledThings
        /// "put milk on my list": the verb, "on", "my", and lists of tasks.
        case puttingVerbs, listMarkers, listOwners, taskLists
        /// Things that a person attends, and how compounds end that name one.
        case appointments, appointmentEndings
        /// "7 instead"; and verbs that are said of no item in "drop it".
        case correctionEndings, figurativeVerbs
        /// What programs are about: nothing that stands on a person's list.
        case technical
        /// Speak of time or condition: never part of a title that was understood.
        case leftovers
        /// Beside a time they change it ("not at 7"); a title does not end in one
        /// ("haircut to"); and they bound what repeats within a day ("during work").
        case timeChangers, openEndings, windows
        /// In what was read as a time they make it unsure: "at sunset".
        case unsureTimes
        /// What an assistant is asked to do; after "and" another request.
        case assistantVerbs
        /// Nouns of what is said or written, not attended or done.
        case writings
        /// What stands before or after a number that counts no time: "room 7",
        /// "the 3rd floor", "7 Oak street"; and what announces an alarm.
        case numbered, ranked, streets, alarms
        /// Words of a wish, after which a thing is asked for: "set no alarm".
        case wanting
        /// Numbers that are neither an hour nor a day, and the areas of time zones.
        case vagueNumbers, zoneAreas
        /// What makes a month of a name, and of a person's name.
        case beforeMonths, surelyBeforeMonths
        /// Said of the morning or of the evening: "wake", "dinner".
        case earlyThings, lateThings
        /// What a title does not end in before a date, what only joins two of
        /// them, and what a title neither begins nor ends in beside them.
        case dangling, links, openings, closings
        /// Said while thinking; no part of a title.
        case fillers
        case questionWords, finiteVerbs, subjects, prepositions, pronouns, articles
        /// What messages call reminders and the calendar, where they speak of
        /// them, and where a question is surely about them.
        case reminderNouns, calendarNouns, calendarNames
        /// What stands beside a wish and ends no sentence.
        case courtesies, abbreviations
        /// "the reminder *to* call mom"; "everything", which is not a title; and
        /// what a title seldom holds: "if", "or".
        case connectors, manyThings, conditions
        /// "snooze it *until* 5", "move it *to* friday", and the direction.
        case snoozeLeads, timeLeads, earlierWords, laterWords
        /// What makes a time of "evening", of a number, and what makes a number
        /// one of guests; a person of "April"; and a clause of what follows.
        case beforeParts, beforeNumbers, mealThings, beforePeople, clauseOpeners
        /// "what's" is "what is", "Ida's" is not.
        case beforeIs
        /// "no dentist tomorrow", "weck mich nicht".
        case negations
        /// What a kind of item makes a thing to build of: "reminder app", "event poster".
        case builtThings
        /// "the plot of", "the difference between": what is known, not done; the words after
        /// it, and those that may stand before it.
        case recalledThings, afterRecalled, recalledAdjectives
        case shorteningVerbs
        /// What stands around the days that a question is about.
        case periodLeads, periodTails
    }

    let leads: PatternTable<Lead>
    let courtesy: PatternTable<Courtesy>
    let closings: PatternTable<Void>
    let questions: PatternTable<Question>
    let changes: PatternTable<Change>
    /// As a whole message; whether it is redone.
    package let undoing: PatternTable<Bool>
    /// "the reminder to": the kind of a thing, before its title; as a noun also
    /// after it.
    let kinds: PatternTable<Understanding.Kind>
    let kindNouns: [String: Understanding.Kind]
    /// What a message does that ends in one of them: "the milk is done", "timer aus".
    let changeEndings: PatternTable<Change>
    /// "called" → "call".
    let pastVerbs: [String: String]
    /// Vague times; they ask.
    let vague: PatternTable<Void>
    let dates: WordTable
    /// Words of dates that tell the language of a phrase.
    let dateSigns: Set<String>
    let file: LexiconFile
    /// How compounds end that name an appointment, and a thing to build.
    private let appointmentEndings: [String]
    private let builtEndings: [String]

    private init(_ file: LexiconFile) {
        self.file = file
        var dates = WordTable(file.text("dates"), corrected: file.text("date corrections"))
        let compounds = file.lines("date compounds").map { WordTable.list(String($0)) }
        if compounds.count == 2 { dates.compound(compounds[0], compounds[1]) }
        self.dates = dates
        dateSigns = Set(file.words("date signs"))
        leads = file.table("lead") { Lead(rawValue: $0[0]) }
        courtesy = file.table("courtesy") { Courtesy(rawValue: $0[0]) }
        questions = file.table("question") { words in
            Question.Topic(rawValue: words[0]).map {
                Question(topic: $0, isOpen: words.contains("open"))
            }
        }
        func change(_ words: [String]) -> Change? {
            Change.Verb(rawValue: words[0]).map {
                Change(
                    verb: $0, isListVerb: words.contains("list"),
                    isEarlier: words.contains("earlier"), asksFirst: words.contains("asks"))
            }
        }
        changes = file.table("change", change)
        changeEndings = file.table("ending", change)
        undoing = PatternTable([(file.lines("undo"), false), (file.lines("redo"), true)])
        kinds = file.table("kind") { Understanding.Kind(rawValue: $0[0]) }
        kindNouns = Dictionary(
            [Understanding.Kind.reminder, .event].flatMap { kind in
                file.words("noun \(kind.rawValue)").map { ($0, kind) }
            }, uniquingKeysWith: { $1 })
        closings = PatternTable([(file.lines("closing"), ())])
        vague = PatternTable([(file.lines("vague"), ())])
        let past = file.words("past").map { $0.split(separator: "=").map(String.init) }
        pastVerbs = Dictionary(
            past.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }, uniquingKeysWith: { $1 })
        appointmentEndings = file.words("words appointmentEndings")
        builtEndings = file.words("words builtThings")
    }

    static let english = Lexicon(LexiconFile(.lexiconEnglish))
    static let german = Lexicon(LexiconFile(.lexiconGerman))
    static let all = [english, german]

    func has(_ kind: Words, _ word: String) -> Bool {
        guard let known = Self.classes[word] else { return false }
        return (self === Self.english ? known.english : known.german) & (Self.bits[kind] ?? 0) != 0
    }

    // MARK: - Both languages

    /// The classes of each word by language, a bit for each: it is looked up
    /// for every word of a phrase many times.
    private static let classes: [String: (english: UInt128, german: UInt128)] = {
        var classes: [String: (english: UInt128, german: UInt128)] = [:]
        classes.reserveCapacity(8_192)
        for (bit, kind) in Words.allCases.enumerated() {
            let section = "words \(kind.rawValue)"
            for word in english.file.words(section) {
                classes[word, default: (0, 0)].english |= 1 << bit
            }
            for word in german.file.words(section) {
                classes[word, default: (0, 0)].german |= 1 << bit
            }
        }
        return classes
    }()

    private static let bits = Dictionary(
        uniqueKeysWithValues: Words.allCases.enumerated().map { ($1, UInt128(1) << $0) })

    /// Whether the word is of that class in any language.
    static func has(_ kind: Words, _ word: String) -> Bool {
        guard let known = classes[word] else { return false }
        return (known.english | known.german) & (bits[kind] ?? 0) != 0
    }

    /// The answer of the first language that has one.
    package static func first<Answer>(_ ask: (Lexicon) -> Answer?) -> Answer? {
        for lexicon in all {
            if let answer = ask(lexicon) { return answer }
        }
        return nil
    }

    static func isTaskVerb(_ word: String) -> Bool { has(.taskVerbs, word) }
    static func isTechnical(_ word: String) -> Bool { has(.technical, word) }

    /// "dentist", "Spanischkurs", also where the word is a verb as well.
    static func namesAppointment(_ word: String) -> Bool {
        has(.appointments, word)
            || all.contains { lexicon in
                lexicon.appointmentEndings.contains {
                    word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2
                }
            }
    }

    /// A thing to attend whatever stands around it: "dentist", not "call".
    static func isAppointment(_ word: String) -> Bool {
        namesAppointment(word) && !isTaskVerb(word)
    }

    /// "reminder", "Termin": the kind of what is called so.
    static func kind(of noun: String) -> Understanding.Kind? {
        first { $0.kindNouns[noun.lowercased()] }
    }

    static func isBuilt(_ word: String) -> Bool {
        isTechnical(word) || has(.builtThings, word)
            || german.builtEndings.contains {
                word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2
            }
    }

    /// "reminder", "calendar", "list": what holds items or is one.
    static func namesItems(_ word: String) -> Bool {
        kind(of: word) != nil || has(.reminderNouns, word) || has(.calendarNouns, word)
            || ["list", "liste"].contains(word)
    }

    /// "around", "gegen"
    static func isAbout(_ word: String) -> Bool {
        first { $0.dates.words[word]?.roles.contains(.about) == true ? true : nil } ?? false
    }

    /// "after 5", "at sunset", "two days or so"
    static func isUnsureTime(_ words: [String]) -> Bool {
        ["after", "past", "nach"].contains(words.first ?? "")
            || words.contains { has(.unsureTimes, $0) }
    }

    /// Words as patterns have them: "reminf" before "me" is "remind".
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
}
