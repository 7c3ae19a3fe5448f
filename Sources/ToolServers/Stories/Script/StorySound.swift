import Persistence
import Sound
import StoryKit

/// Dependencies of rendering and playback: the engine, the voices and the sound cache.
package struct StorySound: Sendable {
    /// - Throws: `SpeechError` for a missing program or an invalid address.
    package var engine: @Sendable () throws -> any SpeechEngine
    /// The voice of each character.
    package var voices:
        @Sendable (
            _ item: LibraryItem, _ cast: Cast, _ onTrial: @escaping VoiceTrial.Handler
        ) async throws -> StoryVoices
    package var cache: SoundCache
    /// The remote server that receives the text; nil if speech is local.
    package var host: @Sendable () -> String?
    /// Environment variables, for ffmpeg.
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
    /// Finds who speaks with the saved cast, or with one found without a model. Runs on
    /// this actor's own queue, because a novel takes a while.
    func spoken(_ item: LibraryItem) throws -> StorySegments {
        StorySegments(item, try Story.cast(of: item)?.cast ?? index(item, cast: nil).cast.cast)
    }
}
