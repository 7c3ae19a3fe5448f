import AgentCore
import Base
import FoundationEssentials
import Persistence

/// Edits, creates, resets and deletes prompts. Changes are saved as library
/// items, so that every version is kept and can be undone; a file is changed in
/// place.
extension PromptCommand {
    func edit(_ call: CommandArguments) async throws -> CommandOutput {
        let prompt = try await book.required(call.text)
        if prompt.source == .configuration {
            throw UsageError(
                "\(prompt.name) is in config.json.", hint: "chat config edit changes it.")
        }
        if prompt.source == .file { return try await editFile(prompt, call.interaction) }
        let item: LibraryItem? =
            if let id = prompt.itemID { try await library.liveItem(id) } else { nil }
        let before = item?.body ?? prompt.fileText
        guard let (text, edited) = try await edited(prompt, before, call.interaction) else {
            return CommandOutput(lines: [StyledLine("Nothing changed.", .dim)])
        }
        if let item {
            // Based on the version that was read: a change made in the meantime is kept beside it.
            let update = try await library.change(
                item.id, ItemChange(body: text), basedOn: item.revision)
            if case .conflict(let now, let kept) = update {
                return CommandOutput(
                    lines: [
                        StyledLine("\(now.id) was changed elsewhere in the meantime.", .warning)
                    ],
                    notices: [
                        "Your text is kept as revision \(kept.number): chat library restore \(now.id) --revision \(kept.number)"
                    ], outcome: .degraded)
            }
            return saved(edited, as: item.id, "edited")
        }
        return saved(edited, as: try await add(edited.name, text, "edited"), "edited")
    }

    /// Edits a file in place, preserving line endings and the last line.
    private func editFile(
        _ prompt: Prompt, _ interaction: Interaction
    ) async throws -> CommandOutput {
        let file = try await files.read(book.path(of: prompt.name))
        let lines = file.text.split(omittingEmptySubsequences: false) { $0.isNewline }
        guard
            let (text, edited) = try await edited(
                prompt, lines.joined(separator: "\n"), interaction)
        else { return CommandOutput(lines: [StyledLine("Nothing changed.", .dim)]) }
        var new = file.text.last?.isNewline == true ? text + "\n" : text
        if file.text.contains("\r\n") { new = new.replacing("\n", with: "\r\n") }
        try await files.rewrite(file, to: new, verb: "edited")
        return done(
            "✓ edited: \(prompt.name)", " in \(book.path(of: prompt.name)) · /undo", edited)
    }

    func new(_ call: CommandArguments) async throws -> CommandOutput {
        let name = call.plain[0]
        guard Prompt.isName(name) else {
            throw UsageError(
                "\"\(KeyShape.shown(name))\" cannot be the name of a prompt.",
                hint: "One word of letters, digits, - and _: chat prompt new review")
        }
        if let known = try await book.prompt(name) {
            throw UsageError(
                "There is a prompt \(name) already (\(place(of: known))).",
                hint: "chat prompt edit \(name) changes it.")
        }
        var prompt = Prompt(
            name: name, text: call.plain.dropFirst().joined(separator: " ").trimmingSpace(),
            summary: call["--summary"], isWritingTool: call.has("--writing-tool"))
        var text = prompt.fileText
        if let path = call["--from"] {
            guard prompt.text.isEmpty else {
                throw UsageError("prompt new takes TEXT or --from, not both.")
            }
            if path.hasSuffix(".yaml") || path.hasSuffix(".yml") {
                throw UsageError(
                    "Templates in YAML are not read.",
                    hint: "Write its text in a file NAME.md, with {{input}} for $input.")
            }
            let file = try await book.read(path)
            guard var found = Prompt(name: name, file: file, source: .builtIn) else {
                throw UsageError("\(path) has no text for a prompt.")
            }
            found.summary = prompt.summary ?? found.summary
            found.isWritingTool = prompt.isWritingTool || found.isWritingTool
            // Unchanged if there are no other options.
            let isSame = prompt.summary == nil && !prompt.isWritingTool
            text = isSame ? file : found.fileText
            prompt = found
        } else if prompt.text.isEmpty {
            let start = Self.start(prompt)
            guard let (words, made) = try await edited(prompt, start, call.interaction) else {
                return CommandOutput(lines: [StyledLine("No prompt was made.", .dim)])
            }
            (text, prompt) = (words, made)
        }
        if KeyShape.isFound(in: text) { throw KeyNotKept() }
        return saved(
            prompt, as: try await add(name, text, "saved", isImported: call.has("--from")), "saved")
    }

    func reset(_ call: CommandArguments) async throws -> CommandOutput {
        let prompt = try await book.required(call.text)
        guard book.builtIn(prompt.name) != nil else {
            throw UsageError(
                "\(prompt.name) is yours, not built in.",
                hint: "chat prompt delete \(prompt.name) moves it to the trash.")
        }
        let versions = try await book.versions(of: prompt.name)
        let items = versions.compactMap(\.itemID)
        // The user's own file stays, and still takes precedence.
        let notices = versions.first.map { first in
            first.itemID == nil && first.source != .builtIn
                ? [
                    "\(place(of: first) == "file" ? book.path(of: prompt.name) : "config.json") still takes its place as a role."
                ]
                : []
        }
        guard !items.isEmpty else {
            return CommandOutput(
                lines: [StyledLine("\(prompt.name) is already the built-in one.", .dim)],
                json: ["name": .string(prompt.name), "item": .null],
                notices: notices ?? [])
        }
        _ = try await library.trash(items, verb: "reset")
        return trashed(
            prompt.name, items[0], verb: "reset", now: "the built-in one again",
            notices: notices ?? [])
    }

    func delete(_ call: CommandArguments) async throws -> CommandOutput {
        let prompt = try await book.required(call.text)
        let name = prompt.name
        switch prompt.source {
        case .builtIn:
            throw UsageError("\(name) is built in and cannot be deleted.")
        case .item where book.builtIn(name) != nil:
            throw UsageError(
                "\(name) is built in and cannot be deleted.",
                hint: "chat prompt reset \(name) takes your changes back.")
        case .item(let id):
            _ = try await library.trash([id])
            return trashed(name, id, verb: "deleted", now: "in the trash", notices: [])
        case .file:
            throw UsageError("\(name) is a file of yours: \(book.path(of: name))", hint: "rm it.")
        case .configuration:
            throw UsageError("\(name) is in config.json.", hint: "chat config edit changes it.")
        }
    }

    // MARK: - The editor

    /// The usable text from the editor; nil if nothing is to be changed. An
    /// unusable text is edited again or abandoned.
    private func edited(
        _ prompt: Prompt, _ before: String, _ interaction: Interaction
    ) async throws -> (text: String, prompt: Prompt)? {
        var text = before.hasSuffix("\n") ? String(before.dropLast()) : before
        while true {
            switch await interaction.edit(text, "\(prompt.name).md") {
            case .unchanged: return nil
            case .holdsKey(let path): throw KeyNotKept(path: path)
            case .failed(let sentence): throw ToolError.failed(sentence)
            case .changed(let new):
                guard let fault = fault(of: new, prompt) else {
                    // `fault` has already parsed it.
                    return Prompt(name: prompt.name, file: new, source: prompt.source)
                        .map { (new, $0) }
                }
                guard
                    await interaction.confirm(
                        "\(prompt.name) is unchanged: \(fault).", "Edit it again?")
                else { throw ToolError.failed("\(fault); \(prompt.name) is unchanged") }
                text = new
            }
        }
    }

    private func fault(of text: String, _ prompt: Prompt) -> String? {
        if KeyShape.isFound(in: text) { return "the text contains what looks like an API key" }
        return Prompt(name: prompt.name, file: text, source: prompt.source) == nil
            ? "a prompt needs a text" : nil
    }

    /// The initial text of a new prompt: all settings, commented out.
    private static func start(_ prompt: Prompt) -> String {
        """
        ---
        \(prompt.summary.map { "summary: \($0)" } ?? "# summary: what it is for")
        # model: provider/name
        # effort: low
        # temperature: 0.7
        # max_tokens: 1000
        \(prompt.isWritingTool ? "" : "# ")writing_tool: yes
        ---

        """
    }

    // MARK: - Kept, and said

    /// - Parameter isImported: the text comes from a file, which may be
    ///   untrusted: messages with the prompt then count as containing untrusted
    ///   text.
    private func add(
        _ name: String, _ text: String, _ verb: String, isImported: Bool = false
    ) async throws -> ItemID {
        var metadata = JSONObject()
        if book.builtIn(name) != nil { metadata["builtin"] = .string(name) }
        let draft = ItemDraft(kind: .prompt, title: name, body: text, metadata: metadata)
        let items = try await library.add(
            [draft], by: RevisionOrigin(by: .user, hasUntrustedText: isImported), verb: verb)
        // One was added, so one is returned.
        guard let item = items.first else { throw ToolError.failed("\(name) was not kept") }
        return item.id
    }

    private func saved(_ prompt: Prompt, as id: ItemID, _ verb: String) -> CommandOutput {
        var prompt = prompt
        prompt.source = .item(id)
        return done("✓ \(verb): \(prompt.name)", " as \(id) · /undo", prompt)
    }

    private func done(_ what: String, _ more: String, _ prompt: Prompt) -> CommandOutput {
        CommandOutput(
            lines: [StyledLine([.init(what, .success), .init(more, .hint)])],
            json: json(prompt, withText: true),
            notices: prompt.problems.map { "not understood: \($0)" }
                + (prompt.isWritingTool && prompt.instructions == nil
                    ? [
                        "As a writing tool it would ask for more than a text: give each argument a default, {{name|default}}."
                    ]
                    : []))
    }

    private func trashed(
        _ name: String, _ id: ItemID, verb: String, now what: String, notices: [String]
    ) -> CommandOutput {
        CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(verb): \(name) (\(what))", .success),
                    .init(" · \(id) can be brought back: /undo", .hint),
                ])
            ], json: ["name": .string(name), "item": .string("\(id)")], notices: notices)
    }
}
