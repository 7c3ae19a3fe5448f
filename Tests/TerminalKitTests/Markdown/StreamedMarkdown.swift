import XCTest

@testable import TerminalKit

/// A text fed in pieces.
enum StreamedMarkdown {
    static func lines(_ text: String, by size: Int, columns: Int = 80) -> [RichLine] {
        lines(pieces(text, by: size), columns: columns)
    }

    static func lines(_ pieces: [String], columns: Int = 80) -> [RichLine] {
        var stream = MarkdownStream(columns: columns, usesUnicode: true)
        var lines: [RichLine] = []
        for piece in pieces { lines += stream.feed(piece).finished }
        let end = stream.finish()
        XCTAssertEqual(end.live, [])
        return lines + end.finished
    }

    /// Pieces of so many scalars each.
    static func pieces(_ text: String, by size: Int) -> [String] {
        let scalars = Array(text.unicodeScalars)
        return stride(from: 0, to: scalars.count, by: size).map {
            string(scalars[$0..<min($0 + size, scalars.count)])
        }
    }

    /// Cut at random places.
    static func pieces(
        _ text: String, using random: inout some RandomNumberGenerator
    ) -> [String] {
        let scalars = Array(text.unicodeScalars)
        var pieces: [String] = []
        var start = 0
        while start < scalars.count {
            let end = min(scalars.count, start + Int.random(in: 1...12, using: &random))
            pieces.append(string(scalars[start..<end]))
            start = end
        }
        return pieces
    }

    private static func string(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    /// The lines as text, with their looks marked: `[bold text:like this]`.
    static func marked(_ lines: [RichLine]) -> String {
        lines.map { line in
            line.spans.map { span in
                let traits = [
                    (RichLine.Traits.bold, "bold"), (.italic, "italic"), (.underline, "underline"),
                    (.strike, "strike"), (.dim, "dim"),
                ].filter { span.look.traits.contains($0.0) }.map(\.1)
                let color = span.look.color == .text ? [] : [span.look.color.rawValue]
                let looks = traits + color
                return looks.isEmpty
                    ? span.text : "⟦" + looks.joined(separator: " ") + "⟧" + span.text + "⟦⟧"
            }.joined() + "\n"
        }.joined()
    }
}
