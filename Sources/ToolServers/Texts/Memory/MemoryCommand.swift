import AgentCore
import Base
import FoundationEssentials
import Library
import Persistence

/// `chat memory …` and `/memory …`: shows and changes the notes about the user.
package struct MemoryCommand: Sendable {
    package struct Dependencies: Sendable {
        package var environment: Environment
        /// Whether models get the notes, and may remember.
        package var isOn: @Sendable () -> Bool
        /// Columns of the terminal; nil if the output goes elsewhere and is not folded.
        package var width: @Sendable () -> Int?
        /// The title of the conversation with that id; nil if it is deleted.
        package var title: @Sendable (_ conversation: String) async -> String?

        package init(
            environment: Environment, isOn: @escaping @Sendable () -> Bool = { true },
            width: @escaping @Sendable () -> Int? = { nil },
            title: @escaping @Sendable (_ conversation: String) async -> String? = { _ in nil }
        ) {
            self.environment = environment
            self.isOn = isOn
            self.width = width
            self.title = title
        }
    }

    private static let json = "id note created by conversation title foreign"
    private static let note = "a note: i12, or a part of it"

    private let book: MemoryBook
    private let dependencies: Dependencies

    package init(_ book: MemoryBook, _ dependencies: Dependencies) {
        self.book = book
        self.dependencies = dependencies
    }

    package var command: Command {
        Command(
            name: MemoryServer.noun, summary: "what is remembered about you",
            verbs: [
                Verb("list", "all notes, the oldest first", json: Self.json) { _ in
                    try await list()
                },
                Verb(
                    "add", "remember something about you",
                    [.phrase("TEXT", "something to remember")], json: Self.json,
                    example: "\"I am vegetarian\""
                ) { arguments in try await add(arguments.text) },
                Verb(
                    "edit", "edit it in your editor, or set its words",
                    [
                        .init("NOTE", Self.note, .note),
                        .phrase("TEXT", "its new words", isOptional: true),
                    ],
                    json: Self.json, example: "i12 \"I am vegan\""
                ) { try await edit($0) },
                Verb(
                    "forget", "move notes to the trash",
                    [.init("NOTE", Self.note, .note, isOptional: true, repeats: true)],
                    options: [
                        .init("--all", "all of them"),
                        .init("--yes", "several, without asking"),
                    ], json: Self.json, example: "i12"
                ) { try await forget($0) },
            ])
    }

    // MARK: - Reading

    private func list() async throws -> CommandOutput {
        let items = try await book.notes()
        var rows: [Row] = []
        for item in items { rows.append(try await row(item)) }
        var output = CommandOutput(
            lines: rows.isEmpty
                ? [StyledLine("Nothing is remembered. To start: chat memory add TEXT", .hint)]
                : lines(rows), json: .array(rows.map(\.json)))
        output.quotesOthers = items.contains(where: \.hasUntrustedText)
        var facts = "\(items.count) of at most \(MemoryBook.countLimit) notes"
        facts += dependencies.isOn() ? " · sent with each new conversation" : ""
        if !items.isEmpty { output.remarks = [StyledLine(facts, .dim)] }
        if !dependencies.isOn() {
            output.remarks.append(
                StyledLine(
                    "Memory is off: models get no notes. chat config set memory on", .hint))
        }
        return output
    }

    /// A note with its origin.
    private struct Row {
        var item: LibraryItem
        var origin: RevisionOrigin?
        var title: String?

        var json: JSONValue {
            [
                "id": .string("\(item.id)"), "note": .string(item.body),
                "created": .string(LocalTime().isoText(item.created)),
                "by": .string(origin?.by.rawValue ?? RevisionOrigin.Maker.user.rawValue),
                "conversation": origin?.conversation.map { .string($0) } ?? .null,
                "title": title.map { .string($0) } ?? .null,
                "foreign": .bool(item.hasUntrustedText),
            ]
        }
    }

    private func row(_ item: LibraryItem) async throws -> Row {
        var row = Row(item: item, origin: try await book.origin(of: item))
        if let conversation = row.origin?.conversation {
            row.title = await dependencies.title(conversation)
        }
        return row
    }

    private func lines(_ rows: [Row]) -> [StyledLine] {
        let width = rows.map { "\($0.item.id)".count }.max() ?? 0
        let now = dependencies.environment.now()
        return rows.flatMap { row -> [StyledLine] in
            var facts = [Quantities.ago(row.item.created, now: now)]
            if let title = row.title {
                facts.append("in \"\(DisplayWidth.cut(title.oneLine, to: 40))\"")
            }
            let line = StyledLine([
                .init(DisplayWidth.padLeft("\(row.item.id)", to: width), .accent),
                .init("  \(row.item.body)"), .init("  \(facts.joined(separator: " · "))", .dim),
                .init(row.item.hasUntrustedText ? " ⚠ untrusted text was present" : "", .warning),
            ])
            guard let columns = dependencies.width() else { return [line] }
            return line.folded(to: max(24, columns - 1), indent: width + 2)
        }
    }

    // MARK: - Changing

    /// - Parameter conversation: the conversation it was said in.
    package func add(
        _ text: String, in conversation: String? = nil
    ) async throws -> CommandOutput {
        let kept = try await book.remember(
            text, by: RevisionOrigin(by: .user, conversation: conversation))
        var output = MemoryText.kept(kept)
        output.json = .array([try await row(kept.item).json])
        if !dependencies.isOn() {
            output.remarks = [
                StyledLine("Memory is off: models get no notes. chat config set memory on", .hint)
            ]
        }
        return output
    }

    private func edit(_ arguments: CommandArguments) async throws -> CommandOutput {
        let item = try await book.lookup.find(arguments.plain[0])
        let typed = arguments.plain.dropFirst().joined(separator: " ")
        var text = typed
        // Opening untrusted text in the editor does not make the rest of it the user's own.
        var isUntrusted = false
        if typed.trimmingSpace().isEmpty {
            switch await arguments.interaction.edit(item.body, "\(item.id).txt") {
            case .unchanged: text = item.body
            case .changed(let changed): (text, isUntrusted) = (changed, item.hasUntrustedText)
            case .holdsKey(let path): throw KeyNotKept(path: path)
            case .failed(let sentence): throw ToolError.failed("Nothing was changed: \(sentence)")
            }
        }
        if text == item.body {
            return CommandOutput(
                lines: [StyledLine("Nothing changed: \(MemoryText.name(item))", .dim)])
        }
        let update = try await book.change(
            item, to: text, by: RevisionOrigin(by: .user, hasUntrustedText: isUntrusted))
        var output: CommandOutput
        switch update {
        case .unchanged(let item):
            output = CommandOutput(
                lines: [StyledLine("Nothing changed: \(MemoryText.name(item))", .dim)])
        case .changed(let item):
            output = CommandOutput(lines: [MemoryText.done("changed", item)])
        case .conflict(let item, let kept):
            output = CommandOutput(
                lines: [
                    StyledLine("\(item.id) was changed elsewhere in the meantime.", .warning),
                    StyledLine(
                        "Your words are revision \(kept.number): chat library restore "
                            + "\(item.id) --revision \(kept.number)", .hint),
                ], outcome: .degraded)
        }
        output.json = .array([try await row(update.item).json])
        return output
    }

    private func forget(_ arguments: CommandArguments) async throws -> CommandOutput {
        var items: [LibraryItem] = []
        if arguments.has("--all") {
            items = try await book.notes()
        } else {
            if arguments.isBlank {
                throw UsageError(
                    "memory forget needs \(Self.note).", hint: "chat memory forget i12")
            }
            let areIDs = arguments.plain.allSatisfy { ItemID($0) != nil || $0 == "last" }
            for query in areIDs ? arguments.plain : [arguments.text] {
                let item = try await book.lookup.find(query)
                if !items.contains(where: { $0.id == item.id }) { items.append(item) }
            }
        }
        if items.isEmpty {
            return CommandOutput(lines: [StyledLine("Nothing is remembered.", .dim)], json: [])
        }
        if items.count > 1, !arguments.isConfirmed {
            let isMeant = await arguments.interaction.confirm(
                "To the trash: \(Quantities.count(items.count, "note")) about you",
                "Forget these \(items.count)?")
            guard isMeant else {
                return CommandOutput(
                    lines: [
                        StyledLine(
                            "Nothing was forgotten; --yes forgets these \(items.count).",
                            .warning)
                    ], outcome: .refused)
            }
        }
        var rows: [JSONValue] = []
        for item in items { rows.append(try await row(item).json) }
        let gone = try await book.forget(items)
        var output = CommandOutput(
            lines: gone.map { MemoryText.done("forgotten", $0) }, json: .array(rows))
        output.quotesOthers = gone.contains(where: \.hasUntrustedText)
        output.remarks = [
            StyledLine(
                "New conversations no longer get it. chat library empty-trash deletes it for good.",
                .hint)
        ]
        return output
    }
}

/// Formats notes for messages about changes. Pure.
enum MemoryText {
    static func name(_ item: LibraryItem) -> String { "\(item.id) \(item.body)" }

    static func done(_ verb: String, _ item: LibraryItem) -> StyledLine {
        StyledLine([.init("✓ \(verb): \(name(item))", .success), .init(" · /undo", .hint)])
    }

    static func kept(_ kept: MemoryBook.Kept) -> CommandOutput {
        var output: CommandOutput
        switch kept {
        case .new(let item): output = CommandOutput(lines: [done("remembered", item)])
        case .known(let item):
            output = CommandOutput(
                lines: [StyledLine("Already remembered: \(name(item))", .dim)])
        }
        output.sources = []
        output.quotesOthers = kept.item.hasUntrustedText
        return output
    }
}
