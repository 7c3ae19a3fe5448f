import Base
import DateLanguage

/// Parses "every weekday at 7:30 sum up my day" as a routine: a repetition, and a request that only
/// a model can carry out. Something the user has to do ("take pills") is a reminder, not a routine.
/// Pure.
struct RoutineMessage: Equatable {
    var times: String
    var request: String

    /// Beginnings of a request to the assistant.
    private static let requests = Lexicon.phrases("routine request")
    /// Requests that may precede the repetition.
    private static let summaries = Lexicon.phrases("routine summary")
    /// Continuations that make a reminder of it: "tell me to call mom".
    private static let reminders = Lexicon.phrases("routine reminder")
    /// Beginnings of a repetition.
    private static let repetitions = Set(Lexicon.phrases("routine repetition"))
    private static let longest = 14

    /// - Parameter isRepetition: whether a text is a repetition and nothing else.
    init?(_ message: String, isRepetition: (String) -> Bool) {
        let words = message.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count >= 4, message.utf8.count <= DateParser.lengthLimit else { return nil }
        if Self.repetitions.contains(Self.plain(words[0])) {
            for count in 1...min(Self.longest, words.count - 2)
            where Self.isRequest(words[count...]) {
                // "every day at 8: sum up …", "… please sum up …".
                var times = words[..<count]
                while let last = times.last, ["please", "bitte", "-", "–", ":"].contains(last) {
                    times.removeLast()
                }
                let text = Self.trimmed(times)
                guard isRepetition(text) else { continue }
                self.init(text, words[count...])
                return
            }
        }
        // "what is on every monday?" is a question.
        if Self.summaries.contains(where: { message.lowercased().hasPrefix($0 + " ") }) {
            for count in (2..<min(Self.longest, words.count - 1)).reversed()
            where Self.repetitions.contains(Self.plain(words[words.count - count])) {
                let text = Self.trimmed(words.suffix(count))
                guard isRepetition(text) else { continue }
                self.init(text, words.dropLast(count))
                return
            }
        }
        return nil
    }

    private init(_ times: String, _ request: ArraySlice<String>) {
        self.times = times
        self.request = Self.trimmed(request)
    }

    private static func trimmed(_ words: some Sequence<String>) -> String {
        var text = words.joined(separator: " ")
        while let last = text.last, ",:;".contains(last) { text.removeLast() }
        return text
    }

    private static func plain(_ word: String) -> String {
        word.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    private static func isRequest(_ words: ArraySlice<String>) -> Bool {
        let text = words.prefix(5).map(plain).joined(separator: " ") + " "
        if reminders.contains(where: { text.hasPrefix($0 + " ") }) { return false }
        return requests.contains { text.hasPrefix($0 + " ") }
    }
}
