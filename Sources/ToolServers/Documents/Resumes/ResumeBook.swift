import AgentCore
import Base
import Persistence

/// The only place that reads a résumé or a job advert and saves it as an item of the
/// library: from a file, a pipe, the editor, or an existing item.
///
/// The body of the item is the original text; it stays on this machine, and the redactor
/// decides what may be sent. The same text is the same item; different text from the same
/// file is a new revision.
package actor ResumeBook: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.resumes")

    package struct Dependencies: Sendable {
        package var library: LibraryStore
        /// The environment variables, for `pdftotext`.
        package var variables: [String: String]
        package var home: String
        /// Reads all of standard input; nil if nothing is piped in.
        package var input: @Sendable () async throws -> [UInt8]?

        package init(
            library: LibraryStore, variables: [String: String], home: String,
            input: @escaping @Sendable () async throws -> [UInt8]?
        ) {
            self.library = library
            self.variables = variables
            self.home = home
            self.input = input
        }
    }

    /// The result of saving a text.
    package struct Kept: Sendable, Equatable {
        package enum Change: Sendable, Equatable { case added, revised, unchanged }

        package var item: LibraryItem
        package var change: Change
    }

    private let dependencies: Dependencies

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    // MARK: - Reading

    /// Maximum number of bytes of standard input: a PDF may be piped in.
    package static let inputLimit = ResumeFile.pdfLimit

    /// - Parameters:
    ///   - name: a file, `-` for standard input, or the name of an item.
    ///   - kind: `resume` or `job`. An item of another kind is accepted as is, so that a
    ///     draft can be the advert.
    /// - Throws: `ResumeFileError`, `PDFTextError`, `ResumeError`; `ToolError.ambiguous`.
    ///   Unusable text is not saved.
    package func keep(_ name: String, as kind: ItemKind) async throws -> Kept {
        if name == "-" {
            guard let bytes = try await dependencies.input(), !bytes.isEmpty else {
                throw ResumeFileError(.noInput, "Standard input")
            }
            let content = try await content(bytes, shown: "Standard input", path: nil)
            return try await keep(content.text, format: content.format, as: kind)
        }
        let isItem = name.first == "i" && ItemID(name) != nil
        if !isItem {
            let path = FilePath.expanding(name, home: dependencies.home)
            do {
                let bytes = try ResumeFile.bytes(path, shown: name)
                let content = try await content(bytes, shown: name, path: path)
                return try await keep(content.text, format: content.format, as: kind, path: path)
            } catch let error as ResumeFileError
                where error.reason == .file(.system(2)) && !name.contains("/")
            {
                // No such file: it may be the name of an item.
            }
        }
        return Kept(item: try await item(name, kind), change: .unchanged)
    }

    private func content(
        _ bytes: [UInt8], shown: String, path: String?
    ) async throws -> ResumeFile.Content {
        let name = FilePath.name(path ?? "")
        let ending = name.split(separator: ".").last?.lowercased() ?? ""
        return try await ResumeFile.content(
            bytes, shown: shown, extension: ending,
            pdf: PDFText(variables: dependencies.variables))
    }

    private func item(_ name: String, _ kind: ItemKind) async throws -> LibraryItem {
        let library = dependencies.library
        var found = try await library.matches(name, in: ItemFilter(kinds: [kind]))
        if found.isEmpty { found = try await library.matches(name) }
        guard let item = found.first else { throw ResumeFileError(.notFound, name) }
        if found.count > 1 {
            throw ToolError.ambiguous(
                query: name, candidates: found.prefix(10).map { "\($0.id) \($0.title)" })
        }
        try check(item.body, Self.format(of: item), kind)
        return item
    }

    /// The format of an item's text; nil if it has to be detected.
    package static func format(of item: LibraryItem) -> Resume.Format? {
        item.metadata["format"]?.stringValue.flatMap(Resume.Format.init)
    }

    /// The résumé in an item of kind `resume`.
    package static func resume(_ item: LibraryItem) throws(ResumeError) -> Resume {
        try Resume.read(item.body, format: format(of: item))
    }

    /// The advert in an item of kind `job`.
    package static func job(_ item: LibraryItem) throws(ResumeError) -> JobAdvert {
        try JobAdvert.read(item.body)
    }

    // MARK: - Saving

    /// Saves a text that was typed, pasted or read.
    ///
    /// - Parameter path: absolute path of the source file, by which new text from the same
    ///   file is recognised. The path itself is not saved: it may contain a name.
    package func keep(
        _ text: String, format: Resume.Format? = nil, as kind: ItemKind, path: String? = nil
    ) async throws -> Kept {
        let format = format ?? (kind == .job ? .text : Resume.format(of: text))
        try check(text, format, kind)
        if KeyShape.isFound(in: text) { throw KeyNotKept() }
        let library = dependencies.library
        let existing = try await library.items(ItemFilter(kinds: [kind]))
        if let same = existing.first(where: { $0.body == text }) {
            return Kept(item: same, change: .unchanged)
        }
        let file = path.map { Self.mark(of: $0) }
        let origin = RevisionOrigin(by: .user, hasUntrustedText: kind == .job)
        if let file,
            let known = existing.first(where: { $0.metadata["file"]?.stringValue == file }),
            kind == .resume || Self.isSameJob(known.body, text)
        {
            var metadata = known.metadata
            metadata["format"] = .string(format.rawValue)
            let update = try await library.change(
                known.id, ItemChange(body: text, metadata: metadata), by: origin)
            return Kept(item: update.item, change: .revised)
        }
        var metadata = JSONObject()
        metadata["format"] = .string(format.rawValue)
        if let path { metadata["source"] = .string(FilePath.stem(path)) }
        if let file { metadata["file"] = .string(file) }
        let draft = ItemDraft(
            kind: kind, title: Self.title(text, kind, path), body: text, metadata: metadata)
        let items = try await library.add([draft], by: origin)
        guard let item = items.first else { throw ResumeError(.emptyJob) }
        return Kept(item: item, change: .added)
    }

    private func check(
        _ text: String, _ format: Resume.Format?, _ kind: ItemKind
    ) throws(ResumeError) {
        if text.count > ResumeReader.limit { throw ResumeError(.tooLong(text.count)) }
        if kind == .resume {
            _ = try Resume.read(text, format: format)
        } else {
            _ = try JobAdvert.read(text)
        }
    }

    /// Whether two adverts are for the same job; one file may hold different ones over
    /// time.
    private static func isSameJob(_ one: String, _ other: String) -> Bool {
        // An unreadable advert is treated as a different job.
        guard let first = try? JobAdvert.read(one), let second = try? JobAdvert.read(other) else {
            return false
        }
        return first.company == second.company && first.role == second.role
    }

    /// A hash of a path, which does not reveal it.
    package static func mark(of path: String) -> String {
        let whole = path.hasPrefix("/") ? path : FilePath.workingFolder() + "/" + path
        return String(SHA256.hex(SHA256.digest(Array(FilePath.tidy(whole).utf8))).prefix(16))
    }

    private static func title(_ text: String, _ kind: ItemKind, _ path: String?) -> String {
        // An advert that cannot be read was already rejected, and would get the default
        // title.
        if kind == .job, let advert = try? JobAdvert.read(text) {
            let parts = [advert.role, advert.company].compactMap { $0 }
            if !parts.isEmpty { return parts.joined(separator: " at ") }
        }
        return kind == .job ? "Job advert" : path.map(FilePath.stem) ?? "Résumé"
    }
}
