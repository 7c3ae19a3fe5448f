/// The colours of one code block, a line at a time, with the state that goes
/// from line to line. A value: a copy colours a line that is not complete yet.
struct CodeColors: Sendable {
    init(language: String) {}

    mutating func line(_ text: String) -> [RichLine.Span] {
        text.isEmpty ? [] : [RichLine.Span(text, RichLine.Look(.code))]
    }
}
