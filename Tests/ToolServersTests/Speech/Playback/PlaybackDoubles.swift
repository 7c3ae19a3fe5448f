import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

/// An environment whose pace costs no time: sleeps below a second move its
/// clock and return at once. Longer ones, which only a player that hangs needs,
/// are real.
func hurriedEnvironment(_ variables: [String: String] = [:]) -> Base.Environment {
    let time = HurriedTime()
    let real = Environment.system(variables: variables)
    var environment = real
    environment.uptime = { time.now }
    environment.sinceBoot = environment.uptime
    environment.sleep = { duration in
        if duration >= .seconds(1) { return try await real.sleep(duration) }
        try Task.checkCancellation()
        time.advance(by: Double(duration.components.attoseconds) / 1e18)
        await Task.yield()
    }
    return environment
}

private final class HurriedTime: Sendable {
    private let time = Mutex(1000.0)

    var now: Double { time.withLock { $0 } }
    func advance(by seconds: Double) { time.withLock { $0 += seconds } }
}

/// A player as a shell script; `$1` is the file where it leaves its sound.
struct FakePlayer {
    let folder: TemporaryFolder
    let command: [String]

    init(_ script: String = "exec cat > \"$1\"") throws {
        folder = try TemporaryFolder()
        command =
            ["/bin/sh", "-c", "echo $$ > \"$2\"; " + script, "sh"]
            + [folder.path("sound"), folder.path("pid")]
    }

    var sound: [UInt8] { get throws { try folder.read("sound") } }

    /// Nil before it has started.
    var pid: Int32? {
        guard let bytes = try? folder.read("pid") else { return nil }
        return Int32(String(decoding: bytes, as: UTF8.self).dropLast())
    }

    /// - Parameter first: how long it may take to begin.
    func sink(
        _ environment: Base.Environment? = nil, first: Duration = .seconds(20)
    ) -> PlayerSink {
        PlayerSink(
            command: command, environment: environment ?? hurriedEnvironment(),
            patience: PlayerSink.Patience(first: first))
    }

    func assertGone(line: UInt = #line) throws {
        // One that was killed before its first word left no number.
        guard let pid else { return }
        XCTAssertEqual(kill(pid, 0), -1, "the player is there", line: line)
    }
}

/// Sound by number: utterance "3" is made of bytes that say where they are.
final class ScriptedEngine: SpeechEngine {
    enum Sound: Sendable {
        case bytes([UInt8], PCMFormat)
        case fails(SpeechError)
        /// After these bytes nothing comes until the task is cancelled.
        case hangs([UInt8])
    }

    static let format = PCMFormat(rate: 1000)

    let name = "scripted"
    private let sound: @Sendable (String) -> Sound
    private let asked = Mutex<[String]>([])

    init(_ sound: @escaping @Sendable (String) -> Sound) {
        self.sound = sound
    }

    /// Texts, in the order in which their sound was asked for.
    var texts: [String] { asked.withLock { $0 } }

    func voices() async throws -> [SpeechVoice] { [] }

    func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        asked.withLock { $0.append(utterance.text) }
        switch sound(utterance.text) {
        case .fails(let error): throw error
        case .hangs(let bytes): return Self.audio(bytes, Self.format, hangs: true)
        case .bytes(let bytes, let format): return Self.audio(bytes, format, hangs: false)
        }
    }

    private static func audio(
        _ bytes: [UInt8], _ format: PCMFormat, hangs: Bool
    ) -> SpokenAudio {
        let rest = Mutexed(bytes[...])
        return SpokenAudio(format: format) {
            // 16 whole blocks: where a block ends does not depend on how soon
            // the next part comes, and tests count blocks.
            let part = rest.take(320 * format.bytesPerFrame)
            if part.isEmpty, hangs { try await PlaybackSignal().wait() }
            return part.isEmpty ? nil : part
        }
    }
}

private final class Mutexed: Sendable {
    private let rest: Mutex<ArraySlice<UInt8>>

    init(_ bytes: ArraySlice<UInt8>) { rest = Mutex(bytes) }

    func take(_ count: Int) -> [UInt8] {
        rest.withLock { rest in
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }
}

/// Passes sound on, keeps a copy, and tells after each block how much it was.
actor WatchedSink: AudioSink {
    enum Event: Equatable {
        case begin(PCMFormat)
        case finish, stop, drop
    }

    private let inner: (any AudioSink)?
    private(set) var bytes: [UInt8] = []
    private(set) var events: [Event] = []
    private var onBlock: (@Sendable (Int) async -> Void)?
    private var onEnd: (@Sendable () async -> Void)?

    init(_ inner: (any AudioSink)? = nil) { self.inner = inner }

    func afterEachBlock(_ body: @escaping @Sendable (Int) async -> Void) { onBlock = body }

    func begin(_ format: PCMFormat) async throws {
        events.append(.begin(format))
        try await inner?.begin(format)
    }

    func write(_ block: [UInt8]) async throws {
        try Task.checkCancellation()
        try await inner?.write(block)
        bytes += block
        await onBlock?(bytes.count)
    }

    func beforeEnd(_ body: @escaping @Sendable () async -> Void) { onEnd = body }

    func finish() async throws {
        events.append(.finish)
        await onEnd?()
        try await inner?.finish()
    }

    func stop() async {
        events.append(.stop)
        await inner?.stop()
    }

    func drop() async {
        events.append(.drop)
        await inner?.drop()
    }

    func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async {
        await inner?.observe(onEvent)
    }
}
