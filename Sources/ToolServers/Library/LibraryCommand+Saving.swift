import AgentCore
import FoundationEssentials
import Persistence

/// `chat library save [TITLE] < FILE`: a text from elsewhere as an item. At the
/// prompt `/keep` keeps an answer.
extension LibraryCommand {
    var saving: Verb {
        Verb(
            "save", "keep a text: what is piped in, or --text",
            [.phrase("[TITLE]")],
            options: [
                .init("--kind", oneOf: ["draft", "idea"], "what it is; a draft without"),
                .init("--text TEXT", "the text, in place of standard input"),
                .init("--tag TAG…", "sort it by these", .tag),
            ], json: ItemTable.members, example: "Notes of Monday < notes.md"
        ) { try await save($0) }
    }

    private func save(_ words: CommandArguments) async throws -> CommandOutput {
        let isTyped = words.has("--text")
        if !isTyped, words.interaction.isChat {
            throw UsageError(
                "At the prompt nothing is piped in.",
                hint: "/keep keeps the last answer, /library save TITLE --text \"…\" a text.")
        }
        let text = if isTyped { words["--text"] ?? "" } else { try await input() }
        if text.allSatisfy(\.isWhitespace) {
            throw UsageError(
                "library save needs a text.", hint: "chat library save TITLE < notes.md")
        }
        if KeyShape.isFound(in: text) { throw KeyNotKept() }
        let draft = ItemDraft(
            kind: words["--kind"].map { ItemKind(rawValue: $0) } ?? .draft,
            title: words.isBlank ? ItemTitle.of(text) : words.text, body: text,
            tags: words.values("--tag"))
        // What is piped in may be by others.
        let origin = RevisionOrigin(by: .user, hasForeignText: !isTyped)
        let items = try await store.add([draft], by: origin)
        return CommandOutput(
            lines: items.map { item in
                StyledLine([
                    .init("✓ saved: \(ItemTable.name(item))", .success), .init(" · /undo", .hint),
                ])
            }, json: .array(items.map(ItemTable.json)))
    }
}
