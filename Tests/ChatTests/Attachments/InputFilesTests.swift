import Foundation
import Outside
import TestSupport
import XCTest

@testable import ChatKit

/// What is read of a file, and what is refused before anything else happens.
final class InputFilesTests: XCTestCase {
    private func reason(_ path: String) -> AttachmentFailure.Reason? {
        do {
            _ = try InputFiles.load(path)
            return nil
        } catch {
            return error.reason
        }
    }

    func testWhatIsNoReadableFileIsRefusedAtOnce() throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(mkfifo(folder.path("fifo"), 0o600), 0)
        let locked = try folder.write([1], to: "locked")
        XCTAssertEqual(chmod(locked, 0), 0)
        let large = try folder.write([1], to: "large")
        XCTAssertEqual(truncate(large, off_t(InputFiles.limitInBytes + 1)), 0)
        XCTAssertEqual(reason(folder.path("fifo")), .notAFile)
        XCTAssertEqual(reason("/dev/zero"), .notAFile)
        XCTAssertEqual(reason(folder.path), .folder)
        XCTAssertEqual(reason(folder.path("gone")), .system(ENOENT))
        XCTAssertEqual(reason(large), .tooLarge(limit: InputFiles.limitInBytes))
        XCTAssertEqual(reason(try folder.write([], to: "empty")), .empty)
        if getuid() != 0 { XCTAssertEqual(reason(locked), .system(EACCES)) }
        let words = Array(repeating: UInt8(ascii: "a"), count: InputFiles.textLimitInBytes + 1)
        XCTAssertEqual(
            reason(try folder.write(words, to: "words")),
            .textTooLarge(limit: InputFiles.textLimitInBytes))
    }

    func testKindsThatNoModelTakesAreNamed() throws {
        let folder = try TemporaryFolder()
        let zip = Array("PK\u{3}\u{4}....".utf8)
        // 128 kbit at 44.1 kHz: 417 bytes. One alone is met by chance.
        let frame: [UInt8] = [0xFF, 0xFB, 0x90, 0] + Array(repeating: 0, count: 413)
        let files: [(String, [UInt8], FileKind.Unsupported)] = [
            ("a.docx", zip, .word), ("a.xlsx", zip, .spreadsheet), ("a.odp", zip, .slides),
            ("a.zip", zip, .archive), ("b", [0x1F, 0x8B, 8], .archive),
            ("a.heic", Array("\0\0\0\u{18}ftypheic".utf8), .heic),
            ("a.m4a", Array("\0\0\0\u{18}ftypM4A ".utf8), .audio),
            ("a.mp4", Array("\0\0\0\u{18}ftypisom".utf8), .video),
            ("a.wav", Array("RIFF\0\0\0\0WAVE".utf8), .audio),
            ("a.mp3", frame + frame, .audio), ("b", frame + frame, .audio),
            ("a.aiff", Array("FORM\0\0\0\u{10}AIFFCOMM".utf8), .audio),
            ("a.avi", Array("RIFF\0\0\0\0AVI ".utf8), .video),
            ("a.svg", Array("<svg/>".utf8), .svg),
            ("a.doc", [0xD0, 0xCF, 0x11, 0xE0], .word),
            ("a.tif", Array("II*\0".utf8), .tiff), ("a.so", [0x7F, 0x45, 0x4C, 0x46], .program),
            ("a.db", Array("SQLite format 3\0".utf8), .database),
        ]
        for (name, bytes, kind) in files {
            XCTAssertEqual(
                reason(try folder.write(bytes, to: name)), .unsupported(kind), name)
        }
        XCTAssertEqual(reason(try folder.write([0, 1, 2], to: "n")), .unknownType)
        XCTAssertEqual(reason(try folder.write([0xC3, 0x28], to: "l")), .unknownType)
        XCTAssertEqual(
            reason(try folder.write([0xFF, 0xD8, 0xFF, 0xD9], to: "j")), .brokenImage)
    }

    func testTextIsUTF8WhateverItWas() throws {
        let folder = try TemporaryFolder()
        let text = "Grüße 🌍\n"
        let little = Array(text.utf16).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        let big = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        for bytes in [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little,
            [0xFE, 0xFF] + big,
        ] {
            let path = try folder.write(bytes, to: "t.txt")
            XCTAssertEqual(try InputFiles.load(path).kind, .text(Array(text.utf8)))
        }
        // Half a character.
        XCTAssertEqual(
            reason(try folder.write([0xFF, 0xFE, 0x3D, 0xD8], to: "u")), .unknownType)
    }

    func testANameFitsOnALine() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("x".utf8), to: "a\n\u{1B}[31m.txt")
        XCTAssertEqual(try InputFiles.load(path).name, "a__[31m.txt")
    }

    func testFilesThatHoldKeysAreRecognized() {
        let secret = [
            ".env", "/a/.env.production", "~/.ssh/config", "id_ed25519", "/srv/tls.pem",
            "/home/u/.aws/credentials", "x/keys.json",
        ]
        let open = [
            "env.md", ".env.example", "id_rsa.pub", "notes.md", "monkey.txt", "/a/.envoy/x",
        ]
        for path in secret { XCTAssertTrue(SecretFile.looksSecret(path: path, bytes: []), path) }
        for path in open { XCTAssertFalse(SecretFile.looksSecret(path: path, bytes: []), path) }
        XCTAssertTrue(
            SecretFile.looksSecret(
                path: "a", bytes: Array("-----BEGIN OPENSSH PRIVATE KEY-----".utf8)))
    }
}
