import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

final class AudioFileTests: XCTestCase {
    private func reason(_ path: String) -> AudioError.Reason? {
        do {
            _ = try AudioFile(path)
            return nil
        } catch {
            XCTAssertEqual(error.path, path)
            return error.reason
        }
    }

    func testWhatIsNoFileOfSoundIsRefusedAtOnce() throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(mkfifo(folder.path("fifo"), 0o600), 0)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("nowhere"))
        let locked = try folder.write(Array("RIFF".utf8), to: "locked")
        XCTAssertEqual(chmod(locked, 0), 0)
        XCTAssertEqual(reason(try folder.write([], to: "empty.wav")), .empty)
        let header = SoundFiles.header(rate: 8_000, channels: 1, dataBytes: 0)
        XCTAssertEqual(reason(try folder.write(header, to: "header.wav")), .empty)
        XCTAssertEqual(reason(folder.path), .file(.isFolder))
        XCTAssertEqual(reason(folder.path("fifo")), .file(.notRegular))
        XCTAssertEqual(reason("/dev/zero"), .file(.notRegular))
        XCTAssertEqual(reason("/dev/null"), .file(.notRegular))
        XCTAssertEqual(reason(folder.path("missing.wav")), .file(.system(ENOENT)))
        XCTAssertEqual(reason(folder.path("link")), .file(.system(ENOENT)))
        XCTAssertEqual(reason("\(locked)/a.wav"), .file(.system(ENOTDIR)))
        XCTAssertEqual(reason(""), .file(.system(ENOENT)))
        if getuid() != 0 { XCTAssertEqual(reason(locked), .file(.system(EACCES))) }
        // It says that it is empty, and would be read without an end.
        XCTAssertEqual(reason("/proc/self/mem"), .empty)
    }

    func testAFileThatVanishesIsStillTheOneThatWasOpened() throws {
        let files = try SoundFiles()
        let path = try files.wave("a.wav", rate: 8_000, Array(repeating: 7, count: 8_000))
        let file = try AudioFile(path)
        try FileManager.default.removeItem(atPath: path)
        XCTAssertEqual(try file.file.read(at: 44, count: 2), [7, 0])
        XCTAssertEqual(reason(path), .file(.system(ENOENT)))
    }

    func testDurationsAreThoseOfFFmpeg() throws {
        let files = try SoundFiles()
        _ = try files.speech(String(repeating: "One two three four. ", count: 5))
        try files.convertAll(AudioKindTests.made.map { ($0.name, $0.options) })
        let durations = try files.durations(AudioKindTests.made.map { $0.name })
        for (name, _, _) in AudioKindTests.made {
            let file = try AudioFile(files.folder.path(name))
            switch name {
            case "a.caf", "a.wma", "a.webm", "a.mka", "a.aiff", "frag.mp4":
                XCTAssertNil(file.duration, name)
                continue
            default: break
            }
            let expected = try XCTUnwrap(durations[name], name)
            let duration = try XCTUnwrap(file.duration, name)
            // Only estimates may be off, by less than a tenth of a second.
            let isEstimate = ["a.aac", "bare.mp3", "low.mp3", "a.mp2"].contains(name)
            XCTAssertEqual(
                duration, expected, accuracy: isEstimate ? expected * 0.05 : 0.03, name)
        }
    }

    func testChangedBytesNeverTrap() throws {
        let files = try SoundFiles()
        _ = try files.speech("Hi.")
        var random = SplitMix(seed: 21)
        let rounds = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 60 : 5_000
        for name in [
            "a.wav", "a.flac", "a.ogg", "a.opus", "a.mp3", "a.m4a", "a.mov", "a.webm",
            "a.aiff", "a.aac",
        ] {
            _ = try files.converted(
                name, ["-metadata", "title=Home", "-metadata", "location=+1+2/"])
            let bytes = try files.folder.read(name)
            let kind = try XCTUnwrap(AudioKind(head: bytes), name)
            for _ in 0..<rounds {
                var changed = bytes
                for _ in 0..<Int.random(in: 1...12, using: &random) {
                    // Headers are in front or, with MP4, behind.
                    let isFront = Bool.random(using: &random)
                    let offset = Int.random(in: 0..<min(1_200, changed.count), using: &random)
                    let at = isFront ? offset : changed.count - 1 - offset
                    let value =
                        [0, 0xFF, 0x7F, 0x80, UInt8.random(in: 0...255, using: &random)]
                        .randomElement(using: &random) ?? 0
                    // Whole numbers, too: their greatest and their least.
                    let count = [1, 1, 2, 4, 8].randomElement(using: &random) ?? 1
                    for place in at..<min(at + count, changed.count) {
                        changed[place] = place == at || value == 0x80 || value == 0 ? value : 0xFF
                    }
                }
                if random.once(in: 4) {
                    changed.removeLast(Int.random(in: 0..<changed.count, using: &random))
                }
                _ = AudioKind(head: changed)
                let source = AudioSource(changed)
                let wave =
                    kind == .wav ? try WaveHeader.read(source, fileBytes: changed.count) : nil
                _ = try AudioDetails(source, kind: kind, wave: wave)
            }
        }
    }

    func testARecordingThatWasCutBeforeItsIndexIsDamaged() throws {
        let files = try SoundFiles()
        _ = try files.speech()
        _ = try files.converted("a.m4a", [])
        let bytes = try files.folder.read("a.m4a")
        let cut = try files.folder.write(bytes.prefix(bytes.count / 2), to: "cut.m4a")
        XCTAssertEqual(reason(cut), .damaged(.m4a))
        let wave = try files.folder.write(Array("RIFF\0\0\0\0WAVEfmt ".utf8), to: "cut.wav")
        XCTAssertEqual(reason(wave), .damaged(.wav))
        let flac = try files.folder.write(Array("fLaC\0".utf8), to: "cut.flac")
        XCTAssertEqual(reason(flac), .damaged(.flac))
    }
}
