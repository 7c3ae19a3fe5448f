/// Reads a phrase in the language of dates; see `ParsedPhrase`.
///
/// A phrase is cut into tokens (`Tokenizer`), stretches of them are read
/// (`PhraseGrammar`), the ones that count are chosen (`Selection`) and worked
/// out against the context (`Resolver`); what is left is the title.
package struct DateParser: Sendable {
    /// Readings of that confidence are acted on without a question.
    package static let certain = 0.8
    /// Longer phrases are read up to here, in UTF-8 bytes.
    package static let lengthLimit = 4096

    package let context: DateContext

    package init(_ context: DateContext) { self.context = context }

    /// Always gives a reading; without a date in it, the phrase is the title.
    package func parse(_ phrase: String) -> ParsedPhrase {
        let tokens = Tokenizer.tokens(of: phrase, language: context.locale.language)
        let bytes = Array(phrase.utf8)
        var grammar = PhraseGrammar(tokens, source: bytes, locale: context.locale)
        let selection = Selection(grammar.pieces())
        let maker = ReadingMaker(
            phrase: phrase, bytes: bytes, tokens: tokens, context: context, selection: selection)
        return maker.reading()
    }
}
