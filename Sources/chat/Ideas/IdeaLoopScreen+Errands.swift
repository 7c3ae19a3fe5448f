import AgentCore
import Base
import ChatKit
import Synchronization
import TerminalKit
import Texts

/// Keys that use the present idea elsewhere: the editor, a reminder, a conversation, the clipboard.
extension IdeaLoopScreen {
    func open(
        _ key: IdeaLoop.Key, _ idea: Idea, _ number: Int
    ) async -> IdeaLoop.Return {
        do {
            switch key {
            case .edit: return try await edit(idea)
            case .remind:
                try await remind(idea)
                return .unchanged
            case .converse: return try await converse(idea, number)
            case .copy:
                let said = try await runner.outside { try await place.copy(idea.text) }
                await remark(said)
                return .unchanged
            case .write:
                guard let rewrite = place.rewrite else { return .unchanged }
                let text = try await runner.outside { try await rewrite(idea.text) }
                return text.map { .edited($0) } ?? .unchanged
            case .save, .discard, .undo, .prompt, .tone, .help, .quit: return .unchanged
            }
        } catch is CancellationError {
            return .unchanged
        } catch {
            await remark(place.describe(error).lines)
            return .unchanged
        }
    }

    private func edit(_ idea: Idea) async throws -> IdeaLoop.Return {
        guard place.isInteractive else { throw IdeaError(.needsTerminal("e")) }
        switch await runner.outside({ await place.edit(idea.text) }) {
        case .changed(let text) where text.contains(where: { !$0.isWhitespace }):
            return .edited(text)
        case .changed:
            await remark([StyledLine("  The file was empty: nothing was saved.", .warning)])
        case .unchanged: await remark([StyledLine("  Not changed: s saves it as it is.", .dim)])
        case .holdsKey(let path): throw KeyNotKept(path: path)
        case .failed(let why): await remark([StyledLine("  Not saved: \(why).", .warning)])
        }
        return .unchanged
    }

    /// The text is parsed like any reminder; the result is shown.
    private func remind(_ idea: Idea) async throws {
        try await runner.outside {
            let when = try await place.ask("  When? ") ?? ""
            guard when.contains(where: { !$0.isWhitespace }) else {
                return await place.say([StyledLine("  No reminder was made.", .dim)])
            }
            let done = try await place.run(
                ["reminders", "add", "--literal", "--due", when, "--notes", idea.text, "--"]
                    + [idea.title])
            await place.say(
                done.lines.map { line in
                    StyledLine(
                        [.init("  ")] + line.spans
                            + [.init(place.isChat ? " · /undo" : " · chat undo", .dim)])
                })
        }
    }

    private func converse(_ idea: Idea, _ number: Int) async throws -> IdeaLoop.Return {
        guard !place.isChat else {
            state.withLock { $0.conversation = idea.text }
            return .left
        }
        // The shell has no prompt to continue at: save the idea, so that a conversation can refer
        // to it by its id.
        try await save(idea, number, false)
        let name = state.withLock { $0.lastSaved } ?? "last"
        await place.say([
            StyledLine("  To talk about it: chat -n, and then @\(name) in the message.", .dim)
        ])
        return .left
    }

    // MARK: - Questions

    func ask(_ key: IdeaLoop.Key) async -> IdeaLoop.Return {
        do {
            return try await runner.outside {
                if key == .tone { return try await askTone() }
                return try await askPrompt()
            }
        } catch {
            await remark(place.describe(error).lines)
            return .unchanged
        }
    }

    private func askPrompt() async throws -> IdeaLoop.Return {
        let now = state.withLock { $0.request.prompt }
        await place.say([StyledLine("  Now: \(HostileText.line(now))", .dim)])
        guard let text = try await place.ask("  Idea prompt (Enter keeps it): "),
            text.contains(where: { !$0.isWhitespace }), text != now
        else { return .unchanged }
        try await book.setPrompt(text)
        state.withLock { $0.request.prompt = text }
        return .newRequest
    }

    private func askTone() async throws -> IdeaLoop.Return {
        let now = state.withLock { $0.request.tone }
        let prompt =
            now == nil
            ? "  Tone, such as playful, practical, bold: "
            : "  Tone (now \(HostileText.line(now ?? "")); none for none): "
        guard let text = try await place.ask(prompt), text.contains(where: { !$0.isWhitespace })
        else { return .unchanged }
        let tone = try IdeaBook.tone(text)
        if tone == now { return .unchanged }
        state.withLock { $0.request.tone = tone }
        runner.update { $0.tone = tone }
        return .newRequest
    }
}
