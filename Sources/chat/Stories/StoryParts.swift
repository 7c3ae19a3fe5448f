import AgentCore
import Glibc
import ToolServers

/// Stories, put together for this program: where files and standard input come from.
enum StoryParts {
    static func server(
        _ library: LibraryServer.Dependencies, home: String, _ variables: [String: String],
        _ voice: VoiceParts
    ) -> StoryServer {
        let book = StoryBook(
            StoryBook.Dependencies(
                library: library.store, variables: variables, home: home,
                input: { [readInput = library.readInput] limit in
                    isatty(0) == 1 ? nil : try await readInput(limit)
                }))
        return StoryServer(
            book: book, library: library,
            voice: StoryVoiceBook.Dependencies(
                engine: { try voice.speechEngine() }, standard: voice.voiceChoice,
                speak: { utterance in
                    let report = try await voice.speaker(try voice.speechEngine())
                        .speak([utterance])
                    if let problem = report.problems.first { throw problem.error }
                }))
    }
}
