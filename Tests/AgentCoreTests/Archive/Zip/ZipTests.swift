import Base
import Foundation
import TestSupport
import XCTest

/// Archives of our own: written, read, and changed in ways that are refused.
final class ZipTests: XCTestCase {
    private let date = Date(timeIntervalSince1970: 1_795_385_217)

    private func archive(_ members: [(String, [UInt8])]) throws -> [UInt8] {
        try ZipWriter.bytes { writer in
            for (name, bytes) in members { try writer.add(name, bytes, modified: date) }
        }
    }

    /// The archive with one name in place of another of the same length.
    private func renamed(_ name: String, to other: String, in bytes: [UInt8]) -> [UInt8] {
        var data = Data(bytes)
        while let range = data.range(of: Data(name.utf8)) {
            data.replaceSubrange(range, with: Data(other.utf8))
        }
        return Array(data)
    }

    private func reason(
        _ bytes: [UInt8], limits: ZipReader.Limits = .init()
    ) -> ArchiveError.Reason? {
        do throws(ArchiveError) {
            let reader = try ZipReader(ArchiveSource(bytes), limits: limits)
            for member in reader.members { _ = try reader.bytes(of: member) }
            return nil
        } catch {
            return error.reason
        }
    }

    func testMembersComeBackWithNameTimeAndContent() throws {
        let members = ArchiveSamples.all.enumerated().map { ("f/\($0)-é田.bin", $1) }
        let reader = try ZipReader(ArchiveSource(try archive(members)))
        XCTAssertEqual(reader.members.map(\.name), members.map(\.0))
        XCTAssertEqual(reader.members.map(\.size), members.map(\.1.count))
        XCTAssertEqual(Set(reader.members.map(\.modified)), [date])
        for (member, (_, bytes)) in zip(reader.members, members) {
            XCTAssertEqual(try reader.bytes(of: member), bytes)
        }
        // Noise is stored, the rest is deflated.
        XCTAssertEqual(reader.members[6].method, .stored)
        XCTAssertEqual(reader.members[5].method, .deflated)
    }

    func testALongMemberIsWrittenAndReadInPieces() throws {
        var random = SplitMix(seed: 6)
        let long = ArchiveSamples.mixed(300_000, &random)
        let bytes = try ZipWriter.bytes { writer in
            var rest = long[...]
            try writer.add("long", modified: date) {
                defer { rest = rest.dropFirst(1_000) }
                return Array(rest.prefix(1_000))
            }
            try writer.add("after", [1])
        }
        var largest = 0
        var asked = 0
        let reader = try ZipReader(
            ArchiveSource(size: bytes.count) { offset, count in
                largest = max(largest, count)
                asked += 1
                return Array(bytes[offset..<offset + count])
            })
        var plain: [UInt8] = []
        try reader.read(try XCTUnwrap(reader.member("long"))) { piece in
            XCTAssertLessThanOrEqual(piece.count, 64 << 10)
            plain += piece
        }
        XCTAssertEqual(plain, long)
        XCTAssertLessThanOrEqual(largest, 66_000)
        XCTAssertGreaterThan(asked, 4)
        XCTAssertEqual(try reader.bytes(of: try XCTUnwrap(reader.member("after"))), [1])
    }

    /// What an EPUB demands of its first member.
    func testAMemberWithoutATimeHasNoExtraFieldAndIsWhereReadersLook() throws {
        let bytes = try ZipWriter.bytes { writer in
            try writer.add("mimetype", Array("application/epub+zip".utf8), method: .stored)
        }
        XCTAssertEqual(Array(bytes[28..<30]), [0, 0])
        XCTAssertEqual(Array(bytes[38..<58]), Array("application/epub+zip".utf8))
    }

    func testUnsafeAndDoubleNamesAreNotWritten() {
        for name in [
            "", "/a", "../a", "a/../b", "a//b", "./a", "C:a", "a\\b", "a\nb", "a/",
            // With this mark in front of it the slash is part of another character.
            "a\u{600}/../b",
        ] {
            XCTAssertThrowsError(try archive([(name, [1])])) {
                XCTAssertEqual(($0 as? ArchiveError)?.reason, .unsafeName, name)
            }
        }
        XCTAssertThrowsError(try archive([("a", [1]), ("a", [2])])) {
            XCTAssertEqual(($0 as? ArchiveError)?.reason, .duplicate)
        }
    }

    func testNamesThatLeadOutOfTheFolderAreRefused() throws {
        let bytes = try archive([("safe", [1]), ("dd/name", [2])])
        for name in [
            "../name", "/d/name", "d/../ab", "dd/..//", "C:/name", "d\\\\name", "dd//ame",
            "./ename", "dd/na\0e", "dd/na\ne", "dd/./me",
        ] where name.utf8.count == 7 {
            XCTAssertEqual(reason(renamed("dd/name", to: name, in: bytes)), .unsafeName, name)
        }
    }

    func testLinksDevicesAndEncryptedMembersAreRefused() throws {
        let bytes = try archive([("link", Array("/etc/passwd".utf8))])
        let central = try XCTUnwrap(Data(bytes).range(of: Data([0x50, 0x4B, 1, 2]))?.lowerBound)
        func changed(_ offset: Int, _ byte: UInt8) -> [UInt8] {
            var copy = bytes
            copy[central + offset] = byte
            return copy
        }
        XCTAssertEqual(reason(changed(41, 0xA1)), .link)
        XCTAssertEqual(reason(changed(41, 0x11)), .special)
        XCTAssertEqual(reason(changed(8, 1)), .encrypted)
        XCTAssertEqual(reason(changed(10, 99)), .unsupported("compression method 99"))
        XCTAssertNil(reason(changed(41, 0x81)))
    }

    func testDoubleAndOverlappingMembersAreRefused() throws {
        let bytes = try archive([("aa", [1, 2, 3]), ("bb", [4, 5, 6])])
        XCTAssertEqual(reason(renamed("bb", to: "aa", in: bytes)), .duplicate)
        let nested = try archive([("aa", [1]), ("bb/c", [2])])
        XCTAssertEqual(reason(renamed("bb/c", to: "aa/c", in: nested)), .duplicate)
        // Both entries of the directory point to the first member.
        var shared = bytes
        let first = try XCTUnwrap(Data(bytes).range(of: Data([0x50, 0x4B, 1, 2]))?.lowerBound)
        let second = try XCTUnwrap(
            Data(bytes).range(of: Data([0x50, 0x4B, 1, 2]), options: .backwards)?.lowerBound)
        shared.replaceSubrange(second + 42..<second + 46, with: [0, 0, 0, 0])
        XCTAssertEqual(reason(shared), .damaged("its two headers differ"))
        shared.replaceSubrange(second..<second + 46 + 2, with: bytes[first..<first + 46 + 2])
        XCTAssertEqual(reason(shared), .overlap)
    }

    func testBombsAreRefusedBeforeTheyAreRead() throws {
        var limits = ZipReader.Limits()
        limits.total = 1_000
        let large = try archive([
            ("a", [UInt8](repeating: 0, count: 600)), ("b", ArchiveSamples.text),
        ])
        XCTAssertEqual(reason(large, limits: limits), .tooLarge(1_000))
        limits = .init()
        limits.members = 1
        XCTAssertEqual(reason(large, limits: limits), .tooMany(1))
        limits = .init()
        limits.ratio = 100
        let tight = try archive([("a", [UInt8](repeating: 0, count: 3 << 20))])
        XCTAssertEqual(reason(tight, limits: limits), .bomb(ratio: limits.ratio))
        XCTAssertNil(reason(tight))
    }

    /// It says that it is short and is not, or the other way round.
    func testAMemberOfAnotherLengthThanItSaysIsDamaged() throws {
        let bytes = try archive([("a", ArchiveSamples.text)])
        let central = try XCTUnwrap(Data(bytes).range(of: Data([0x50, 0x4B, 1, 2]))?.lowerBound)
        for (size, what) in [
            (10, "it is longer than its header says"),
            (9_999, "it is shorter than its header says"),
        ] {
            var copy = bytes
            copy[central + 24] = UInt8(size & 255)
            copy[central + 25] = UInt8(size >> 8)
            XCTAssertEqual(reason(copy), .damaged(what))
        }
    }

    func testEveryArchiveThatEndsTooEarlyIsRefused() throws {
        let bytes = try archive([("a", ArchiveSamples.text), ("b", [1, 2, 3])])
        for count in 0..<bytes.count {
            let found = reason(Array(bytes[..<count]))
            XCTAssertTrue(found == .truncated || found == .notZip, "\(count): \(found as Any)")
        }
    }

    /// Each byte changed in turn: never a trap, never another content.
    func testNoChangedByteGoesUnnoticedInTheContent() throws {
        let members = [("a.txt", Array(ArchiveSamples.text[..<300])), ("b", [1, 2, 3])]
        let bytes = try archive(members)
        var refused = 0
        for place in bytes.indices {
            var copy = bytes
            copy[place] ^= 0x55
            guard let reader = try? ZipReader(ArchiveSource(copy)) else {
                refused += 1
                continue
            }
            for (member, (_, content)) in zip(reader.members, members) {
                if let read = try? reader.bytes(of: member) { XCTAssertEqual(read, content) }
            }
        }
        XCTAssertGreaterThan(refused, 60)
    }

    /// Seeded: pieces of archives put together in wrong ways.
    func testAnyBytesEndWithoutATrap() throws {
        var random = SplitMix(seed: 77)
        let seeds = [
            try archive([("a", ArchiveSamples.text), ("b/c", [1, 2, 3])]),
            try ZipWriter.bytes { writer in
                var isDone = false
                try writer.add("é") {
                    defer { isDone = true }
                    return isDone ? [] : ArchiveSamples.text
                }
            },
        ]
        for _ in 0..<3_000 {
            var bytes = seeds[Int.random(in: 0...1, using: &random)]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0...3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] = 0xFF
                case 2 where bytes.count > 40: bytes.remove(at: place)
                default: bytes.insert(bytes[place], at: place)
                }
            }
            _ = reason(bytes)
        }
    }
}
