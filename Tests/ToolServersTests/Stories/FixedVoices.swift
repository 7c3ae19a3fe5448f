@testable import Sound

/// An engine with three voices of each gender that makes no sound.
struct FixedVoices: SpeechEngine {
    let name = "espeak-ng"

    func voices() async throws -> [SpeechVoice] {
        [SpeechVoice(identifier: "en-gb", name: "English", language: "en-gb")]
            + [
                ("f3", 212), ("f2", 197), ("grandma", 204), ("m3", 106), ("m7", 90),
                ("grandpa", 109),
            ]
            .map { variant, pitch in
                SpeechVoice(
                    identifier: "en-gb+\(variant)", name: variant, language: "en-gb",
                    pitch: Double(pitch),
                    centroid: 1_000)
            }
    }

    func likelyVoices() async throws -> [SpeechVoice] { try await voices() }
    func version() async throws -> String { "1" }
    func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        throw CancellationError()
    }
}
