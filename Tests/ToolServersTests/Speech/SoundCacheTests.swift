import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

final class SoundCacheTests: XCTestCase {
    private let format = PCMFormat(rate: 1000)

    private func cache(_ folder: TemporaryFolder, limit: Int = 1 << 20) -> SoundCache {
        SoundCache(
            folder: folder.path("sound"), environment: .system(variables: [:]), limit: limit)
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("sound")).sorted()
    }

    func testSoundComesBackInAnotherProcessAndIsPrivate() async throws {
        let folder = try TemporaryFolder()
        let sound = SoundCache.Sound(
            format: PCMFormat(rate: 24_000, channels: 2), bytes: [1, 2, 3, 4])
        let key = SoundCache.key(["a", "b"], of: "s")
        await cache(folder).add(sound, key)
        let other = cache(folder)
        let found = await other.sound(key)
        XCTAssertEqual(found, sound)
        let none = await other.sound(SoundCache.key(["ab"], of: "s"))
        XCTAssertNil(none)
        let counts = await [other.hits, other.misses]
        XCTAssertEqual(counts, [1, 1])
        XCTAssertNotEqual(
            SoundCache.key(["a", "b"], of: "s"), SoundCache.key(["ab", ""], of: "s"))
        let path = folder.path("sound/\(key).pcm")
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600)
    }

    /// Cut anywhere, or with any bit turned over.
    func testWhatIsDamagedIsNotHeard() async throws {
        let folder = try TemporaryFolder()
        let cache = cache(folder)
        let sound = SoundCache.Sound(format: format, bytes: [1, 2, 3, 4, 5, 6])
        let key = SoundCache.key(["x"], of: "s")
        await cache.add(sound, key)
        let whole = try folder.read("sound/\(key).pcm")
        for cut in whole.indices {
            try folder.write(whole[..<cut], to: "sound/\(key).pcm")
            let found = await cache.sound(key)
            XCTAssertNil(found, "cut at \(cut)")
            var turned = whole
            turned[cut] ^= 0x10
            try folder.write(turned, to: "sound/\(key).pcm")
            let other = await cache.sound(key)
            // The format is not part of the checksum; another rate is no damage.
            if !(8..<16).contains(cut) { XCTAssertNil(other, "turned at \(cut)") }
        }
        try folder.write(whole, to: "sound/\(key).pcm")
        let found = await cache.sound(key)
        XCTAssertEqual(found, sound)
    }

    func testTheSoundThatWasNotHeardForTheLongestTimeGoesFirst() async throws {
        let folder = try TemporaryFolder()
        // Room for ten of 100 bytes.
        let cache = cache(folder, limit: 1_050)
        let sound = SoundCache.Sound(format: format, bytes: [UInt8](repeating: 1, count: 76))
        func age(_ key: String, _ seconds: TimeInterval) throws {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
                ofItemAtPath: folder.path("sound/\(key).pcm"))
        }
        for index in 0..<10 {
            await cache.add(sound, "k\(index)")
            try age("k\(index)", TimeInterval(1_000 - index))
        }
        XCTAssertEqual(try names(folder).count, 10)
        let heard = await cache.sound("k0")
        XCTAssertNotNil(heard)
        await cache.add(sound, "new")
        XCTAssertEqual(
            try names(folder),
            [
                "k0.pcm", "k3.pcm", "k4.pcm", "k5.pcm", "k6.pcm", "k7.pcm", "k8.pcm", "k9.pcm",
                "new.pcm",
            ])
        await cache.keep(200)
        XCTAssertEqual(try names(folder), ["new.pcm"])
        // What has no room at all is not kept, and nothing goes for it.
        await cache.add(
            SoundCache.Sound(format: format, bytes: [UInt8](repeating: 0, count: 300)), "big")
        XCTAssertEqual(try names(folder), ["new.pcm"])
    }

    func testTheSoundOfAStoryGoesWithIt() async throws {
        let folder = try TemporaryFolder()
        let cache = cache(folder)
        let sound = SoundCache.Sound(format: format, bytes: [1, 2])
        let (mine, other) = (
            SoundCache.key(["x"], of: "one-1"), SoundCache.key(["x"], of: "one-12")
        )
        for key in [mine, other] { await cache.add(sound, key) }
        try folder.write([1], to: "sound/notes.txt")
        await cache.removeAll(butOf: ["one-1"])
        XCTAssertEqual(try names(folder), ["notes.txt", "\(mine).pcm"].sorted())
        let kept = await cache.sound(mine)
        XCTAssertEqual(kept, sound)
        await cache.removeAll(butOf: [])
        XCTAssertEqual(try names(folder), ["notes.txt"])
    }

    func testAnEngineIsAskedOnceForTheSameUtterance() async throws {
        let folder = try TemporaryFolder()
        let engine = ScriptedEngine { .bytes(Array($0.utf8), PCMFormat(rate: 1000)) }
        let cached = CachedSpeechEngine(engine, cache: cache(folder), story: "s")
        var loud = VoiceChoice()
        loud.volume = 1
        for (text, voice) in [
            ("one1", VoiceChoice()), ("one1", VoiceChoice()), ("one1", loud), ("two2", loud),
            ("two2", loud),
        ] {
            let audio = try await cached.synthesize(Utterance(text: text, voice: voice))
            let bytes = try await EspeakRig.all(audio)
            XCTAssertEqual(bytes, Array(text.utf8))
            XCTAssertEqual(audio.format, PCMFormat(rate: 1000))
        }
        XCTAssertEqual(engine.texts, ["one1", "one1", "two2"])
    }

    /// Sound that was not made to its end is no sound of that text.
    func testWhatWasStoppedIsNotKept() async throws {
        let folder = try TemporaryFolder()
        let engine = ScriptedEngine { _ in
            .bytes([UInt8](repeating: 1, count: 2_000), PCMFormat(rate: 1000))
        }
        let cached = CachedSpeechEngine(engine, cache: cache(folder), story: "s")
        let audio = try await cached.synthesize(Utterance(text: "one"))
        _ = try await audio.next()
        let again = try await EspeakRig.all(try await cached.synthesize(Utterance(text: "one")))
        XCTAssertEqual(again.count, 2_000)
        XCTAssertEqual(engine.texts, ["one", "one"])
    }
}
