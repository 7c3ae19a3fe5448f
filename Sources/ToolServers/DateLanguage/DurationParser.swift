import ICalendar

/// Parses a length of time on its own: `1h30m`, `2 hours 15`, "an hour and a half",
/// "anderthalb Stunden".
///
/// Uses the same vocabulary as phrases; see `PhraseGrammar`.
package enum DurationParser {
    /// Maximum length in days, about ten years; longer ones are typos.
    private static let limit = 3_660

    /// The parsed length, with days nominal and shorter units exact. `bare` is the unit of
    /// a number without one; if nil, such a number is not a length.
    package static func duration(
        of text: String, bare: TimeUnit? = .minute
    ) -> CalendarDuration? {
        guard text.utf8.count <= 200 else { return nil }
        let tokens = Tokenizer.tokens(of: text, language: .english)
        var grammar = PhraseGrammar(tokens, source: [], locale: .british)
        grammar.isLength = true
        // Months have no fixed length.
        guard let amount = grammar.length(bare: bare), amount.months == 0,
            amount.days + amount.seconds / 86_400 <= limit
        else { return nil }
        return CalendarDuration(days: amount.days, seconds: amount.seconds)
    }
}
