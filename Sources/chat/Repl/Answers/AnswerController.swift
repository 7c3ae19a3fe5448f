import AgentCore
import Base
import ChatKit
import Library
import Persistence
import TerminalKit

/// Shows an answer on the screen or as Markdown, copies it, or saves it in the library.
struct AnswerController: ReplController {
    let context: ReplContext

    /// Shows the last turns of the conversation, about a screenful.
    func showLastTurns() async throws {
        let turns = try await session.lastTurns(8)
        guard let record = await session.record else { return }
        let count = try await services.store().turnCount(of: record.id)
        let lines = ConversationView.recall(
            turns, earlier: max(0, count - turns.count), layout: viewLayout)
        await terminal.write(lines.flatMap { style.bytes($0) })
    }

    /// Shows the place of a match in the open conversation, or the conversation's end if the match
    /// is gone.
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
        await show(document: try await last())
    }

    /// `/copy [N]`
    func copy(block word: String?) async throws {
        let answer = try await last()
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
    func last() async throws -> String { try await lastWithTurn().text }

    /// The newest answer with its turn.
    func lastWithTurn() async throws -> (text: String, stored: StoredTurn) {
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

    /// `/keep [N] [as idea|draft] [TITLE]`
    func keep(_ arguments: [String]) async throws {
        let request = try KeepRequest(arguments)
        let answer = try await lastWithTurn()
        let text = try request.part(of: answer.text)
        if KeyShape.isFound(in: text) {
            throw UsageError("Not kept: the answer contains what looks like an API key.")
        }
        // Text from an earlier turn may be repeated in this answer.
        let isUntrusted = try await session.loadHistory().contains(where: \.hasUntrustedText)
        let origin = RevisionOrigin(
            by: answer.stored.turn.isLocal ? .tool : .model,
            name: answer.stored.turn.isLocal ? nil : answer.stored.model,
            conversation: await session.record?.id, hasUntrustedText: isUntrusted)
        let draft = ItemDraft(
            kind: request.kind, title: request.title ?? ItemTitle.of(text),
            body: text)
        let kept = try await services.library.add([draft], by: origin, verb: "kept")
        for item in kept {
            await show([
                StyledLine([
                    .init("  ✓ kept: \(ItemTable.name(item))", .success),
                    .init(" · /undo", .dim),
                ])
            ])
        }
    }
}
