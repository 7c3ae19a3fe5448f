/// Parses a phrase in the date language; see `ParsedPhrase`.
///
/// The phrase is cut into tokens (`Tokenizer`), runs of tokens are parsed
/// (`PhraseGrammar`), the relevant ones are chosen (`Selection`) and resolved against the
/// context (`Resolver`); the rest is the title.
package struct DateParser: Sendable {
    /// Confidence from which a reading is acted on without asking.
    package static let certain = 0.8
    /// Length up to which a phrase is searched for times, in UTF-8 bytes: half a page of writing.
    /// Text after that is part of the title: pasted notes give their time at the beginning.
    package static let lengthLimit = 4096

    package let context: DateContext

    package init(_ context: DateContext) { self.context = context }

    /// Parses any phrase; one without a date becomes the title.
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
