import AgentCore
import Base
import ChatKit
import Outside
import TerminalKit

/// Folders that the user has opened for the model to read (`/open`, `/close`).
struct FolderController: ReplController {
    let context: ReplContext

    /// `/open DIR…`; without arguments lists the open folders.
    func open(_ arguments: [String]) async throws {
        let folders = services.folders
        if arguments.isEmpty {
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
        for word in arguments {
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

    /// Shows where the contents of files will be sent: to the same server as messages.
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

    /// `/close NAME…`; without arguments closes all.
    func close(_ arguments: [String]) async throws {
        let folders = services.folders
        if arguments.isEmpty {
            let count = folders.all.count
            folders.closeAll()
            return await tell(
                count == 0
                    ? "No folder is open." : "\(Quantities.count(count, "folder")) closed.", .dim)
        }
        for word in arguments {
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

    /// Opens the folders of the command line and of the configuration when the chat starts. A
    /// folder that cannot be opened is reported and skipped.
    func openFirst() async {
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
