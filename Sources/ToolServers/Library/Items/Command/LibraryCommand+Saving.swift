import AgentCore
import Base
import Documents
import FoundationEssentials
import Persistence

/// `chat library save [TITLE] < FILE`: saves a text from elsewhere as an item.
/// At the prompt `/keep` saves an answer.
extension LibraryCommand {
    var saving: Verb {
        Verb(
            "save", "keep a text: what is piped in, or --text",
            [.phrase("TITLE", isOptional: true)],
            options: [
                .init(
                    "--kind", oneOf: ["draft", "idea", "resume", "job"],
                    "what it is; default: draft. For a resume or job, TITLE is its FILE"),
                .init("--text TEXT", "the text, instead of standard input"),
                .init("--tag TAG", "give it these tags", .tag, takesSeveral: true),
            ], json: ItemTable.members, example: "Notes of Monday < notes.md"
        ) { try await save($0) }
    }

    private func save(_ arguments: CommandArguments) async throws -> CommandOutput {
        if let kind = arguments["--kind"].map(ItemKind.init(rawValue:)),
            kind == .resume || kind == .job, let resumes = dependencies.resumes
        {
            return try await save(arguments, as: kind, resumes)
        }
        let isTyped = arguments.has("--text")
        if !isTyped, arguments.interaction.isChat {
            throw UsageError(
                "At the prompt nothing is piped in.",
                hint: "/keep keeps the last answer, /library save TITLE --text \"…\" a text.")
        }
        let text = if isTyped { arguments["--text"] ?? "" } else { try await input() }
        if text.allSatisfy(\.isWhitespace) {
            throw UsageError(
                "library save needs a text.", hint: "chat library save TITLE < notes.md")
        }
        if KeyShape.isFound(in: text) { throw KeyNotKept() }
        let draft = ItemDraft(
            kind: arguments["--kind"].map { ItemKind(rawValue: $0) } ?? .draft,
            title: arguments.isBlank ? ItemTitle.of(text) : arguments.text, body: text,
            tags: arguments.values("--tag"))
        // Piped input may be untrusted.
        let origin = RevisionOrigin(by: .user, hasUntrustedText: !isTyped)
        let items = try await store.add([draft], by: origin)
        return CommandOutput(
            lines: items.map { item in
                StyledLine([
                    .init("✓ saved: \(ItemTable.name(item))", .success), .init(" · /undo", .hint),
                ])
            }, json: .array(items.map(ItemTable.json)))
    }

    /// Saves résumés and job adverts, read as `letter new` reads them: also
    /// from a PDF.
    private func save(
        _ arguments: CommandArguments, as kind: ItemKind, _ resumes: ResumeBook
    ) async throws -> CommandOutput {
        let kept: ResumeBook.Kept
        if let text = arguments["--text"] {
            kept = try await resumes.keep(text, as: kind)
        } else {
            if arguments.isBlank, arguments.interaction.isChat {
                throw UsageError(
                    "At the prompt nothing is piped in.",
                    hint: "/library save FILE --kind \(kind) reads a file.")
            }
            kept = try await resumes.keep(arguments.isBlank ? "-" : arguments.text, as: kind)
        }
        var item = kept.item
        let tags = arguments.values("--tag")
        if !tags.isEmpty {
            item = try await store.change(
                item.id, ItemChange(tags: item.tags + tags), verb: "tagged"
            ).item
        }
        let line =
            switch kept.change {
            case .added: StyledLine("✓ saved: \(ItemTable.name(item))", .success)
            case .revised:
                StyledLine("✓ saved: \(ItemTable.name(item)) · revision \(item.revision)", .success)
            case .unchanged: StyledLine("Kept already: \(ItemTable.name(item))", .dim)
            }
        return CommandOutput(lines: [line], json: .array([ItemTable.json(item)]))
    }
}
