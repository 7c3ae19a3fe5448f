import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Persistence

/// `chat conversations import FILE`: a file that `export` has written. Existing conversations
/// are left alone.
struct ImportCommand: Sendable {
    let services: Services

    var verb: Verb {
        Verb(
            "import", "import a JSON export of chat",
            [.init("FILE", "a file", .file)], json: "imported skipped empty leftOut",
            example: "conversations.json"
        ) { try await run($0) }
    }

    private static let hint = "chat conversations export --all --format json writes one."

    /// Larger than any export; a file is read as a whole.
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
    private func read(_ bytes: [UInt8], _ path: String) throws -> ([ImportedConversation], Int) {
        let value: JSONValue
        do {
            value = try JSONParser.parse(bytes)
        } catch {
            throw UsageError("\(path) is not JSON (byte \(error.offset)).", hint: Self.hint)
        }
        guard value["format"]?.stringValue == ConversationFile.format else {
            throw UsageError("\(path) is not an export of chat.", hint: Self.hint)
        }
        guard let version = value["version"]?.integerValue, version <= ConversationFile.version
        else {
            throw UsageError(
                "\(path) was written by a newer version of chat.", hint: "Update chat, then import."
            )
        }
        var reader = ConversationFileReader()
        let list = value["conversations"]?.arrayValue ?? []
        let found = list.compactMap { reader.read($0) }
        return (found, reader.unreadable + list.count - found.count)
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
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
        let leftOut: Int

        init(leftOut: Int) { self.leftOut = leftOut }

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
                "empty": JSONValue(empty), "leftOut": JSONValue(leftOut),
            ]
            return CommandOutput(
                lines: [StyledLine(text, isDone ? .success : .warning)], json: json,
                notices: leftOut == 0
                    ? []
                    : [
                        "Left out: \(Quantities.count(leftOut, "entry", plural: "entries")) "
                            + "not understood."
                    ],
                outcome: isDone ? .ok : .degraded)
        }
    }
}
