import AgentCore
import Base
import Documents
import FoundationEssentials
import Persistence
import Privacy

/// The library as a capability: items stored beside the conversations, for users (`chat library …`)
/// and for the model (`library_search` and others).
///
/// It has no rules of its own: `LibraryStore` manages items, revisions and the trash, and
/// `LibraryCommand` parses and prints. It treats all kinds alike; ideas, prompts and transcripts
/// have separate servers.
package struct LibraryServer: ToolServer {
    package struct Dependencies: Sendable {
        package var store: LibraryStore
        package var environment: Environment
        /// Columns of the terminal; nil if the output goes elsewhere and is not cut.
        package var width: @Sendable () -> Int?
        /// Formats a body for the terminal; nil if it goes elsewhere, unformatted.
        package var formatted: @Sendable (_ body: String) -> [StyledLine]?
        /// Reads all of standard input.
        /// - Throws: `ToolError.failed` if it is longer than this many bytes.
        package var readInput: @Sendable (_ limit: Int) async throws -> [UInt8]
        /// Decides what a model may see of an item.
        package var disclosure: ItemDisclosure
        /// Deletes copies elsewhere of permanently deleted texts; false if another program
        /// keeps one for now.
        package var forget: @Sendable (_ texts: [String]) async throws -> Bool = { _ in true }
        /// Removes files made from permanently deleted items.
        package var tidy: @Sendable () async throws -> Void = {}
        package var workingFolder: @Sendable () -> String = { FilePath.workingFolder() }
        /// Reads and saves the sources of letters; nil if letters are not available.
        package var resumes: ResumeBook?

        package init(
            store: LibraryStore, environment: Environment,
            width: @escaping @Sendable () -> Int? = { nil },
            formatted: @escaping @Sendable (_ body: String) -> [StyledLine]? = { _ in nil },
            readInput: @escaping @Sendable (_ limit: Int) async throws -> [UInt8] = { _ in [] }
        ) {
            self.store = store
            disclosure = ItemDisclosure(library: store, person: { PersonalData() })
            self.environment = environment
            self.width = width
            self.formatted = formatted
            self.readInput = readInput
        }
    }

    package static let noun = "library"
    package var name: String { Self.noun }
    package let description = "Keeps ideas, drafts, transcripts and other texts."

    package let dependencies: Dependencies
    var store: LibraryStore { dependencies.store }

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    package var commands: [Command] { [LibraryCommand(dependencies).command] }

    package var capability: Capability {
        var capability = Capability(self, completions: completions)
        capability.check = check
        return capability
    }

    // MARK: - Plain messages

    package func canHandle(message: PlainMessage) -> IntentMatch {
        guard LibraryMessage.command(for: message) != nil else { return .none }
        return IntentMatch(
            confidence: 1, suggestedTools: ["library_search", "library_get"],
            reasoning: "names an item or the library", isComplete: true)
    }

    package func command(for message: PlainMessage) -> [String]? {
        LibraryMessage.command(for: message).map { [Self.noun] + $0 }
    }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        guard let words = LibraryMessage.command(for: message), let command = commands.first
        else { return nil }
        let output = try await command.run(words, Interaction(emit: emit))
        return try await disclosed(output)
    }

    /// The output becomes a part of the conversation, which goes to a model with the next
    /// message.
    private func disclosed(_ output: CommandOutput) async throws -> CommandOutput {
        let text = output.lines.map(\.text).joined(separator: "\n")
        let redacted = try await dependencies.disclosure.text(text)
        if redacted == text { return output }
        var output = output
        output.lines = ItemTable.lines(of: redacted)
        output.remarks.append(
            StyledLine(
                "Placeholders, since a model may read this later; chat library show shows all.",
                .hint))
        output.json = nil
        return output
    }

    // MARK: - Completion

    /// Maximum number of items offered; older ones are found by title.
    private static let completed = 500

    /// Numbers with titles, the latest change first, for Tab.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] {
        let store = store
        return [
            .item: {
                // An unreadable library offers nothing.
                let items = (try? await store.titles(limit: Self.completed)) ?? []
                return items.map { CompletionWord("\($0.id)", $0.title.oneLine) }
            },
            .tag: {  // The same here.
                ((try? await store.tags(ofLatest: Self.completed)) ?? []).map {
                    CompletionWord($0.tag, Quantities.count($0.count, "item"))
                }
            },
        ]
    }

    /// The number of items for `doctor`, and of those in the trash.
    package var check: @Sendable () async -> [Finding] {
        let store = store
        return {
            do {
                let count = try await store.count()
                let trashed = try await store.count(ItemFilter(isTrashed: true))
                var text = "library: \(Quantities.count(count, "item"))"
                if trashed > 0 { text += ", \(Quantities.grouped(trashed)) in the trash" }
                return [Finding(.conversations, .good, text)]
            } catch {
                let what = (error as? any DescribedError)?.diagnostic.what ?? "it cannot be read"
                return [Finding(.conversations, .broken, "library: \(what)")]
            }
        }
    }
}

/// Recognises sentences that refer unambiguously to the library. Pure.
///
/// They must contain an id that nothing else has (`i12`) or the word "library";
/// everything else is left to other servers.
enum LibraryMessage {
    /// The arguments after `library`; nil for every other message.
    static func command(for message: PlainMessage) -> [String]? {
        message.reading(by: Self.self, command)
    }

    private static func command(_ message: String) -> [String]? {
        guard message.utf8.count <= 200 else { return nil }
        var words = message.split(whereSeparator: \.isWhitespace).map(String.init)
        if let last = words.last, let end = last.last, ".!?".contains(end) {
            words[words.count - 1] = String(last.dropLast())
        }
        let plain = words.map { $0.lowercased() }
        if let found = ofItem(plain) { return found }
        if Self.lists.contains(plain) { return ["list"] }
        for lead in searches where plain.count > lead.count && plain.starts(with: lead) {
            return ["search", "--"] + words.dropFirst(lead.count)
        }
        return nil
    }

    private static let verbs = [
        "show": "show", "open": "show", "delete": "delete", "restore": "restore",
        "zeig": "show", "zeige": "show", "öffne": "show", "lösche": "delete",
    ]

    /// `show i12`, `show me item i12`, `delete i12`.
    private static func ofItem(_ words: [String]) -> [String]? {
        guard let verb = words.first.flatMap({ verbs[$0] }), let last = words.last,
            last.first == "i" || last.first == "l", ItemID(last) != nil
        else { return nil }
        let between = words.dropFirst().dropLast()
        let fillers: [[String]] = [[], ["me"], ["item"], ["me", "item"], ["mir"]]
        return fillers.contains(Array(between)) ? [verb, last] : nil
    }

    private static let lists = [
        "show my library", "show me my library", "list my library", "what's in my library",
        "what is in my library", "zeig meine bibliothek", "zeig mir meine bibliothek",
    ].map { $0.split(separator: " ").map(String.init) }

    private static let searches = [
        "search my library for", "search the library for", "find in my library",
        "look in my library for", "durchsuche meine bibliothek nach",
    ].map { $0.split(separator: " ").map(String.init) }
}
