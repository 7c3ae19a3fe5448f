import AgentCore
import Base
import ChatKit
import Glibc
import Outside
import TerminalKit

/// Folders and patterns whose files are sent with a message.
extension AttachmentController {
    /// The arguments that name several files, with those files.
    func selections(_ arguments: [String]) async throws -> [String: FileSelection] {
        var groups: [String: FileSelection] = [:]
        for word in arguments {
            let path = mentions.expanded(word)
            guard let kind = FileSelection.Kind(path: path) else { continue }
            let group = try await select(kind, path: path, shown: word)
            if group.files.isEmpty {
                throw AttachmentFailure(
                    path: word, reason: .noFiles(leftOut: group.skipped.text))
            }
            groups[word] = group
        }
        return groups
    }

    /// Finds the words of a message that name several files, and those that match none.
    ///
    /// - Parameter said: dictated texts, which are never treated as file names.
    func selections(
        in text: String, besides said: [String]
    ) async throws -> (chosen: [FileSelection], misses: [FileMentions.Miss]) {
        var chosen: [FileSelection] = []
        var misses: [FileMentions.Miss] = []
        for mention in mentions.groups(in: text)
        where !said.contains(where: { $0.contains("@" + mention.shown) }) {
            guard let kind = FileSelection.Kind(path: mention.path) else { continue }
            let group = try await select(kind, path: mention.path, shown: mention.shown)
            if group.files.isEmpty {
                if case .pattern = kind { misses.append(.init(mention: mention, kind: .pattern)) }
            } else {
                chosen.append(group)
            }
        }
        return (chosen, misses)
    }

    private func select(
        _ kind: FileSelection.Kind, path: String, shown: String
    ) async throws -> FileSelection {
        let selector = FileSelector(services.paths)
        return try await stoppable(saying: "looking into \(HostileText.line(shown))") {
            do {
                return try await selector.select(kind, path: path, shown: shown)
            } catch let failure as AttachmentFailure where failure.reason == .system(ENOENT) {
                // A pattern that is not finished.
                return FileSelection(shown: shown, files: [])
            }
        }
    }

    func load(_ group: FileSelection) async throws -> [InputFiles.Loaded] {
        let selector = FileSelector(services.paths)
        let (files, leftOut) = try await stoppable(saying: "reading the files") {
            try await selector.load(group)
        }
        if !leftOut.isEmpty {
            let names = leftOut.prefix(3).map { HostileText.line($0) }.joined(separator: ", ")
            await tell(
                "Left out, because a model cannot read them: \(names)"
                    + (leftOut.count > 3 ? " and \(leftOut.count - 3) more" : ""), .warning)
        }
        return files
    }

    /// Shows which files the folders and patterns match, and asks if there are many.
    func mayAttach(_ groups: [FileSelection]) async throws -> Bool {
        for group in groups { await tell(HostileText.line(group.line), .dim) }
        guard FileSelection.isMuch(groups) else { return true }
        let count = groups.reduce(0) { $0 + $1.files.count }
        let bytes = groups.reduce(0) { $0 + $1.bytes }
        return await confirms(
            "Attach \(Quantities.count(count, "file")), \(Quantities.bytes(bytes))?")
    }
}
