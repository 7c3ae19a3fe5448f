import AgentCore
import Base
import ChatKit
import TerminalKit

/// Writes one answer in the requested format: the answer to stdout, everything around it to
/// stderr.
///
/// Text passes the allow-list even in a pipe, since piped text is often displayed. Only the
/// invisible characters of ordinary writing are kept there.
actor AnswerWriter {
    private let format: OneShotOptions.Output
    private let output: StandardOutput
    private let notices: StandardOutput
    private let style: Style
    /// Whether tool calls and usage are shown: only to a user.
    private let showsProgress: Bool
    private let isPiped: Bool
    private var renderer: TurnRenderer
    /// Draws the answer if stdout is a capable terminal.
    private let screen: TurnScreen?
    /// Shows a tool's progress if there is no `TurnScreen`.
    private let progress: ProgressScreen?
    private let silence: SilenceWatch?
    private var isSilent = false
    private(set) var isClosed = false
    /// Called once when stdout can no longer be written.
    private let onClosed: @Sendable () -> Void

    init(
        format: OneShotOptions.Output, output: StandardOutput, notices: StandardOutput,
        style: Style, isPiped: Bool, showsProgress: Bool, showsThinking: Bool,
        screen: TurnScreen? = nil, progress: ProgressScreen? = nil,
        silence: SilenceWatch? = nil, onClosed: @escaping @Sendable () -> Void
    ) {
        self.format = format
        self.output = output
        self.notices = notices
        self.style = style
        self.showsProgress = showsProgress
        self.isPiped = isPiped
        self.onClosed = onClosed
        self.screen = screen
        self.progress = progress
        self.silence = silence
        renderer = TurnRenderer(
            style: style, showsThinking: showsThinking, isForPipe: isPiped)
    }

    /// Called when the message is sent.
    func begin() async {
        await screen?.begin()
        guard screen == nil, showsProgress else { return }
        silence?.begin { await self.tell(silence: $0) }
    }

    /// Reports a silence once, because a line of stderr cannot be overwritten.
    private func tell(silence seconds: Int) async {
        if isSilent { return }
        isSilent = true
        await notice(StyledLine("  \(SilenceWatch.text(seconds)) · Ctrl-C stops", .dim))
    }

    func observe(_ event: AgentEvent) async {
        isSilent = false
        silence?.note()
        // A screen shows its own countdown.
        if case .retrying(let error, let attempt, let of, let delay) = event, screen == nil {
            let seconds = Quantities.seconds(delay)
            await notice(
                StyledLine(
                    "! \(Diagnostic.cause(error, saysWait: false)). Trying again in \(seconds), "
                        + "attempt \(attempt) of \(of)", .warning))
        }
        if case .toolProgress(let shown, _) = event, screen == nil {
            await progress?.show(shown)
        }
        switch format {
        case .text:
            if let screen {
                await screen.observe(event)
            } else if case .found(let model, let host) = event {
                // Also when a program reads the output: it names the model that was asked.
                await notice(TurnRenderer.found(model, host))
            } else {
                await write(renderer.render(event))
            }
        case .json:
            // The answer is written at the end; events are reported as they happen.
            await write(renderer.render(event).filter { $0.target == .notice })
        case .streamJSON:
            if let line = Self.json(event) { await print(line) }
        }
    }

    func finish(_ report: AnswerReport, seconds: Double) async {
        await silence?.end()
        await screen?.finish()
        await write(renderer.finish().filter { format == .text || $0.target == .notice })
        switch format {
        case .text: break
        case .json: await print(report.json)
        case .streamJSON: await print(tagged("result", report.json))
        }
        // Also when a program reads the output: the result differs from the request.
        if let undone = TurnReport.undone(report.outcome) { await notice(undone) }
        if let ignored = TurnReport.ignored(report.outcome.ignored) { await notice(ignored) }
        if showsProgress,
            let usage = TurnReport.usage(
                report.outcome.turn.usage, seconds: seconds, cost: report.cost)
        {
            await notice(usage)
        }
    }

    /// A local answer: lines instead of a stream.
    func finish(_ lines: [StyledLine], report: AnswerReport) async {
        await silence?.end()
        await screen?.finish()
        switch format {
        case .text:
            for line in lines {
                await send(output, style.plainBytes(line, isForPipe: isPiped))
            }
        case .json: await print(report.json)
        case .streamJSON: await print(tagged("result", report.json))
        }
    }

    /// Reports an error that occurred before the turn, also to readers of JSON.
    func fail(_ diagnostic: Diagnostic) async {
        await silence?.end()
        await screen?.finish()
        if format == .text { return }
        let value = AnswerReport.failure(diagnostic)
        await print(format == .json ? value : tagged("result", value))
    }

    func notice(_ line: StyledLine) async {
        await notices.write(style.bytes(line))
    }

    private func write(_ pieces: [TurnRenderer.Piece]) async {
        for piece in pieces {
            switch piece.target {
            case .answer: await send(output, piece.bytes)
            case .notice: if showsProgress { await notices.write(piece.bytes) }
            }
        }
    }

    private func print(_ value: JSONValue) async {
        await send(output, JSONWriter.shown(value) + [UInt8(ascii: "\n")])
    }

    private func send(_ target: StandardOutput, _ bytes: [UInt8]) async {
        if await target.write(bytes) || isClosed { return }
        isClosed = true
        onClosed()
    }

    private func tagged(_ type: String, _ value: JSONValue) -> JSONValue {
        var object = JSONObject([JSONObject.Member("type", .string(type))])
        object.members += value.objectValue?.members ?? []
        return .object(object)
    }

    /// One line of `stream-json`.
    private static func json(_ event: AgentEvent) -> JSONValue? {
        switch event {
        case .waiting(let provider, let model):
            ["type": "request", "provider": .string(provider.rawValue), "model": .string(model)]
        case .found(let model, let host):
            ["type": "found", "model": .string(model), "host": .string(host)]
        case .text(let text): ["type": "text", "text": .string(text)]
        case .refusal(let text): ["type": "refusal", "text": .string(text)]
        case .thinking(let text): ["type": "thinking", "text": .string(text)]
        case .toolCallStarted, .toolProgress: nil
        case .webSearch(let query): ["type": "web_search", "query": .string(query)]
        case .toolRunning(let call, _):
            [
                "type": "tool_call", "id": .string(call.id), "name": .string(call.name),
                "arguments": .string(call.arguments),
            ]
        case .toolFinished(let result, _, _):
            [
                "type": "tool_result", "id": .string(result.callID), "name": .string(result.name),
                "text": .string(result.text), "isError": .bool(result.isError),
            ]
        case .retrying(let error, let attempt, _, let delay):
            [
                "type": "retry", "attempt": JSONValue(attempt), "seconds": JSONValue(delay),
                "cause": .string(Diagnostic.cause(error)),
            ]
        case .compaction(let event):
            ["type": "compaction", "text": .string(CompactionText.line(event).text)]
        case .notice(let text): ["type": "notice", "text": .string(text)]
        case .movedOn(let provider, let model, let host, let error):
            [
                "type": "moved_on", "provider": .string(provider.rawValue),
                "model": .string(model), "host": .string(host),
                "cause": .string(Diagnostic.cause(error)),
            ]
        case .answered(let stop, let usage):
            [
                "type": "answered", "stopReason": .string(stop.name),
                "usage": usage.json,
            ]
        }
    }
}
