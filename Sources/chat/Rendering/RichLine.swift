/// One logical line of formatted text: what the terminal may fold where it
/// likes, and gives back whole when it is copied. No line break, no sequence
/// of control characters, no padding; which colours a look has is `Style`'s.
///
/// `StyledLine` is the same for what commands say; this is for documents.
struct RichLine: Sendable, Equatable {
    struct Span: Sendable, Equatable {
        var text: String
        var look: Look

        init(_ text: String, _ look: Look = Look()) {
            self.text = text
            self.look = look
        }
    }

    /// How a span is drawn, in terms of meaning.
    struct Look: Sendable, Hashable {
        var traits: Traits = []
        var color = Color.text

        init(_ color: Color = .text, _ traits: Traits = []) {
            self.color = color
            self.traits = traits
        }
    }

    struct Traits: OptionSet, Sendable, Hashable {
        let rawValue: UInt8

        static let bold = Traits(rawValue: 1)
        static let italic = Traits(rawValue: 2)
        static let underline = Traits(rawValue: 4)
        static let strike = Traits(rawValue: 8)
        static let dim = Traits(rawValue: 16)
    }

    /// `text` is the terminal's own foreground.
    enum Color: String, Sendable, Hashable, CaseIterable {
        case text, accent, heading, link, code
        case keyword, type, function, string, number, comment, attribute, inserted, deleted
        case success, warning, failure
    }

    var spans: [Span]

    init(_ spans: [Span] = []) { self.spans = spans }
    init(_ text: String, _ look: Look = Look()) { spans = text.isEmpty ? [] : [Span(text, look)] }

    var text: String { spans.map(\.text).joined() }
}
