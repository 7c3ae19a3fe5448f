import AgentCore

/// The protocol of a speech engine, which converts text to sound: a program or a server.
package protocol SpeechEngine: Sendable {
    /// "espeak-ng", or the host of a server.
    var name: String { get }

    /// The voices that work; tried once and cached.
    /// - Throws: `SpeechError`, `CancellationError`.
    func voices() async throws -> [SpeechVoice]

    /// The voices for one use.
    /// - Parameters:
    ///   - language: the language to be spoken ("en-GB"): voices of other languages may be
    ///     listed untried. Nil for all.
    ///   - onTrial: progress of trying; not called if nothing has to be tried.
    /// - Throws: `SpeechError`, `CancellationError`.
    func voices(
        for language: String?, onTrial: @escaping VoiceTrial.Handler
    ) async throws -> [SpeechVoice]

    /// Voices by name only, at once and without a network: some of them may sound like
    /// others.
    func likelyVoices() async throws -> [SpeechVoice]

    /// Returns the sound of one utterance as it is made. Nothing is read before `next` is
    /// called; dropping it ends the synthesis.
    /// - Throws: `SpeechError`, `CancellationError`.
    func synthesize(_ utterance: Utterance) async throws -> SpokenAudio

    /// Everything that the sound depends on besides the utterance: engines with the same
    /// name and version produce the same sound.
    /// - Throws: `SpeechError`, `CancellationError`.
    func version() async throws -> String
}

extension SpeechEngine {
    package func voices(
        for language: String?, onTrial: @escaping VoiceTrial.Handler
    ) async throws -> [SpeechVoice] {
        try await voices()
    }

    package func likelyVoices() async throws -> [SpeechVoice] { [] }

    package func version() async throws -> String { "" }
}

/// Progress of trying voices.
package struct VoiceTrial: Sendable, Equatable {
    /// Must be quick; may be called from any thread.
    package typealias Handler = @Sendable (VoiceTrial) -> Void

    package var done: Int
    package var count: Int

    package init(done: Int, count: Int) { (self.done, self.count) = (done, count) }

    /// "34/102"
    package var text: String { "\(done)/\(count)" }

    /// - Parameter title: title of the item that the voices are for.
    package func progress(_ title: String) -> ToolProgress {
        var progress = ToolProgress(activity: "Preparing", title: title)
        progress.part = "trying voices \(text)"
        progress.fraction = Double(done) / Double(max(1, count))
        progress.hint = "what was tried is kept"
        return progress
    }
}

/// About a sentence, read in one breath by one voice.
package struct Utterance: Sendable, Equatable {
    /// Plain text: no markup, no control characters.
    package var text: String
    package var voice: VoiceChoice
    /// Silence after it, in seconds.
    package var pause: Double

    package init(text: String, voice: VoiceChoice = VoiceChoice(), pause: Double = 0.25) {
        self.text = text
        self.voice = voice
        self.pause = pause
    }
}

/// A voice and its settings, in terms that apply to every engine.
package struct VoiceChoice: Sendable, Equatable {
    /// An engine's voice ID (`en-gb+f3`, `nova`); nil for the engine's default.
    package var identifier: String?
    /// 0 (slow) … 1 (fast); 0.3 is about 165 words a minute.
    package var rate: Double
    /// 0.5 … 2, 1 being the voice's own.
    package var pitch: Double
    /// 0 … 1.
    package var volume: Double

    package init(
        identifier: String? = nil, rate: Double = 0.3, pitch: Double = 1, volume: Double = 0.5
    ) {
        self.identifier = identifier
        self.rate = rate
        self.pitch = pitch
        self.volume = volume
    }
}

extension VoiceChoice {
    /// Speed as a multiple of the standard rate, as servers and piper take it.
    var speed: Double {
        let rate = rate.isNaN ? VoiceChoice().rate : min(1, max(0, rate))
        return ((80 + rate * 290) / (80 + VoiceChoice().rate * 290) * 100).rounded() / 100
    }
}

package struct SpeechVoice: Sendable, Equatable {
    package enum Gender: String, Sendable { case female, male, neutral }

    package var identifier: String
    /// Display name: "English (Great Britain), f3".
    package var name: String
    /// BCP 47 in lowercase: `en-gb`; empty for a voice for any language.
    package var language: String
    package var gender: Gender?
    /// Fundamental frequency in Hz; nil if not measured.
    package var pitch: Double?
    /// Centre of gravity of its spectrum in Hz: how bright it is.
    package var centroid: Double?
}

/// Sound while it is made; for one consumer.
package struct SpokenAudio: Sendable {
    package let format: PCMFormat
    private let read: @Sendable () async throws -> [UInt8]?

    package init(
        format: PCMFormat, _ read: @escaping @Sendable () async throws -> [UInt8]?
    ) {
        self.format = format
        self.read = read
    }

    /// The next whole frames, or nil at the end.
    package func next() async throws -> [UInt8]? { try await read() }
}

/// Chooses the engine from the user's settings and the installed programs. Pure.
///
/// A server is used only if configured: text is never sent out because a program is
/// missing.
package enum SpeechEngineChoice: Sendable, Equatable {
    case espeak
    case piper
    case server
    /// One of these programs must be installed.
    case needsProgram([String])

    /// - Parameter hasEspeak: whether espeak-ng is in the `PATH`.
    package init(_ settings: VoiceSettings.Speech, hasEspeak: Bool) {
        switch (settings.engine, settings.baseURL) {
        case (.server, _), (.auto, _?): self = .server
        case (.piper, _): self = .piper
        case (.espeak, _), (.auto, nil):
            self = hasEspeak ? .espeak : .needsProgram([EspeakProgram.name])
        }
    }
}
