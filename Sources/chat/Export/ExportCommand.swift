import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Persistence

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
        let bytes = try await content(records, chosen)
        guard let file else {
            var output = CommandOutput()
            output.document = bytes
            return output
        }
        try Self.write(bytes, to: file, replaces: arguments.isConfirmed)
        return CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ \(Quantities.count(records.count, "conversation")) → ", .success),
                    .init(file, .success, file: FilePath.real(file)),
                    .init(", " + Quantities.bytes(bytes.count), .success),
                ])
            ])
    }

    /// `/export` of the open conversation.
    func export(
        _ record: ConversationRecord, as format: ExportFormat, to file: String?, replaces: Bool
    ) async throws -> CommandOutput {
        let file = file ?? Self.fileName(record.title) + "." + format.rawValue
        let bytes = try await content([record], format)
        try Self.write(bytes, to: file, replaces: replaces)
        return CommandOutput(
            lines: [
                StyledLine([
                    .init("  ✓ ", .success), .init(file, .success, file: FilePath.real(file)),
                    .init(", " + Quantities.bytes(bytes.count), .success),
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

    private func content(
        _ records: [ConversationRecord], _ format: ExportFormat
    ) async throws -> [UInt8] {
        var conversations: [(ConversationRecord, [StoredTurn])] = []
        let store = try services.store()
        for record in records {
            let turns = try await store.allTurns(
                of: record.id, includingReplaced: format == .json)
            conversations.append((record, turns))
        }
        switch format {
        case .json:
            return Array((JSONWriter.pretty(ConversationFile.value(conversations)) + "\n").utf8)
        case .md:
            let markdown = MarkdownExport(zone: LocalTime())
            return Array(conversations.map { markdown.text($0, $1) }.joined().utf8)
        }
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
        let fresh = "\(FilePath.folder(of: path))/.chat-\(getpid()).new"
        if replaces { unlink(fresh) }
        let code =
            replaces
            ? WholeFile.replace(bytes, at: path, temporary: fresh)
            : WholeFile.create(bytes, at: path)
        if code == EEXIST {
            throw UsageError(
                "\(path) already exists.", hint: "Give another name, or --yes to replace it.")
        }
        if code != 0 { throw FileFailure(path: path, code: code) }
    }
}

/// The reason why a file was not read or written.
struct FileFailure: Error, Sendable, Equatable {
    var path: String
    var code: Int32
}

extension FileFailure: DescribedError {
    var diagnostic: Diagnostic { Diagnostic("\(path): \(String(cString: strerror(code))).") }
}
