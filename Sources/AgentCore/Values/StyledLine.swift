/// A line of text with meaning instead of colours; the terminal decides.
package struct StyledLine: Sendable, Equatable {
    package enum Style: Sendable, Equatable {
        case plain, dim, bold, accent, success, warning, failure
        /// As `dim`: our own words, that name commands in the grammar of the
        /// prompt or of the shell. Where they are shown they get that of the place.
        case hint
    }

    package struct Span: Sendable, Equatable {
        package var text: String
        package var style: Style
        /// The absolute path of a file that we made, which a terminal may open;
        /// never one that a model named.
        package var file: String?

        package init(_ text: String, _ style: Style = .plain, file: String? = nil) {
            self.text = text
            self.style = style
            self.file = file
        }
    }

    package var spans: [Span]

    package init(_ spans: [Span]) { self.spans = spans }
    package init(_ text: String, _ style: Style = .plain) { spans = [Span(text, style)] }

    package var text: String { spans.map(\.text).joined() }
}
