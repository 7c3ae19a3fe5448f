import AgentCore
import Base
import Persistence
import Stories
import StoryKit
import Synchronization
import TerminalKit

/// Shows the player's state on a panel, and passes keys to the player and to the story commands.
/// For one playback; `StoryPlayView` decides the display and `StoryScreenKeys` the keys.
package final class StoryScreen: Sendable {
    struct Dependencies: Sendable {
        var player: StoryPlayer
        /// Runs a story command by its arguments, as `["fix", "s3", "12", "Alice"]`.
        var run: @Sendable (_ arguments: [String]) async throws -> CommandOutput
        /// - Returns: the result, for display.
        var bookmark: @Sendable (_ offset: Int, ItemID) async throws -> String
        /// The suitable voices, the current one first.
        var voices: @Sendable (StoryScript.Speaker, StoryReading) async throws -> [VoiceOffer]
        /// Reads a text with one of the voices instead of the speaker's.
        var audition:
            @Sendable (_ voice: String, _ text: String, StoryScript.Speaker, StoryReading)
                async throws -> Void
        var describe: @Sendable (any Error) -> Diagnostic
        var glyphs: VoiceGlyphs
    }

    package enum Outcome: Sendable, Equatable {
        /// The story has ended, or was stopped elsewhere.
        case ended
        case stopped
        /// Playback continues in the background of the prompt.
        case background
        case interrupted
        /// The terminal is closed.
        case closed
    }

    private struct State {
        var reading: StoryReading?
        /// Index of the current sentence, among all.
        var line: Int?
        var sought = ""
        /// The sentence a list refers to: the current one when it was opened.
        var subject: StoryScript.Line?
        var offers: [VoiceOffer] = []
        var audition: Task<Void, Never>?
    }

    /// Number of sentences shown at most before and after the current one.
    private static let around = 40

    private let dependencies: Dependencies
    private let runner: PanelRunner<StoryPlayView>
    private let state = Mutex(State())
    private let begun = Mutex<Task<Void, any Error>?>(nil)
    private var player: StoryPlayer { dependencies.player }

    /// - Parameter hasBackground: whether there is a prompt behind it.
    init(_ dependencies: Dependencies, on panel: TerminalPanel, hasBackground: Bool) {
        self.dependencies = dependencies
        var view = StoryPlayView(
            state: dependencies.player.state
                ?? StoryPlayer.State(phase: .preparing, item: ItemID(rawValue: 0), title: ""),
            glyphs: dependencies.glyphs)
        view.keys.hasBackground = hasBackground
        runner = PanelRunner(view, on: panel)
    }

    /// Runs until the story ends, or a key ends the screen. Apart from stopping the story, the
    /// caller carries out the outcome.
    ///
    /// - Parameter begin: starts the story; nil if one is playing already. It continues if the user
    ///   leaves the screen for the prompt (`beginning`).
    /// - Throws: errors of `begin`, and `SpeechError` if no sound could be played.
    package func run(
        _ begin: (@Sendable () async throws -> Void)? = nil
    ) async throws -> Outcome {
        let beginning = begin.map { begin in Task { try await begin() } }
        begun.withLock { $0 = beginning }
        let result: Result<Outcome, any Error>
        do {
            let (heard, ending) = try await PacedSound.run {
                try await self.hear(beginning)
            } keys: {
                // Cancelled, the story has ended.
                try await self.takeKeys() ?? (Task.isCancelled ? nil : .closed)
            } silence: { outcome, sound in
                if outcome == .stopped || outcome == .interrupted { await self.player.stop() }
                sound.cancel()
            }
            result = .success(ending ?? heard)
        } catch { result = .failure(error) }
        await endAudition()
        if case .success(.background) = result { return .background }
        beginning?.cancel()
        _ = await beginning?.result
        return try result.get()
    }

    /// The task that starts the story; trying out the voices may take a while before the sound
    /// starts.
    package var beginning: Task<Void, any Error>? { begun.withLock { $0 } }

    /// Returns when the story has ended; an error of its beginning ends it.
    private func hear(_ beginning: Task<Void, any Error>?) async throws -> Outcome {
        try await withThrowingTaskGroup(of: Outcome?.self) { group in
            group.addTask { try await self.follow(isUnderWay: beginning == nil) }
            if let beginning { group.addTask { try await Self.failure(of: beginning) } }
            defer { group.cancelAll() }
            while let next = try await group.next() { if let next { return next } }
            return .ended
        }
    }

    /// Waits for a task, which continues if the waiting is cancelled.
    private static func failure(of task: Task<Void, any Error>) async throws -> Outcome? {
        let (ends, end) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        Task {
            end.yield(await task.result)
            end.finish()
        }
        for await case .failure(let error) in ends { throw error }
        return nil
    }

    /// - Parameter isUnderWay: false while the end of the previous story may still be
    ///   reported.
    private func follow(isUnderWay: Bool) async throws -> Outcome {
        var (isUnderWay, isHeard) = (isUnderWay, isUnderWay)
        for await played in player.states {
            if played.phase == .ended, !isUnderWay { continue }
            isUnderWay = true
            if played.phase == .playing { isHeard = true }
            await show(played)
            if played.phase == .ended { break }
            if case .paused = played.phase, !isHeard, let failure = await player.failure {
                await player.stop()
                throw failure
            }
        }
        return .ended
    }

    // MARK: - Display

    private func show(_ played: StoryPlayer.State) async {
        let reading = await player.reading
        let passages = state.withLock { state -> [StoryPlayView.Passage]? in
            state.reading = reading ?? state.reading
            guard played.segment > 0, let reading = state.reading,
                let line = reading.line(at: played.line.lowerBound)
            else { return nil }
            state.line = line
            return Self.passages(reading, around: line)
        }
        runner.update { view in
            view.state = played
            view.passages = passages ?? view.passages
        }
    }

    static func passages(_ reading: StoryReading, around line: Int) -> [StoryPlayView.Passage] {
        var passages: [StoryPlayView.Passage] = []
        var span: Int?
        let first = max(0, line - around)
        for index in first..<min(reading.lines.count, line + around) {
            let now = reading.lines[index]
            if now.span != span {
                span = now.span
                var passage = StoryPlayView.Passage(sentences: [], isOver: index < line)
                if case .character(let party) = now.speaker {
                    passage.party = party
                    passage.speaker = reading.speaker(now.span) ?? "Unknown"
                }
                passages.append(passage)
            }
            let last = passages.count - 1
            if index == line {
                passages[last].current = passages[last].sentences.count
                passages[last].isOver = false
            }
            passages[last].sentences.append(now.text)
        }
        return passages
    }

    // MARK: - Keys

    private func takeKeys() async throws -> Outcome? {
        try await runner.run { action -> Outcome? in
            switch action {
            case .background: return .background
            case .interrupt: return .interrupted
            case .stop: return .stopped
            default: await perform(action)
            }
            return nil
        }
    }

    private func perform(_ action: StoryScreenKeys.Action) async {
        do {
            switch action {
            case .none, .background, .stop, .interrupt: break
            case .togglePause: await player.togglePause()
            case .segments(let count): await player.skip(segments: count)
            case .chapters(let count): await player.skip(chapters: count)
            case .rate(let steps): await player.changeRate(steps: steps)
            case .bookmark: try await bookmark()
            case .go(let place): try await go(to: place)
            case .find(let words): try await find(words)
            case .findNext: try await find(nil)
            case .sleep(let time): await player.sleep(after: try StoryPlayer.sleepSeconds(time))
            case .offer(.speaker): offerSpeakers()
            case .offer(.voice): try await offerVoices()
            case .choose(.speaker, let index): try await fix(index)
            case .choose(.voice, let index): try await setVoice(index)
            case .preview(let index): await audition(index)
            case .say(let words): note(StyledLine(words, .dim))
            }
        } catch is CancellationError {
            // The user stopped it and need not be informed.
        } catch { fail(error) }
    }

    private func note(_ line: StyledLine?) { runner.update { $0.note = line } }

    private func fail(_ error: any Error) {
        let diagnostic = dependencies.describe(error)
        let text = [diagnostic.what, diagnostic.todo].compactMap { $0 }.joined(separator: " ")
        note(StyledLine("! " + text, .warning))
    }

    /// Shows the beginning of a command's output, without its advice.
    private func note(_ output: CommandOutput) {
        guard let done = output.lines.first?.spans.first else { return }
        note(StyledLine(done.text, .success))
    }

    private func bookmark() async throws {
        guard let now = player.state, now.segment > 0 else { return }
        let said = try await dependencies.bookmark(now.line.lowerBound, now.item)
        note(StyledLine(said, .success))
    }

    private func go(to place: StoryScreenKeys.Destination) async throws {
        switch place {
        case .segment(let number): try await player.go(to: .segment(number))
        case .percent(let percent):
            guard let reading = state.withLock({ $0.reading }) else { return }
            try await player.go(to: .offset(reading.offset(atFraction: percent / 100)))
        }
    }

    /// Goes to the next sentence that contains these words, or the previous search's; after the
    /// last match it continues from the beginning.
    private func find(_ words: String?) async throws {
        let (reading, line, sought) = state.withLock { state in
            if let words { state.sought = words }
            return (state.reading, state.line ?? 0, state.sought)
        }
        guard let reading else { return }
        if sought.isEmpty { return note(StyledLine("/ finds words first.", .dim)) }
        let wanted = SearchText.folded(sought)
        let behind = Array(line + 1..<max(line + 1, reading.lines.count))
        let found = (behind + Array(0...line)).first {
            reading.lines.indices.contains($0)
                && SearchText.folded(reading.lines[$0].text).contains(wanted)
        }
        guard let found else { return note(StyledLine("“\(sought)” was not found.", .warning)) }
        try await player.go(to: .offset(reading.lines[found].sentence.lowerBound))
        if found == line {
            note(StyledLine("“\(sought)” occurs only here.", .dim))
        } else if found < line {
            note(StyledLine("“\(sought)” again, from the beginning.", .dim))
        }
    }
}

/// Chooses speakers and voices: decisions that are stored and can be undone.
extension StoryScreen {
    private func offerSpeakers() {
        let (reading, line) = state.withLock { ($0.reading, $0.line) }
        guard let reading, let line else { return }
        let now = reading.lines[line]
        guard case .character(let speaker) = now.speaker else {
            return note(StyledLine("This is narrated, not spoken.", .dim))
        }
        state.withLock { $0.subject = now }
        let rows = reading.cast.characters.map {
            ($0.name, $0.aliases.prefix(3).joined(separator: ", "))
        }
        runner.update {
            $0.keys.offer(.speaker, title: "Who says it?", rows, at: speaker ?? 0)
        }
    }

    private func fix(_ index: Int) async throws {
        let (reading, subject) = state.withLock { ($0.reading, $0.subject) }
        guard let reading, let subject, reading.cast.characters.indices.contains(index) else {
            return
        }
        let id = ItemKind.story.id(reading.item.id)
        try await keepCast(of: reading)
        let name = reading.cast.characters[index].name
        note(try await dependencies.run(["fix", "--", id, "\(subject.span + 1)", name]))
        try await player.follow()
    }

    private func offerVoices() async throws {
        let (reading, line) = state.withLock { ($0.reading, $0.line) }
        guard let reading, let line else { return }
        let now = reading.lines[line]
        note(StyledLine("Looking for voices …", .dim))
        let offers = try await dependencies.voices(now.speaker, reading)
        note(nil)
        let isNarrator = now.speaker == .narrator
        let name = isNarrator ? "the narrator" : Self.name(now, reading)
        state.withLock { ($0.subject, $0.offers) = (now, offers) }
        let rows = offers.map { ($0.identifier, $0.detail) }
        runner.update { $0.keys.offer(.voice, title: "The voice of \(name)", rows, at: 0) }
    }

    private func setVoice(_ index: Int) async throws {
        await endAudition()
        let (reading, subject, offers) = state.withLock { ($0.reading, $0.subject, $0.offers) }
        guard let reading, let subject, offers.indices.contains(index) else { return }
        try await keepCast(of: reading)
        let id = ItemKind.story.id(reading.item.id)
        let output = try await dependencies.run([
            "voices", "--", id, "set", Self.name(subject, reading), offers[index].identifier,
        ])
        note(output)
        try await player.follow()
    }

    /// Stores the cast, which decisions need: the same one the player uses.
    private func keepCast(of reading: StoryReading) async throws {
        if reading.item.metadata["cast"] != nil { return }
        _ = try await dependencies.run(
            ["index", "--offline", ItemKind.story.id(reading.item.id)])
    }

    private static func name(_ line: StoryScript.Line, _ reading: StoryReading) -> String {
        if case .narrator = line.speaker { return "narrator" }
        return reading.speaker(line.span) ?? "unknown"
    }

    /// Plays a voice sample; the story pauses meanwhile.
    private func audition(_ index: Int) async {
        await endAudition()
        let (reading, subject, offers) = state.withLock { ($0.reading, $0.subject, $0.offers) }
        guard let reading, let subject, offers.indices.contains(index) else { return }
        let task = Task { [dependencies] in
            let before = player.state?.phase
            do {
                try await dependencies.audition(
                    offers[index].identifier, subject.text, subject.speaker, reading)
            } catch is CancellationError {
                // The user tried another.
            } catch { fail(error) }
            if before == .playing || before == .waiting { await player.resume() }
        }
        state.withLock { $0.audition = task }
    }

    private func endAudition() async {
        let task = state.withLock { state in
            defer { state.audition = nil }
            return state.audition
        }
        task?.cancel()
        await task?.value
    }
}
