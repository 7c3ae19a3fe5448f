import AgentCore
import Base

/// The user's files as a capability: three tools that read the folders opened by the user,
/// and nothing else. Offered only while one is open; nothing is written.
///
/// It turns arguments into queries and results into text: `FolderReader` decides which
/// files may be read, `FolderWalk` which are left out of a search.
package struct FilesServer: ToolServer {
    package static let serverName = "files"

    package let name = Self.serverName
    package let description = "Reads the folders that you have opened with /open."

    private let queries: FolderQueries

    package init(_ folders: OpenFolders, environment: Environment) {
        queries = FolderQueries(folders, uptime: environment.uptime)
    }

    /// The server is listed only while a folder is open.
    package var toolsInUse: [String] { listTools().map(\.name) }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: "list_folder", title: "List a folder",
                description: "Lists an open folder, or one below it; without a path all of them.",
                inputSchema: .object([
                    .init("path", .string(description: "Such as notes or notes/2026")),
                    .init("depth", .integer(description: "Levels, default 1", range: 1...4)),
                ]), toolClass: .read),
            Tool(
                name: "read_file", title: "Read a file",
                description:
                    "Reads lines of a text file in an open folder, at most "
                    + "\(LineWindow.usualCount) at once; the result says how to go on. Not images, "
                    + "PDFs and keys.",
                inputSchema: .object([
                    .init(
                        "path", .string(description: "Such as notes/todo.md"), isRequired: true),
                    .init(
                        "offset",
                        .integer(description: "The first line", range: 1...1_000_000_000)),
                    .init(
                        "limit",
                        .integer(description: "Lines", range: 1...LineWindow.mostLines)),
                ]), toolClass: .read),
            Tool(
                name: "search_files", title: "Search files",
                description:
                    "Finds files in the open folders by name, lines in them by text, or both. "
                    + "Hidden and ignored files and keys are left out.",
                inputSchema: .object([
                    .init(
                        "name", .string(description: "Pattern: *.swift, src/**/*.md")),
                    .init(
                        "text",
                        .string(
                            description: "Literally; in lower case it finds capitals too")),
                    .init(
                        "wildcards",
                        .boolean(description: "In text, * is anything and | an alternative")),
                    .init("path", .string(description: "Only this folder or file")),
                    .init("hidden", .boolean(description: "Hidden and ignored files too")),
                    .init(
                        "limit",
                        .integer(
                            description: "Default \(FileSearch.usualLimit)",
                            range: 1...FileSearch.mostResults)),
                ]), toolClass: .read),
        ]
    }

    package func callTool(
        _ name: String, arguments: JSONObject, emit: Emitter
    ) async throws -> ToolOutput {
        let path = arguments["path"]?.stringValue
        do {
            switch name {
            case "list_folder":
                return try await queries.list(
                    path ?? "", depth: arguments["depth"]?.integerValue ?? 1)
            case "read_file":
                return try await queries.read(
                    path ?? "", first: arguments["offset"]?.integerValue ?? 1,
                    count: arguments["limit"]?.integerValue ?? LineWindow.usualCount)
            case "search_files":
                return try await queries.search(try Self.search(arguments), in: path ?? "")
            default: throw ToolError.toolNotFound(name: name)
            }
        } catch let refusal as FileRefusal {
            // Otherwise it only repeats the call's own text.
            return ToolOutput(
                text: refusal.modelText, isError: true, isUntrusted: refusal.namesFolders)
        }
    }

    private static func search(_ arguments: JSONObject) throws -> FileSearch {
        func failed(_ text: String) -> ToolError { .failed(text) }
        var search = FileSearch()
        // Models pass an empty text for an argument they leave out.
        let name = arguments["name"]?.stringValue ?? ""
        let text = arguments["text"]?.stringValue ?? ""
        if name.isEmpty, text.isEmpty { throw failed("Give a name, a text, or both.") }
        if !name.isEmpty {
            // Without a slash it matches at any depth.
            let pattern = name.contains("/") ? name : "**/\(name)"
            guard let glob = GlobPattern(pattern, ignoresCase: true) else {
                throw failed("The name is too long for a pattern.")
            }
            search.name = glob
        }
        if !text.isEmpty {
            guard
                let pattern = TextPattern(
                    text, hasWildcards: arguments["wildcards"]?.boolValue ?? false,
                    ignoresCase: nil)
            else {
                throw failed(
                    "The text has to be one line of at most \(TextPattern.limitInBytes) bytes.")
            }
            search.text = pattern
        }
        search.showsHidden = arguments["hidden"]?.boolValue ?? false
        search.limit = arguments["limit"]?.integerValue ?? FileSearch.usualLimit
        return search
    }
}
