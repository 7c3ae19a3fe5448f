import XCTest

@testable import chat

/// Keys from bytes, wherever they are cut.
final class KeyDecoderTests: XCTestCase {
    private func keys(_ chunks: [[UInt8]]) -> [Key] {
        var decoder = KeyDecoder()
        var keys: [Key] = []
        for chunk in chunks {
            decoder.feed(chunk)
            while let key = decoder.next() { keys.append(key) }
        }
        while let key = decoder.next(isFinal: true) { keys.append(key) }
        return keys
    }

    private static let cases: [(String, [Key])] = [
        ("a\r", [.character("a"), .character("\n")]),
        ("é日😀", [.character("é"), .character("日"), .character("😀")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]),
        ("\u{1B}OA\u{1B}OH\u{1B}[F", [.up, .home, .end]),
        ("\u{1B}[1~\u{1B}[3~\u{1B}[4~", [.home, .delete, .end]),
        ("\u{1B}[1;5D\u{1B}[1;3C", [.wordLeft, .wordRight]),
        ("\u{1B}[200~a\nb\u{1B}[201~c", [.paste("a\nb"), .character("c")]),
        ("\u{1B}[200~\r\n\r\u{1B}[201", []),
        ("\u{1B}[200~\u{1B}[31m\u{1B}[201~", [.paste("\\x1b[31m")]),
        ("\u{1B}b", [.character("\u{1B}"), .character("b")]),
        ("\u{1B}\r", [.lineBreak]),
        ("\u{1B}[?62;c\u{1B}[24;80Rx\u{1B}[99~", [.character("x")]),
        ("\u{1B}[1\u{03}", [.character("\u{03}")]),
        ("\u{9B}A\0", [.character("A")]),
        ("\u{1B}", [.character("\u{1B}")]),
        ("", []),
    ]

    func testKeysAreTheSameWhereverTheBytesAreCut() {
        for (text, wanted) in Self.cases {
            let bytes = Array(text.utf8)
            XCTAssertEqual(keys([bytes]), wanted, text.debugDescription)
            for cut in 0...bytes.count {
                let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
                XCTAssertEqual(keys(parts), wanted, "\(text.debugDescription) at \(cut)")
            }
            XCTAssertEqual(keys(bytes.map { [$0] }), wanted, text.debugDescription)
        }
    }

    func testRandomBytesNeverTrapAndEndEmpty() {
        var generator = SeededGenerator(state: 20_221_030)
        for _ in 0..<2_000 {
            var decoder = KeyDecoder()
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let count = Int.random(in: 0...20, using: &generator)
                decoder.feed(
                    (0..<count).map { _ in
                        Bool.random(using: &generator)
                            ? UInt8.random(in: 0...255, using: &generator)
                            : [0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30][
                                Int.random(in: 0..<6, using: &generator)]
                    })
                while decoder.next() != nil {}
            }
            while decoder.next(isFinal: true) != nil {}
            decoder.abandonPaste()
            XCTAssertTrue(decoder.isEmpty)
        }
    }

    func testAMegabyteOfKeysIsFast() {
        var decoder = KeyDecoder()
        decoder.feed([UInt8](repeating: 0x61, count: 1 << 20))
        var count = 0
        while decoder.next() != nil { count += 1 }
        XCTAssertEqual(count, 1 << 20)
    }

    private struct SeededGenerator: RandomNumberGenerator {
        var state: UInt64

        /// SplitMix64.
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
