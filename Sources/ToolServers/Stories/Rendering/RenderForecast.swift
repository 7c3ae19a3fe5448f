import Sound
import StoryKit

/// Estimates how long a story's sound will be and how long rendering takes, from its first
/// sentences, which are rendered and cached for it.
struct RenderForecast: Sendable, Equatable {
    /// Seconds of sound, including pauses.
    var seconds: Double
    /// Seconds of sound still to be made.
    var missing: Double
    /// Seconds until it is made; nil if nothing is missing.
    var time: Double?
    /// Whether each line was made before.
    var isMade: [Bool]

    var madeCount: Int { isMade.count { $0 } }

    /// Number of sentences rendered for the estimate.
    static let tried = 12

    /// - Throws: rendering errors; a missing voice is found here.
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
        // A title is not typical of the rest.
        let scale = min(1.5, max(0.67, sound / expected))
        seconds = all * scale + pauses
        self.missing = (left - expected) * scale
        time = self.missing / sound * (uptime() - start)
    }
}
