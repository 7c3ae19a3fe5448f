import AgentCore
import Base
import ChatKit
import TerminalKit

/// Shows one turn on the terminal while it runs: the answer as it arrives, notices around it, and a
/// footer while nothing arrives or the user types.
///
/// The first text is painted at once, then at most one frame in 12 ms; a last one always follows.
/// All writing goes through the terminal's single owner, in the order in which it was painted.
actor TurnScreen {
    /// The user's display settings.
    struct Options: Sendable {
        var style: Style
        /// Whether the terminal understands control sequences.
        var canErase: Bool
        /// Whether answers are shown formatted.
        var formats = true
        var thinking = ThinkingDisplay.summary
        /// Whether the program or the terminal breaks lines of prose.
        var wrap = Wrap.words
        /// Read at every frame, since a window can change at any time.
        var size: @Sendable () -> ScreenSize = { ScreenSize() }
    }

    /// Seconds of silence before the status line appears.
    static let quietSeconds = 0.5
    /// Seconds between two frames.
    static let frame = 0.012
    /// Maximum number of bytes waiting for a frame. Text that arrives at once is laid out in pieces
    /// of this size: a line of two bytes takes a kilobyte while it is painted, and the beginning of
    /// a large answer is shown before the rest is processed.
    private static let highWater = 16 * 1024

    /// Queues bytes for the terminal, in order.
    private let output: @Sendable ([UInt8]) async -> Void
    private let options: Options
    private let environment: Environment
    private var painter: TurnPainter
    /// The renderer for a terminal that cannot erase.
    private var renderer: TurnRenderer
    private var ticker: Task<Void, Never>?
    /// Notices silence on a screen that cannot be redrawn.
    private let silence: SilenceWatch
    private var isSilent = false
    private var trailing: Task<Void, Never>?
    private var lastPaint = -Double.infinity
    private var lastActivity: Double
    private var started: Double
    private var countdown: (error: ProviderError, attempt: Int, of: Int, until: Double)?
    private var runningTool: String?
    /// Calls that report progress.
    private var progress: [(call: String, shown: ToolProgress)] = []
    private var typed: [RichLine] = []
    /// The line for background activity.
    private var below: (@Sendable (_ columns: Int) -> StyledLine)?
    /// Whether a question is on the screen; nothing is drawn over it.
    private var isAsking = false
    private var isFinished = false
    private var outbox: [UInt8] = []
    private var isSending = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(
        options: Options, environment: Environment,
        output: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        self.options = options
        self.output = output
        self.environment = environment
        silence = SilenceWatch(environment)
        painter = TurnPainter(
            style: options.style, formats: options.formats, thinking: options.thinking,
            wrap: options.wrap)
        renderer = TurnRenderer(
            style: options.style, showsThinking: options.thinking == .full)
        lastActivity = environment.uptime()
        started = lastActivity
    }

    func begin() {
        started = environment.uptime()
        lastActivity = started
        guard options.canErase else {
            silence.begin { [weak self] in await self?.tell(silence: $0) }
            return
        }
        ticker = Task { [weak self, environment] in
            while !Task.isCancelled {
                do {
                    try await environment.sleep(.milliseconds(250))
                } catch {
                    return
                }
                await self?.tick()
            }
        }
    }

    /// Reports a silence once.
    private func tell(silence seconds: Int) async {
        if isSilent || isAsking || runningTool != nil { return }
        isSilent = true
        await show([StyledLine("  \(SilenceWatch.text(seconds)) · Ctrl-C stops", .dim)])
    }

    func observe(_ event: AgentEvent) async {
        switch event {
        case .text(let text): for piece in Self.pieces(of: text) { await take(.text(piece)) }
        case .refusal(let text):
            for piece in Self.pieces(of: text) { await take(.refusal(piece)) }
        case .thinking(let text):
            for piece in Self.pieces(of: text) { await take(.thinking(piece)) }
        default: await take(event)
        }
    }

    /// Cut between code points.
    private static func pieces(of text: String) -> [String] {
        guard text.utf8.count > highWater else { return [text] }
        var (pieces, rest) = ([String](), text[...])
        while !rest.isEmpty {
            let end = rest.utf8.index(
                rest.startIndex, offsetBy: highWater, limitedBy: rest.endIndex)
            // A piece must not end inside a code point.
            let piece = rest[..<(end ?? rest.endIndex)]
            pieces.append(String(piece))
            rest = rest[piece.endIndex...]
        }
        return pieces
    }

    private func take(_ event: AgentEvent) async {
        let now = environment.uptime()
        lastActivity = now
        isSilent = false
        silence.note()
        switch event {
        case .retrying(let error, let attempt, let of, let delay):
            countdown = (error, attempt, of, now + delay)
        case .waiting: countdown = nil
        case .toolRunning(let call, _): runningTool = call.name
        case .toolFinished: runningTool = nil
        case .toolProgress(let shown, let call):
            guard options.canErase else { return }
            let index = progress.firstIndex { $0.call == call } ?? progress.count
            progress.replaceSubrange(
                index..<min(index + 1, progress.count), with: shown.map { [(call, $0)] } ?? [])
            return await frame(now)
        default: break
        }
        guard options.canErase else {
            await send(renderer.render(event).flatMap(\.bytes))
            if case .retrying = event {
                await show([StyledLine("  ! " + retryText(now), .warning)])
            }
            return
        }
        if !painter.isInText { lastPaint = -.infinity }
        let bytes = painter.take(event, at: now, on: options.size)
        if !bytes.isEmpty { await send(bytes) }
        switch event {
        case .text, .refusal, .thinking: await frame(now)
        default: break
        }
    }

    /// Ends the answer's line and removes the footer.
    func finish() async {
        ticker?.cancel()
        trailing?.cancel()
        await silence.end()
        await ticker?.value
        await trailing?.value
        (ticker, trailing) = (nil, nil)
        isFinished = true
        await send(closing())
        // A frame may still be under way, and later output must follow it.
        await sent()
    }

    var size: ScreenSize { options.size() }

    var elapsed: Double { environment.uptime() - started }

    /// Shows our own lines; an answer in progress continues below them.
    func show(_ lines: [StyledLine]) async {
        guard options.canErase else {
            for line in lines { await send(renderer.show(line).flatMap(\.bytes)) }
            return
        }
        await send(painter.show(lines, on: options.size()))
    }

    /// Shows the queued messages and the draft below the answer.
    func typing(queued: [String], draft: String) async {
        let look = RichLine.Look(.text, .dim)
        let columns = options.size().columns - 1
        func line(_ text: String) -> RichLine {
            RichLine(DisplayWidth.cut(HostileText.line(text), to: columns), look)
        }
        typed = queued.suffix(3).map { line("  next: " + $0) }
        if queued.count > 3 { typed.insert(line("  … \(queued.count - 3) more"), at: 0) }
        // Show the end of a long draft, where the user is typing.
        if !draft.isEmpty { typed.append(line("> " + draft.suffix(max(1, columns / 2)))) }
        await paint(environment.uptime())
    }

    /// Shows the text of a question on separate lines, and draws nothing more until `endQuestion`.
    func beginQuestion(_ lines: [StyledLine]) async {
        isAsking = true
        lastActivity = environment.uptime()
        await send(closing())
        await show(lines)
        await sent()
    }

    func endQuestion() {
        isAsking = false
        // Do not count the time the user took.
        let now = environment.uptime()
        started += now - lastActivity
        lastActivity = now
    }

    /// Sets a line that is shown at the bottom while the turn runs.
    func showBelow(_ line: (@Sendable (_ columns: Int) -> StyledLine)?) async {
        if line == nil, below == nil { return }
        below = line
        await paint(environment.uptime())
    }

    private func closing() -> [UInt8] {
        guard options.canErase else { return renderer.finish().flatMap(\.bytes) }
        return painter.close(at: environment.uptime(), on: options.size())
    }

    // MARK: - Frames

    /// Paints now, or schedules a frame.
    private func frame(_ now: Double) async {
        let wait = lastPaint + Self.frame - now
        let isFull = painter.bytesBehind >= Self.highWater
        if !isSending, isFull || wait <= 0 {
            lastPaint = now
            await paint(now)
            return
        }
        if trailing == nil {
            trailing = Task { [weak self, environment] in
                do {
                    try await environment.sleep(.seconds(max(wait, 0.001)))
                } catch {
                    return
                }
                await self?.endFrame()
            }
        }
        if isSending, isFull { await sent() }
    }

    private func endFrame() async {
        trailing = nil
        lastPaint = environment.uptime()
        await paint(lastPaint)
    }

    private func paint(_ now: Double) async {
        guard options.canErase, !isAsking, !isFinished else { return }
        let size = options.size()
        await send(painter.paint(footer: footer(now, size.columns), on: size))
    }

    private func tick() async {
        await paint(environment.uptime())
    }

    // MARK: - Footer

    private func footer(_ now: Double, _ columns: Int) -> [RichLine] {
        let look = RichLine.Look(.text, .dim)
        let lines =
            painter.thinkingLine(at: now, columns: columns).map { [$0] }
            ?? status(now, columns).map {
                StyledLine("  " + options.style.shown($0)).folded(to: columns)
                    .map { RichLine($0.text, look) }
            } ?? []
        return lines + typed + (below.map { [RichLine($0(columns))] } ?? [])
    }

    private func status(_ now: Double, _ columns: Int) -> String? {
        let silence = now - lastActivity
        if countdown != nil { return retryText(now, columns: columns) }
        if let first = progress.first {
            let glyphs = VoiceGlyphs(usesUnicode: options.style.usesUnicode)
            return ProgressView(progress: first.shown, glyphs: glyphs).line(columns: columns - 2)
        }
        if let runningTool {
            return silence >= Self.quietSeconds
                ? "\(runningTool) … \(Quantities.seconds(silence.rounded(.down)))" : nil
        }
        if Int(silence) >= SilenceWatch.limit {
            return "\(SilenceWatch.text(Int(silence))) · Ctrl-C stops"
        }
        return silence >= Self.quietSeconds && !painter.isInText ? "… \(Int(silence)) s" : nil
    }

    /// - Parameter columns: nil for lines without a limit; otherwise the reason is cut to make the
    ///   text fit the two rows of a footer.
    private func retryText(_ now: Double, columns: Int? = nil) -> String {
        guard let countdown else { return "" }
        let left = max(0, Int((countdown.until - now).rounded(.up)))
        let rest =
            "Trying again in \(left) s, attempt \(countdown.attempt) of \(countdown.of)"
            + " · Ctrl-C stops"
        var cause = Diagnostic.cause(countdown.error, saysWait: false)
        if let columns {
            // Four for the indents, and some for a word that wraps to the next row.
            let room = 2 * columns - 16 - DisplayWidth.of(rest)
            cause = DisplayWidth.cut(HostileText.line(cause), to: max(8, room))
        }
        return cause + (cause.hasSuffix("…") ? " " : ". ") + rest
    }

    // MARK: - Writing

    /// Writes in the order of the calls, even if several are waiting.
    private func send(_ bytes: [UInt8]) async {
        guard !bytes.isEmpty else { return }
        outbox += bytes
        if isSending {
            await sent()
            return
        }
        isSending = true
        while !outbox.isEmpty {
            let next = outbox
            outbox = []
            await output(next)
        }
        isSending = false
        for writer in waiting { writer.resume() }
        waiting = []
    }

    private func sent() async {
        guard isSending else { return }
        await withCheckedContinuation { waiting.append($0) }
    }
}
