import Base
import StoryKit

/// Line-mode playback, for output without a screen: prints who speaks, and reads commands
/// of a letter and Enter.
package struct StoryLines: Sendable {
    private let player: StoryPlayer
    private let bookmark: @Sendable (_ offset: Int, _ note: String) async throws -> String
    /// The next input line; nil at the end of the input.
    private let readLine: @Sendable () async -> String?
    /// Ends the input, so that a pending `readLine` returns.
    private let endInput: @Sendable () async -> Void
    private let say: @Sendable ([StyledLine]) async -> Void
    /// Whether the user can type input.
    private let isInteractive: Bool

    package init(
        player: StoryPlayer, isInteractive: Bool,
        bookmark: @escaping @Sendable (_ offset: Int, _ note: String) async throws -> String,
        readLine: @escaping @Sendable () async -> String?,
        endInput: @escaping @Sendable () async -> Void,
        say: @escaping @Sendable ([StyledLine]) async -> Void
    ) {
        self.player = player
        self.isInteractive = isInteractive
        self.bookmark = bookmark
        self.readLine = readLine
        self.endInput = endInput
        self.say = say
    }

    /// Returns when playback has ended. If cancelled, playback stops at once and the place
    /// is saved.
    /// - Throws: `CancellationError`; `SpeechError` if nothing can be heard and no user can
    ///   resume it.
    package func run() async throws -> StoryPlayer.Report {
        if isInteractive { await say(StoryKey.summary.map { StyledLine("  " + $0, .dim) }) }
        let report = await withTaskCancellationHandler {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await show() }
                group.addTask { await takeLines() }
                let report = await player.finished()
                await endInput()
                group.cancelAll()
                return report
            }
        } onCancel: {
            Task { await player.stop() }
        }
        try Task.checkCancellation()
        // A user who saw the error and then stopped does not need it again.
        if let failure = await player.failure, !isInteractive || report.spoken == 0 {
            throw failure
        }
        return report
    }

    // MARK: - Output

    private func show() async {
        var last: StoryPlayer.State?
        var hasPlayed = false
        for await state in player.states {
            hasPlayed = hasPlayed || state.phase == .playing
            if !isInteractive || !hasPlayed,
                state.phase == .paused(.deviceGone)
                    || state.phase == .paused(.engineFailed)
            {
                // Nothing could resume it without input; the error says why.
                await player.stop()
                return
            }
            let lines = Self.lines(state, after: last)
            if !lines.isEmpty { await say(lines) }
            last = state
            if state.phase == .ended { return }
        }
    }

    /// The lines for a new state: problems, a pause, a new chapter, and for a new speaker
    /// `Now speaking: Alice  11/240  4 %`.
    static func lines(
        _ state: StoryPlayer.State, after last: StoryPlayer.State?
    ) -> [StyledLine] {
        var lines: [StyledLine] = []
        let problems = state.problems.dropFirst(last?.problems.count ?? 0)
        lines += problems.map { StyledLine("! \($0)", .warning) }
        switch state.phase {
        case .preparing, .ended: return lines
        case .paused(let why):
            guard last?.phase != state.phase || last?.segment != state.segment else {
                return lines
            }
            lines.append(
                StyledLine([
                    .init("Paused\(why.text): \(place(state))"), .init("  Enter resumes", .dim),
                ]))
        case .waiting, .playing:
            if state.chapter != last?.chapter, let chapter = state.chapter, chapter.count > 1 {
                lines.append(
                    StyledLine(
                        "Chapter \(chapter.number) of \(chapter.count): "
                            + chapter.name.oneLine, .bold))
            }
            var isOther = last.map { $0.segment != state.segment || $0.rate != state.rate } ?? true
            if case .paused = last?.phase { isOther = true }
            guard isOther, state.segment > 0 else { return lines }
            lines.append(
                StyledLine([
                    .init("Now speaking: "),
                    .init(state.speakerName.oneLine, .accent),
                    .init("  \(place(state))"),
                    .init(state.tier == .guess ? "  guessed" : "", .dim),
                    .init(state.rate == 1 ? "" : "  rate \(state.rate)", .dim),
                ]))
        }
        return lines
    }

    /// "11/240  4 %"
    private static func place(_ state: StoryPlayer.State) -> String {
        "\(state.segment)/\(state.segments)  \(Int(state.fraction * 100)) %"
    }

    // MARK: - Input

    private func takeLines() async {
        while let line = await readLine() { await perform(StoryKey(line)) }
        // The end of a pipe is ignored; closing a terminal's input stops playback.
        if isInteractive { await player.stop() }
    }

    private func perform(_ key: StoryKey) async {
        switch key {
        case .togglePause: await player.togglePause()
        case .segments(let count): await player.skip(segments: count)
        case .chapters(let count): await player.skip(chapters: count)
        case .rate(let steps): await player.changeRate(steps: steps)
        case .sleep(let time):
            do { await player.sleep(after: try StoryPlayer.sleepSeconds(time)) } catch {
                await fail(error)
            }
        case .stop: await player.stop()
        case .help: await say(StoryKey.summary.map { StyledLine("  " + $0, .dim) })
        case .goTo(let number):
            do { try await player.go(to: .segment(number)) } catch { await fail(error) }
        case .bookmark(let note):
            guard let state = player.state else { return }
            do {
                let done = try await bookmark(state.line.lowerBound, note)
                await say([StyledLine(done, .success)])
            } catch { await fail(error) }
        case .unknown(let line):
            let word = DisplayWidth.cut(line.oneLine, to: 40)
            await say([StyledLine("\"\(word)\" does nothing here; ? lists what does.", .dim)])
        }
    }

    private func fail(_ error: any Error) async {
        let diagnostic = (error as? any DescribedError)?.diagnostic
        await say([StyledLine("! \(diagnostic?.what ?? "That did not work.")", .warning)])
    }
}

extension StoryPlayer.State.Why {
    /// The reason for a pause, to follow "Paused"; empty if the user paused it.
    package var text: String {
        switch self {
        case .user: ""
        case .alert: " by an alert"
        case .suspended: " after the machine slept"
        case .deviceGone: ": the sound device is gone"
        case .recording: " for a recording"
        case .speech: " for something else that is read aloud"
        case .engineFailed: ": no sound can be made"
        }
    }
}

/// The commands of a letter and Enter in line mode. Pure.
enum StoryKey: Sendable, Equatable {
    case togglePause
    case segments(Int)
    case chapters(Int)
    case goTo(Int)
    case rate(Int)
    case bookmark(note: String)
    case sleep(String)
    case stop
    case help
    case unknown(String)

    static let summary = [
        "Enter pauses and resumes · n next · p previous · ] [ chapter · g 42 go to",
        "+ - faster, slower · b note bookmark · t 20m sleep · s stop, the place is kept · ? this",
    ]

    init(_ line: String) {
        let line = line.trimmingSpace()
        let rest = String(line.dropFirst()).trimmingSpace()
        switch (line.first, rest.isEmpty) {
        case (nil, _): self = .togglePause
        case ("n", true): self = .segments(1)
        case ("p", true): self = .segments(-1)
        case ("]", true): self = .chapters(1)
        case ("[", true): self = .chapters(-1)
        case ("+", true): self = .rate(1)
        case ("-", true): self = .rate(-1)
        case ("s", true), ("q", true): self = .stop
        case ("?", true), ("h", true): self = .help
        case ("g", false):
            if let number = Int(rest) { self = .goTo(number) } else { self = .unknown(line) }
        case ("t", false): self = .sleep(rest)
        case ("b", _): self = .bookmark(note: rest)
        default: self = .unknown(line)
        }
    }
}
