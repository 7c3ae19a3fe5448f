/// A line of text with meaning instead of colours; the terminal decides.
package struct StyledLine: Sendable, Equatable {
    package enum Style: Sendable, Equatable {
        case plain, dim, bold, accent, success, warning, failure
        /// Marked by the user.
        case selected
        /// A text that comes, and one that goes, in a comparison.
        case inserted, deleted
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

    /// Rows whose first cells stand below one another.
    ///
    /// - Parameter columns: how many are made as wide as the widest of them, with
    ///   two spaces behind; the other spans of a row follow as they are.
    package static func table(
        _ rows: [[Span]], columns: Int, indent: String = ""
    ) -> [StyledLine] {
        let widths = (0..<columns).map { column in
            rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0
        }
        return rows.map { row in
            var row = row
            for column in 0..<columns {
                row[column].text = DisplayWidth.pad(row[column].text, to: widths[column]) + "  "
            }
            row[0].text = indent + row[0].text
            return StyledLine(row)
        }
    }
}
