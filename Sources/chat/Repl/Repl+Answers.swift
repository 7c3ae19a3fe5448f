import AgentCore
import Base
import ChatKit
import Persistence
import TerminalKit

/// What was answered: on the screen, as Markdown, and on the clipboard.
extension Repl {
    /// How answers are shown here.
    var turnScreenOptions: TurnScreen.Options {
        let settings = services.settings
        return TurnScreen.Options(
            style: style, canErase: canErase, formats: settings.markdown,
            thinking: settings.thinking, wrap: settings.wrap, size: { [terminal] in terminal.size })
    }

    /// Where the conversation stood, about a screenful.
    func showLastTurns() async throws {
        let turns = try await session.lastTurns(8)
        guard let record = await session.record else { return }
        let count = try await services.store().turnCount(of: record.id)
        let lines = ConversationView.recall(
            turns, earlier: max(0, count - turns.count), layout: viewLayout)
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    /// The place in the open conversation where words were found. If it is gone since,
    /// the end.
    func showPlace(_ hit: SearchHit) async throws {
        let store = try services.store()
        let id = hit.conversation.id
        let before = TurnID(hit.turn.rawValue + 1)
        let turns = try await store.turns(of: id, last: 8, before: before)
        guard turns.last?.id == hit.turn else { return try await showLastTurns() }
        let later = try await store.turnCount(of: id, after: hit.turn)
        let lines = ConversationView.place(
            turns, matches: hit.snippet.spans.filter(\.isMatch).map(\.text),
            earlier: max(0, try await store.turnCount(of: id) - later - turns.count),
            later: later, layout: viewLayout)
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    private var viewLayout: ConversationView.Layout {
        ConversationView.Layout(
            size: terminal.size, usesUnicode: style.usesUnicode,
            formats: canErase && services.settings.markdown,
            wrap: canErase ? services.settings.wrap : .terminal)
    }

    /// `/raw`
    func raw() async throws {
        await show(document: try await lastAnswer())
    }

    /// `/copy [N]`
    func copy(block word: String?) async throws {
        let answer = try await lastAnswer()
        guard let word else {
            try await copy(answer, "the answer")
            return
        }
        guard let number = Int(word) else {
            throw UsageError("/copy takes one number.", hint: "/copy 2")
        }
        let block = try MarkdownCode.block(number, of: answer)
        try await copy(block, "code block \(number)")
    }

    /// The text of the newest answer, as the model wrote it.
    func lastAnswer() async throws -> String { try await lastAnswered().text }

    /// The same, with the turn it was given in.
    func lastAnswered() async throws -> (text: String, stored: StoredTurn) {
        guard let answer = try await session.lastAnswered() else {
            throw UsageError("There is no answer yet.")
        }
        return answer
    }

    private func copy(_ text: String, _ what: String) async throws {
        let clipboard = TerminalClipboard(terminal, services, canErase)
        let said = try await stoppable { try await clipboard.copy(text, what) }
        await show(said)
    }
}
