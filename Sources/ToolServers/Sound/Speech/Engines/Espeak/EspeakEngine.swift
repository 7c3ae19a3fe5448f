import Base
import Synchronization

/// Speech by espeak-ng as a separate program, one run for each utterance or one for many
/// (`EspeakReaders`). This keeps its licence (GPL) separate, and ending the run ends the
/// speech.
///
/// The text goes to its stdin without anything that it would interpret (`EspeakText`); the
/// sound is read as it is made, and adjusted to the loudness of the other voices. No text
/// is kept.
package final class EspeakEngine: SpeechEngine {
    package let name = "espeak-ng"
    private let program: EspeakProgram
    private let voiceBook: EspeakVoices
    private let standard: EspeakVoiceName
    private let readers: EspeakReaders?

    /// Cached answers for every utterance: each call to the voice book is a change of
    /// thread.
    private struct Known {
        var version: String?
        /// The voice and its gain, by the requested name and pitch.
        var voices: [String: (name: EspeakVoiceName, gain: Double)] = [:]
    }
    private let known = Mutex(Known())

    /// - Parameters:
    ///   - cache: stores the list of voices, which takes a second or two to find out.
    ///   - readsOn: one run speaks many utterances of its voice, as long as the engine
    ///     exists. It costs half, and the sound is not the same to the byte each time:
    ///     `version` reflects that.
    /// - Throws: `needsProgram`.
    package init(
        environment: Environment, cache: EspeakVoiceCache = .none, readsOn: Bool = false
    ) throws(SpeechError) {
        let program = try EspeakProgram(environment: environment)
        self.program = program
        readers = readsOn ? EspeakReaders(program) : nil
        voiceBook = EspeakVoices(program: program, cache: cache)
        standard = EspeakVoiceName.standard(in: environment.variables)
    }

    package static func isInstalled(_ variables: [String: String]) -> Bool {
        EspeakProgram.isInstalled(variables)
    }

    package func voices() async throws -> [SpeechVoice] {
        try await voices(for: nil) { _ in }
    }

    package func voices(
        for language: String?, onTrial: @escaping VoiceTrial.Handler
    ) async throws -> [SpeechVoice] {
        try await voiceBook.all(
            try await standardVoice().name, language: language, onTrial: onTrial)
    }

    package func likelyVoices() async throws -> [SpeechVoice] {
        try await voiceBook.likely(try await standardVoice().name)
    }

    package func version() async throws -> String {
        if let version = known.withLock({ $0.version }) { return version }
        let form = readers == nil ? "" : " in a row"
        let version = "\(try await voiceBook.version()) \(standard.text) \(Loudness.form)\(form)"
        known.withLock { $0.version = version }
        return version
    }

    package func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        guard let text = EspeakText.bytes(utterance.text) else {
            throw SpeechError(reason: .nothingToSay)
        }
        let (voice, gain) = try await voice(utterance.voice)
        if let readers, let sound = try await readers.sound(voice, utterance.voice, text: text) {
            var louder = SampleGain(gain, format: sound.format)
            let bytes = Mutex<[UInt8]?>(louder.take(sound.bytes))
            return SpokenAudio(format: sound.format) {
                bytes.withLock { $0.take() }
            }
        }
        let run: EspeakRun
        do {
            run = try EspeakRun(
                program, program.arguments(voice, utterance.voice), text: text, gain: gain)
        } catch let error as SubprocessError {
            throw program.failure(error)
        }
        let first = try await run.begin()
        let isFirst = Atomic(true)
        return SpokenAudio(format: first.format) {
            if isFirst.exchange(false, ordering: .relaxed) { return first.sound }
            return try await run.next()
        }
    }

    // MARK: - Voices

    private func voice(
        _ choice: VoiceChoice
    ) async throws -> (name: EspeakVoiceName, gain: Double) {
        let key = "\(choice.identifier ?? "") \(choice.pitch)"
        if let voice = known.withLock({ $0.voices[key] }) { return voice }
        let voice = try await find(choice)
        known.withLock { $0.voices[key] = voice }
        return voice
    }

    private func find(
        _ choice: VoiceChoice
    ) async throws -> (name: EspeakVoiceName, gain: Double) {
        guard let identifier = choice.identifier else {
            return try await standardVoice(pitch: choice.pitch)
        }
        guard let name = EspeakVoiceName(identifier) else {
            throw SpeechError(reason: .unknownVoice(identifier, nearest: nil))
        }
        return (name, try await voiceBook.gain(name, pitch: choice.pitch))
    }

    /// The voice for the user's language, otherwise the English one.
    private func standardVoice(
        pitch: Double = 1
    ) async throws -> (name: EspeakVoiceName, gain: Double) {
        do {
            return (standard, try await voiceBook.gain(standard, pitch: pitch))
        } catch let error as SpeechError {
            guard case .unknownVoice = error.reason else { throw error }
            let english = EspeakVoiceName.standard(in: [:])
            return (english, try await voiceBook.gain(english, pitch: pitch))
        }
    }
}

/// Sanitizes text for espeak-ng's stdin: words only, without anything that it interprets.
/// Pure.
///
/// espeak-ng reads `[[…]]` as phonemes and U+0001 as the start of a command even without
/// `-m` (docs/markup.md of its sources); tags are read aloud when they are not markup, and
/// options are only recognized in arguments.
enum EspeakText {
    /// Nil if nothing in it can be spoken.
    static func bytes(_ text: String) -> [UInt8]? {
        var out = String.UnicodeScalarView()
        var isSpoken = false
        for scalar in text.unicodeScalars {
            switch scalar {
            case "[": out.append("(")
            case "]": out.append(")")
            case _ where scalar.properties.isWhitespace: out.append(" ")
            case _ where SpokenCharacters.mayPass(scalar):
                isSpoken = isSpoken || SpokenCharacters.isSpoken(scalar) || isNamed(scalar)
                out.append(scalar)
            default: break
            }
        }
        return isSpoken ? Array(String(out).utf8) + [0x0A] : nil
    }

    /// Whether a symbol is read by its name: `+`, `€`, `😀`.
    private static func isNamed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .mathSymbol, .currencySymbol, .otherSymbol: true
        default: "@#%&*".unicodeScalars.contains(scalar)
        }
    }
}
