import ICalendar

/// Reads a length of time that stands alone: `1h30m`, `2 hours 15`,
/// "an hour and a half", "anderthalb Stunden".
///
/// It knows the words that phrases are read by; see `PhraseGrammar`.
package enum DurationParser {
    /// Longer ones are typing errors; about ten years.
    private static let limit = 3_660

    /// Days are nominal, shorter units exact. `bare` is what a number alone
    /// counts; with nil a number alone is not a length.
    package static func duration(
        of text: String, bare: TimeUnit? = .minute
    ) -> CalendarDuration? {
        guard text.utf8.count <= 200 else { return nil }
        let tokens = Tokenizer.tokens(of: text, language: .english)
        var grammar = PhraseGrammar(tokens, source: [], locale: .british)
        grammar.isLength = true
        // Months have no length of their own.
        guard let amount = grammar.length(bare: bare), amount.months == 0,
            amount.days + amount.seconds / 86_400 <= limit
        else { return nil }
        return CalendarDuration(days: amount.days, seconds: amount.seconds)
    }
}
