import Base

/// Cache of synthesized sound, keyed by what it was made from: one private file for each
/// utterance of a story; the least recently played are removed first.
///
/// Read and write failures only cost time, so they are not errors: the sound is made again.
package actor SoundCache: QueuedActor {
    /// The disk may block.
    package nonisolated let executor = QueueExecutor(label: "chat.sound")

    package struct Sound: Sendable, Equatable {
        package var format: PCMFormat
        package var bytes: [UInt8]
    }

    /// Usual limit between commands: some six hours of espeak-ng's sound.
    package static let usualLimit = 1 << 30
    /// Maximum bytes of a sound, more than any sentence has.
    package static let soundLimit = 64 << 20

    package nonisolated let folder: String
    private var files: CacheFolder

    package private(set) var hits = 0
    package private(set) var misses = 0

    /// - Parameter folder: created with the first sound.
    package init(folder: String, environment: Environment, limit: Int = usualLimit) {
        self.folder = folder
        files = CacheFolder(
            folder, ending: Self.ending, limit: limit, uuid: environment.uuid)
    }

    /// - Parameters:
    ///   - owner: the `uid` of the story.
    ///   - parts: everything that distinguishes the sounds of one story.
    package static func key(_ parts: [String], of owner: String) -> String {
        "\(owner).\(CacheFolder.key(parts))"
    }

    /// Removes the sound of every story but these.
    package func removeAll(butOf stories: Set<String>) { files.removeAll(butOf: stories) }

    /// Sets the number of bytes kept: more during work that returns to its sound, fewer
    /// again afterwards.
    package func keep(_ bytes: Int) { files.keep(bytes) }

    // MARK: - Sounds

    package func sound(_ key: String) -> Sound? {
        guard let file = files.read(key, limit: Self.soundLimit), let sound = Self.decoded(file)
        else {
            misses += 1
            return nil
        }
        hits += 1
        return sound
    }

    /// Whether the sound exists; its content is checked when it is read.
    package func has(_ key: String) -> Bool { files.has(key) }

    package func add(_ sound: Sound, _ key: String) {
        if sound.bytes.count <= Self.soundLimit - Self.headBytes {
            files.add(Self.encoded(sound), key)
        }
    }

    // MARK: - Files

    private static let ending = ".pcm"
    private static let mark = Array("CHATPCM2".utf8)
    private static let headBytes = 24

    /// A mark, rate, channels, length and checksum of the samples (little-endian, 32 bits
    /// each), and the samples.
    private static func encoded(_ sound: Sound) -> [UInt8] {
        let numbers = [
            UInt32(sound.format.rate), UInt32(sound.format.channels), UInt32(sound.bytes.count),
            checksum(sound.bytes),
        ]
        var file = mark
        file.reserveCapacity(headBytes + sound.bytes.count)
        for number in numbers {
            for shift in [0, 8, 16, 24] as [UInt32] {
                file.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        file += sound.bytes
        return file
    }

    private static func decoded(_ file: [UInt8]) -> Sound? {
        guard file.count >= headBytes, file.starts(with: mark) else { return nil }
        // The four numbers are in the header.
        let numbers = (0..<4).map { place -> UInt32 in
            let start = mark.count + 4 * place
            return file[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let bytes = Array(file[headBytes...])
        guard (1...1_000_000).contains(numbers[0]), (1...2).contains(numbers[1]),
            Int(numbers[2]) == bytes.count, numbers[3] == checksum(bytes)
        else { return nil }
        return Sound(
            format: PCMFormat(rate: Int(numbers[0]), channels: Int(numbers[1])), bytes: bytes)
    }

    /// FNV-1a over eight bytes at a time, using half of its bits: a tenth of the time of
    /// CRC-32, for hours of sound.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { raw in
            var sum: UInt64 = 0xCBF2_9CE4_8422_2325
            var place = 0
            while place &+ 8 <= raw.count {
                let word = raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                sum = (sum ^ UInt64(littleEndian: word)) &* 0x100_0000_01B3
                place &+= 8
            }
            for byte in raw[place...] { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return UInt32(truncatingIfNeeded: sum ^ sum >> 32)
        }
    }
}

/// An engine with a sound cache: the same utterance is synthesized once.
package struct CachedSpeechEngine: SpeechEngine {
    private let engine: any SpeechEngine
    private let cache: SoundCache
    private let story: String

    /// - Parameter story: the `uid` of the story; its sound is deleted with it.
    package init(_ engine: any SpeechEngine, cache: SoundCache, story: String) {
        self.engine = engine
        self.cache = cache
        self.story = story
    }

    package var name: String { engine.name }
    package func voices() async throws -> [SpeechVoice] { try await engine.voices() }
    package func voices(
        for language: String?, onTrial: @escaping VoiceTrial.Handler
    ) async throws -> [SpeechVoice] {
        try await engine.voices(for: language, onTrial: onTrial)
    }
    package func likelyVoices() async throws -> [SpeechVoice] { try await engine.likelyVoices() }
    package func version() async throws -> String { try await engine.version() }

    /// Whether the sound is cached.
    package func isKept(_ utterance: Utterance) async throws -> Bool {
        await cache.has(try await key(utterance))
    }

    private func key(_ utterance: Utterance) async throws -> String {
        let voice = utterance.voice
        return SoundCache.key(
            [
                engine.name, try await engine.version(), voice.identifier ?? "",
                "\(voice.rate)", "\(voice.pitch)", "\(voice.volume)", utterance.text,
            ], of: story)
    }

    package func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        let key = try await key(utterance)
        if let sound = await cache.sound(key) {
            let whole = WholeSound(sound.bytes)
            return SpokenAudio(format: sound.format) { await whole.take() }
        }
        let audio = try await engine.synthesize(utterance)
        let whole = WholeSound([])
        return SpokenAudio(format: audio.format) { [cache] in
            if let bytes = try await audio.next() {
                await whole.add(bytes)
                return bytes
            }
            if let bytes = await whole.take() {
                await cache.add(SoundCache.Sound(format: audio.format, bytes: bytes), key)
            }
            return nil
        }
    }
}

/// Collects the bytes of one sound on the way into or out of the cache.
private actor WholeSound {
    private var bytes: [UInt8]
    /// Longer than the cache accepts, so the rest is not collected.
    private var isTooLong = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func add(_ more: [UInt8]) {
        isTooLong = isTooLong || bytes.count + more.count > SoundCache.soundLimit
        if isTooLong {
            bytes = []
        } else if bytes.isEmpty {
            bytes = more
        } else {
            bytes += more
        }
    }

    func take() -> [UInt8]? {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
    }
}
