import AgentCore
import Glibc
import ToolServers

/// Stories, put together for this program: where files and standard input come from.
enum StoryParts {
    static func server(
        _ library: LibraryServer.Dependencies, home: String, _ variables: [String: String]
    ) -> StoryServer {
        let book = StoryBook(
            StoryBook.Dependencies(
                library: library.store, variables: variables, home: home,
                input: { [readInput = library.readInput] limit in
                    isatty(0) == 1 ? nil : try await readInput(limit)
                }))
        return StoryServer(book: book, library: library)
    }
}
