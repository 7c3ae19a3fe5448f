import AgentCore
import Base
import ChatKit
import Library
import Persistence
import TerminalKit
import Texts

/// What is kept from here: answers as items of the library, and notes about the user.
extension Repl {
    /// `/keep [N] [as idea|draft] [TITLE]`
    func keep(_ words: [String]) async throws {
        let request = try KeepRequest(words)
        let answer = try await lastAnswered()
        let text = try request.part(of: answer.text)
        if KeyShape.isFound(in: text) {
            throw UsageError("Not kept: the answer contains what looks like an API key.")
        }
        // What stands in an earlier turn may have been repeated in this one.
        let isForeign = try await session.loadHistory().contains(where: \.hasForeignText)
        let origin = RevisionOrigin(
            by: answer.stored.turn.isLocal ? .tool : .model,
            name: answer.stored.turn.isLocal ? nil : answer.stored.model,
            conversation: await session.record?.id, hasForeignText: isForeign)
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

    /// `/remember TEXT`: a note about the user, kept at once and as it was said.
    func remember(_ text: String) async throws {
        let conversation = await session.record?.id
        let output = try await MemoryParts.command(services).add(text, in: conversation)
        await show(CommandGrammar.prompt.answer(output.lines))
        await showAsides(of: output)
    }
}

/// What the words after `/keep` ask for. Pure.
///
///     /keep                        the last answer, as a draft
///     /keep 2                      its second code block
///     /keep as idea Tea cups       as an idea of that title
struct KeepRequest: Equatable {
    /// Of a code block, from 1 on.
    var block: Int?
    var kind = ItemKind.draft
    var title: String?

    init(_ words: [String]) throws(UsageError) {
        var rest = words[...]
        if let first = rest.first, let number = Int(first) {
            guard number > 0 else { throw Self.usage("Code blocks are counted from 1.") }
            block = number
            rest = rest.dropFirst()
        }
        if rest.first == "as" {
            rest = rest.dropFirst()
            switch rest.popFirst() {
            case "idea": kind = .idea
            case "draft": kind = .draft
            case let other:
                throw Self.usage(
                    other.map { "An answer cannot be kept as \"\(KeyShape.shown($0))\"." }
                        ?? "/keep as needs a kind.")
            }
        }
        let title = rest.joined(separator: " ").trimmingSpace()
        self.title = title.isEmpty ? nil : title
    }

    private static func usage(_ problem: String) -> UsageError {
        UsageError(problem, hint: "/keep [N] [as idea|draft] [TITLE]")
    }

    /// The answer, or its code block.
    func part(of answer: String) throws(UsageError) -> String {
        guard let block else { return answer }
        return try MarkdownCode.block(block, of: answer)
    }
}

extension MarkdownCode {
    /// The text of a code block of an answer, counted from 1.
    static func block(_ number: Int, of answer: String) throws(UsageError) -> String {
        let blocks = blocks(in: answer)
        guard blocks.indices.contains(number - 1) else {
            let count = Quantities.count(blocks.count, "code block")
            throw UsageError("The last answer has \(blocks.isEmpty ? "no code block" : count).")
        }
        return blocks[number - 1].text
    }
}
