/// Nouns that say that people come together, and what they say of the hour.
enum EventWords {
    static func isMeeting(_ tokens: [Token], _ isUsed: [Bool]) -> Bool {
        for (index, token) in tokens.enumerated() where !isUsed[index] {
            if token.kind == .word, nouns.contains(token.text) { return true }
            let next = tokens[(index + 1)...].prefix(2).map(\.text)
            if ["call", "coffee", "drinks", "catch"].contains(token.text),
                ["with", "mit"].contains(next.first)
            {
                return true
            }
            if token.text == "sync" && !next.isEmpty || token.text == "1" && next == [":", "1"] {
                return true
            }
        }
        return false
    }

    static func isNoun(_ word: String) -> Bool { nouns.contains(word) }

    /// Dinner is in the evening and waking up is not.
    static func hint(_ tokens: [Token]) -> ClockResolver.Hint {
        for token in tokens where token.kind == .word {
            if early.contains(token.text) { return .early }
        }
        for token in tokens where token.kind == .word {
            if late.contains(token.text) { return .late }
        }
        return .none
    }

    private static let early = Set(
        words: """
            wake breakfast frühstück weck wecken aufstehen sunrise
            """)
    private static let late = Set(
        words: """
            dinner supper concert movie cinema opera pub abendessen konzert kino theater theatre
            nightclub party drinks bedtime date-night
            """)
    private static let nouns = Set(
        words: """
            dentist doctor appointment appt meeting lunch dinner brunch supper standup concert
            flight interview party class lesson movie cinema theatre theater show gig match wedding
            workshop webinar conference demo retro retrospective training rehearsal choir therapy
            haircut hairdresser physio checkup exam offsite meetup session seminar lecture tour
            yoga pilates barbecue bbq picnic kickoff funeral ceremony graduation opera playdate
            practice recital festival hackathon course zahnarzt zahnärztin arzt ärztin arzttermin
            termin besprechung sitzung treffen mittagessen abendessen konzert flug
            vorstellungsgespräch feier kurs unterricht probe friseur kino hochzeit geburtstagsfeier
            prüfung elternabend vorlesung chorprobe stammtisch
            """)
}
