import Base
import Foundation
import TestSupport
import XCTest

final class DeflateTests: XCTestCase {
    func testWhatWasPackedComesBackByteForByte() throws {
        for (number, sample) in ArchiveSamples.all.enumerated() {
            let packed = Deflate.bytes(sample)
            XCTAssertEqual(try Inflate.bytes(packed, limit: sample.count), sample, "\(number)")
            XCTAssertLessThanOrEqual(packed.count, sample.count + 5 * (sample.count / 65_535 + 1))
        }
    }

    func testThePiecesInWhichATextComesDoNotMatter() throws {
        var random = SplitMix(seed: 3)
        let sample = ArchiveSamples.mixed(200_000, &random)
        let whole = Deflate.bytes(sample)
        for _ in 0..<4 {
            var deflate = Deflate()
            var packed: [UInt8] = []
            var rest = sample[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...90_000, using: &random)
                packed += deflate.add(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            packed += deflate.finish()
            XCTAssertEqual(packed, whole)
        }
    }

    /// Readers, ours too, take more than 200 for a bomb.
    func testNothingIsPackedSoTightlyThatItLooksLikeABomb() {
        for count in [2_000, 65_535, 1_000_000] {
            let packed = Deflate.bytes([UInt8](repeating: 65, count: count))
            XCTAssertGreaterThan(packed.count * 180, count)
            XCTAssertLessThan(packed.count * 20, count)
        }
    }

    /// zlib at its usual level on the same texts: the fixed code costs less than two fifths.
    func testZlibReadsWhatWasPackedAndIsNotMuchSmaller() throws {
        let samples = ArchiveSamples.all.filter { $0.count < 160_000 }
        let answers = try PythonOracle.run(
            """
            import sys, zlib
            for line in sys.stdin:
                plain, packed = (bytes.fromhex(word) for word in line.rstrip('\\n').split(','))
                z = zlib.decompressobj(-15)
                ok = z.decompress(packed) + z.flush() == plain and z.eof and not z.unused_data
                c = zlib.compressobj(6, zlib.DEFLATED, -15)
                print(ok, len(c.compress(plain) + c.flush()))
            """, needs: "python3", input: samples.map { hex($0) + "," + hex(Deflate.bytes($0)) })
        XCTAssertEqual(answers.count, samples.count)
        for (sample, answer) in zip(samples, answers) {
            let words = answer.split(separator: " ")
            XCTAssertEqual(words.first, "True")
            let theirs = try XCTUnwrap(words.last.flatMap { Int($0) })
            if sample.count > 1_000 {
                XCTAssertLessThan(Double(Deflate.bytes(sample).count), Double(theirs) * 1.4)
            }
        }
    }

    /// Every level and strategy, and the same streams damaged: zlib and we agree
    /// on what they say and on whether they say anything.
    func testWeReadWhatZlibPacksAndJudgeDamageAsItDoes() throws {
        var random = SplitMix(seed: 1951)
        let samples = (0..<60).map { _ in
            ArchiveSamples.mixed(Int.random(in: 0...3_000, using: &random), &random)
        }
        let answers = try PythonOracle.run(
            """
            import sys, zlib, random
            random.seed(1951)
            def verdict(data):
                z = zlib.decompressobj(-15)
                try: plain = z.decompress(data, 1 << 24)
                except zlib.error: return 'bad'
                return 'cut' if not z.eof else plain.hex() + '.' + str(len(data) - len(z.unused_data))
            for line in sys.stdin:
                plain = bytes.fromhex(line.strip())
                for level, strategy in [(0,0),(1,0),(6,0),(9,0),(6,2),(6,3),(6,4)]:
                    c = zlib.compressobj(level, zlib.DEFLATED, -15, 8, strategy)
                    packed = c.compress(plain[:len(plain)//2])
                    packed += c.flush(zlib.Z_FULL_FLUSH) + c.compress(plain[len(plain)//2:]) + c.flush()
                    print(packed.hex() + ',' + verdict(packed))
                    for n in range(6):
                        other = bytearray(packed)
                        for _ in range(random.randint(1, 3)):
                            other[random.randrange(min(len(other), 200))] ^= 1 << random.randrange(8)
                        print(other.hex() + ',' + verdict(bytes(other)))
            """, needs: "python3", input: samples.map(hex))
        XCTAssertEqual(answers.count, 60 * 7 * 7)
        var counts = ["bad": 0, "cut": 0, "ok": 0]
        for answer in answers {
            let words = answer.split(separator: ",", omittingEmptySubsequences: false)
            let packed = bytes(String(words[0]))
            var ours: String
            do throws(ArchiveError) {
                let (plain, consumed) = try ArchiveSamples.inflated(packed)
                ours = hex(plain) + ".\(consumed)"
                counts["ok", default: 0] += 1
            } catch {
                ours = error.reason == .truncated ? "cut" : "bad"
                counts[ours, default: 0] += 1
            }
            XCTAssertEqual(ours, String(words[1]), String(words[0].prefix(200)))
        }
        XCTAssertTrue(counts.values.allSatisfy { $0 > 50 }, "\(counts)")
    }

    private func hex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }

    private func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex.utf8).map { $0 > 57 ? $0 - 87 : $0 - 48 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}
