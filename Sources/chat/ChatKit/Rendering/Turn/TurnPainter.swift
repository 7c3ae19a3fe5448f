import AgentCore
import Base
import TerminalKit

/// Turns the events of a turn into bytes for a terminal that can move the cursor up: the answer
/// formatted as it streams, thinking, tool lines, and a footer below. Pure; times are passed in as
/// numbers.
///
/// Text is only queued on arrival and processed when painted, so that the cost depends on the
/// number of frames, not of pieces. `TurnRenderer` does this for pipes and for terminals that
/// cannot move up.
package struct TurnPainter {
    private enum Block {
        case none
        case answer(MarkdownStream)
        /// The text as received, in a single style.
        case plain(LineCutter)
    }

    private let style: Style
    private let formats: Bool
    private let thinking: ThinkingDisplay
    private var painter: LivePainter
    private var block = Block.none
    private var isThinkingBlock = false
    private var clean = HostileText()
    private var pending = ""
    private var live: [RichLine] = []
    /// Thinking that is folded to one line.
    private var thought: (since: Double, words: String)?

    /// - Parameter formats: whether answers are formatted as Markdown.
    package init(style: Style, formats: Bool, thinking: ThinkingDisplay, wrap: Wrap) {
        self.style = style
        self.formats = formats
        self.thinking = thinking
        painter = LivePainter(style: style, wrap: wrap)
    }

    /// Whether an answer or thinking is in progress: the last line is open.
    package var isInText: Bool {
        if case .none = block { return false }
        return true
    }

    /// Bytes of text not painted yet.
    package var bytesBehind: Int { pending.utf8.count }

    // MARK: - Events

    /// - Returns: bytes to write before the next frame; none for text, which is only queued.
    package mutating func take(_ event: AgentEvent, at now: Double, on size: () -> ScreenSize)
        -> [UInt8]
    {
        switch event {
        case .waiting, .toolCallStarted, .toolProgress, .answered: return []
        case .found(let model, let host):
            return notice([TurnRenderer.found(model, host)], at: now, on: size())
        case .text(let text), .refusal(let text):
            guard !text.isEmpty else { return [] }
            let out = isThinkingBlock || thought != nil ? close(at: now, on: size()) : []
            if !isInText { begin(size) }
            pending += text
            return out
        case .thinking(let text):
            guard thinking != .off, !text.isEmpty else { return [] }
            let out = isInText && !isThinkingBlock ? close(at: now, on: size()) : []
            if thinking == .full {
                if !isInText {
                    block = .plain(LineCutter(look: RichLine.Look(.text, .dim), isProse: true))
                    isThinkingBlock = true
                }
                pending += text
            } else {
                thought = (thought?.since ?? now, Self.lastWords((thought?.words ?? "") + text))
            }
            return out
        case .webSearch(let query):
            return notice([TurnRenderer.searched(query)], at: now, on: size())
        case .toolRunning(let call, _):
            return notice([TurnRenderer.line(for: call)], at: now, on: size())
        case .toolFinished(let result, let summary, _):
            return notice(
                TurnRenderer.finished(result, summary: summary), at: now, on: size())
        case .retrying:
            return close(at: now, on: size())
        case .compaction(let event):
            return notice([CompactionText.line(event)], at: now, on: size())
        case .notice(let text):
            return notice([StyledLine("  ! \(text)", .warning)], at: now, on: size())
        case .movedOn(_, let model, let host, let error):
            return notice(
                Failover.movedOn(model: model, host: host, after: error), at: now, on: size())
        }
    }

    /// The text received since, and the current footer.
    package mutating func paint(footer: [RichLine] = [], on size: ScreenSize) -> [UInt8] {
        let update = read(on: size)
        live = update.live
        return painter.paint(finished: update.finished, live: live, footer: footer, on: size)
    }

    /// Shows our own lines, above the text in progress.
    package mutating func show(_ lines: [StyledLine], on size: ScreenSize) -> [UInt8] {
        painter.insert(lines.flatMap { style.bytes($0) }, on: size)
    }

    /// Ends the open text and removes the footer.
    package mutating func close(at now: Double, on size: ScreenSize) -> [UInt8] {
        var update = read(on: size)
        let rest = String(decoding: clean.finish(), as: UTF8.self)
        clean = HostileText()
        switch block {
        case .none: break
        case .answer(var stream):
            update.finished += stream.feed(rest).finished + stream.finish().finished
        case .plain(var cutter):
            update.finished += cutter.feed(rest).finished + cutter.finish()
        }
        (block, isThinkingBlock, live) = (.none, false, [])
        var out = painter.paint(finished: update.finished, on: size)
        painter.settle()
        if let thought {
            // The usual minimum of one second may exceed the time of the whole answer.
            let spent = now - thought.since
            let seconds = spent < 0.95 ? Quantities.seconds(spent) : Self.seconds(spent)
            out += style.bytes(StyledLine("  thought for \(seconds)", .dim))
            self.thought = nil
        }
        return out
    }

    /// The line for folded thinking in progress.
    package func thinkingLine(at now: Double, columns: Int) -> RichLine? {
        guard let thought else { return nil }
        let start = style.shown("  … thinking \(Self.seconds(now - thought.since))")
        let room = columns - 2 - DisplayWidth.of(start) - DisplayWidth.of(style.shown(" …"))
        guard room >= 12, !thought.words.isEmpty else {
            return RichLine(start, RichLine.Look(.text, .dim))
        }
        return RichLine(
            start + style.shown(" · " + Self.end(of: thought.words, room)),
            RichLine.Look(.text, .dim))
    }

    // MARK: - Text

    private mutating func begin(_ size: () -> ScreenSize) {
        block =
            formats
            ? .answer(MarkdownStream(columns: size().columns, usesUnicode: style.usesUnicode))
            : .plain(LineCutter(look: RichLine.Look()))
    }

    private mutating func read(on size: ScreenSize) -> MarkdownStream.Update {
        let text = pending.isEmpty ? "" : String(decoding: clean.pass(pending), as: UTF8.self)
        pending = ""
        switch block {
        case .none: return MarkdownStream.Update()
        case .answer(var stream):
            if text.isEmpty, stream.columns == size.columns {
                return MarkdownStream.Update(finished: [], live: live)
            }
            stream.columns = size.columns
            let update = stream.feed(text)
            block = .answer(stream)
            return update
        case .plain(var cutter):
            let update = cutter.feed(text)
            block = .plain(cutter)
            return update
        }
    }

    private mutating func notice(
        _ lines: [StyledLine], at now: Double, on size: ScreenSize
    ) -> [UInt8] {
        close(at: now, on: size) + show(lines, on: size)
    }

    private static func seconds(_ seconds: Double) -> String {
        let whole = max(1, Int(max(0, min(seconds, 1e6)).rounded()))
        return whole < 120 ? "\(whole) s" : "\(whole / 60) min \(whole % 60) s"
    }

    /// The last words, on one line and cut to a displayable length.
    private static func lastWords(_ text: String) -> String {
        let words = text.suffix(400).split(whereSeparator: \.isWhitespace)
        let open = text.last?.isWhitespace == true ? " " : ""
        return words.joined(separator: " ") + open
    }

    private static func end(of words: String, _ columns: Int) -> String {
        let text = HostileText.line(words)
        if DisplayWidth.of(text) <= columns { return text }
        var kept: [Character] = []
        var width = 1
        for character in text.reversed() {
            width += DisplayWidth.of(character)
            if width > columns { break }
            kept.append(character)
        }
        // Start at a word if one begins soon.
        let shown = String(kept.reversed())
        let space = shown.prefix(16).firstIndex(of: " ")
        return "…" + (space.map { String(shown[$0...]) } ?? shown)
    }
}
