import AgentCore
import Base
import Glibc
import Outside

/// The folders that the model may read in this run, and the tools that read them: offered
/// only while one is open, and to no other program.
extension Services {
    /// The tools of every conversation.
    package var alwaysOffered: ToolRegistry {
        ToolRegistry(servers: registry.servers.filter { $0.name != FilesServer.serverName })
    }

    /// The tools offered now.
    package var offered: ToolRegistry { folders.isEmpty ? alwaysOffered : registry }

    /// Opens the configured folders.
    ///
    /// - Returns: notices about folders that cannot be opened.
    package func openConfiguredFolders() -> [String] {
        settings.open.compactMap { path -> String? in
            do throws(UsageError) {
                try open(folder: path)
                return nil
            } catch {
                return "\"open\" in config.json: \(error.problem)"
            }
        }
    }

    /// - Parameter word: the path as the user wrote it.
    @discardableResult
    package func open(folder word: String) throws(UsageError) -> OpenFolders.Opened {
        do {
            return try folders.open(word)
        } catch {
            throw Self.refusal(error, word)
        }
    }

    private static func refusal(_ problem: OpenFolders.Problem, _ word: String) -> UsageError {
        switch problem {
        case .system(ENOENT): UsageError("There is no folder \(word).")
        case .system(let code):
            UsageError("\(word) cannot be opened: \(Diagnostic.system(code)).")
        case .notFolder:
            UsageError("\(word) is a file.", hint: "/attach sends a file along with a message.")
        case .everything:
            UsageError("That is the whole machine.", hint: "Open only the folder that matters.")
        case .kernel: UsageError("\(word) contains devices or views into the kernel, not files.")
        case .keys: UsageError("\(word) contains keys, which no tool reads.")
        case .own:
            UsageError("\(word) belongs to chat itself: conversations, settings and keys.")
        case .tooMany: UsageError("Too many folders are open.", hint: "/close NAME closes one.")
        }
    }
}
