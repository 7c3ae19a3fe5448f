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
        let usual = VoiceConfig(
            voiceIdentifier: voice.voiceChoice.identifier, rate: voice.voiceChoice.rate,
            pitchMultiplier: voice.voiceChoice.pitch, volume: voice.voiceChoice.volume)
        let sound = StorySound(
            engine: { try voice.speechEngine() },
            voices: { _, cast in
                let part = StoryVoices.Part(usual)
                return StoryVoices(
                    narrator: part,
                    characters: [StoryVoices.Part](repeating: part, count: cast.characters.count),
                    unknown: part)
            },
            cache: SoundCache(folder: voice.paths.sound, environment: voice.environment),
            host: { voice.speechHost() }, variables: variables)
        return StoryServer(book: book, library: library, sound: sound)
    }
}
