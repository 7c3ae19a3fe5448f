import AgentCore
import Base
import ChatKit
import Glibc
import Outside
import TerminalKit

/// Folders at the prompt: those whose files go with a message, and those that the user
/// has opened for the model to read (`/open`, `/close`).
extension Repl {
    // MARK: - Attached

    /// The words that stand for several files, with those files.
    func selections(_ words: [String]) async throws -> [String: FileSelection] {
        var groups: [String: FileSelection] = [:]
        for word in words {
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

    /// Which words of a message stand for several files, and which for none.
    ///
    /// - Parameter said: texts that were only said, which name no file.
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
                // The beginning of a pattern.
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

    /// Shows what folders and patterns stand for, and asks if that is a lot.
    func mayAttach(_ groups: [FileSelection]) async throws -> Bool {
        for group in groups { await tell(HostileText.line(group.line), .dim) }
        guard FileSelection.isMuch(groups) else { return true }
        let count = groups.reduce(0) { $0 + $1.files.count }
        let bytes = groups.reduce(0) { $0 + $1.bytes }
        let answer = await terminal.ask(
            "  Attach \(Quantities.count(count, "file")), \(Quantities.bytes(bytes))? "
                + "y or Enter for no: ", mode: .yes)
        return answer == .yes
    }

    // MARK: - Opened

    /// `/open DIR…`; alone it lists.
    func openFolders(_ words: [String]) async throws {
        let folders = services.folders
        if words.isEmpty {
            if folders.isEmpty {
                return await tell("No folder is open. /open DIR lets the model read one.", .dim)
            }
            await show(
                folders.all.map { folder in
                    StyledLine([
                        .init("  "), .init(HostileText.line(folder.name), .accent),
                        .init("  " + HostileText.line(services.paths.shortened(folder.path)), .dim),
                    ])
                })
            return await tell("The model may read them · /close NAME", .dim)
        }
        for word in words {
            let opened = try services.open(folder: word)
            await tell(
                "✓ \(HostileText.line(services.paths.shortened(opened.path))) · the model may read it until you leave · /close",
                .success)
            if opened.path == services.paths.home {
                await tell(
                    "That is all of your home folder. Files of keys are never read; everything "
                        + "else in it may be.", .warning)
            }
        }
        await tellWhereFilesGo()
    }

    /// What is read goes where the messages go.
    private func tellWhereFilesGo() async {
        if !options.usesTools {
            return await tell("No tools are offered in this session (--no-tools).", .warning)
        }
        guard let choice = await session.expectedChoice(), choice.provider != .offline else {
            return
        }
        let host = await services.connector.host(of: choice.provider)
        await tell("What it reads goes to \(host), as attached files do.", .dim)
    }

    /// `/close NAME…`; alone it closes all.
    func closeFolders(_ words: [String]) async throws {
        let folders = services.folders
        if words.isEmpty {
            let count = folders.all.count
            folders.closeAll()
            return await tell(
                count == 0
                    ? "No folder is open." : "\(Quantities.count(count, "folder")) closed.", .dim)
        }
        for word in words {
            guard let closed = folders.close(word) else {
                throw UsageError(
                    "\(word) is not open.",
                    hint: folders.isEmpty
                        ? nil : "Open folders: \(folders.names.joined(separator: ", "))")
            }
            await tell(
                "\(HostileText.line(services.paths.shortened(closed.path))) is closed. What was "
                    + "read of it stays in the conversation.", .dim)
        }
    }

    /// Folders of the command line and of the configuration, as they are when the chat
    /// begins. One that cannot be opened is reported; the rest are open.
    func openFirstFolders() async {
        for problem in services.openConfiguredFolders() { await tell(problem, .warning) }
        for path in options.open {
            do {
                try services.open(folder: path)
            } catch {
                await show(services.diagnostics.describe(error))
            }
        }
        let names = services.folders.names
        if !names.isEmpty {
            let list = names.map { HostileText.line($0) }.joined(separator: ", ")
            await tell("open for the model: \(list) · /open lists, /close ends", .dim)
        }
    }
}
