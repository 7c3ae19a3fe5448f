import AgentCore
import Base
import ChatKit
import TerminalKit

/// Texts that commands put on the line, and messages and dropped files that stand for a
/// command.
extension Repl {
    /// Puts the words into the line, or sends them; they stay with the
    /// conversation as a file of text.
    func take(_ said: CommandOutput.Draft) async throws {
        let text = DraftedTranscript.fit(said.text)
        if text.isEmpty {
            await tell("No words were heard in it.", .warning)
            return
        }
        let kept = queue.keep(text, of: said.source)
        let line = LineDraft("", DraftedTranscript.part(text, of: said.source))
        guard said.sends else {
            draft = line
            await show([
                StyledLine(
                    "    Enter sends it · " + (line.isFolded ? "Tab unfolds it · " : "")
                        + "kept as \(kept) · /attach clear forgets that", .dim)
            ])
            return
        }
        try await send(text)
        // Not sent, as the user was told: only this has the words.
        if !queue.transcripts.isEmpty { draft = line }
    }

    /// The line was discarded, and with it what was to go along.
    func dropTranscripts() async {
        let names = queue.dropTranscripts()
        if names.isEmpty { return }
        await tell("\(names.joined(separator: ", ")) will not go with the next message", .dim)
    }

    /// A message that says no more than a command does what the command does.
    ///
    /// - Returns: false for another message, which may be anything.
    func runNamed(_ message: String) async throws -> Bool {
        guard services.settings.routing != .model else { return false }
        let commands = services.registry.servers.lazy.compactMap { $0.command(for: message) }
        guard let command = commands.first else { return false }
        try await run(words: command)
        return true
    }

    /// A file whose path is the whole line and that a capability can use: nothing
    /// happens unless the user agrees.
    ///
    /// - Returns: false for another.
    func useDropped(_ mention: FileMentions.Mention) async throws -> Bool {
        let offers = services.capabilities.lazy.compactMap { $0.offer(mention.path) }
        guard let offer = offers.first else { return false }
        let question = "  \(HostileText.line(offer.question)) y or Enter for no: "
        guard await terminal.ask(question, mode: .yes) == .yes else {
            await show([StyledLine("  \(offer.declined)", .dim)])
            return true
        }
        try await run(words: offer.command)
        return true
    }

    private func run(words: [String]) async throws {
        guard let name = words.first else { return }
        try await runCommand(name, Array(words.dropFirst()))
    }
}
