import AgentCore
import Base
import FoundationEssentials
import Persistence

/// `chat prompt …`: lists prompts and shows one in full. Changing them is in
/// `PromptCommand+Changing`.
struct PromptCommand: Sendable {
    let book: PromptBook
    let library: LibraryStore
    let files: RewrittenFiles
    let width: @Sendable () -> Int?

    var command: Command {
        Command(
            name: PromptServer.noun, summary: "your saved prompts",
            verbs: [
                Verb(
                    "list", "all prompts",
                    options: [.init("--writing-tools", "only those that edit a text")],
                    json: Self.fields
                ) { try await list($0) },
                Verb(
                    "show", "one of them, as a file",
                    [.init("NAME", "the name of a prompt", .prompt)],
                    json: Self.fields + " text", example: "shell"
                ) { try await show($0) },
                Verb(
                    "edit", "change one in your editor",
                    [.init("NAME", "the name of a prompt", .prompt)],
                    json: Self.fields + " text", example: "shell"
                ) { try await edit($0) },
                Verb(
                    "new", "make one, in your editor or from TEXT",
                    [.init("NAME", "a name, one word"), .phrase("TEXT", isOptional: true)],
                    options: [
                        .init("--from FILE", "from a file, or - for what is piped in", .file),
                        .init("--summary TEXT", "what it is for, in one line"),
                        .init("--writing-tool", "it edits a text that it is given"),
                    ], json: Self.fields + " text",
                    example: "translate \"Into {{lang|English}}: {{input}}\""
                ) { try await new($0) },
                Verb(
                    "reset", "restore a built-in one",
                    [.init("NAME", "the name of a built-in prompt", .prompt)],
                    json: "name item", example: "shell"
                ) { try await reset($0) },
                Verb(
                    "delete", "move one of yours to the trash",
                    [.init("NAME", "the name of a prompt", .prompt)],
                    json: "name item", example: "translate"
                ) { try await delete($0) },
            ])
    }

    static let fields =
        "name source item summary model effort temperature maxTokens writingTool arguments"

    // MARK: - What there is

    private func list(_ call: CommandArguments) async throws -> CommandOutput {
        let all =
            call.has("--writing-tools") ? await book.writingPrompts() : try await book.all()
        var output = CommandOutput(json: .array(all.map { json($0) }))
        output.lines = lines(all)
        output.notices = await book.unreadable()
        output.notices += all.flatMap { prompt in
            prompt.problems.map { "\(prompt.name): not understood: \($0)" }
        }
        return output
    }

    /// The lines of a list; a narrow window omits the source of each prompt.
    private func lines(_ prompts: [Prompt]) -> [StyledLine] {
        let width = width() ?? .max
        let columns = width < 60 ? 1 : 2
        let rows = prompts.map { prompt in
            let cells = [StyledLine.Span(prompt.name, .accent), .init(place(of: prompt), .dim)]
            return Array(cells.prefix(columns))
        }
        let used = (0..<columns).reduce(0) { sum, column in
            sum + 2 + (rows.map { DisplayWidth.of($0[column].text) }.max() ?? 0)
        }
        // The last column of a terminal stays free.
        let room = max(8, width - used - 1)
        return StyledLine.table(
            zip(rows, prompts).map { row, prompt in
                row + [.init(DisplayWidth.cut(prompt.wholeLine, to: room))]
            }, columns: columns)
    }

    private func show(_ call: CommandArguments) async throws -> CommandOutput {
        let prompt = try await book.required(call.text)
        var output = CommandOutput(json: json(prompt, withText: true))
        if !call.wantsJSON {
            output.document = Array(try await text(of: prompt).utf8)
            output.remarks = try await facts(prompt).map { StyledLine($0, .hint) }
        }
        output.notices = prompt.problems.map { "not understood: \($0)" }
        return output
    }

    /// The source of a prompt, how to use it, and which prompt it overrides.
    private func facts(_ prompt: Prompt) async throws -> [String] {
        var place = place(of: prompt)
        if prompt.source == .file { place = book.path(of: prompt.name) }
        let usage = PromptCall.usage(of: prompt.template)
        let hidden = try await book.versions(of: prompt.name).dropFirst()
            .map { $0.source == .builtIn ? "the built-in one" : self.place(of: $0) }
        return ["\(place) · /p \(prompt.name) \(usage)"]
            + (hidden.isEmpty ? [] : ["instead of \(hidden.joined(separator: " and "))"])
    }

    /// The raw text, as stored.
    func text(of prompt: Prompt) async throws -> String {
        switch prompt.source {
        case .file: try await book.fileText(prompt.name) ?? prompt.fileText
        case .item(let id): try await library.liveItem(id).body
        case .builtIn, .configuration: prompt.fileText
        }
    }

    // MARK: - Words and JSON

    /// The source of a prompt in a word or two.
    func place(of prompt: Prompt) -> String {
        switch prompt.source {
        case .builtIn: "built in"
        case .item(let id): book.builtIn(prompt.name) == nil ? "\(id)" : "\(id), edited"
        case .file: "file"
        case .configuration: "config.json"
        }
    }

    func json(_ prompt: Prompt, withText: Bool = false) -> JSONValue {
        let source: String =
            switch prompt.source {
            case .builtIn: "builtIn"
            case .item: "item"
            case .file: "file"
            case .configuration: "configuration"
            }
        func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
        let arguments = prompt.template.arguments.map { argument in
            JSONValue.object(
                JSONObject([
                    .init("name", .string(argument.name)),
                    .init("default", optional(argument.fallback)),
                ]))
        }
        var object = JSONObject([
            .init("name", .string(prompt.name)), .init("source", .string(source)),
            .init("item", optional(prompt.itemID?.description)),
            .init("summary", optional(prompt.summary)), .init("model", optional(prompt.model)),
            .init("effort", optional(prompt.effort?.rawValue)),
            .init("temperature", prompt.temperature.map { .number(Prompt.plain($0)) } ?? .null),
            .init("maxTokens", prompt.maxOutputTokens.map { .integer(Int64($0)) } ?? .null),
            .init("writingTool", .bool(prompt.isWritingTool)),
            .init("arguments", .array(arguments)),
        ])
        if withText { object["text"] = .string(prompt.text) }
        return .object(object)
    }
}
