/// The openings that say "this is a task" and belong to no title: "remind me
/// to", "don't forget", "todo:", "erinnere mich daran".
enum Lead {
    struct Match {
        var end: Int
        /// It asks for a reminder or names a task.
        var isTask: Bool
    }

    /// Whether a lead begins at `index`.
    static func begins(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        match(grammar, index) != nil
    }

    static func match(_ grammar: PhraseGrammar, _ index: Int) -> Match? {
        guard let token = grammar.token(index),
            token.kind == .word || token.kind == .sign || token.kind == .digits
        else { return nil }
        // Looked at last: it walks the phrase.
        var isFirst: Bool { isOpening(grammar, index) }
        if token.text == "tell" || token.text == "sag", grammar.isWord(index + 1, "me", "mir"),
            grammar.isWhen(index + 2)
        {
            return Match(end: index + 2, isTask: true)
        }
        // A check box of Markdown.
        if token.text == "[", isFirst {
            if grammar.isSign(index + 1, "]") { return Match(end: index + 2, isTask: true) }
            if grammar.isSign(index + 2, "]") { return Match(end: index + 3, isTask: true) }
        }
        let first = token.text == "dont" ? "don't" : token.text
        guard let patterns = byFirstWord[first] else { return nil }
        for pattern in patterns where pattern.isAnywhere || isFirst {
            if let end = matches(grammar, index, pattern.words) {
                if pattern.words.last == ":" || !pattern.needsMore || grammar.token(end) != nil {
                    return Match(end: end, isTask: pattern.isTask)
                }
            }
        }
        return nil
    }

    /// Only other leads or signs stand before.
    private static func isOpening(_ grammar: PhraseGrammar, _ index: Int) -> Bool {
        (0..<index).allSatisfy { grammar.taken[$0] || grammar.tokens[$0].kind == .sign }
    }

    private static func matches(_ grammar: PhraseGrammar, _ index: Int, _ words: [String]) -> Int? {
        var next = index
        for word in words {
            guard let token = grammar.token(next),
                token.text == word || (word == "don't" && token.text == "dont")
            else { return nil }
            next += 1
        }
        return next
    }

    private struct Pattern: Sendable {
        var words: [String]
        var isTask: Bool
        /// Counts after other words, too ("tomorrow remind me to …").
        var isAnywhere: Bool
        var needsMore: Bool
    }

    private static let byFirstWord: [String: [Pattern]] = {
        var patterns: [String: [Pattern]] = [:]
        func add(_ texts: String, isTask: Bool, isAnywhere: Bool, needsMore: Bool = true) {
            for line in texts.split(separator: "|") {
                let words = line.split(separator: " ").map(String.init)
                guard let first = words.first else { continue }
                patterns[first, default: []].append(
                    Pattern(
                        words: words, isTask: isTask, isAnywhere: isAnywhere, needsMore: needsMore))
            }
        }
        add(
            "remind me again to|remind me to please|remind me to|remind me that i need to|remind me that i have to|remind me that|remind me about|remind me of|remind me i need to|remind me i have to|remind me please|remind me pls|remind me|remind us to|remind us|reminder to self to|reminder to self :|reminder to|reminder for|reminder :|reminder -|reminder about|note to self :|note to self|remember to|remember that|don't forget to|don't forget about|don't forget that|don't forget|do not forget to|do not forget|don't let me forget to|don't let me forget about|don't let me forget|make sure i don't forget to|make sure to|make sure i|make sure that i|set me a reminder to|set me a reminder for|set me a reminder|set up a reminder to|set up a reminder for|set up a reminder|set a reminder to|set a reminder for me to|set a reminder for|set a reminder about|set a reminder that|set a reminder|set reminder to|set reminder for|set reminder|set an alarm to|set an alarm for|set an alarm|set alarm for|set a timer for|create a reminder to|create a reminder for|create a reminder about|create a reminder|create reminder|add a reminder to|add a reminder for|add a reminder about|add a reminder|add reminder to|add reminder|make a reminder to|make a reminder for|make a reminder|new reminder to|new reminder :|new reminder|i want to be reminded to|i want to be reminded about|i want to be reminded of|i need a reminder to|i need a reminder for|i need a reminder about|give me a reminder to|give me a reminder|send me a reminder to|send me a reminder about|send me a reminder|ping me to|ping me about|ping me|nudge me to|nudge me about|nudge me|alert me to|alert me about|alert me when|alert me|notify me to|notify me about|notify me that|notify me|tell me to|tell me that|buzz me to|buzz me|prompt me to|prompt me|rmd me to|remindme to|remindme|remind to|erinnere mich daran dass|erinnere mich daran ,|erinnere mich daran|erinnere mich bitte daran|erinnere mich bitte an|erinnere mich bitte|erinnere mich an|erinnere mich|erinner mich bitte an|erinner mich daran|erinner mich an|erinner mich|erinnerung :|erinnerung an|sag mir bescheid|nicht vergessen :|nicht vergessen ,|nicht vergessen|vergiss nicht ,|vergiss nicht|denk daran ,|denk daran|denk dran ,|denk dran|denke daran|weck mich auf|ich will daran erinnert werden|remind: |i must remember to|i need to remember to|need to remember to|i have to remember to|have to remember to",
            isTask: true, isAnywhere: true, needsMore: false)
        patterns["weck"] = nil
        add(
            "todo :|todo|to do :|to - do :|to - do|task :|new task :|new task|new todo :|new todo|create a task to|create a task for|create a task|create task|add a task to|add a task for|add a task|add task|add todo|add a todo to|add a todo|add to my list|i need to|i have to|i've got to|i have got to|i got to|i gotta|i must|i should|i ought to|i'll need to|i will need to|i'm supposed to|i am supposed to|we need to|we have to|we must|we should|we've got to|need to|have to|got to|gotta|must|aufgabe :|neue aufgabe :|neue aufgabe|ich muss noch|ich muss|ich soll|ich sollte|wir müssen|muss noch|add|pls add|jot down|note :|deadline :|due :|i want to|i wanna|i'd like to|i would like to",
            isTask: true, isAnywhere: false)
        add(
            "add to my calendar :|add to calendar :|new event :|new event|new appointment :|event :|create an event for|create an event|create event|add an event for|add an event|add event|schedule a|schedule an|schedule my|schedule|set up a|set up an|book me a|pencil in|pencil me in for|termin :|neuer termin :|neuer termin|trag ein :|plan a",
            isTask: false, isAnywhere: false)
        patterns["plan"] = nil
        add(
            "recurring :|repeating :|repeat :|repeat|please|pls|plz|hey|hi|hello|ok|okay|hey chat ,|chat ,|well|can you please|can you pls|can you|could you please|could you|would you please|would you|will you please|will you|can u pls|can u|kannst du bitte|kannst du mich|kannst du|könntest du|bitte|hallo|let's",
            isTask: false, isAnywhere: false)
        patterns["let's"] = nil
        return patterns.mapValues { $0.sorted { $0.words.count > $1.words.count } }
    }()
}
