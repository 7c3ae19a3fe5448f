import Base
import Glibc
import StoryKit

/// Finds the voices that espeak-ng really has, and their loudness: each speaks a sentence,
/// and one that fails, or sounds like another, is left out.
///
/// They are tried only when the list is requested, for the language to be spoken, and the
/// results are stored with the program's version. Speaking needs only the chosen voice.
actor EspeakVoices: QueuedActor {
    /// The measured sound of a voice.
    struct Sample: Sendable, Equatable {
        /// FNV-1a hash of its bytes.
        var hash: UInt64
        var gain: Double
        /// Nil if only the loudness was requested, to speak at once.
        var measure: VoiceMeasure?
    }

    /// Contains the sounds in which accents differ.
    static let probe = Array("Hello there, are you asking for a bath after the dance?\n".utf8)
    /// A longer text, because some voices hiss, and some hum.
    private static let passage =
        probe.dropLast()
        + Array(" Seven slow swans sang, and we all went home to see her.\n".utf8)
    /// Number of parallel runs, of a twentieth of a second each, while the user waits.
    static let atOnce = max(2, min(8, sysconf(Int32(_SC_NPROCESSORS_ONLN))))

    // The list is read from and written to a file.
    nonisolated let executor = QueueExecutor(label: "chat.voices")

    private let program: EspeakProgram
    private let cache: EspeakVoiceCache
    private var list: EspeakVoiceList?
    private var listing: EspeakListing?
    private var gains: [EspeakVoiceName: Double] = [:]
    private var versionLine: String?

    init(program: EspeakProgram, cache: EspeakVoiceCache) {
        self.program = program
        self.cache = cache
    }

    /// The gain of an existing voice at the given pitch: some get louder with pitch, and
    /// some do not.
    /// - Throws: `unknownVoice`, and errors of the program.
    func gain(_ name: EspeakVoiceName, pitch: Double) async throws -> Double {
        let own = try await gain(name)
        let pitch = EspeakProgram.pitch(pitch)
        if pitch == EspeakProgram.pitch(1) { return own }
        do {
            return try await Self.sample(
                name, program, text: Self.passage, options: ["-p", "\(pitch)"]
            ).gain
        } catch is SpeechError {
            // The error appears when it speaks.
            return own
        }
    }

    /// The gain of an existing voice.
    /// - Throws: `unknownVoice`, and errors of the program.
    private func gain(_ name: EspeakVoiceName) async throws -> Double {
        if let gain = gains[name] { return gain }
        if let gain = try await keptList()?.gain(of: name) {
            gains[name] = gain
            return gain
        }
        guard let base = EspeakVoiceName(name.base) else {
            throw unknown(name, try await theListing())
        }
        // At once: the user waits for the first word.
        async let listed = theListing(withVariants: name.variant != nil)
        async let sounded = self.sample(base)
        async let varied = name.variant == nil ? nil : self.sample(name)
        let listing = try await listed
        let isBase =
            listing.bases.contains { $0.identifier == name.base }
            || listing.aliases.contains(name.base)
        guard isBase else { throw unknown(name, listing) }
        var sample = try await sounded
        if let variant = try await varied {
            // espeak-ng does not reject unknown variants: the base speaks.
            if variant.hash == sample.hash { throw unknown(name, listing) }
            sample = variant
        }
        gains[name] = sample.gain
        return sample.gain
    }

    /// All voices worth choosing: the languages and accents, and every variant of the
    /// standard voice.
    ///
    /// Results are stored even if the rest fails or is cancelled.
    /// - Parameter language: the language whose accents are tried; nil for all.
    func all(
        _ standard: EspeakVoiceName, language: String? = nil,
        onTrial: @escaping VoiceTrial.Handler = { _ in }
    ) async throws -> [SpeechVoice] {
        var list = try await list(standard)
        let untried = list.untried(for: language)
        if untried.isEmpty { return list.voices() }
        defer {
            self.list = list
            cache.write(JSONWriter.bytes(list.json))
        }
        try await tryOut(untried, &list, onTrial)
        return list.voices()
    }

    /// The stored list, otherwise the voices that the program names.
    func likely(_ standard: EspeakVoiceName) async throws -> [SpeechVoice] {
        try await list(standard).voices(believes: true)
    }

    private func list(_ standard: EspeakVoiceName) async throws -> EspeakVoiceList {
        if let list = try await keptList(), list.standard == standard.text { return list }
        return EspeakVoiceList(
            version: try await version(), standard: standard.text,
            entries: try await candidates(standard).map { EspeakVoiceList.Entry(voice: $0) })
    }

    private func candidates(_ standard: EspeakVoiceName) async throws -> [SpeechVoice] {
        let listing = try await theListing()
        let base = listing.bases.first { $0.identifier == standard.base }
        var candidates = listing.bases.map { row in
            SpeechVoice(
                identifier: row.identifier, name: row.name, language: row.identifier,
                gender: row.gender)
        }
        candidates += listing.variants.map { row in
            SpeechVoice(
                identifier: "\(standard.base)+\(row.identifier)",
                name: "\(base?.name ?? standard.base), \(row.name)", language: standard.base,
                gender: row.gender)
        }
        return candidates
    }

    // MARK: - Asking the program

    private func keptList() async throws -> EspeakVoiceList? {
        if let list { return list }
        guard let bytes = cache.read(), let kept = EspeakVoiceList(bytes),
            kept.version == (try await version())
        else { return nil }
        list = kept
        return kept
    }

    /// The program's version string; requested once.
    func version() async throws -> String {
        if let known = versionLine { return known }
        let output = try await program.run(["--version"])
        let line = String(decoding: output.prefix(200).prefix { $0 != 0x0A }, as: UTF8.self)
        versionLine = line
        return line
    }

    /// - Parameter withVariants: the list is cached only with variants.
    private func theListing(withVariants: Bool = true) async throws -> EspeakListing {
        if let listing { return listing }
        async let voices = program.run(["--voices"])
        async let variants = withVariants ? program.run(["--voices=variant"]) : []
        let listing = EspeakListing(
            voices: String(decoding: try await voices, as: UTF8.self),
            variants: String(decoding: try await variants, as: UTF8.self))
        if withVariants { self.listing = listing }
        return listing
    }

    private func sample(_ name: EspeakVoiceName) async throws -> Sample {
        try await Self.sample(name, program)
    }

    private static func sample(
        _ name: EspeakVoiceName, _ program: EspeakProgram, text: [UInt8] = probe,
        options: [String] = [], isMeasured: Bool = false
    ) async throws -> Sample {
        let bytes = try await program.run(program.arguments(name) + options, input: text)
        var wave = WaveStream()
        // Invalid WAV data has no samples, which is the failure below.
        let sound = (try? wave.feed(bytes)) ?? []
        let loudness = Loudness(sound)
        guard loudness.level > 0 else {
            throw SpeechError(
                reason: .programFailed(EspeakProgram.name, status: 0, message: "no sound"))
        }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        sound.withUnsafeBytes { raw in
            for byte in raw { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        return Sample(
            hash: hash, gain: loudness.gain,
            measure: isMeasured
                ? VoiceMeasure(sound, rate: wave.format?.rate ?? 22_050) : nil)
    }

    /// Tries voices, a few at a time.
    private func tryOut(
        _ voices: [SpeechVoice], _ list: inout EspeakVoiceList,
        _ onTrial: @escaping VoiceTrial.Handler
    ) async throws {
        let program = program
        try await withThrowingTaskGroup(of: (String, Sample?).self) { group in
            var waiting = voices.makeIterator()
            func start() {
                guard let voice = waiting.next(), let name = EspeakVoiceName(voice.identifier)
                else { return }
                group.addTask {
                    do {
                        let sample = try await Self.sample(name, program, isMeasured: true)
                        return (voice.identifier, sample)
                    } catch let error as SpeechError {
                        if case .programFailed = error.reason { return (voice.identifier, nil) }
                        throw error
                    }
                }
            }
            for _ in 0..<Self.atOnce { start() }
            var trial = VoiceTrial(done: 0, count: voices.count)
            onTrial(trial)
            while let (identifier, sample) = try await group.next() {
                list.note(identifier, sample)
                trial.done += 1
                onTrial(trial)
                start()
            }
        }
    }

    private func unknown(_ name: EspeakVoiceName, _ listing: EspeakListing) -> SpeechError {
        var known = listing.bases.map(\.identifier)
        if name.variant != nil {
            known += listing.variants.map { "\(name.base)+\($0.identifier)" }
        }
        return SpeechError(
            reason: .unknownVoice(
                name.text, nearest: NearestWord.find(name.text, among: known)))
    }
}

/// Storage for the list of voices between launches: access to a small file.
package struct EspeakVoiceCache: Sendable {
    package var read: @Sendable () -> [UInt8]?
    /// Errors are ignored: the list is then made again.
    package var write: @Sendable ([UInt8]) -> Void

    package init(
        read: @escaping @Sendable () -> [UInt8]?, write: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.read = read
        self.write = write
    }

    package static let none = EspeakVoiceCache(read: { nil }, write: { _ in })
}
