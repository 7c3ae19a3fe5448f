/// A line of text with meaning instead of colours; the terminal decides.
package struct StyledLine: Sendable, Equatable {
    package enum Style: Sendable, Hashable {
        case plain, dim, bold, accent, success, warning, failure
        /// Marked by the user.
        case selected
        /// A text that comes, and one that goes, in a comparison.
        case inserted, deleted
        /// One of several people, each of them in a colour of its own.
        case party(Int)
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
    /// The line is shown unbroken: it belongs to a table or to code, whose layout counts.
    package var keepsForm = false

    package init(_ spans: [Span]) { self.spans = spans }
    package init(_ text: String, _ style: Style = .plain) { spans = [Span(text, style)] }

    package var text: String { spans.map(\.text).joined() }

    /// By two spaces, as what a command says stands at the prompt.
    package var indented: StyledLine {
        var line = self
        line.spans.insert(Span("  "), at: 0)
        return line
    }

    /// Rows whose first cells stand below one another.
    ///
    /// - Parameters:
    ///   - columns: how many are made as wide as the widest of them, with two spaces
    ///     behind; the other spans of a row follow as they are.
    ///   - alignsRight: the columns that hold numbers, from 0 on.
    package static func table(
        _ rows: [[Span]], columns: Int, indent: String = "", alignsRight: Set<Int> = []
    ) -> [StyledLine] {
        let widths = (0..<columns).map { column in
            rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0
        }
        return rows.map { row in
            var row = row
            for column in 0..<columns {
                let (text, width) = (row[column].text, widths[column])
                row[column].text =
                    (alignsRight.contains(column)
                        ? DisplayWidth.padLeft(text, to: width)
                        : DisplayWidth.pad(text, to: width)) + "  "
            }
            row[0].text = indent + row[0].text
            return StyledLine(row)
        }
    }
}
