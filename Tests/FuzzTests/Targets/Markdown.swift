@testable import TerminalKit

extension FuzzTarget {
    /// The same lines however the text arrives, nothing but text in them, and a screen that
    /// can be drawn at any moment.
    static let markdown = FuzzTarget("markdown") { bytes in
        let text = HostileText.text(String(decoding: bytes, as: UTF8.self))
        let whole = MarkdownStream.lines(text, columns: 30, usesUnicode: true)
        var (stream, lines) = (MarkdownStream(columns: 30, usesUnicode: true), [RichLine]())
        var painter = LivePainter(style: Style(usesColor: true, usesUnicode: true), wrap: .words)
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            let update = stream.feed(String(String.UnicodeScalarView(rest.prefix(7))))
            rest = rest.dropFirst(7)
            lines += update.finished
            let size = ScreenSize(columns: 20 + rest.count % 3, rows: 6)
            _ = painter.paint(finished: update.finished, live: update.live, on: size)
        }
        lines += stream.finish().finished
        try demand(lines == whole, "depends on the cut")
        for line in whole {
            try demand(!line.text.contains("\n"), "a line break in a line")
            try demand(HostileText.text(line.text) == line.text, "not only text")
        }
        _ = MarkdownCode.blocks(in: text)
    }
}
