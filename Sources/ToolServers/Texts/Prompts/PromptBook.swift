import AgentCore
import Base
import Glibc
import Persistence

/// The prompts there are: files in the configuration folder, then those of the
/// configuration, then the library's, then the built-in ones; the first of a
/// name counts. All are read when they are asked for, so that an edit counts at
/// once.
///
/// An edited built-in prompt is an item of the library with its name: what the
/// program brings is never overwritten, and an update never overwrites an edit.
package actor PromptBook: QueuedActor {
    package struct Sources: Sendable {
        /// `…/roles`; need not exist.
        package var folder: String
        package var configured: [Prompt] = []
        /// Nil leaves the library out, as where nothing is to be opened.
        package var library: LibraryStore?
        package var builtIn: [Prompt]

        package init(
            folder: String, configured: [Prompt] = [], library: LibraryStore? = nil,
            builtIn: [Prompt]
        ) {
            self.folder = folder
            self.configured = configured
            self.library = library
            self.builtIn = builtIn
        }
    }

    package nonisolated let sources: Sources

    // Files are read on a queue of its own.
    package nonisolated let executor = QueueExecutor(label: "chat.prompts")

    private static let limitInBytes = 256 << 10

    package init(_ sources: Sources) { self.sources = sources }

    // MARK: - By name

    /// - Throws: `SQLiteError` where the library is needed and cannot be read.
    package func prompt(_ name: String) async throws -> Prompt? {
        // What comes before the library does not wait for it.
        if let prompt = file(name) ?? configured(name) { return prompt }
        return try await items().first { $0.name == name } ?? builtIn(name)
    }

    /// All of that name; the first is the one that counts.
    package func versions(of name: String) async throws -> [Prompt] {
        [file(name), configured(name)].compactMap(\.self)
            + (try await items().filter { $0.name == name })
            + [builtIn(name)].compactMap(\.self)
    }

    /// - Throws: `UsageError` naming the nearest one; `SQLiteError`.
    package func required(_ name: String) async throws -> Prompt {
        if let prompt = try await prompt(name) { return prompt }
        let names = try await all().map(\.name)
        throw UsageError(
            "There is no prompt \"\(KeyShape.shown(name))\".",
            hint: NearestWord.find(name, among: names).map { "Did you mean \($0)?" }
                ?? "chat prompt list shows them; chat prompt new \(KeyShape.shown(name)) makes one."
        )
    }

    /// One of each name, in the order of the names.
    package func all() async throws -> [Prompt] {
        let all = files() + sources.configured + (try await items()) + sources.builtIn
        var seen: Set<String> = []
        return all.filter { seen.insert($0.name).inserted }.sorted { $0.name < $1.name }
    }

    // MARK: - For recipes

    /// The instructions of a recipe of the program as they are now: edited in the
    /// library, else built in. A role's file of the same name does not count.
    package func recipe(_ name: String) async -> Prompt? {
        // The recipe works where the library does not; that is reported when the
        // library is used.
        let items = (try? await items()) ?? []
        return items.first { $0.name == name } ?? builtIn(name)
    }

    /// What is offered where text is written, the built-in ones first and in
    /// their order. One that asks for an argument cannot be.
    package func writingPrompts() async -> [Prompt] {
        var tools: [Prompt] = []
        for prompt in sources.builtIn where prompt.isWritingTool {
            var tool = await recipe(prompt.name) ?? prompt
            tool.isWritingTool = true
            tools.append(tool)
        }
        // As in `recipe`.
        let others = (try? await all()) ?? []
        return tools
            + others.filter { other in
                other.isWritingTool && !tools.contains { $0.name == other.name }
                    && other.instructions != nil
            }
    }

    package nonisolated func builtIn(_ name: String) -> Prompt? {
        sources.builtIn.first { $0.name == name }
    }

    // MARK: - Where they are

    package nonisolated func path(of name: String) -> String { "\(sources.folder)/\(name).md" }

    /// The file's words as they stand there; nil without one.
    package func fileText(_ name: String) -> String? {
        guard Prompt.isName(name) else { return nil }
        // One that cannot be read is not a prompt.
        return (try? WholeFile.read(path(of: name), limit: Self.limitInBytes))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// A file that the user named, or `-` for what is piped in.
    /// - Throws: `UsageError` naming what is wrong with it.
    package func read(_ path: String) throws -> String {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes =
                path == "-"
                ? try WholeFile.read(0, limit: Self.limitInBytes)
                : try WholeFile.read(path, limit: Self.limitInBytes)
        } catch {
            throw UsageError("\(path) cannot be read: \(String(cString: strerror(error.code))).")
        }
        if bytes.contains(0) { throw UsageError("\(path) is not text.") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func file(_ name: String) -> Prompt? {
        fileText(name).flatMap { Prompt(name: name, file: $0, source: .file) }
    }

    private func files() -> [Prompt] {
        (FilePath.names(in: sources.folder) ?? []).filter { $0.hasSuffix(".md") }
            .compactMap { file(String($0.dropLast(3))) }
    }

    private func configured(_ name: String) -> Prompt? {
        sources.configured.first { $0.name == name }
    }

    /// Of the library, the oldest first.
    private func items() async throws -> [Prompt] {
        guard let library = sources.library else { return [] }
        return try await library.items(ItemFilter(kinds: [.prompt], order: .oldest))
            .compactMap { item in
                var prompt = Prompt(name: item.title, file: item.body, source: .item(item.id))
                prompt?.hasForeignText = item.hasForeignText
                return prompt
            }
    }
}

extension Prompt {
    /// The text as instructions for a text that is given apart; nil where it
    /// asks for an argument.
    package var instructions: String? {
        // The places of the text say where it is.
        guard template.arguments.allSatisfy({ $0.fallback != nil }) else { return nil }
        let words = template.hasInput ? "(the text that is given)" : ""
        return try? template.filled(input: words)
    }
}
