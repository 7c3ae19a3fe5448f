/// One logical line of formatted text, however many rows it takes: the terminal
/// folds it, or prose is broken between words (`WrappedLine`). No line break, no
/// sequence of control characters, no padding; which colours a look has is
/// `Style`'s.
///
/// `StyledLine` is the same for what commands say; this is for documents.
package struct RichLine: Sendable, Equatable {
    package struct Span: Sendable, Equatable {
        package var text: String
        package var look: Look

        package init(_ text: String, _ look: Look = Look()) {
            self.text = text
            self.look = look
        }
    }

    /// How a span is drawn, in terms of meaning.
    package struct Look: Sendable, Hashable {
        var traits: Traits = []
        var color = Color.text
        /// What the text opens, where the terminal can and it is what is shown.
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

    /// `text` is the terminal's own foreground.
    package enum Color: String, Sendable, Hashable, CaseIterable {
        case text, accent, heading, link, code
        case keyword, string, number, comment, inserted, deleted
        case success, warning, failure
    }

    package var spans: [Span]
    /// Prose: what stands before each row but the first where the line is broken
    /// between words. Nil is for what keeps its form, as code and tables do.
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
