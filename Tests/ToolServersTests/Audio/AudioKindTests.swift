import Foundation
import TestSupport
import XCTest

@testable import Sound

final class AudioKindTests: XCTestCase {
    /// Options of ffmpeg, and what comes of them.
    static let made: [(name: String, options: [String], kind: AudioKind)] = [
        ("a.wav", ["-c:a", "pcm_s24le"], .wav), ("b.wav", ["-rf64", "always"], .wav),
        ("c.wav", ["-ac", "6"], .wav), ("a.flac", [], .flac),
        ("a.ogg", ["-c:a", "libvorbis"], .ogg), ("a.opus", ["-c:a", "libopus"], .ogg),
        ("a.spx", ["-c:a", "libspeex", "-ar", "16000"], .ogg),
        ("flac.oga", ["-c:a", "flac", "-f", "ogg"], .ogg), ("a.mp3", [], .mp3),
        ("bare.mp3", ["-id3v2_version", "0", "-write_xing", "0"], .mp3),
        ("low.mp3", ["-ar", "8000", "-b:a", "8k"], .mp3), ("a.mp2", ["-c:a", "mp2"], .mp3),
        ("a.m4a", [], .m4a), ("fast.m4a", ["-movflags", "faststart"], .m4a), ("a.mp4", [], .mp4),
        ("a.mov", [], .mp4), ("frag.mp4", ["-movflags", "frag_keyframe+empty_moov"], .mp4),
        ("a.webm", [], .webm), ("a.mka", ["-c:a", "flac"], .webm), ("a.aac", [], .aac),
        ("a.aiff", [], .aiff), ("a.caf", [], .caf), ("a.wma", [], .wma),
    ]

    func testRealFilesAreKnownByContentWhateverTheirNames() throws {
        let files = try SoundFiles()
        _ = try files.speech()
        var heads: [[UInt8]] = []
        try files.convertAll(Self.made.map { ($0.name, $0.options) })
        for (name, _, kind) in Self.made {
            let path = files.folder.path(name)
            let head = Array(try files.folder.read(name).prefix(AudioKind.headBytes))
            XCTAssertEqual(AudioKind(head: head), kind, name)
            let wrong = files.folder.path("\(name).txt")
            try FileManager.default.moveItem(atPath: path, toPath: wrong)
            XCTAssertEqual(try AudioFile(wrong).kind, kind, name)
            heads.append(head)
        }
        // Each cut short and with bytes changed: another answer, never a trap.
        var random = SplitMix(seed: 5)
        for head in heads {
            for count in 0..<100 { _ = AudioKind(head: Array(head.prefix(count))) }
            for _ in 0..<20 {
                var bytes = Array(head.prefix(Int.random(in: 1...2_000, using: &random)))
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
                        in: 0...255, using: &random)
                }
                _ = AudioKind(head: bytes)
                _ = try files.folder.write(bytes, to: "changed")
                _ = try? AudioFile(files.folder.path("changed"))
            }
        }
    }

    func testAMR() {
        XCTAssertEqual(AudioKind(head: Array("#!AMR\n....".utf8)), .amr)
        XCTAssertEqual(AudioKind(head: Array("#!AMR-WB\n....".utf8)), .amr)
    }

    func testAnMP3BehindALargeTagIsFoundInTheFile() throws {
        let files = try SoundFiles()
        _ = try files.speech()
        _ = try files.converted("plain.mp3", ["-id3v2_version", "0"])
        let sound = try files.folder.read("plain.mp3")
        // A tag of 200,000 bytes with a picture in it.
        let size = 200_000
        let safe = [size >> 21 & 127, size >> 14 & 127, size >> 7 & 127, size & 127].map(UInt8.init)
        let picture = Array("image/png".utf8)
        let length = 150_000
        let frame =
            Array("APIC".utf8) + [0, 2, 0x49, 0xF0, 0, 0, 0] + picture + [0, 3, 0]
        let tag =
            Array("ID3".utf8) + [3, 0, 0] + safe + frame
            + Array(repeating: 0xFF, count: length - 13)
            + Array(repeating: 0, count: size - length - 10)
        let path = try files.folder.write(tag + sound, to: "tagged")
        let file = try AudioFile(path)
        XCTAssertEqual(file.kind, .mp3)
        XCTAssertEqual(
            try XCTUnwrap(file.duration),
            try XCTUnwrap(files.duration(files.folder.path("plain.mp3"))), accuracy: 0.05)
        // A tag in front of FLAC, and in front of nothing.
        _ = try files.converted("plain.flac", [])
        let flac = try files.folder.write(
            tag + (try files.folder.read("plain.flac")), to: "tagged.flac")
        XCTAssertEqual(try AudioFile(flac).kind, .flac)
        let nothing = try files.folder.write(tag + Array("<html>".utf8), to: "nothing.mp3")
        XCTAssertThrowsError(try AudioFile(nothing)) {
            XCTAssertEqual(($0 as? AudioError)?.reason, .notAudio(looksLike: nil))
        }
    }

    func testAStreamThatWasCutInAFrameIsStillMP3() throws {
        let files = try SoundFiles()
        _ = try files.speech()
        _ = try files.converted("bare.mp3", ["-id3v2_version", "0", "-write_xing", "0"])
        let bytes = Array(try files.folder.read("bare.mp3").dropFirst(1_000))
        XCTAssertEqual(AudioKind(head: bytes), .mp3)
    }

    func testWhatIsNoSoundIsNamed() throws {
        let files = try SoundFiles()
        let words = "Grüße, 世界!\n".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let utf16: [UInt8] = [0xFF, 0xFE] + words
        let strangers: [(String, [UInt8], String?)] = [
            ("notes.mp3", Array("Call the dentist.\n".utf8), "text"),
            ("utf16.mp3", utf16, "text"),
            ("page.mp3", Array("<!DOCTYPE html>\n<html><body>404</body></html>".utf8), "web page"),
            ("list.mp3", Array("#EXTM3U\n#EXT-X-TARGETDURATION:1\n/etc/passwd\n".utf8), "playlist"),
            ("concat.mp3", Array("ffconcat version 1.0\nfile /etc/passwd\n".utf8), "playlist"),
            ("a.wav", Array("%PDF-1.7\n".utf8), "PDF"),
            ("b.wav", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], "PNG picture"),
            ("c.wav", Array("RIFF\u{10}\0\0\0AVI LIST".utf8), "AVI video"),
            ("d.wav", Array("RIFF\u{10}\0\0\0WEBPVP8 ".utf8), "WebP picture"),
            ("e.m4a", Array("\0\0\0\u{18}ftypheic".utf8), "picture"),
            ("zeros.mp3", Array(repeating: 0, count: 100_000), "zeros"),
            ("short.wav", Array("RIFF".utf8), "text"), ("one.mp3", [0xFF], nil),
            ("sync.mp3", [0xFF, 0xFB, 0x90, 0x64] + Array(repeating: 0, count: 3_000), nil),
        ]
        for (name, bytes, looksLike) in strangers {
            XCTAssertNil(AudioKind(head: bytes), name)
            XCTAssertThrowsError(try AudioFile(try files.folder.write(bytes, to: name)), name) {
                XCTAssertEqual(
                    $0 as? AudioError,
                    AudioError(
                        reason: .notAudio(looksLike: looksLike), path: files.folder.path(name)))
            }
        }
    }

    func testVideoWithoutSoundIsNoSound() throws {
        let files = try SoundFiles()
        let picture = ["-f", "lavfi", "-i", "color=size=32x32:duration=1:rate=5"]
        for (name, codec) in [("v.ogv", "libtheora"), ("v.mp4", "libx264")] {
            try files.run(
                "ffmpeg", ["-nostdin", "-v", "error"] + picture + ["-c:v", codec, name])
            XCTAssertThrowsError(try AudioFile(files.folder.path(name)), name) {
                XCTAssertEqual(
                    ($0 as? AudioError)?.reason, .notAudio(looksLike: "video without sound"), name)
            }
        }
    }

    func testRandomBytesAreNoSound() {
        var random = SplitMix(seed: 77)
        for _ in 0..<60 {
            let count = Int.random(in: 0...20_000, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            XCTAssertNil(AudioKind(head: bytes))
        }
    }
}
