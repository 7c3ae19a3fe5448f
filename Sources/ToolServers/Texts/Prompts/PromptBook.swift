import AgentCore
import Base
import Glibc
import Persistence

/// All prompts: files in the configuration folder, then those of the
/// configuration, then the library's, then the built-in ones; the first with a
/// name takes precedence. All are read on demand, so that an edit takes effect
/// at once.
///
/// An edited built-in prompt is a library item with its name: built-in prompts
/// are never overwritten, and an update never overwrites an edit.
package actor PromptBook: QueuedActor {
    package struct Sources: Sendable {
        /// `…/roles`; need not exist.
        package var folder: String
        package var configured: [Prompt] = []
        /// Nil excludes the library, for example if it must not be opened.
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

    /// Maximum bytes of a prompt's file, which is sent with a message: 60,000 tokens.
    static let limitInBytes = 256 << 10

    package init(_ sources: Sources) { self.sources = sources }

    // MARK: - By name

    /// - Throws: `UsageError` if its file cannot be read; `SQLiteError` if the library is needed
    ///   and cannot be read.
    package func prompt(_ name: String) async throws -> Prompt? {
        // Prompts that precede the library do not wait for it.
        if let prompt = try file(name) ?? configured(name) { return prompt }
        return try await items().first { $0.name == name } ?? builtIn(name)
    }

    /// All prompts with that name; the first takes precedence.
    package func versions(of name: String) async throws -> [Prompt] {
        [try file(name), configured(name)].compactMap(\.self)
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
                ?? "chat prompt list shows them; chat prompt new \(KeyShape.shown(name)) makes one.",
            exit: .failure)
    }

    /// One prompt for each name, ordered by name, without those in `unreadable`.
    package func all() async throws -> [Prompt] {
        let all = files() + sources.configured + (try await items()) + sources.builtIn
        var seen: Set<String> = []
        return all.filter { seen.insert($0.name).inserted }.sorted { $0.name < $1.name }
    }

    // MARK: - For recipes

    /// The current instructions of one of the program's recipes: edited in the
    /// library, else built in. A role's file with the same name does not count.
    package func recipe(_ name: String) async -> Prompt? {
        // The recipe works even if the library does not; that is reported when
        // the library is used.
        let items = (try? await items()) ?? []
        return items.first { $0.name == name } ?? builtIn(name)
    }

    /// The prompts offered where text is written, the built-in ones first and
    /// in their order. Prompts that need an argument are excluded.
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

    /// The file's raw text; nil if there is no file.
    /// - Throws: `UsageError` naming the problem.
    package func fileText(_ name: String) throws(UsageError) -> String? {
        guard Prompt.isName(name), access(path(of: name), F_OK) == 0 else { return nil }
        return try read(path(of: name))
    }

    /// The reasons why files of prompts cannot be read.
    package func unreadable() -> [String] {
        fileNames.compactMap { name in
            do throws(UsageError) { _ = try fileText(name) } catch { return error.problem }
            return nil
        }
    }

    /// Reads a file named by the user, or `-` for piped input.
    /// - Throws: `UsageError` naming the problem.
    package func read(_ path: String) throws(UsageError) -> String {
        let bytes: [UInt8]
        do throws(WholeFile.Failure) {
            bytes =
                path == "-"
                ? try WholeFile.read(0, limit: Self.limitInBytes)
                : try WholeFile.read(path, limit: Self.limitInBytes)
        } catch {
            throw UsageError("\(path) cannot be read: \(error.why(limit: Self.limitInBytes)).")
        }
        if bytes.contains(0) { throw UsageError("\(path) is not text.") }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func file(_ name: String) throws(UsageError) -> Prompt? {
        guard let text = try fileText(name) else { return nil }
        return Prompt(name: name, file: text, source: .file)
    }

    private var fileNames: [String] {
        (FilePath.names(in: sources.folder) ?? []).filter { $0.hasSuffix(".md") }
            .map { String($0.dropLast(3)) }
    }

    private func files() -> [Prompt] {
        // `unreadable` has the reasons.
        fileNames.compactMap { try? file($0) }
    }

    private func configured(_ name: String) -> Prompt? {
        sources.configured.first { $0.name == name }
    }

    /// The prompts of the library, the oldest first.
    private func items() async throws -> [Prompt] {
        guard let library = sources.library else { return [] }
        return try await library.items(ItemFilter(kinds: [.prompt], order: .oldest))
            .compactMap { item in
                var prompt = Prompt(name: item.title, file: item.body, source: .item(item.id))
                prompt?.hasUntrustedText = item.hasUntrustedText
                return prompt
            }
    }
}

extension Prompt {
    /// The text as instructions for a text given separately; nil if it cannot be filled in
    /// without an argument.
    package var instructions: String? {
        // Its placeholders point to that text.
        guard template.arguments.allSatisfy({ $0.fallback != nil }) else { return nil }
        let words = template.hasInput ? "(the text that is given)" : ""
        return try? template.filled(input: words)  // Nil, as above.
    }
}
