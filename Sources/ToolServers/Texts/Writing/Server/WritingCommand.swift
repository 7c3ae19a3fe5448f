import AgentCore
import Base
import Persistence

/// `chat write …` and `/write …`: parses the arguments, applies or shows the
/// result, and prints.
///
/// For a file or piped input only the whole text goes to stdout; items and
/// notes are changed in place.
package struct WritingCommand: Sendable {
    let server: WritingServer

    package static let json = "tool target text changes local rewrite facts partial changed remarks"

    var command: Command {
        Command(
            name: WritingServer.noun, summary: "proofread and rewrite texts",
            verbs: [
                Verb("list", "the writing tools", json: "name title builtIn needsModel") { _ in
                    try await list()
                }
            ]
                + [
                    verb("proofread", "correct errors and change nothing else"),
                    verb("rewrite", "say the same more clearly"),
                    verb("friendly", "in a friendly tone"),
                    verb("professional", "in a professional tone"),
                    verb("concise", "in fewer words"),
                    Verb(
                        "with", "use one of your prompts that is marked as a writing tool",
                        [.init("NAME", "the name of a prompt", .prompt), Self.target],
                        options: Self.options, json: Self.json, example: "tweet draft.md"
                    ) { arguments in
                        let name = arguments.plain.first ?? ""
                        return try await run(
                            name, arguments, target: Array(arguments.plain.dropFirst()))
                    },
                ])
    }

    private static let target = Verb.Argument(
        "FILE|-|ITEM", "a text", .file, .item, isOptional: true)

    package static let options: [Verb.Option] = [
        .init("--lines A-B", "only these lines"),
        .init("--paragraph N", "only that paragraph"),
        .init("--in-place", "rewrite the file; chat undo FILE takes it back"),
        .init("--diff", "show what would change"),
        .init("--check", "change nothing; exit with 1 if anything would change"),
        .init("--reminder TITLE", "the notes of that reminder"),
        .init("--event TITLE", "the notes of that event"),
        .init("--offline", "ask no model; only proofread works without one"),
        .init("--language L", "the language of the text: en, de", .examples(["en", "de"])),
        .init("--yes", "accept changed facts, and a proofread that amounts to a rewrite"),
    ]

    private func verb(_ name: String, _ summary: String) -> Verb {
        Verb(
            name, summary, [Self.target], options: Self.options, json: Self.json,
            example: "notes.md --diff"
        ) { try await run(name, $0, target: $0.plain) }
    }

    // MARK: - Doing

    private struct Request {
        var tool: WritingTool
        var target: WritingTarget
        var selection: WritingSelection
        var words: CommandArguments

        var isInPlace: Bool { words.has("--in-place") || target.isChangedInPlace }
        var isOnlyShown: Bool { words.has("--diff") || words.has("--check") }
    }

    private func run(
        _ name: String, _ arguments: CommandArguments, target: [String]
    ) async throws -> CommandOutput {
        let tool = try await server.engine.tool(named: name)
        let modes = ["--in-place", "--diff", "--check"].filter(arguments.has)
        if arguments.has("--in-place"), modes.count > 1 {
            throw UsageError("\(modes[0]) and \(modes[1]) cannot be combined.")
        }
        let part = try Self.part(arguments)
        let found = try await server.target(target.joined(separator: " "), arguments)
        if arguments.has("--in-place"), case .input = found.place {
            throw UsageError(
                "--in-place needs a file.", hint: "chat \(arguments.name) FILE --in-place")
        }
        let request = Request(
            tool: tool, target: found, selection: try WritingSelection(part, of: found.text),
            words: arguments)
        let isOffline = arguments.has("--offline")
        let withheld = isOffline ? nil : try await server.withheld(from: found)
        let result = try await ProtectedText.$isPlain.withValue(found.isPlain) {
            try await server.engine.apply(
                tool, to: request.selection.text, isOffline: isOffline,
                language: arguments["--language"], name: found.name, withheld: withheld,
                emit: arguments.interaction.emit)
        }
        var output = try await output(request, result)
        let report = ProofreadingReport(
            result, behind: request.selection.before, language: arguments["--language"])
        output.json = json(request, result, report)
        let isSeen = server.dependencies.screen.showsErrors || arguments.interaction.isChat
        if isSeen, !arguments.wantsJSON { output.remarks += report.lines }
        // A text for stdout would get in its way.
        if arguments.wantsJSON { output.document = nil }
        output.notices += Self.notices(result)
        return output
    }

    private static func part(
        _ arguments: CommandArguments
    ) throws(UsageError) -> WritingSelection.Part {
        let paragraph = try arguments.number("--paragraph")
        guard let lines = arguments["--lines"] else {
            return paragraph.map { .paragraph($0) } ?? .all
        }
        if paragraph != nil { throw UsageError("--lines and --paragraph cannot be combined.") }
        return .lines(try WritingSelection.lines(lines))
    }

    private func output(_ request: Request, _ result: WritingResult) async throws -> CommandOutput {
        let words = request.words
        let whole = request.selection.whole(result.text)
        let diff = TextDiff(request.target.text, whole)
        if request.isOnlyShown { return shown(request, result, diff) }
        if !words.isConfirmed, let warning = result.doubt {
            await words.interaction.show(difference(result, isChat: words.interaction.isChat))
            guard await words.interaction.confirm(warning, "Take it?") else {
                throw WritingError(.doubtful(warning, kept: await keep(whole, request)))
            }
        }
        if request.isInPlace { return try await rewritten(request, result, whole) }
        var output = CommandOutput(outcome: result.outcome)
        switch request.target.place {
        case .file where words.interaction.isChat:
            output.lines = difference(result, isChat: true)
            output.lines.append(
                StyledLine("  The file is unchanged; --in-place rewrites it.", .dim))
        default:
            do throws(TextEncoding.Missing) {
                output.document = try request.target.encoding.bytes(of: whole)
            } catch {
                throw WritingFileError(
                    .lacks(error.character, kept: await keep(whole, request)),
                    Self.fileName(request))
            }
        }
        if server.dependencies.screen.showsErrors || words.interaction.isChat {
            output.remarks = [summary(request, result)]
        }
        return output
    }

    /// An answer that was paid for is not lost.
    private func keep(_ whole: String, _ request: Request) async -> String? {
        await server.dependencies.files.keep(Array(whole.utf8), of: Self.fileName(request))
    }

    private func rewritten(
        _ request: Request, _ result: WritingResult, _ whole: String
    ) async throws -> CommandOutput {
        var output = CommandOutput(outcome: result.outcome)
        guard result.isChanged else {
            output.lines = [summary(request, result)]
            return output
        }
        var undo = ""
        var remark: StyledLine?
        switch request.target.place {
        case .input, .answer: break
        case .file(let file):
            try await server.dependencies.files.rewrite(file, to: whole, verb: request.tool.past)
            undo = ShellTokenizer.quoted(file.path)
        case .item(let item):
            let update = try await server.change(item, to: whole, by: request.tool, result)
            undo = "\(item.id)"
            if case .conflict(_, let kept) = update {
                output.outcome = .degraded
                output.lines = [
                    StyledLine(
                        "\(item.id) was changed in the meantime; that change stays, and "
                            + "the result is kept as revision \(kept.number).", .warning)
                ]
                return output
            }
            if case .changed(let item) = update {
                remark = try await server.dependencies.review(item)
            }
        case .notes(let notes):
            try await notes.write(whole)
            undo = ShellTokenizer.quoted(notes.title)
        }
        var line = summary(request, result)
        line.spans.append(.init(" · chat undo \(undo)", .hint))
        output.lines = [line]
        if request.words.interaction.isChat { output.lines += difference(result, isChat: true) }
        if let remark {
            output.remarks.append(remark)
            if output.outcome == .ok { output.outcome = .degraded }
        }
        return output
    }

    private func shown(
        _ request: Request, _ result: WritingResult, _ diff: TextDiff
    ) -> CommandOutput {
        let words = request.words
        var output = CommandOutput(outcome: result.outcome)
        let isPerson = server.dependencies.screen.showsOutput || words.interaction.isChat
        if words.has("--diff") {
            if isPerson {
                output.lines = difference(result, isChat: words.interaction.isChat)
            } else {
                output.document = Array(diff.unified(name: Self.fileName(request)).utf8)
            }
        }
        if isPerson || server.dependencies.screen.showsErrors || result.doubt != nil {
            output.remarks = [summary(request, result)]
            if let facts = result.facts.sentence {
                output.remarks.append(StyledLine(facts, .warning))
            }
        } else if result.isLocal, result.isChanged {
            // A local result has to be marked wherever it is read.
            output.remarks = [summary(request, result)]
        }
        if words.has("--check"), result.isChanged, output.outcome == .ok {
            output.outcome = .failure
        }
        return output
    }

    private static func fileName(_ request: Request) -> String {
        switch request.target.place {
        case .file(let file):
            file.path.hasPrefix("/") ? String(file.path.dropFirst()) : file.path
        case .item(let item): "\(item.id)"
        case .notes: "notes"
        case .input, .answer: "text"
        }
    }

    // MARK: - Words

    private func difference(_ result: WritingResult, isChat: Bool) -> [StyledLine] {
        TextDiff(result.original, result.text).lines(
            isMarked: !server.dependencies.screen.hasColours, facts: result.facts.changes
        ).map { isChat ? $0.indented : $0 }
    }

    /// `✓ notes.md · 3 corrections · local`.
    private func summary(_ request: Request, _ result: WritingResult) -> StyledLine {
        let name = request.target.name.oneLine
        var facts = name.isEmpty ? [] : [name]
        if !result.isChanged {
            facts.append(request.tool.isProofreading ? "nothing to correct" : "nothing to change")
        } else {
            let isCorrected = request.tool.isProofreading && !result.isRewrite
            let count = Quantities.count(result.corrections, isCorrected ? "correction" : "change")
            facts.append(request.isOnlyShown ? "\(count) proposed, none made" : count)
        }
        if result.isRewrite { facts.append("a rewrite, more than corrections") }
        if result.isLocal { facts.append("local") }
        if result.isPartial { facts.append("stopped; the rest is unchanged") }
        return StyledLine([
            .init(result.isChanged && !request.isOnlyShown ? "✓ " : "", .success),
            .init(facts.joined(separator: " · "), .dim),
        ])
    }

    static func notices(_ result: WritingResult) -> [String] {
        var notices: [String] = []
        if let reason = result.localReason {
            notices.append("Proofread locally, since no model could be asked. \(reason)")
        }
        if let failure = result.failure {
            notices.append("Stopped before the end; the rest is unchanged. \(failure.what)")
        }
        if let first = result.leftOut.first {
            let parts = Quantities.count(result.leftOut.count, "part")
            notices.append("\(parts) stayed as before, because the answer was refused: \(first).")
        }
        return notices
    }

    private func json(
        _ request: Request, _ result: WritingResult, _ report: ProofreadingReport
    ) -> JSONValue {
        [
            "tool": .string(request.tool.name), "target": .string(request.target.name),
            "text": .string(request.selection.whole(result.text)),
            "changes": .integer(Int64(result.corrections)), "local": .bool(result.isLocal),
            "rewrite": .bool(result.isRewrite),
            "facts": .array(result.facts.words.map { .string($0) }),
            "partial": .bool(result.isPartial),
            "changed": .bool(result.isChanged), "remarks": report.json,
        ]
    }

    private func list() async throws -> CommandOutput {
        let tools = await server.engine.tools()
        let rows: [[StyledLine.Span]] = tools.map { tool in
            let key = tool.key.map { "Alt-w \($0)" } ?? ""
            let needs = tool.isProofreading ? "works without a model" : "needs a model"
            return [
                .init(tool.name, .accent), .init(tool.title.oneLine), .init(key, .dim),
                .init(needs, .dim),
            ]
        }
        return CommandOutput(
            lines: StyledLine.table(rows, columns: 3),
            json: .array(
                tools.map {
                    [
                        "name": .string($0.name), "title": .string($0.title),
                        "builtIn": .bool($0.isBuiltIn), "needsModel": .bool(!$0.isProofreading),
                    ]
                }))
    }
}
