import AgentCore
import Base

/// The user's files as a capability: three tools that read the folders which the user
/// has opened, and nothing else. Offered only while one is open; nothing is written.
///
/// It turns arguments into questions and answers into text: what may be read is
/// `FolderReader`'s matter, what is left out of a search `FolderWalk`'s.
package struct FilesServer: ToolServer {
    package static let serverName = "files"

    package let name = Self.serverName
    package let description = "Reads the folders that you have opened with /open."

    private let queries: FolderQueries

    package init(_ folders: OpenFolders, environment: Environment) {
        queries = FolderQueries(folders, uptime: environment.uptime)
    }

    package func listTools() -> [Tool] {
        [
            Tool(
                name: "list_folder", title: "List a folder",
                description:
                    "Lists what is in a folder that the user has opened, or in one below it. "
                    + "Without a path it names the open folders, or lists the only one.",
                inputSchema: .object([
                    .init(
                        "path",
                        .string(description: "The folder, such as notes or notes/2026")),
                    .init(
                        "depth",
                        .integer(description: "Levels below it; 1 if left out", range: 1...4)),
                ]), toolClass: .read),
            Tool(
                name: "read_file", title: "Read a file",
                description:
                    "Reads lines of a text file in an open folder, each with its number. At "
                    + "most \(LineWindow.usualCount) lines or 50 KB come at once; the result says "
                    + "how to go on. Images, PDFs and files of keys are not read.",
                inputSchema: .object([
                    .init(
                        "path", .string(description: "The file, such as notes/todo.md"),
                        isRequired: true),
                    .init(
                        "offset",
                        .integer(
                            description: "The first line; 1 if left out",
                            range: 1...1_000_000_000)),
                    .init(
                        "limit",
                        .integer(
                            description: "Lines at most", range: 1...LineWindow.mostLines)),
                ]), toolClass: .read),
            Tool(
                name: "search_files", title: "Search files",
                description:
                    "Finds files in the open folders by name, lines in them by text, or both. "
                    + "Hidden files, those in .gitignore and files of keys are left out, and the "
                    + "result says how many.",
                inputSchema: .object([
                    .init(
                        "name",
                        .string(
                            description:
                                "Pattern of the name or, with a slash in it, of the path: *.swift, "
                                + "src/**/*.md")),
                    .init(
                        "text",
                        .string(
                            description:
                                "What the line holds, literally; in lower case it finds capitals "
                                + "too. No regular expression")),
                    .init(
                        "wildcards",
                        .boolean(
                            description:
                                "In text, * stands for anything in a line and | is between "
                                + "alternatives")),
                    .init(
                        "path",
                        .string(description: "Only this folder or file; else all open folders")),
                    .init("hidden", .boolean(description: "Hidden and ignored files too")),
                    .init(
                        "limit",
                        .integer(
                            description: "Results at most; \(FileSearch.usualLimit) if left out",
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
            // It says only what the call said itself.
            return ToolOutput(text: refusal.modelText, isError: true)
        }
    }

    private static func search(_ arguments: JSONObject) throws -> FileSearch {
        func failed(_ text: String) -> ToolError { .failed(text) }
        var search = FileSearch()
        // Models give an empty text for one that they leave out.
        let name = arguments["name"]?.stringValue ?? ""
        let text = arguments["text"]?.stringValue ?? ""
        if name.isEmpty, text.isEmpty { throw failed("Give a name, a text, or both.") }
        if !name.isEmpty {
            // Without a slash it holds at any depth.
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
