import Base

/// Formats a difference: word by word for a terminal, as a unified diff for other
/// programs.
extension TextDiff {
    /// The changed lines, with removed and added words in place; `…` stands for
    /// omitted lines.
    ///
    /// - Parameters:
    ///   - isMarked: puts the words in `[-…-]` and `{+…+}`, for output without colours.
    ///   - facts: changes that affect a fact; `!` precedes their lines.
    package func lines(isMarked: Bool, facts: Set<Int> = []) -> [StyledLine] {
        var lines: [(spans: [StyledLine.Span], isChanged: Bool, isFact: Bool)] = [
            ([], false, false)
        ]
        func add(_ text: String, _ style: StyledLine.Style, _ frame: (String, String)? = nil) {
            let parts = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            for (index, part) in parts.enumerated() {
                if index > 0 { lines.append(([], false, false)) }
                if frame != nil { lines[lines.count - 1].isChanged = true }
                if part.isEmpty, frame == nil || parts.count > 1 { continue }
                lines[lines.count - 1].spans.append(
                    .init((frame?.0 ?? "") + part + (frame?.1 ?? ""), style))
            }
        }
        for piece in pieces {
            switch piece {
            case .same(let text): add(text, .plain)
            case .change(let index):
                let change = changes[index]
                if facts.contains(index) { lines[lines.count - 1].isFact = true }
                if !change.old.isEmpty {
                    add(change.old, .deleted, isMarked ? ("[-", "-]") : ("", ""))
                }
                if !change.new.isEmpty {
                    add(change.new, .inserted, isMarked ? ("{+", "+}") : ("", ""))
                }
            }
        }
        var shown: [StyledLine] = []
        var hasGap = false
        for line in lines {
            if line.isChanged {
                if hasGap, !shown.isEmpty { shown.append(StyledLine("…", .dim)) }
                let mark = line.isFact ? [StyledLine.Span("! ", .warning)] : []
                shown.append(StyledLine(mark + line.spans))
            }
            hasGap = !line.isChanged
        }
        return shown
    }

    /// The difference in the format of `diff -u`, for `patch`; empty if nothing differs.
    ///
    /// - Parameters:
    ///   - name: the file name, after `a/` and `b/`.
    ///   - context: lines shown around each change.
    package func unified(name: String, context: Int = 3) -> String {
        if isEmpty { return "" }
        let (before, after) = (Self.rawLines(old), Self.rawLines(new))
        let changes = SequenceDiff.changes(from: before, to: after)
        // `---` takes a name up to the first tab or line break.
        let name = name.map { $0.isNewline || $0 == "\t" ? "_" : String($0) }.joined()
        var text = "--- a/\(name)\n+++ b/\(name)\n"
        var index = 0
        while index < changes.count {
            var last = index
            while last + 1 < changes.count,
                changes[last + 1].old.lowerBound - changes[last].old.upperBound <= 2 * context
            {
                last += 1
            }
            let lead = min(context, changes[index].old.lowerBound)
            let trail = min(context, before.count - changes[last].old.upperBound)
            let oldStart = changes[index].old.lowerBound - lead
            let newStart = changes[index].new.lowerBound - lead
            let oldCount = changes[last].old.upperBound + trail - oldStart
            let newCount = changes[last].new.upperBound + trail - newStart
            text += "@@ -\(Self.place(oldStart, oldCount)) +\(Self.place(newStart, newCount)) @@\n"
            var place = oldStart
            for change in changes[index...last] {
                for line in before[place..<change.old.lowerBound] { text += Self.line(" ", line) }
                for line in before[change.old] { text += Self.line("-", line) }
                for line in after[change.new] { text += Self.line("+", line) }
                place = change.old.upperBound
            }
            for line in before[place..<place + trail] { text += Self.line(" ", line) }
            index = last + 1
        }
        return text
    }

    /// The numbers of a hunk; for an empty side the line before it.
    private static func place(_ start: Int, _ count: Int) -> String {
        let first = count == 0 ? start : start + 1
        return count == 1 ? "\(first)" : "\(first),\(count)"
    }

    /// The lines as bytes, so that a line keeps its carriage return.
    private static func rawLines(_ text: String) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            lines.append(Array(bytes[start..<end]))
            start = end
        }
        return lines
    }

    private static func line(_ sign: String, _ bytes: [UInt8]) -> String {
        let text = sign + String(decoding: bytes, as: UTF8.self)
        return bytes.last == 0x0A ? text : text + "\n\\ No newline at end of file\n"
    }
}
