import AgentCore
import Glibc
import StoryKit
import ToolServers

/// Stories, put together for this program: where files and standard input come from.
enum StoryParts {
    static func server(
        _ library: LibraryServer.Dependencies, _ voice: VoiceParts
    ) -> StoryServer {
        let variables = voice.variables
        let book = StoryBook(
            StoryBook.Dependencies(
                library: library.store, variables: variables, home: voice.paths.home,
                input: { [readInput = library.readInput] limit in
                    isatty(0) == 1 ? nil : try await readInput(limit)
                }))
        let voices = StoryVoiceBook(
            book: book,
            StoryVoiceBook.Dependencies(
                engine: { try voice.speechEngine() }, standard: voice.voiceChoice,
                speak: { utterance in
                    let report = try await voice.speaker(try voice.speechEngine())
                        .speak([utterance])
                    if let problem = report.problems.first { throw problem.error }
                }))
        let sound = StorySound(
            engine: { try voice.speechEngine() },
            voices: { try await voices.voices(of: $0, cast: $1) },
            cache: SoundCache(folder: voice.paths.sound, environment: voice.environment),
            host: { voice.speechHost() }, variables: variables)
        return StoryServer(book: book, library: library, sound: sound, voices: voices)
    }
}
