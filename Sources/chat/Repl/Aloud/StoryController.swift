import AgentCore
import Base
import ChatKit
import Stories
import TerminalKit

/// Stories at the prompt: on a full screen, or in the background while the user types.
struct StoryController: ReplController {
    let context: ReplContext
    let commands: CapabilityCommands
    let speech: SpeechController

    /// `/play [STORY] [--from N|--chapter K]`: resumes a paused story, shows the playing
    /// one, or starts one.
    func play(_ typed: [String]) async throws {
        guard let player = services.stories?.player,
            let command = commands.named(StoryServer.noun)
        else { throw ToolError.failed("stories cannot be read aloud here") }
        if typed.isEmpty {
            switch player.state?.phase {
            case .paused: return await player.resume()
            case .preparing:
                await player.resume()
                return try await showStory(player, nil)
            case .waiting, .playing: return try await showStory(player, nil)
            case .ended, nil: break
            }
        }
        let (verb, read) = try command.read(["play"] + typed)
        var arguments = read
        arguments.interaction.isChat = true
        await speech.answerVoice.stop()
        try await showStory(player) { [arguments] in _ = try await verb.run(arguments) }
    }

    private func showStory(
        _ player: StoryPlayer, _ begin: (@Sendable () async throws -> Void)?
    ) async throws {
        guard canErase, let panel = await terminal.openPanel() else {
            if let begin {
                try await stoppable(begin)
                return await tell("Playing · /pause · /stop", .dim)
            }
            return await tellPlace(player)
        }
        let screen = StoryScreen(services, player, on: panel, hasBackground: true)
        switch try await screen.run(begin) {
        case .stopped, .interrupted: await tellStopped(player)
        case .background: tellFailure(of: screen.beginning)
        // The status line, or the notice at the end, reports it.
        case .ended, .closed: break
        }
    }

    /// Shows why the start failed, if the user left the screen before the sound started.
    private func tellFailure(of beginning: Task<Void, any Error>?) {
        guard let beginning else { return }
        Task { [terminal, style, question, diagnostics = services.diagnostics] in
            do {
                try await beginning.value
            } catch is CancellationError {
                // The user stopped it.
            } catch {
                let lines = diagnostics.describe(error).lines
                if await !question.show(lines) {
                    await terminal.write(lines.flatMap { style.bytes($0) })
                }
            }
        }
    }

    /// `/pause`
    func pause() async throws {
        let player = try playing()
        if case .paused(let why) = player.state?.phase, why != .alert {
            return await tell("Already paused · /play resumes", .dim)
        }
        await player.pause()
        if player.state?.phase == .preparing {
            return await tell("It will be paused when it is ready · /play resumes", .dim)
        }
        if !canErase { await tellPlace(player) }
    }

    /// `/stop`
    func stop() async throws {
        let player = try playing()
        await player.stop()
        await tellStopped(player)
    }

    /// `/story sleep [TIME|off]`
    func sleep(_ arguments: [String]) async throws {
        let player = try playing()
        if !arguments.isEmpty {
            await player.sleep(
                after: try StoryPlayer.sleepSeconds(arguments.joined(separator: " ")))
        }
        let minutes = player.state?.sleepsIn.map { Int(($0 / 60).rounded(.up)) }
        await tell(
            minutes.map { "It stops in \(Quantities.count($0, "minute")) · /story sleep off" }
                ?? "No sleep timer is set · /story sleep 20m", .dim)
    }

    private func playing() throws -> StoryPlayer {
        guard let player = services.stories?.player, let state = player.state,
            state.phase != .ended
        else { throw UsageError("No story is playing.", hint: "/play reads one aloud.") }
        return player
    }

    private func tellStopped(_ player: StoryPlayer) async {
        guard let state = player.state, state.segment > 0 else { return }
        let line = StyledLine(
            "  \(HostileText.line(state.title)) stopped at \(Quantities.grouped(state.segment)) of "
                + "\(Quantities.grouped(state.segments)) · /play continues there", .dim)
        await show([line])
    }

    private func tellPlace(_ player: StoryPlayer) async {
        guard let status = StoryStatus(player.state) else { return }
        await show([status.line(columns: terminal.size.columns, services.glyphs)])
    }

    /// The status line of the story that is playing.
    var status: (@Sendable (_ columns: Int) -> StyledLine)? {
        guard let status = StoryStatus(services.stories?.player?.state) else { return nil }
        return { [glyphs = services.glyphs] in status.line(columns: $0, glyphs) }
    }

    /// Shows the playing story below the input line and below an answer, and reports its end, until
    /// the task is cancelled.
    func watch(_ player: StoryPlayer) -> Task<Void, Never> {
        Task { [terminal, style, question, glyphs = services.glyphs, canErase] in
            var last: StoryStatus?
            var told = 0
            for await state in player.states {
                let status = StoryStatus(state)
                if status != last, canErase {
                    var line: (@Sendable (_ columns: Int) -> StyledLine)?
                    if let status { line = { status.line(columns: $0, glyphs) } }
                    terminal.setStatus(line)
                    await question.screen?.showBelow(line)
                }
                var lines: [StyledLine] = []
                if last != nil, status == nil {
                    let report = await player.finished()
                    if report.fellAsleep {
                        lines = [
                            StyledLine(
                                "  The sleep timer stopped \(state.title) · /play goes on", .dim)
                        ]
                    } else if !report.wasStopped {
                        let part = report.chapter.map { "chapter \($0.number) of " } ?? ""
                        lines = [StyledLine("  ✓ heard to the end: \(part)\(state.title)", .dim)]
                    }
                }
                // Reported problems stay on the screen after the status has changed.
                if state.problems.count < told { told = 0 }
                lines += state.problems.dropFirst(told).map { StyledLine("  ! \($0)", .warning) }
                told = state.problems.count
                last = status
                if !lines.isEmpty, await !question.show(lines) {
                    await terminal.write(lines.flatMap { style.bytes($0) })
                }
            }
            terminal.setStatus(nil)
        }
    }
}
