/// Nouns that say that people come together, and what they say of the hour.
enum EventWords {
    static func isMeeting(_ tokens: [Token], _ isUsed: [Bool]) -> Bool {
        for (index, token) in tokens.enumerated() where !isUsed[index] {
            if token.kind == .word, Lexicon.isAppointment(token.text) { return true }
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

    /// Dinner is in the evening and waking up is not.
    static func hint(_ tokens: [Token]) -> ClockResolver.Hint {
        // An alarm rings in the morning unless it says otherwise.
        if tokens.prefix(6).contains(where: { ["alarm", "wecker"].contains($0.text) }) {
            return .early
        }
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
}
