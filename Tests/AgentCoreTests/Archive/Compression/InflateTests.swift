import Base
import TestSupport
import XCTest

final class InflateTests: XCTestCase {
    /// A stored, a fixed and a dynamic block in one stream.
    private let stream: [UInt8] = {
        var deflate = Deflate()
        var random = SplitMix(seed: 8)
        let noise = (0..<66_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        return deflate.add(noise) + deflate.add(ArchiveSamples.text) + deflate.finish()
    }()

    func testTheExampleOfZlibInTheFixedCodeIsRead() throws {
        // "hello hello hello" by zlib.
        let packed: [UInt8] = [0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x57, 0xC8, 0x40, 0x90, 0x00]
        XCTAssertEqual(
            try Inflate.bytes(packed, limit: 100), Array("hello hello hello".utf8))
    }

    func testEveryCutOfAStreamGivesTheSameText() throws {
        let packed = Deflate.bytes(ArchiveSamples.text)
        for cut in 0...packed.count where cut > 0 {
            let (plain, consumed) = try ArchiveSamples.inflated(packed, pieces: [cut])
            XCTAssertEqual(plain, ArchiveSamples.text)
            XCTAssertEqual(consumed, packed.count)
        }
        let single = try ArchiveSamples.inflated(
            stream, pieces: Array(repeating: 1, count: stream.count))
        XCTAssertEqual(single.plain, try ArchiveSamples.inflated(stream).plain)
    }

    func testEveryStreamThatEndsTooEarlyIsTruncated() {
        let packed = Deflate.bytes(ArchiveSamples.text)
        for count in 0..<packed.count {
            XCTAssertThrowsError(try Inflate.bytes(Array(packed[..<count]), limit: 1 << 20)) {
                XCTAssertEqual(($0 as? ArchiveError)?.reason, .truncated)
            }
        }
    }

    func testBytesBehindTheEndAreNotTaken() throws {
        let packed = Deflate.bytes(ArchiveSamples.text)
        let (plain, consumed) = try ArchiveSamples.inflated(packed + [1, 2, 3])
        XCTAssertEqual(plain, ArchiveSamples.text)
        XCTAssertEqual(consumed, packed.count)
        XCTAssertThrowsError(try Inflate.bytes(packed + [0], limit: 1 << 20))
    }

    func testMoreThanTheLimitIsNotGivenOut() {
        let packed = Deflate.bytes([UInt8](repeating: 7, count: 1_000_000))
        var most = 0
        XCTAssertThrowsError(
            try {
                var rest = packed
                var inflate = Inflate(limit: 100_000) {
                    defer { rest = [] }
                    return rest
                }
                try inflate.run { most += $0.count }
            }()
        ) { XCTAssertEqual(($0 as? ArchiveError)?.reason, .tooLarge(100_000)) }
        XCTAssertLessThanOrEqual(most, 100_000)
    }

    func testWhatNoEncoderWritesIsDamage() {
        let streams: [(String, [UInt8])] = [
            ("an unknown block type", [0x07]),
            ("a stored block whose two lengths differ", [0x01, 0x05, 0x00, 0x00, 0x00]),
            // Fixed: a repetition before anything was written.
            ("a distance that reaches back before its start", [0x03, 0x02, 0x00]),
        ]
        for (what, bytes) in streams {
            XCTAssertThrowsError(try Inflate.bytes(bytes, limit: 100)) {
                XCTAssertEqual(($0 as? ArchiveError)?.reason, .damaged(what))
            }
        }
    }

    /// Seeded: any bytes end in a text or an error, within the limit.
    func testAnyBytesEndWithoutATrap() {
        var random = SplitMix(seed: 20_261_122)
        for round in 0..<4_000 {
            let count = Int.random(in: 0...200, using: &random)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            // Half of them begin as a dynamic block, where most can go wrong.
            if round.isMultiple(of: 2), count > 0 { bytes[0] = bytes[0] & 0xF8 | 5 }
            var most = 0
            var rest = bytes
            var inflate = Inflate(limit: 50_000) {
                defer { rest = [] }
                return rest
            }
            do throws(ArchiveError) {
                try inflate.run { (piece: [UInt8]) throws(ArchiveError) in most += piece.count }
            } catch {
                XCTAssertNotEqual(error.reason, .notZip)
            }
            XCTAssertLessThanOrEqual(most, 50_000, "seed 20261122, round \(round)")
        }
    }
}
