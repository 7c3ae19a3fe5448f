import Sound
import StoryKit

/// How much sound a story will be, and how long making it takes: by its first sentences,
/// which are made for it and kept.
struct RenderForecast: Sendable, Equatable {
    /// Of sound, with its pauses.
    var seconds: Double
    /// Of sound that is to be made.
    var missing: Double
    /// Until it is made; nil where nothing is to be made.
    var time: Double?
    /// Whether each line was made before.
    var isMade: [Bool]

    var madeCount: Int { isMade.count { $0 } }

    /// Sentences that are made to find out.
    static let tried = 12

    /// - Throws: what rendering throws: a voice that is missing shows here.
    init(
        _ script: StoryScript, _ voices: StoryVoices, _ engine: CachedSpeechEngine,
        uptime: @Sendable () -> Double
    ) async throws {
        var isMade: [Bool] = []
        for line in script.lines {
            isMade.append(try await engine.isKept(line.utterance(voices)))
        }
        self.isMade = isMade
        let missing = script.lines.indices.filter { !isMade[$0] }
        func likely(_ lines: some Sequence<StoryScript.Line>) -> Double {
            lines.reduce(0) { $0 + StoryScript.likelySeconds($1, voices) }
        }
        let (all, left) = (likely(script.lines), likely(missing.map { script.lines[$0] }))
        let pauses = script.lines.reduce(0) { $0 + $1.pause }
        (seconds, self.missing, time) = (all + pauses, left, nil)
        guard !missing.isEmpty else { return }
        let first = Array(missing.prefix(Self.tried))
        let start = uptime()
        let made: StoryRenderer.Rendered
        do {
            made = try await StoryRenderer(engine: engine, voices: voices)
                .render(script.only(first), into: nil)
        } catch let error as SpeechError where error.reason == .nothingToSay {
            return
        }
        let sound = made.seconds(made.frames - made.silentFrames)
        let expected = likely(first.map { script.lines[$0] })
        guard expected > 0, sound > 0 else { return }
        // A title says little of the rest.
        let scale = min(1.5, max(0.67, sound / expected))
        seconds = all * scale + pauses
        self.missing = (left - expected) * scale
        time = self.missing / sound * (uptime() - start)
    }
}
