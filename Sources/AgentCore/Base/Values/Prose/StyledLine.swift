/// A line of text with semantic styles; the terminal chooses the colours.
package struct StyledLine: Sendable, Equatable {
    package enum Style: Sendable, Hashable {
        case plain, dim, bold, accent, success, warning, failure
        /// Marked by the user.
        case selected
        /// Added and removed text in a comparison.
        case inserted, deleted
        /// One of several speakers, each in a colour of their own.
        case party(Int)
        /// A dim style for our own text that names commands in the grammar of the prompt or of the
        /// shell; rendered for the one in use.
        case hint
    }

    package struct Span: Sendable, Equatable {
        package var text: String
        package var style: Style
        /// The absolute path of a file that we made, which a terminal may open; never a path named
        /// by a model.
        package var file: String?

        package init(_ text: String, _ style: Style = .plain, file: String? = nil) {
            self.text = text
            self.style = style
            self.file = file
        }
    }

    package var spans: [Span]
    /// Whether the line is never wrapped, because it is part of a table or code.
    package var keepsForm = false

    package init(_ spans: [Span]) { self.spans = spans }
    package init(_ text: String, _ style: Style = .plain) { spans = [Span(text, style)] }

    package var text: String { spans.map(\.text).joined() }

    /// Indented by two spaces, like a command's output at the prompt.
    package var indented: StyledLine {
        var line = self
        line.spans.insert(Span("  "), at: 0)
        return line
    }

    /// Removes spaces at the end.
    package static func trimmed(_ spans: [Span]) -> StyledLine {
        var spans = spans
        while var last = spans.popLast() {
            while last.text.last == " " { last.text.removeLast() }
            if last.text.isEmpty { continue }
            spans.append(last)
            break
        }
        return StyledLine(spans)
    }

    /// Rows with aligned cells, without spaces at the end unless the caller adds to them.
    ///
    /// - Parameters:
    ///   - columns: number of columns padded to their widest cell, with two spaces after
    ///     it; the other spans of a row follow unchanged.
    ///   - alignsRight: the columns with numbers, from 0.
    ///   - isContinued: whether the caller appends to the rows: they keep their padding.
    package static func table(
        _ rows: [[Span]], columns: Int, indent: String = "", alignsRight: Set<Int> = [],
        isContinued: Bool = false
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
            return isContinued ? StyledLine(row) : trimmed(row)
        }
    }
}
