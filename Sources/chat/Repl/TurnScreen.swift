import AgentCore

/// Shows one turn on the terminal while it runs: the answer as it arrives,
/// notices around it, and a status line while nothing comes.
///
/// The status line stands where the next output will be and is erased before
/// it. All writing goes through the terminal's one owner.
actor TurnScreen {
    /// Silence before the status line appears.
    static let quietSeconds = 0.5
    /// Silence of the server that is worth a word.
    static let silenceSeconds = 20.0

    /// Queues bytes for the terminal, in order.
    private let output: @Sendable ([UInt8]) async -> Void
    private let style: Style
    private let environment: Environment
    private var renderer: TurnRenderer
    private var ticker: Task<Void, Never>?
    private var status = ""
    private var hasStatus = false
    private var lastActivity: Double
    private var started: Double
    private var countdown: (error: ProviderError, attempt: Int, of: Int, until: Double)?
    private var runningTool: String?
    /// Text of an answer ends in an open line, where a status line would be
    /// taken for part of it.
    private var isInText = false
    /// A question stands on the screen; nothing is drawn over it.
    private var isAsking = false

    private let canErase: Bool
    private static let eraseLine = Array("\r\u{1B}[K".utf8)

    /// - Parameter canErase: the terminal understands control sequences.
    init(
        style: Style, canErase: Bool, environment: Environment,
        output: @escaping @Sendable ([UInt8]) async -> Void
    ) {
        self.canErase = canErase
        self.output = output
        self.style = style
        self.environment = environment
        renderer = TurnRenderer(style: style, showsThinking: true)
        lastActivity = environment.uptime()
        started = lastActivity
    }

    func begin() {
        started = environment.uptime()
        lastActivity = started
        guard canErase else { return }
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

    func observe(_ event: AgentEvent) async {
        lastActivity = environment.uptime()
        if case .retrying(let error, let attempt, let of, let delay) = event {
            countdown = (error, attempt, of, lastActivity + delay)
            if !canErase {
                await write(renderer.show(StyledLine("  ! " + retryText(), .warning)))
            }
        } else if case .waiting = event {
            countdown = nil
        }
        switch event {
        case .toolRunning(let call, _): runningTool = call.name
        case .toolFinished: runningTool = nil
        default: break
        }
        let pieces = renderer.render(event)
        if !pieces.isEmpty {
            switch event {
            case .text, .refusal, .thinking: isInText = true
            default: isInText = false
            }
        }
        await write(pieces)
    }

    /// Ends the answer's line.
    func finish() async {
        ticker?.cancel()
        await ticker?.value
        ticker = nil
        await write(renderer.finish(), always: true)
    }

    var elapsed: Double { environment.uptime() - started }

    func show(_ lines: [StyledLine]) async {
        for line in lines { await write(renderer.show(line)) }
    }

    /// Shows what a question is about, on lines of its own, and then draws
    /// nothing until `endQuestion`.
    func beginQuestion(_ lines: [StyledLine]) async {
        isAsking = true
        await show(lines)
        isInText = false
    }

    func endQuestion() {
        isAsking = false
        // The time was the user's.
        lastActivity = environment.uptime()
    }

    // MARK: - Status line

    private func tick() async {
        if isAsking { return }
        let silence = environment.uptime() - lastActivity
        let text: String
        if countdown != nil {
            text = retryText()
        } else if let runningTool {
            guard silence >= Self.quietSeconds else { return }
            text = "\(runningTool) … \(Quantities.seconds(silence.rounded(.down)))"
        } else if silence >= Self.silenceSeconds {
            text = "silent for \(Int(silence)) s · Ctrl-C stops"
        } else if silence >= Self.quietSeconds, !isInText {
            text = "… \(Int(silence)) s"
        } else {
            return
        }
        if text == status, hasStatus { return }
        var bytes: [UInt8] = []
        // Below an open line of text, not on it.
        if isInText, !hasStatus { bytes += renderer.finish().flatMap(\.bytes) }
        isInText = false
        status = text
        hasStatus = true
        bytes += Self.eraseLine + Array(style.text(StyledLine("  \(text)", .dim)).utf8)
        await output(bytes)
    }

    private func retryText() -> String {
        guard let countdown else { return "" }
        let left = max(0, Int((countdown.until - environment.uptime()).rounded(.up)))
        return "\(Diagnostic.cause(countdown.error)). Trying again in \(left) s, attempt "
            + "\(countdown.attempt) of \(countdown.of) · Ctrl-C stops"
    }

    private func write(_ pieces: [TurnRenderer.Piece], always: Bool = false) async {
        guard !pieces.isEmpty || (always && hasStatus) else { return }
        var bytes: [UInt8] = hasStatus ? Self.eraseLine : []
        hasStatus = false
        status = ""
        for piece in pieces { bytes += piece.bytes }
        await output(bytes)
    }
}
