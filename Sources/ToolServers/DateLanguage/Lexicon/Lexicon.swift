import Base
import CWords

/// The vocabulary of one language: lead-ins, courtesies, verbs with the act that each asks
/// for, word classes, and date words. All of it is read from `english.txt` and
/// `german.txt`.
package final class Lexicon: Sendable {
    /// The kind of request that a lead-in introduces.
    enum Lead: String, Sendable {
        /// "remind me": addressed to the reminders whatever follows.
        case reminder
        /// Rings at a clock time or after a duration; needs one of them.
        case alarm, timer
        /// "don't forget", "todo:": a task if a time is given as well.
        case task
        /// "add an event", "… to my calendar".
        case event
        /// "I need to", "schedule": counts as a request only if no model is available.
        case weakTask, weakEvent
        case filler
    }

    /// The kind of a phrase before a request that is not part of it.
    enum Courtesy: String, Sendable {
        case filler
        /// "can you": a question mark at the end does not make it a question.
        case request
        /// "I want to": counts only before a verb that changes something.
        case wish
        /// "no,", "actually": the rest corrects the last act.
        case correction
    }

    /// The subject of a question.
    struct Question: Sendable {
        enum Topic: String, Sendable {
            case agenda, free, busy, when, next, find
            /// Reminders, or those of the list named before the word "list".
            case reminders, list
            case due, overdue, completed
        }

        var topic: Topic
        /// Whether it does not say whose day is meant: "anything on?".
        var isOpen: Bool
    }

    /// The effect of a verb on an existing item.
    struct Change: Sendable {
        enum Verb: String, Sendable {
            case done, reopen, delete, cancel, rename, snooze, move, end, silence
            /// "make it": gives the last mentioned item another time.
            case adjust
        }

        var verb: Verb
        /// Whether the verb is used only for lists and calendars: "tick off", "snooze".
        var isListVerb: Bool
        /// Whether a length with the verb means earlier: "bring … forward".
        var isEarlier: Bool
        /// Whether the verb is used for many things; without a model, the user is asked.
        var asksFirst: Bool
    }

    package enum Undoing: String, Sendable { case undo, redo, restored, dropped }

    /// Word classes; each is a section `[words …]` of the file.
    enum Words: String, Sendable, CaseIterable {
        /// Verbs that begin a task; those for typical notes to oneself; those that no
        /// program could be asked to do; and those used without an object.
        case taskVerbs, choreVerbs, personalVerbs, aloneVerbs
        /// Verbs that are also nouns, words that mark the object of one, and words after
        /// "call" that make it a noun: "call center".
        case nounVerbs, objectMarkers, calledThings, vagueThings, anyWords
        /// "put milk on my list": the verb, "on", "my", and lists of tasks.
        case puttingVerbs, listMarkers, listOwners, taskLists, listHeadings
        /// Events that people attend, and endings of compounds that name one.
        case appointments, appointmentEndings
        /// "7 instead"; and verbs that refer to no item in "drop it".
        case correctionEndings, figurativeVerbs
        /// Programming terms, which do not occur on a personal list.
        case technical
        /// Words of time or condition that are never part of a fully understood title.
        case leftovers
        /// Words that change a time ("not at 7"), that no title ends in ("haircut to"), and
        /// that limit a repetition to part of the day ("during work").
        case timeChangers, openEndings, windows
        /// Words that make a time uncertain: "at sunset".
        case unsureTimes
        /// Tasks for an assistant; after "and", another request.
        case assistantVerbs
        /// Nouns for things said or written, not attended or done.
        case writings
        /// Words next to a number that is not a time: "room 7", "the 3rd floor", "7 Oak
        /// street"; and words that announce an alarm.
        case numbered, ranked, streets, alarms
        /// Words of a wish for an item: "set no alarm".
        case wanting
        /// Numbers that are neither an hour nor a day, and areas of time zones.
        case vagueNumbers, zoneAreas
        /// Words before a month's name, and those after which it cannot be a first name.
        case beforeMonths, surelyBeforeMonths
        /// Words for the morning or the evening: "wake", "dinner".
        case earlyThings, lateThings
        /// Departures, at the time as written in a timetable: "train".
        case timetabled
        /// Words that no title ends in before a date, that only join two dates, and that no
        /// title begins or ends with next to one.
        case dangling, links, openings, closings
        /// Hesitation words, which are not part of a title, and the names of signs, which are not
        /// part of it at its edges.
        case fillers, dictatedSigns
        /// Words next to a time that add nothing to it: "both", "jeweils".
        case timeFillers
        /// Verbs that ask others for a place: "book".
        case bookingVerbs
        /// "soll", "muss".
        case modalVerbs
        /// "not monday *but* tuesday"
        case contrasts
        case questionWords, finiteVerbs, subjects, prepositions, pronouns, articles
        /// The terms for reminders and the calendar, in mentions and in unmistakable
        /// questions.
        case reminderNouns, calendarNouns, calendarNames
        /// Polite words next to a wish, and abbreviations that end no sentence.
        case courtesies, abbreviations
        /// "the reminder *to* call mom"; "everything", which is not a title; and words rare
        /// in titles: "if", "or".
        case connectors, manyThings, conditions
        /// "snooze it *until* 5", "move it *to* friday", words for the direction, and words
        /// after the length of an alarm: "30 min before".
        case snoozeLeads, timeLeads, earlierWords, laterWords, longerWords, shorterWords
        case beforeWords
        /// Words before "evening" or a number that make it a time; words that make a number
        /// one of guests; words before "April" as a person; and words that open a clause.
        case beforeParts, beforeNumbers, mealThings, beforePeople, clauseOpeners
        /// Words whose "'s" means "is": "what's", but not "Ida's".
        case beforeIs
        /// "no dentist tomorrow", "weck mich nicht".
        case negations
        /// Words of a clause that says why something is changed, and those between it and
        /// the change.
        case reasonWords, clauseMarks
        /// Words that only speak of a time: "tomorrow at 10 *would be good*".
        case aroundTimes
        /// "the agent *says* 12:45"
        case sayingVerbs
        /// "just tonight"
        case onlyWords
        /// Words after a kind of item that make it a product: "reminder app", "event
        /// poster".
        case builtThings
        /// "the plot of", "the difference between": knowledge, not tasks; the words after
        /// it, and those that may come before it.
        case recalledThings, afterRecalled, recalledAdjectives
        case shorteningVerbs
        /// Words around the days that a question is about.
        case periodLeads, periodTails
        /// Words that ask about a period: "show", "events", "what is"; those that do so only
        /// next to "I" or "we"; those that ask for free time; and those for all that is ahead.
        case askingWords, ownAskingWords, freeWords, upcomingWords
        /// "week 12", "KW 12"; and "did I put … in", "habe ich … eingetragen".
        case weekWords, notedVerbs
    }

    let leads: PatternTable<Lead>
    let courtesy: PatternTable<Courtesy>
    /// Polite words at the end; the value is whether they mark a correction.
    let closings: PatternTable<Bool>
    let questions: PatternTable<Question>
    let changes: PatternTable<Change>
    /// Patterns for a whole message that undoes, redoes, or only says "never mind".
    package let undoing: PatternTable<Undoing>
    /// "the reminder to": the kind of an item, before its title; as a noun also after it.
    let kinds: PatternTable<Understanding.Kind>
    let kindNouns: [String: Understanding.Kind]
    /// The change made by a message with one of these endings: "the milk is done", "timer
    /// aus".
    let changeEndings: PatternTable<Change>
    /// "called" → "call".
    let pastVerbs: [String: String]
    /// Vague times, about which the user is asked.
    let vague: PatternTable<Void>
    let dates: WordTable
    /// Date words that reveal the language of a phrase.
    let dateSigns: Set<String>
    let file: LexiconFile
    /// Endings of compounds that name an appointment, and something to build.
    private let appointmentEndings: [String]
    private let builtEndings: [String]
    /// "raus", "ein": prefixes of German verbs.
    let verbPrefixes: [String]
    /// Lead-ins at the end, or before the time: ", put that down".
    let tails: PatternTable<Lead>

    private init(_ file: LexiconFile) {
        self.file = file
        var dates = WordTable(
            file.text("dates"), corrected: file.text("date corrections"),
            commands: file.words("command corrections"))
        let compounds = file.lines("date compounds").map { WordTable.list(String($0)) }
        if compounds.count == 2 { dates.compound(compounds[0], compounds[1]) }
        self.dates = dates
        dateSigns = Set(file.words("date signs"))
        leads = file.table("lead") { Lead(rawValue: $0[0]) }
        tails = file.table("tail") { Lead(rawValue: $0[0]) }
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
        undoing = PatternTable(
            [Undoing.undo, .redo, .restored, .dropped].map { (file.lines($0.rawValue), $0) })
        kinds = file.table("kind") { Understanding.Kind(rawValue: $0[0]) }
        kindNouns = Dictionary(
            [Understanding.Kind.reminder, .event].flatMap { kind in
                file.words("noun \(kind.rawValue)").map { ($0, kind) }
            }, uniquingKeysWith: { $1 })
        closings = PatternTable(
            [(file.lines("closing"), false), (file.lines("closing correction"), true)])
        vague = PatternTable([(file.lines("vague"), ())])
        let past = file.words("past").map { $0.split(separator: "=").map(String.init) }
        pastVerbs = Dictionary(
            past.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }, uniquingKeysWith: { $1 })
        appointmentEndings = file.words("words appointmentEndings")
        builtEndings = file.words("words builtThings")
        verbPrefixes = file.words("words verbPrefixes")
    }

    static let english = Lexicon(LexiconFile(.lexiconEnglish))
    static let german = Lexicon(LexiconFile(.lexiconGerman))
    static let all = [english, german]

    func has(_ kind: Words, _ word: String) -> Bool {
        guard let known = Self.classes[word] else { return false }
        return (self === Self.english ? known.english : known.german) & (Self.bits[kind] ?? 0) != 0
    }

    // MARK: - Both languages

    /// The classes of each word by language, as bits, since every word of a phrase is
    /// looked up many times.
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

    /// The first non-nil answer of a language.
    package static func first<Answer>(_ ask: (Lexicon) -> Answer?) -> Answer? {
        for lexicon in all {
            if let answer = ask(lexicon) { return answer }
        }
        return nil
    }

    /// The lines of a section, one phrase each.
    package static func phrases(_ section: String) -> [String] {
        all.flatMap { $0.file.lines(section).map(String.init) }
    }

    static func isTaskVerb(_ word: String) -> Bool { has(.taskVerbs, word) }

    /// "rausstellen", "einpacken", but not "Einladungen"
    static func isSeparableVerb(_ word: String) -> Bool {
        ["en", "ern", "eln"].contains(where: word.hasSuffix) && !word.hasSuffix("ungen")
            && german.verbPrefixes.contains {
                word.hasPrefix($0) && word.utf8.count > $0.utf8.count + 4
            }
    }

    static func isTechnical(_ word: String) -> Bool { has(.technical, word) }

    /// Whether a word names an appointment: "dentist", "Spanischkurs". Some are also verbs.
    static func namesAppointment(_ word: String) -> Bool {
        has(.appointments, word)
            || all.contains { lexicon in
                lexicon.appointmentEndings.contains {
                    word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2
                }
            }
    }

    /// Whether the word is an appointment in any context: "dentist", not "call".
    static func isAppointment(_ word: String) -> Bool {
        namesAppointment(word) && !isTaskVerb(word)
    }

    /// "reminder", "Termin": the kind of item that the noun names.
    static func kind(of noun: String) -> Understanding.Kind? {
        first { $0.kindNouns[noun.lowercased()] }
    }

    static func isBuilt(_ word: String) -> Bool {
        isTechnical(word) || has(.builtThings, word)
            || german.builtEndings.contains {
                word.hasSuffix($0) && word.utf8.count > $0.utf8.count + 2
            }
    }

    /// "reminder", "calendar", "list": whether the noun names an item or a collection of
    /// them.
    static func namesItems(_ word: String) -> Bool {
        kind(of: word) != nil || has(.reminderNouns, word) || has(.calendarNouns, word)
            || ["list", "liste"].contains(word)
    }

    /// "around", "gegen"
    static func isAbout(_ word: String) -> Bool {
        isDate(word) { $0.has(.about) }
    }

    /// Whether the word has such a meaning in a date, in any language.
    static func isDate(_ word: String, _ isMeant: (Lexeme) -> Bool) -> Bool {
        all.contains { $0.dates.words[word].map(isMeant) == true }
    }

    /// "earlier", "back", "longer", "kürzer"
    static func isDirection(_ word: String) -> Bool {
        [Words.earlierWords, .laterWords, .longerWords, .shorterWords].contains { has($0, word) }
    }

    /// "after 5", "at sunset", "two days or so"
    static func isUnsureTime(_ words: [String]) -> Bool {
        ["after", "past", "nach"].contains(words.first ?? "")
            || words.contains { has(.unsureTimes, $0) }
    }
}
