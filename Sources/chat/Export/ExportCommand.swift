import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Persistence
import Synchronization

/// `chat conversations export`: writes one or all conversations to a file or to stdout. Asks before
/// it replaces a file.
struct ExportCommand: Sendable {
    let services: Services

    var verb: Verb {
        Verb(
            "export", "export one to a file; without FILE, to stdout",
            [.phrase("ID|TITLE", "a conversation", .conversation, isOptional: true)],
            options: [
                .init("--all", "all of them, as JSON"),
                .init(
                    "--format FORMAT", "md or json; default: by the extension of FILE, or md",
                    .examples(ExportFormat.allCases.map(\.rawValue))),
                .init("-o, --output FILE", "where to", .file),
                .init("--yes", "replace an existing file"),
            ]
        ) { try await run($0) }
    }

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let file = arguments["--output"]
        let isAll = arguments.has("--all")
        let chosen =
            try arguments["--format"].map(ExportFormat.init(word:))
            ?? file.flatMap(ExportFormat.init(ofFile:)) ?? .md
        if isAll, chosen != .json {
            throw UsageError(
                "All conversations go into one file as JSON only.",
                hint: "chat conversations export --all --format json --output FILE")
        }
        let records =
            isAll
            ? try await all()
            : [try await ConversationFinder(services: services).findOrLatest(arguments.text)]
        guard let file else {
            if let write = arguments.interaction.write {
                try await export(records, chosen) { await write($0) }
                return CommandOutput()
            }
            let whole = Mutex<[UInt8]>([])
            try await export(records, chosen) { bytes in
                whole.withLock { $0 += bytes }
                return true
            }
            var output = CommandOutput()
            output.document = whole.withLock(\.self)
            return output
        }
        let size = try await export(records, chosen, to: file, replaces: arguments.isConfirmed)
        return CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(Quantities.count(records.count, "conversation")) → ", .success),
                    .init(file, .success, file: FilePath.real(file)),
                    .init(", " + Quantities.bytes(size), .success),
                ])
            ])
    }

    /// `/export` of the open conversation.
    func export(
        _ record: ConversationRecord, as format: ExportFormat, to file: String?, replaces: Bool
    ) async throws -> CommandOutput {
        let file = file ?? Self.fileName(record.title) + "." + format.rawValue
        let size = try await export([record], format, to: file, replaces: replaces)
        return CommandOutput(
            lines: [
                StyledLine([
                    .init("  ✓ ", .success), .init(file, .success, file: FilePath.real(file)),
                    .init(", " + Quantities.bytes(size), .success),
                ])
            ])
    }

    private func all() async throws -> [ConversationRecord] {
        let store = try services.store()
        var records: [ConversationRecord] = []
        while true {
            let page = try await store.list(limit: 500, before: records.last?.order)
            records += page
            if page.count < 500 { break }
        }
        if records.isEmpty { throw SessionError.noConversation(query: nil) }
        return records
    }

    /// Passes on one turn after the other, until `write` returns false.
    private func export(
        _ records: [ConversationRecord], _ format: ExportFormat,
        write: @Sendable ([UInt8]) async throws -> Bool
    ) async throws {
        let store = try services.store()
        let markdown = MarkdownExport(zone: LocalTime())
        if format == .json { _ = try await write(Array(ConversationFile.beginning.utf8)) }
        for (number, record) in records.enumerated() {
            let beginning =
                switch format {
                case .json: ConversationFile.conversation(record, isFirst: number == 0)
                case .md:
                    markdown.beginning(record, turns: try await store.turnCount(of: record.id))
                }
            guard try await write(Array(beginning.utf8)) else { return }
            var last: TurnID?
            while let stored = try await store.turn(
                of: record.id, after: last, includingReplaced: format == .json)
            {
                try Task.checkCancellation()
                let text =
                    switch format {
                    case .json: ConversationFile.turn(stored, isFirst: last == nil)
                    case .md: markdown.turn(stored)
                    }
                guard try await write(Array(text.utf8)) else { return }
                last = stored.id
            }
            if format == .json {
                let end = ConversationFile.conversationEnd(isEmpty: last == nil)
                _ = try await write(Array(end.utf8))
            }
        }
        if format == .json { _ = try await write(Array(ConversationFile.end.utf8)) }
    }

    /// - Returns: the size of the file, which is private (0600), and removed if it cannot be written.
    private func export(
        _ records: [ConversationRecord], _ format: ExportFormat, to path: String, replaces: Bool
    ) async throws -> Int {
        let fresh = replaces ? Self.fresh(path) : path
        let file = TemporaryFile.make(fresh)
        guard file >= 0 else { throw Self.failure(path, errno) }
        defer { close(file) }
        do {
            try await export(records, format) { bytes in
                let code = WholeFile.write(bytes, to: file)
                if code != 0 { throw Self.failure(path, code) }
                return true
            }
            guard fsync(file) == 0, !replaces || rename(fresh, path) == 0 else {
                throw Self.failure(path, errno)
            }
        } catch {
            unlink(fresh)
            throw error
        }
        var status = stat()
        return fstat(file, &status) == 0 ? Int(status.st_size) : 0
    }

    /// A title as a file name: letters, digits and `-`.
    static func fileName(_ title: String) -> String {
        var name = ""
        for character in title {
            if character.isLetter || character.isNumber {
                name.append(character)
            } else if !name.isEmpty, name.last != "-" {
                name.append("-")
            }
            if name.utf8.count >= 60 { break }
        }
        while name.last == "-" { name.removeLast() }
        return name.isEmpty ? "conversation" : name
    }

    /// Writes a private file (0600), atomically.
    static func write(_ bytes: [UInt8], to path: String, replaces: Bool) throws {
        let code =
            replaces
            ? WholeFile.replace(bytes, at: path, temporary: fresh(path))
            : WholeFile.create(bytes, at: path)
        if code != 0 { throw failure(path, code) }
    }

    /// A name for the new file beside the one that it replaces.
    private static func fresh(_ path: String) -> String {
        let fresh = "\(FilePath.folder(of: path))/.chat-\(getpid()).new"
        unlink(fresh)
        return fresh
    }

    private static func failure(_ path: String, _ code: Int32) -> any Error {
        code == EEXIST
            ? UsageError(
                "\(path) already exists.", hint: "Give another name, or --yes to replace it.")
            : FileFailure(path: path, code: code)
    }
}

/// The reason why a file was not read or written.
struct FileFailure: Error, Sendable, Equatable {
    var path: String
    var code: Int32
}

extension FileFailure: DescribedError {
    var diagnostic: Diagnostic { Diagnostic("\(path): \(Diagnostic.system(code)).") }
}
