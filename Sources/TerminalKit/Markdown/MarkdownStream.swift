/// Formats streamed Markdown: takes text and returns formatted logical lines. Pure.
///
/// Complete lines go through the block parser and the layout; their output never changes. The
/// incomplete line is tried on a copy of both, and the copy's additional output is `live`. So the
/// result does not depend on where the text was cut, and the cost of a piece depends on its own
/// length and that of the text that is not final (decision 11).
package struct MarkdownStream: Sendable {
    /// Maximum line length; a longer line is broken, at a space if possible.
    package static let lineLimit = 4096

    package struct Update: Sendable, Equatable {
        /// Lines that never change, in order, since the last call.
        package var finished: [RichLine] = []
        /// The current unfinished end; it replaces the previous one.
        package var live: [RichLine] = []

        package init(finished: [RichLine] = [], live: [RichLine] = []) {
            self.finished = finished
            self.live = live
        }
    }

    /// Used only by tables; finished ones do not change.
    package var columns: Int {
        get { layout.columns }
        set { layout.columns = newValue }
    }

    private var blocks = BlockParser()
    private var layout: DocumentLayout
    /// The incomplete line.
    private var pending: [UInt8] = []
    /// Whether it continues a broken line.
    private var isContinuation = false
    /// Number of lines already emitted that the pending line will produce again.
    private var ahead = 0

    package init(columns: Int, usesUnicode: Bool) {
        layout = DocumentLayout(columns: columns, usesUnicode: usesUnicode)
    }

    package mutating func feed(_ text: String) -> Update {
        var finished: [RichLine] = []
        var text = text
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
                // In pieces, so that a long line is broken the same way however it arrives.
                while start < end {
                    let step = min(end - start, Self.lineLimit + 1 - pending.count)
                    pending.append(contentsOf: bytes[start..<(start + step)])
                    start += step
                    if pending.count > Self.lineLimit { finished += breakLine() }
                }
                guard end < bytes.count else { break }
                finished += endLine(pending)
                pending.removeAll(keepingCapacity: true)
                isContinuation = false
                start = end + 1
            }
        }
        var update = Update(finished: finished)
        look(into: &update)
        return update
    }

    package mutating func finish() -> Update {
        var finished: [RichLine] = []
        if !pending.isEmpty { finished = endLine(pending) }
        layout.take(blocks.finish(), blocks.references, .complete)
        finished += layout.takeLines()
        self = MarkdownStream(columns: columns, usesUnicode: layout.usesUnicode)
        return Update(finished: finished)
    }

    // MARK: - Lines

    private mutating func endLine(_ line: [UInt8]) -> [RichLine] {
        let events = blocks.line(line, isContinuation: isContinuation)
        layout.take(events, blocks.references, .complete)
        var lines = layout.takeLines()
        lines.removeFirst(min(ahead, lines.count))
        ahead = 0
        return lines
    }

    /// The position where an overlong line is broken, and the start of the next.
    package static func breakPoint(of line: [UInt8]) -> (end: Int, next: Int) {
        var end = line.count - 1
        while end > lineLimit / 2, line[end] != 0x20 { end -= 1 }
        if line[end] == 0x20 { return (end, end + 1) }
        // Without a space, break between characters.
        var next = line.count - 1
        while next > 0, line[next] & 0xC0 == 0x80 { next -= 1 }
        return (next, next)
    }

    private mutating func breakLine() -> [RichLine] {
        let (end, next) = Self.breakPoint(of: pending)
        let lines = endLine(Array(pending[..<end]))
        pending = Array(pending[next...])
        isContinuation = true
        return lines
    }

    // MARK: - The unfinished end

    private mutating func look(into update: inout Update) {
        var blocks = blocks
        var layout = layout
        if !pending.isEmpty, !PartialLine.isUndecided(pending, blocks.leaf) {
            let events = blocks.line(pending, isContinuation: isContinuation)
            layout.take(events, blocks.references, .partial)
            let isSettled = PartialLine.isSettled(events)
            let lines = layout.takeLines()
            if isSettled {
                update.finished += lines.dropFirst(ahead)
                ahead = max(ahead, lines.count)
            } else {
                update.live = Array(lines.dropFirst(ahead))
            }
        }
        layout.take(blocks.finish(), blocks.references, .tail)
        update.live += layout.takeLines()
    }
}

extension MarkdownStream {
    /// The lines of a whole text.
    package static func lines(_ markdown: String, columns: Int, usesUnicode: Bool) -> [RichLine] {
        var stream = MarkdownStream(columns: columns, usesUnicode: usesUnicode)
        let update = stream.feed(markdown)
        return update.finished + stream.finish().finished
    }
}
