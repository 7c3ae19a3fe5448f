import AgentCore
import Base
import Glibc
import Library
import Persistence
import Sound
import Stories
import Synchronization
import TerminalKit

/// Chooses where a playing story is shown: on a screen of its own, or line by line without a
/// cursor. At the chat's prompt it continues in the background.
package final class StoryPresenter: Sendable {
    private struct Weak: Sendable {
        weak var services: Services?
    }

    private let place = Mutex(Weak())
    private let bookmarks: StoryBookmarks

    init(bookmarks: StoryBookmarks) { self.bookmarks = bookmarks }

    /// Sets the program's services, which are assembled after the servers.
    package func begin(with services: Services) {
        place.withLock { $0.services = services }
    }

    /// - Throws: errors of `StoryPlayer.play`; `SpeechError` if no sound can be played;
    ///   `CancellationError` for Ctrl-C.
    func present(
        _ item: LibraryItem, from start: StoryPlayer.Start, by player: StoryPlayer,
        _ interaction: Interaction
    ) async throws -> CommandOutput {
        guard !interaction.isChat, let services = place.withLock({ $0.services }) else {
            let emit = interaction.emit
            try await player.play(item, from: start) {
                emit($0.progress(ItemTable.title(item)))
            }
            return CommandOutput(
                lines: [
                    StyledLine([
                        .init("✓ playing \(ItemKind.story.id(item.id))", .success),
                        .init(" · /play shows it · /pause · /stop", .dim),
                    ])
                ])
        }
        let shell = ShellPanel(services: services, readsLines: true)
        guard let terminal = shell.terminal else { throw SpeechError(reason: .nothingToSay) }
        let begin = { @Sendable in try await player.play(item, from: start) }
        let style = services.style(isTerminal: isatty(isatty(1) == 1 ? 1 : 2) == 1)
        let isInteractive = terminal.isInteractive
        // While a line is being read, Ctrl-C is not a signal but an answer.
        let isInterrupted = Atomic(false)
        let lines = StoryLines(
            player: player, isInteractive: isInteractive,
            bookmark: { [bookmarks] offset, note in
                try await bookmarks.add(offset, note, to: item.id).said
            },
            readLine: {
                switch await terminal.readLine(prompt: "") {
                case .line(let line), .edit(let line), .dictate(let line): return line
                case .paste(let before, let after): return before + after
                case .interrupted:
                    isInterrupted.store(true, ordering: .sequentiallyConsistent)
                    await player.stop()
                    return nil
                case .writing, .endOfInput: return nil
                }
            }, endInput: { await terminal.close() },
            say: { lines in
                await terminal.write(lines.flatMap { style.bytes($0) })
            })
        let report = try await shell.run {
            guard let panel = await terminal.openPanel() else {
                try await begin()
                let report = try await lines.run()
                if isInterrupted.load(ordering: .sequentiallyConsistent) {
                    throw CancellationError()
                }
                return report
            }
            let screen = StoryScreen(services, player, on: panel, hasBackground: false)
            switch try await screen.run(begin) {
            case .ended, .stopped, .background: break
            case .interrupted, .closed:
                await player.stop()
                throw CancellationError()
            }
            return await player.finished()
        }
        return StoryListening.output(item, player.state, report)
    }
}

extension StoryScreen {
    /// - Parameter hasBackground: whether it is shown over a chat's prompt.
    package convenience init(
        _ services: Services, _ player: StoryPlayer, on panel: TerminalPanel, hasBackground: Bool
    ) {
        let stories = services.stories
        let command = stories?.commands.first
        self.init(
            Dependencies(
                player: player,
                run: { try await command?.run($0) ?? CommandOutput() },
                bookmark: { try await stories?.bookmarks.add($0, "", to: $1).said ?? "" },
                voices: { try await stories?.voiceBook?.offers(for: $0, in: $1) ?? [] },
                audition: { try await stories?.voiceBook?.audition($0, $1, $2, in: $3) },
                describe: { [diagnostics = services.diagnostics] in diagnostics.describe($0) },
                glyphs: services.glyphs), on: panel, hasBackground: hasBackground)
    }
}
