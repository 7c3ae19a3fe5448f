import AgentCore
import Base
import Persistence
import TerminalKit

/// Stored turns as lines: the last ones as they appeared, for resuming, and all of them for
/// `conversations show`. Pure.
package enum ConversationView {
    /// The layout of answers drawn as they appeared.
    package struct Layout: Sendable, Equatable {
        package var size = ScreenSize()
        package var usesUnicode = true
        /// Whether answers are formatted as Markdown; otherwise they are shown as received.
        package var formats = true
        /// Whether the program or the terminal breaks lines of prose.
        package var wrap = Wrap.terminal

        package init(
            size: ScreenSize = ScreenSize(), usesUnicode: Bool = true, formats: Bool = true,
            wrap: Wrap = Wrap.terminal
        ) {
            self.size = size
            self.usesUnicode = usesUnicode
            self.formats = formats
            self.wrap = wrap
        }
    }

    /// Number of lines shown of a user's message.
    private static let recalledLines = 6

    /// The last turns as they appeared: as many as fit on a screen, and always the newest, whose
    /// beginning may be left out.
    ///
    /// - Parameter earlier: number of turns before these.
    package static func recall(
        _ turns: [StoredTurn], earlier: Int = 0, layout: Layout = Layout()
    ) -> [RichLine] {
        let budget = max(8, layout.size.rows - 4)
        var shown: [[RichLine]] = []
        var left = budget
        for stored in turns.reversed() {
            var lines = lines(of: stored, layout)
            let height = rows(lines, layout)
            if height > left {
                guard shown.isEmpty else { break }
                lines = shortened(lines, budget, layout)
            }
            // With the blank line after it.
            left -= height + 1
            shown.append(lines + (shown.isEmpty ? [] : [RichLine()]))
        }
        let hidden = earlier + turns.count - shown.count
        let head =
            hidden > 0 ? [note("  … \(Quantities.count(hidden, "earlier turn"))")] : []
        return wrapped(head + shown.reversed().flatMap { $0 }, layout)
    }

    /// The lines wrapped into rows; called for visible lines only.
    private static func wrapped(_ lines: [RichLine], _ layout: Layout) -> [RichLine] {
        lines.flatMap { $0.rows(columns: layout.size.columns, layout.wrap) }
    }

    /// The turns around a match: the last of these turns with the context before it. If that turn
    /// is longer than the screen, the part around the line with most of the words, placed a third
    /// of the way down.
    ///
    /// - Parameter earlier: number of turns before these.
    package static func place(
        _ turns: [StoredTurn], matches: [String], earlier: Int, later: Int,
        layout: Layout = Layout()
    ) -> [RichLine] {
        guard let turn = turns.last else { return [] }
        func count(_ line: RichLine) -> Int { matches.count { line.text.contains($0) } }
        let budget = max(8, layout.size.rows - 4)
        let usual = lines(of: turn, layout)
        let all = lines(of: turn, layout, isWhole: true)
        let best = all.map(count).max() ?? 0
        var shown: [RichLine]
        if rows(usual, layout) <= budget, usual.contains(where: { count($0) == best }) {
            shown = recall(turns, earlier: earlier, layout: layout)
        } else {
            let hit = all.firstIndex { count($0) == best } ?? 0
            let before = earlier + turns.count - 1
            shown = before > 0 ? [note("  … \(Quantities.count(before, "earlier turn"))")] : []
            shown += wrapped(around(hit, of: all, budget, layout), layout)
        }
        if later > 0 {
            shown.append(
                note("  … \(Quantities.count(later, "later turn")); what you say comes after them"))
        }
        return shown
    }

    private static func around(
        _ hit: Int, of all: [RichLine], _ budget: Int, _ layout: Layout
    ) -> [RichLine] {
        var (low, high) = (hit, hit + 1)
        // The line itself, the notes, and the turn's first line.
        var left = budget - rows([all[hit]], layout) - 5
        while low > 0 || high < all.count {
            let isAbove = low > 0 && (high == all.count || (hit - low) * 2 <= high - hit - 1)
            let height = rows([isAbove ? all[low - 1] : all[high]], layout)
            // A long paragraph would push the match off the screen.
            if height > left { break }
            left -= height
            if isAbove { low -= 1 } else { high += 1 }
        }
        var shown = low > 0 ? beginning(of: all[0], 1, layout) : []
        if low > 1 { shown.append(note("  … \(Quantities.count(low - 1, "line"))")) }
        shown += all[low..<high]
        if high < all.count {
            shown.append(note("  … \(Quantities.count(all.count - high, "line"))"))
        }
        return shown
    }

    /// All turns, formatted, for a terminal.
    package static func formatted(_ turns: [StoredTurn], layout: Layout) -> [RichLine] {
        turns.flatMap { wrapped(lines(of: $0, layout, isWhole: true), layout) + [RichLine()] }
    }

    private static func lines(
        of stored: StoredTurn, _ layout: Layout, isWhole: Bool = false
    ) -> [RichLine] {
        var lines: [RichLine] = []
        for message in stored.turn.messages {
            switch message.role {
            case .user:
                lines += said(message.text, isWhole)
                lines += AttachmentLine.lines(message).map { note("  \(HostileText.line($0))") }
            case .assistant:
                lines += stored.turn.isLocal ? local(message.text) : answer(message.text, layout)
                lines += message.toolCalls.map { RichLine(TurnRenderer.line(for: $0)) }
            case .tool: break
            }
        }
        if let mark = mark(stored) { lines.append(RichLine("  \(mark)", .init(.warning))) }
        return lines
    }

    /// The user's message as it appeared at the prompt.
    private static func said(_ text: String, _ isWhole: Bool) -> [RichLine] {
        guard !text.isEmpty else { return [] }
        let all = lines(text)
        let kept = isWhole || all.count <= recalledLines + 1 ? all.count : recalledLines
        var shown = all.prefix(kept).map {
            RichLine(HostileText.line(String($0)), .init(.text, .bold), margin: [])
        }
        // `lines` gives at least one.
        shown[0].spans.insert(RichLine.Span("> ", .init(.accent)), at: 0)
        if all.count > kept { shown.append(note("  … \(all.count - kept) more lines")) }
        return shown
    }

    /// A local answer as it appeared.
    private static func local(_ text: String) -> [RichLine] {
        lines(text).map {
            let look = RichLine.Look($0.hasPrefix("✓") ? .success : .text)
            return RichLine("  " + HostileText.line(String($0)), look)
        }
    }

    private static func answer(_ text: String, _ layout: Layout) -> [RichLine] {
        guard !text.isEmpty else { return [] }
        let clean = HostileText.text(text)
        if layout.formats {
            return MarkdownStream.lines(
                clean, columns: layout.size.columns, usesUnicode: layout.usesUnicode)
        }
        var cutter = LineCutter(look: RichLine.Look())
        return cutter.feed(clean).finished + cutter.finish()
    }

    private static func rows(_ lines: [RichLine], _ layout: Layout) -> Int {
        lines.reduce(0) { $0 + $1.height(columns: layout.size.columns, layout.wrap) }
    }

    /// The question, and the end of the answer.
    private static func shortened(
        _ lines: [RichLine], _ budget: Int, _ layout: Layout
    ) -> [RichLine] {
        var tail: [RichLine] = []
        var left = budget - 2
        for line in lines.dropFirst().reversed() {
            let height = rows([line], layout)
            if height > left { break }
            left -= height
            tail.insert(line, at: 0)
        }
        let cut = lines.count - 1 - tail.count
        let start = lines.first.map { beginning(of: $0, 1, layout) } ?? []
        // A last line longer than the screen: show its beginning.
        if tail.isEmpty, let last = lines.dropFirst().last {
            return start + beginning(of: last, max(1, left), layout)
        }
        return start + (cut > 0 ? [note("  … \(Quantities.count(cut, "line"))")] : []) + tail
    }

    /// The beginning of a line that fits the first rows.
    private static func beginning(
        of line: RichLine, _ count: Int, _ layout: Layout
    ) -> [RichLine] {
        let columns = layout.size.columns
        let rows = line.rows(columns: columns, layout.wrap)
        // A single piece, which the terminal wraps.
        guard rows.count > 1 else { return [cut(line, columns * count)] }
        guard rows.count > count else { return rows }
        let last = rows[count - 1].spans + [RichLine.Span(" …")]
        return rows.prefix(count - 1) + [cut(RichLine(last), columns)]
    }

    private static func cut(_ line: RichLine, _ columns: Int) -> RichLine {
        var left = columns - 1
        var kept = RichLine()
        for span in line.spans where left > 0 {
            let text = DisplayWidth.cut(span.text, to: left)
            kept.spans.append(RichLine.Span(text, span.look))
            left -= DisplayWidth.of(text)
        }
        return kept
    }

    private static func note(_ text: String) -> RichLine {
        RichLine(text, RichLine.Look(.text, .dim))
    }

    /// All turns as received, for pipes.
    package static func whole(_ turns: [StoredTurn]) -> [StyledLine] {
        turns.flatMap { stored -> [StyledLine] in
            var lines: [StyledLine] = []
            for message in stored.turn.messages {
                switch message.role {
                case .user:
                    for (index, line) in Self.lines(message.text).enumerated() {
                        lines.append(StyledLine((index == 0 ? "> " : "") + line, .bold))
                    }
                    lines += AttachmentLine.lines(message).map { StyledLine($0, .dim) }
                case .assistant:
                    lines += Self.lines(message.text).map {
                        var line = StyledLine(String($0))
                        line.keepsForm = true
                        return line
                    }
                    lines += message.toolCalls.map {
                        StyledLine("⚙ \($0.name)  \(ToolCallLine.arguments($0))", .dim)
                    }
                case .tool: break
                }
            }
            if let mark = mark(stored) { lines.append(StyledLine(mark, .warning)) }
            lines.append(StyledLine(""))
            return lines
        }
    }

    /// A note on a turn without a complete answer.
    package static func mark(_ stored: StoredTurn) -> String? {
        switch stored.turn.status {
        case .open, .done: nil
        case .interrupted: stored.isPartial ? "(interrupted here)" : "(interrupted)"
        case .truncated: "(cut off by the length limit)"
        case .refused: "(declined)"
        case .failed where stored.isWithheld: "(not sent: it would have revealed who you are)"
        case .failed: stored.isPartial ? "(the answer broke off here)" : "(no answer: it failed)"
        }
    }

    /// The lines of a text, without LF or CRLF. Splits bytes: going through the characters of a
    /// long conversation takes too long.
    private static func lines(_ text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            Substring($0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0)
        }
    }
}
