import AgentCore
import Glibc

/// Sound that was made before, by what it was made from: one private file for each
/// utterance, those that were not heard for the longest time removed first.
///
/// What cannot be read or written costs time and nothing else, so nothing of it is an
/// error: the sound is made again.
package actor SoundCache {
    /// The disk may block.
    private let executor = QueueExecutor(label: "chat.sound")
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    package struct Sound: Sendable, Equatable {
        package var format: PCMFormat
        package var bytes: [UInt8]
    }

    /// What it keeps between commands: some six hours of espeak-ng's sound.
    package static let usualLimit = 1 << 30
    /// No sentence has more.
    package static let soundLimit = 64 << 20

    private nonisolated let folder: String
    private let environment: Environment
    private var limit: Int
    /// Bytes of all files; nil before they were counted.
    private var size: Int?
    private var hasFolder = false

    package private(set) var hits = 0
    package private(set) var misses = 0

    /// - Parameter folder: made with the first sound that is kept.
    package init(folder: String, environment: Environment, limit: Int = usualLimit) {
        self.folder = folder
        self.environment = environment
        self.limit = limit
    }

    /// By what tells one sound from another.
    package static func key(_ parts: [String]) -> String {
        var sum = SHA256()
        // What a part ends with is not what the next begins with.
        for part in parts { sum.add(Array("\(part.utf8.count):\(part)".utf8)) }
        return SHA256.hex(sum.digest())
    }

    /// So much has to stay, for work that comes back to it; less again with the next limit.
    package func keep(_ bytes: Int) {
        limit = bytes
        if let size, size > limit { prune() }
    }

    // MARK: - Sounds

    package func sound(_ key: String) -> Sound? {
        let path = path(key)
        // Not there is the usual reason.
        guard let file = try? WholeFile.read(path, limit: Self.soundLimit),
            let sound = Self.decoded(file)
        else {
            misses += 1
            return nil
        }
        hits += 1
        // It was heard now.
        utimensat(AT_FDCWD, path, nil, 0)
        return sound
    }

    package func add(_ sound: Sound, _ key: String) {
        guard sound.bytes.count <= min(Self.soundLimit - Self.headBytes, limit) else { return }
        if !hasFolder {
            guard PrivateFolder.make(folder) == 0 else { return }
            hasFolder = true
        }
        let known = count()
        let file = Self.encoded(sound)
        let temporary = "\(folder)/.\(environment.uuid())"
        // Not on the disk yet is good enough: a damaged file is found by its checksum.
        let code = WholeFile.replace(file, at: path(key), temporary: temporary, syncs: false)
        guard code == 0 else { return }
        size = known + file.count
        if known + file.count > limit { prune() }
    }

    private func path(_ key: String) -> String { "\(folder)/\(key)\(Self.ending)" }

    // MARK: - Files

    private static let ending = ".pcm"
    private static let mark = Array("CHATPCM1".utf8)
    private static let headBytes = 24

    /// A mark, rate, channels, length and checksum of the samples (little-endian, 32 bits
    /// each), and the samples.
    private static func encoded(_ sound: Sound) -> [UInt8] {
        let numbers = [
            UInt32(sound.format.rate), UInt32(sound.format.channels), UInt32(sound.bytes.count),
            CRC32.of(sound.bytes),
        ]
        var file = mark
        file.reserveCapacity(headBytes + sound.bytes.count)
        for number in numbers {
            for shift in [0, 8, 16, 24] as [UInt32] {
                file.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        return file + sound.bytes
    }

    private static func decoded(_ file: [UInt8]) -> Sound? {
        guard file.count >= headBytes, file.starts(with: mark) else { return nil }
        // The four numbers are within the head.
        let numbers = (0..<4).map { place -> UInt32 in
            let start = mark.count + 4 * place
            return file[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        let bytes = Array(file[headBytes...])
        guard (1...1_000_000).contains(numbers[0]), (1...2).contains(numbers[1]),
            Int(numbers[2]) == bytes.count, numbers[3] == CRC32.of(bytes)
        else { return nil }
        return Sound(
            format: PCMFormat(rate: Int(numbers[0]), channels: Int(numbers[1])), bytes: bytes)
    }

    /// Counted once; other processes that add to it are seen by the next one.
    private func count() -> Int {
        if let size { return size }
        let counted = files().reduce(0) { $0 + $1.bytes }
        size = counted
        return counted
    }

    private struct File {
        var path: String
        var bytes: Int
        /// When it was last heard, in nanoseconds.
        var heard: Int
    }

    private func files() -> [File] {
        (FilePath.names(in: folder) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard name.hasSuffix(Self.ending) || Self.isLeftOver(name), lstat(path, &status) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { return nil }
            return File(
                path: path, bytes: Int(status.st_size),
                heard: status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec)
        }
    }

    /// Of a process that was killed while it wrote; it goes with the oldest.
    private static func isLeftOver(_ name: String) -> Bool {
        name.hasPrefix(".") && name.utf8.count == 37
    }

    /// Down to nine tenths, so that it is not done for every sound.
    private func prune() {
        let files = files().sorted { ($0.heard, $0.path) < ($1.heard, $1.path) }
        var total = files.reduce(0) { $0 + $1.bytes }
        for file in files where total > limit / 10 * 9 {
            if unlink(file.path) == 0 { total -= file.bytes }
        }
        size = total
    }
}

/// An engine whose sound is kept: the same utterance is made once.
package struct CachedSpeechEngine: SpeechEngine {
    private let engine: any SpeechEngine
    private let cache: SoundCache

    package init(_ engine: any SpeechEngine, cache: SoundCache) {
        self.engine = engine
        self.cache = cache
    }

    package var name: String { engine.name }
    package func voices() async throws -> [SpeechVoice] { try await engine.voices() }
    package func likelyVoices() async throws -> [SpeechVoice] { try await engine.likelyVoices() }
    package func version() async throws -> String { try await engine.version() }

    package func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        let voice = utterance.voice
        let key = SoundCache.key([
            engine.name, try await engine.version(), voice.identifier ?? "", "\(voice.rate)",
            "\(voice.pitch)", "\(voice.volume)", utterance.text,
        ])
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

/// The bytes of one sound, on their way into the cache or out of it.
private actor WholeSound {
    private var bytes: [UInt8]
    /// More than the cache takes: what comes is not kept.
    private var isTooLong = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func add(_ more: [UInt8]) {
        isTooLong = isTooLong || bytes.count + more.count > SoundCache.soundLimit
        if isTooLong { bytes = [] } else { bytes += more }
    }

    func take() -> [UInt8]? {
        defer { bytes = [] }
        return bytes.isEmpty ? nil : bytes
    }
}
