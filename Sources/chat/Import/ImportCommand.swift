import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Persistence

/// `chat conversations import FILE`: our own file, or the `conversations.json` of an export
/// of ChatGPT or Claude. Existing conversations are left alone.
struct ImportCommand: Sendable {
    let services: Services

    var verb: Verb {
        Verb(
            "import", "import an export of chat, or conversations.json of ChatGPT or Claude",
            [.init("FILE", "a file", .file)], json: "imported skipped empty leftOut",
            example: "conversations.json"
        ) { try await run($0) }
    }

    /// Maximum bytes, larger than any export; a file is read as a whole.
    static let limitInBytes = 1 << 30

    private func run(_ arguments: CommandArguments) async throws -> CommandOutput {
        let path = arguments.plain[0]
        let (conversations, left) = try read(try Self.bytes(path), path)
        let store = try services.store()
        var tally = Tally(leftOut: left)
        // The newest first, which keeps the order.
        for conversation in conversations.sorted(by: { $0.updated > $1.updated }) {
            try Task.checkCancellation()
            tally.count(try await store.importConversation(conversation))
        }
        return tally.output
    }

    /// The conversations of a file, and the count of parts left out.
    func read(_ bytes: [UInt8], _ path: String) throws -> ([ImportedConversation], LeftOut) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            if bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) {
                throw UsageError(
                    "\(path) is a zip archive.",
                    hint: "Unpack it and import its conversations.json.")
            }
            throw UsageError(
                "\(path) is not JSON (byte \(error.offset)).",
                hint: "It must be an export of chat, or conversations.json of ChatGPT or Claude.")
        }
        if value["format"]?.stringValue == ConversationFile.format {
            return try own(value, path)
        }
        let list = value.arrayValue ?? value["conversations"]?.arrayValue ?? [value]
        var chatGPT = ChatGPTExport()
        var claude = ClaudeExport()
        var found: [ImportedConversation] = []
        var left = LeftOut()
        for entry in list {
            let conversation =
                ChatGPTExport.looksLike(entry)
                ? chatGPT.read(entry)
                : ClaudeExport.looksLike(entry) ? claude.read(entry) : nil
            if let conversation { found.append(conversation) } else { left[.unknown] += 1 }
        }
        if found.isEmpty, !list.isEmpty {
            throw UsageError(
                "\(path) contains no conversation that chat can read.",
                hint: "It must be an export of chat, or conversations.json of ChatGPT or Claude.")
        }
        left += chatGPT.leftOut
        left += claude.leftOut
        return (found, left)
    }

    private func own(_ value: JSONValue, _ path: String) throws -> ([ImportedConversation], LeftOut)
    {
        guard let version = value["version"]?.integerValue, version <= ConversationFile.version
        else {
            throw UsageError(
                "\(path) was written by a newer version of chat.", hint: "Update chat, then import."
            )
        }
        var reader = ConversationFileReader()
        let list = value["conversations"]?.arrayValue ?? []
        let found = list.compactMap { reader.read($0) }
        var left = LeftOut()
        left[.unknown] = reader.unreadable + list.count - found.count
        return (found, left)
    }

    static func bytes(_ path: String) throws -> [UInt8] {
        do { return try WholeFile.read(path, limit: limitInBytes) } catch {
            switch error {
            case .system(let code): throw FileFailure(path: path, code: code)
            case .notRegular: throw UsageError("\(path) is not a file.")
            case .tooLarge:
                throw UsageError("\(path) is larger than \(Quantities.bytes(limitInBytes)).")
            }
        }
    }

    /// Counts for the summary line of an import.
    private struct Tally {
        var stored = 0
        var skipped = 0
        var empty = 0
        let leftOut: LeftOut

        init(leftOut: LeftOut) { self.leftOut = leftOut }

        mutating func count(_ outcome: ImportOutcome) {
            switch outcome {
            case .stored: stored += 1
            case .skipped: skipped += 1
            case .empty: empty += 1
            }
        }

        var output: CommandOutput {
            var parts = ["\(Quantities.count(stored, "conversation")) imported"]
            if skipped > 0 { parts.append("\(skipped) there already") }
            if empty > 0 { parts.append("\(empty) empty") }
            // If nothing was imported, a script should notice.
            let isDone = stored > 0
            let text = (isDone ? "✓ " : "! ") + parts.joined(separator: " · ")
            let json: JSONValue = [
                "imported": JSONValue(stored), "skipped": JSONValue(skipped),
                "empty": JSONValue(empty), "leftOut": JSONValue(leftOut.total),
            ]
            return CommandOutput(
                lines: [StyledLine(text, isDone ? .success : .warning)], json: json,
                notices: [leftOut.notice].compactMap(\.self),
                outcome: isDone ? .ok : .degraded)
        }
    }
}
