import AgentCore
import Base
import Glibc
import TerminalKit

/// Shows the progress of a command and stops it for Esc or Ctrl-C, while other keys wait for the
/// next prompt: in a panel below the conversation, on one line of stderr in the shell, or nowhere.
/// A terminal without a cursor gets one plain line. Nothing is opened until the command has
/// progress to show.
package actor ProgressScreen {
    package enum Output: Sendable {
        /// `say` shows the progress if there is no panel.
        case terminal(
            open: @Sendable () async -> TerminalPanel?, say: @Sendable ([StyledLine]) async -> Void)
        /// A line that is overwritten: its columns, and the function that writes it.
        case line(columns: @Sendable () -> Int, write: @Sendable (String) -> Void)
        case nowhere
    }

    private let place: Output
    private let glyphs: VoiceGlyphs
    private let ask: @Sendable (_ warning: String?, _ question: String) async -> Bool
    private let askLine: @Sendable (_ question: String, _ isHidden: Bool) async throws -> String?
    private let say: @Sendable ([StyledLine]) async -> Void
    /// The panel, or the task that opens it.
    private var panel: Task<TerminalPanel?, Never>?
    /// The task that reads the panel's keys.
    private var keys: Task<Void, Never>?
    /// The progress line, followed by the arriving text if that is shown.
    private var shown: [String] = []
    private var last: ToolProgress?
    private var isAsking = false
    private var hasSaidIt = false
    private var stop: (@Sendable () -> Void)?
    private let silence: SilenceWatch?
    private let catchesSignals: Bool
    private var signals: StopSignals?

    /// - Parameters:
    ///   - silence: reports how long nothing has arrived.
    ///   - catchesSignals: once there is something to show, signals end the command in
    ///     order.
    ///   - ask: if nil, every question is answered with no.
    ///   - askLine: `Interaction.ask`; nil without a user to ask.
    ///   - say: `Interaction.show`.
    package init(
        _ place: Output, _ glyphs: VoiceGlyphs, silence: SilenceWatch? = nil,
        catchesSignals: Bool = false,
        ask: @escaping @Sendable (_ warning: String?, _ question: String) async -> Bool = {
            _, _ in false
        },
        askLine:
            @escaping @Sendable (_ question: String, _ isHidden: Bool) async throws -> String? =
            { _, _ in nil },
        say: @escaping @Sendable ([StyledLine]) async -> Void = { _ in }
    ) {
        self.place = place
        self.glyphs = glyphs
        self.silence = silence
        self.catchesSignals = catchesSignals
        self.ask = ask
        self.askLine = askLine
        self.say = say
    }

    /// A screen at the prompt.
    package init(_ terminal: TerminalSession, _ style: Style, silence: SilenceWatch? = nil) {
        self.init(
            .terminal(
                open: { await terminal.openPanel() },
                say: { await terminal.write($0.flatMap { style.bytes($0) }) }),
            VoiceGlyphs(usesUnicode: style.usesUnicode), silence: silence,
            ask: { warning, question in
                if let warning {
                    await terminal.write(style.bytes(StyledLine("  ! \(warning)", .warning)))
                }
                let indent = warning == nil ? "  " : "    "
                let prompt = "\(indent)\(question) y or Enter for no: "
                return await terminal.ask(prompt, mode: .yes) == .yes
            }, askLine: { try await terminal.askLine("  \($0)", isHidden: $1) },
            say: { lines in await terminal.write(lines.flatMap { style.bytes($0) }) })
    }

    /// Notices about results that were kept although the work did not complete.
    package var kept: [StyledLine] { last?.kept ?? [] }

    /// Runs the work with a progress screen.
    /// - Throws: the work's errors; `CancellationError` if it was stopped.
    package func run<Value: Sendable>(
        isChat: Bool, _ body: @escaping @Sendable (Interaction) async throws -> Value
    ) async throws -> Value {
        let task = Task {
            try await Emitter.shown {
                await self.show($0)
            } _: { emit in
                var interaction = Interaction(emit: emit)
                interaction.confirm = { warning, question in
                    await self.makingRoom { await self.ask(warning, question) }
                }
                interaction.ask = { question, isHidden in
                    try await self.makingRoom { try await self.askLine(question, isHidden) }
                }
                interaction.show = { lines in await self.makingRoom { await self.say(lines) } }
                interaction.isChat = isChat
                interaction.columns = WindowWidth.columns(of: 1).map { $0 - 1 }
                return try await body(interaction)
            }
        }
        stop = { task.cancel() }
        let result = await withTaskCancellationHandler {
            await task.result
        } onCancel: {
            task.cancel()
        }
        await silence?.end()
        await close()
        signals?.end()
        return try result.get()
    }

    /// Shows the progress; nil removes it.
    package func show(_ progress: ToolProgress?) async {
        guard let progress else { return await close() }
        // Not before there is something to wait for: a running alarm service may be silent for
        // days.
        if last == nil { silence?.begin { await self.tell(silence: $0) } }
        last = progress
        silence?.note()
        await draw(progress)
    }

    private func tell(silence seconds: Int) async {
        guard var progress = last else { return }
        progress.part = SilenceWatch.text(seconds)
        await draw(progress)
    }

    private func draw(_ progress: ToolProgress) async {
        if catchesSignals, signals == nil, let stop { signals = StopSignals(stop) }
        if isAsking { return }
        let view = ProgressView(progress: progress, glyphs: glyphs)
        switch place {
        case .terminal(let open, let say):
            let opening = panel ?? Task { await open() }
            panel = opening
            guard let panel = await opening.value else {
                return await sayOnce(progress, say)
            }
            // A question may have closed it meanwhile.
            guard opening == self.panel else { return }
            if keys == nil {
                panel.passTyping(true)
                keys = Task { await follow(panel) }
            }
            panel.show { view.lines(columns: $0) }
        case .line(let columns, let write):
            let columns = columns()
            // Text is read while it arrives; for other work one line is enough.
            let rows = progress.textRows > 3 ? view.textRows(columns: columns) : []
            let lines = [view.line(columns: columns)] + rows
            if lines == shown { return }
            write(
                Self.backToStart(shown) + lines.joined(separator: "\u{1B}[K\r\n")
                    + (shown.count > lines.count ? "\u{1B}[J" : "\u{1B}[K"))
            shown = lines
        case .nowhere: break
        }
    }

    /// Asks a question in the middle of the work, with the progress taken off the screen.
    private func makingRoom<Answer: Sendable>(
        _ question: @Sendable () async throws -> Answer
    ) async rethrows -> Answer {
        isAsking = true
        await close()
        // The question handles Ctrl-C itself.
        signals?.end()
        signals = nil
        let answer: Answer
        do {
            answer = try await question()
        } catch {
            isAsking = false
            throw error
        }
        isAsking = false
        silence?.note()
        if let last { await show(last) }
        return answer
    }

    /// Moves to the first column of the first of those rows.
    private static func backToStart(_ rows: [String]) -> String {
        rows.count > 1 ? "\u{1B}[\(rows.count - 1)A\r" : "\r"
    }

    private func sayOnce(
        _ progress: ToolProgress, _ say: @Sendable ([StyledLine]) async -> Void
    ) async {
        if hasSaidIt { return }
        hasSaidIt = true
        let title = HostileText.line(progress.title)
        await say([StyledLine("  \(progress.activity) \(title); Ctrl-C stops.", .dim)])
    }

    private func follow(_ panel: TerminalPanel) async {
        while let key = await panel.nextKey() {
            switch key {
            case .escape, .interrupt: stop?()
            default: break
            }
        }
    }

    private func close() async {
        if case .line(_, let write) = place, !shown.isEmpty {
            write(Self.backToStart(shown) + (shown.count > 1 ? "\u{1B}[J" : "\u{1B}[K"))
            shown = []
        }
        let (opening, reader) = (panel, keys)
        (panel, keys) = (nil, nil)
        await opening?.value?.close()
        reader?.cancel()
        await reader?.value
    }
}
