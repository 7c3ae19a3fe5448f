import AgentCore
import Persistence
import StoryKit

/// What rendering and reading aloud have of the program: who speaks, and what was made.
package struct StorySound: Sendable {
    /// - Throws: `SpeechError`: a missing program, an address of no use.
    package var engine: @Sendable () throws -> any SpeechEngine
    /// With which voice each character speaks.
    package var voices: @Sendable (_ item: LibraryItem, _ cast: Cast) async throws -> StoryVoices
    package var cache: SoundCache
    /// The server elsewhere that gets what is read; nil where no other machine does.
    package var host: @Sendable () -> String?
    /// Of the environment, for ffmpeg.
    package var variables: [String: String]

    package init(
        engine: @escaping @Sendable () throws -> any SpeechEngine,
        voices:
            @escaping @Sendable (_ item: LibraryItem, _ cast: Cast) async throws -> StoryVoices,
        cache: SoundCache, host: @escaping @Sendable () -> String?, variables: [String: String]
    ) {
        self.engine = engine
        self.voices = voices
        self.cache = cache
        self.host = host
        self.variables = variables
    }

    /// Seconds of sound that an engine makes in a second; nil where that is not known.
    func pace(_ engine: String) -> Double? { engine == EspeakProgram.name ? 300 : nil }
}

/// A story with who speaks in it.
struct SpokenStory: Sendable {
    var text: StoryText
    var cast: Cast
    /// Indexes into the cast, by the indexes of the quotations among the spans.
    var speakers: [Int: Int]
}

extension StoryBook {
    /// By the cast that is kept, or by what is found without a model; on this actor's own
    /// queue, for a novel takes a while.
    func spoken(_ item: LibraryItem) throws -> SpokenStory {
        let story = Story(item)
        let text = StoryText(item.body, style: story.style, language: story.language)
        let cast = try Story.cast(of: item)?.cast ?? StoryIndex(text, cast: nil).cast.cast
        var speakers: [Int: Int] = [:]
        for attribution in Attributor(cast: cast).attribute(text) {
            speakers[attribution.span] = attribution.speaker
        }
        return SpokenStory(text: text, cast: cast, speakers: speakers)
    }
}
