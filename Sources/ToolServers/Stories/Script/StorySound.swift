import Persistence
import Sound
import StoryKit

/// What rendering and reading aloud get from the program: the voices, and the sound already made.
package struct StorySound: Sendable {
    /// - Throws: `SpeechError`: a missing program, an address of no use.
    package var engine: @Sendable () throws -> any SpeechEngine
    /// With which voice each character speaks.
    package var voices:
        @Sendable (
            _ item: LibraryItem, _ cast: Cast, _ onTrial: @escaping VoiceTrial.Handler
        ) async throws -> StoryVoices
    package var cache: SoundCache
    /// The server elsewhere that gets what is read; nil where no other machine does.
    package var host: @Sendable () -> String?
    /// Of the environment, for ffmpeg.
    package var variables: [String: String]
    var free: @Sendable (_ folder: String) -> DiskRoom.Free? = { DiskRoom.free($0) }

    package init(
        engine: @escaping @Sendable () throws -> any SpeechEngine,
        voices:
            @escaping @Sendable (
                _ item: LibraryItem, _ cast: Cast, _ onTrial: @escaping VoiceTrial.Handler
            ) async throws -> StoryVoices,
        cache: SoundCache, host: @escaping @Sendable () -> String?, variables: [String: String]
    ) {
        self.engine = engine
        self.voices = voices
        self.cache = cache
        self.host = host
        self.variables = variables
    }
}

extension StoryBook {
    /// Who speaks, by the cast that is kept, or by what is found without a model; on this
    /// actor's own queue, for a novel takes a while.
    func spoken(_ item: LibraryItem) throws -> StorySegments {
        StorySegments(item, try Story.cast(of: item)?.cast ?? index(item, cast: nil).cast.cast)
    }
}
