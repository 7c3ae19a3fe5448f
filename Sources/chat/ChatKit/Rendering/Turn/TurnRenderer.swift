import AgentCore
import Base
import TerminalKit

/// Turns the events of a turn into bytes for a pipe or a terminal that cannot move the cursor up:
/// the answer as received, with quiet lines around it. Pure. `TurnPainter` does this for other
/// terminals.
///
/// Untrusted text passes the allow-list here and is not filtered again.
package struct TurnRenderer {
    package enum Target: Sendable, Equatable {
        /// The answer itself: stdout.
        case answer
        /// Everything around it: stderr, or the same terminal.
        case notice
    }

    package struct Piece: Sendable, Equatable {
        package var target: Target
        package var bytes: [UInt8]
    }

    /// The kind of the last written piece, for the newlines between pieces.
    private enum Position {
        case lineStart, inAnswer, inThinking
    }

    private let style: Style
    private let showsThinking: Bool
    private var position = Position.lineStart
    private var answerText: HostileText
    private var thinkingText = HostileText()
    private var answerEndsWithNewline = true

    /// - Parameters:
    ///   - style: style of notices.
    ///   - showsThinking: whether the model's thinking is shown at all.
    ///   - isForPipe: whether the answer goes to a pipe or a file.
    package init(style: Style, showsThinking: Bool, isForPipe: Bool = false) {
        answerText = HostileText(isForPipe: isForPipe)
        self.style = style
        self.showsThinking = showsThinking
    }

    package mutating func render(_ event: AgentEvent) -> [Piece] {
        switch event {
        case .waiting: []
        case .found(let model, let host): show(Self.found(model, host))
        case .text(let text), .refusal(let text): answer(text)
        case .thinking(let text): showsThinking ? thinking(text) : []
        case .toolCallStarted, .toolProgress: []
        case .webSearch(let query): show(Self.searched(query))
        case .toolRunning(let call, _): endText() + [notice(Self.line(for: call))]
        case .toolFinished(let result, let summary, _):
            endText() + Self.finished(result, summary: summary).map(notice)
        case .retrying: endText()
        case .answered: []
        case .compaction(let event): show(CompactionText.line(event))
        case .notice(let text): show(StyledLine("  ! \(text)", .warning))
        case .movedOn(_, let model, let host, let error):
            endText() + Failover.movedOn(model: model, host: host, after: error).map(notice)
        }
    }

    /// A search by the vendor; the query is the model's text.
    static func searched(_ query: String) -> StyledLine {
        StyledLine("  ⚙ web search" + (query.isEmpty ? "" : " “\(query)”"), .dim)
    }

    /// The end of the turn: closes the line.
    package mutating func finish() -> [Piece] {
        endText()
    }

    /// Our own line between other output.
    package mutating func show(_ line: StyledLine) -> [Piece] {
        endText() + [notice(line)]
    }

    private mutating func answer(_ text: String) -> [Piece] {
        guard !text.isEmpty else { return [] }
        var pieces: [Piece] = []
        if position == .inThinking { pieces += endText() }
        let bytes = answerText.pass(text)
        guard let last = bytes.last else { return pieces }
        position = .inAnswer
        answerEndsWithNewline = last == UInt8(ascii: "\n")
        pieces.append(Piece(target: .answer, bytes: bytes))
        return pieces
    }

    private mutating func thinking(_ text: String) -> [Piece] {
        guard !text.isEmpty else { return [] }
        var pieces: [Piece] = []
        if position == .inAnswer { pieces += endText() }
        var bytes: [UInt8] = []
        if position != .inThinking { bytes += style.dimming }
        position = .inThinking
        bytes += thinkingText.pass(text)
        pieces.append(Piece(target: .notice, bytes: bytes))
        return pieces
    }

    /// Ends a line that text has left open.
    private mutating func endText() -> [Piece] {
        defer { position = .lineStart }
        switch position {
        case .lineStart: return []
        case .inAnswer:
            var bytes = answerText.finish()
            if !answerEndsWithNewline || !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
            answerEndsWithNewline = true
            return bytes.isEmpty ? [] : [Piece(target: .answer, bytes: bytes)]
        case .inThinking:
            var bytes = thinkingText.finish()
            thinkingText = HostileText()
            bytes += style.plain
            bytes.append(UInt8(ascii: "\n"))
            return [Piece(target: .notice, bytes: bytes)]
        }
    }

    private func notice(_ line: StyledLine) -> Piece {
        Piece(target: .notice, bytes: style.bytes(line))
    }

    package static func found(_ model: String, _ host: String) -> StyledLine {
        StyledLine("  No key is set: asking \(model), found at \(host).", .dim)
    }

    static func line(for call: ToolCall) -> StyledLine {
        StyledLine([
            StyledLine.Span("  ⚙ ", .accent), StyledLine.Span(shortened(call.name), .plain),
            StyledLine.Span("  \(shortened(ToolCallLine.arguments(call)))", .dim),
        ])
    }

    static func finished(_ result: ToolResult, summary: String?) -> [StyledLine] {
        if let summary { return [StyledLine("  \(summary)", result.isError ? .failure : .success)] }
        guard result.isError else { return [] }
        let first = result.text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return [StyledLine("  ✗ \(Self.shortened(first))", .failure)]
    }

    /// Shortens a tool line; only a question shows all.
    private static func shortened(_ text: String) -> String {
        let limit = 300
        guard text.utf8.count > limit else { return text }
        return String(text.unicodeScalars.prefix(limit)) + "…"
    }
}
