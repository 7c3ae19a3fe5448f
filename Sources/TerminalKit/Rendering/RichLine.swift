/// One logical line of formatted text, which may take several rows: the terminal folds it,
/// or prose is wrapped between words (`WrappedLine`). It contains no line breaks, control
/// sequences or padding; `Style` chooses the colours.
///
/// `StyledLine` is the equivalent for command output; this is for documents.
package struct RichLine: Sendable, Equatable {
    package struct Span: Sendable, Equatable {
        package var text: String
        package var look: Look

        package init(_ text: String, _ look: Look = Look()) {
            self.text = text
            self.look = look
        }
    }

    /// The look of a span, by its meaning.
    package struct Look: Sendable, Hashable {
        var traits: Traits = []
        var color = Color.text
        /// The URL that the text opens, if the terminal supports links and the text shows
        /// it.
        var url: String?

        package init(_ color: Color = .text, _ traits: Traits = []) {
            self.color = color
            self.traits = traits
        }
    }

    package struct Traits: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8

        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let bold = Traits(rawValue: 1)
        static let italic = Traits(rawValue: 2)
        static let underline = Traits(rawValue: 4)
        static let strike = Traits(rawValue: 8)
        package static let dim = Traits(rawValue: 16)
    }

    /// `text` is the terminal's default foreground.
    package enum Color: String, Sendable, Hashable, CaseIterable {
        case text, accent, heading, link, code
        case keyword, string, number, comment, inserted, deleted
        case success, warning, failure
    }

    package var spans: [Span]
    /// The prefix of each row of wrapped prose except the first. Nil for text that is not wrapped,
    /// such as code and tables.
    package var margin: [Span]?

    package init(_ spans: [Span] = [], margin: [Span]? = nil) {
        self.spans = spans
        self.margin = margin
    }
    package init(_ text: String, _ look: Look = Look(), margin: [Span]? = nil) {
        spans = text.isEmpty ? [] : [Span(text, look)]
        self.margin = margin
    }

    package var text: String { spans.map(\.text).joined() }
}
