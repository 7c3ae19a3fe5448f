import AgentCore
import Base
import Documents
import FoundationEssentials
import Persistence
import Privacy

/// The library as a capability: what is kept besides conversations, for people
/// (`chat library …`) and for the model (`library_search` and so on).
///
/// It has no rules of its own: items, revisions and the trash are `LibraryStore`'s
/// business, what is typed and printed `LibraryCommand`'s. It knows no kind of item
/// better than another; ideas, prompts and transcripts have servers of their own.
package struct LibraryServer: ToolServer {
    package struct Dependencies: Sendable {
        package var store: LibraryStore
        package var environment: Environment
        /// Columns of the terminal; nil where lines go elsewhere and are not cut.
        package var width: @Sendable () -> Int?
        /// A body as the terminal shows it; nil where it goes elsewhere, as it is.
        package var formatted: @Sendable (_ body: String) -> [StyledLine]?
        /// One page that needs nothing else.
        package var html: @Sendable (_ items: [LibraryItem]) -> String
        /// All of standard input.
        /// - Throws: `ToolError.failed` where it is longer than so many bytes.
        package var readInput: @Sendable (_ limit: Int) async throws -> [UInt8]
        /// What of an item a model may have.
        package var disclosure: ItemDisclosure
        /// Lets go of copies elsewhere of texts that are deleted for good; false where
        /// another program keeps one for now.
        package var forget: @Sendable (_ texts: [String]) async throws -> Bool = { _ in true }
        /// Removes files that were made of items which are gone for good.
        package var tidy: @Sendable () async throws -> Void = {}
        package var workingFolder: @Sendable () -> String = { FilePath.workingFolder() }
        /// Reads and keeps what letters are made of; nil where none are.
        package var resumes: ResumeBook?

        package init(
            store: LibraryStore, environment: Environment,
            width: @escaping @Sendable () -> Int? = { nil },
            formatted: @escaping @Sendable (_ body: String) -> [StyledLine]? = { _ in nil },
            html: @escaping @Sendable (_ items: [LibraryItem]) -> String,
            readInput: @escaping @Sendable (_ limit: Int) async throws -> [UInt8] = { _ in [] }
        ) {
            self.store = store
            disclosure = ItemDisclosure(library: store, person: { PersonalData() })
            self.environment = environment
            self.width = width
            self.formatted = formatted
            self.html = html
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
        guard LibraryMessage.command(for: message.text) != nil else { return .none }
        return IntentMatch(
            confidence: 1, suggestedTools: ["library_search", "library_get"],
            reasoning: "names an item or the library", isComplete: true)
    }

    package func command(for message: String) -> [String]? {
        LibraryMessage.command(for: message).map { [Self.noun] + $0 }
    }

    package func handle(
        message: PlainMessage, mayAsk: Bool, emit: Emitter
    ) async throws -> CommandOutput? {
        guard let words = LibraryMessage.command(for: message.text), let command = commands.first
        else { return nil }
        let output = try await command.run(words, Interaction(emit: emit))
        return try await disclosed(output)
    }

    /// The answer becomes a part of the conversation, which goes to a model with the
    /// next message.
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

    /// Older items are meant by their titles.
    private static let completed = 500

    /// Numbers with titles, the latest change first, for Tab.
    package var completions: [Verb.Kind: @Sendable () async -> [CompletionWord]] {
        let store = store
        return [
            .item: {
                // A library that cannot be read offers nothing.
                let items = (try? await store.titles(limit: Self.completed)) ?? []
                return items.map { CompletionWord("\($0.id)", $0.title.oneLine) }
            },
            .tag: {
                ((try? await store.tags(ofLatest: Self.completed)) ?? []).map {
                    CompletionWord($0.tag, Quantities.count($0.count, "item"))
                }
            },
        ]
    }

    /// For `doctor`: what is kept, and what waits in the trash.
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

/// The sentences that mean the library without a doubt. Pure.
///
/// An id that nothing else has (`i12`) or the word "library" has to stand in them;
/// everything else is left to others.
enum LibraryMessage {
    /// The words after `library`; nil for every other message.
    static func command(for message: String) -> [String]? {
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
