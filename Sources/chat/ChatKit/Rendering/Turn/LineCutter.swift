import TerminalKit

/// Splits a text into lines as it arrives; the last line may be incomplete. Pure.
struct LineCutter {
    let look: RichLine.Look
    /// Whether lines are wrapped between words here; otherwise the terminal wraps them.
    let isProse: Bool
    private var open = ""

    init(look: RichLine.Look, isProse: Bool = false) {
        self.look = look
        self.isProse = isProse
    }

    mutating func feed(_ text: String) -> MarkdownStream.Update {
        var update = MarkdownStream.Update()
        var rest = text[...]
        while let end = rest.utf8.firstIndex(of: 0x0A) {
            update.finished.append(line(open + rest[..<end]))
            open = ""
            rest = rest[rest.utf8.index(after: end)...]
        }
        open += rest
        if !open.isEmpty { update.live = [line(open)] }
        return update
    }

    mutating func finish() -> [RichLine] {
        defer { open = "" }
        return open.isEmpty ? [] : [line(open)]
    }

    private func line(_ text: String) -> RichLine {
        guard isProse else { return RichLine(text, look) }
        let indent = Self.indent(of: text)
        return RichLine(
            text, look,
            margin: indent > 0 ? [RichLine.Span(String(repeating: " ", count: indent))] : [])
    }

    /// The column where a line's text begins: after its spaces and list mark, which models write
    /// while thinking.
    static func indent(of line: String) -> Int {
        let start = line.utf8.prefix { $0 == 0x20 }.count
        let rest = line.utf8.dropFirst(start)
        let digits = rest.prefix { (0x30...0x39).contains($0) }.count
        let mark = rest.dropFirst(digits).first
        let isMark =
            digits == 0
            ? mark.map { "-*+".utf8.contains($0) } ?? false
            : digits < 4 && mark.map { ".)".utf8.contains($0) } ?? false
        guard isMark, rest.dropFirst(digits + 1).first == 0x20 else { return start }
        return start + digits + 2
    }
}
