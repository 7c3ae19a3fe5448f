import XCTest

@testable import TerminalKit

/// Keys from bytes and from the time between them, wherever they are cut.
final class KeyDecoderTests: XCTestCase {
    /// Bytes as text; `·` are 49 ms without a byte, `•` are 50 ms. It ends with
    /// silence.
    private func keys(_ typing: String) -> [Key] {
        var decoder = KeyDecoder(patience: 0.05)
        var keys: [Key] = []
        func elapse(_ seconds: Double) {
            decoder.elapse(seconds)
            while let key = decoder.next() { keys.append(key) }
        }
        for character in typing.unicodeScalars {
            switch character {
            case "·": elapse(0.049)
            case "•": elapse(0.050)
            default:
                decoder.feed(String(character).utf8)
                while let key = decoder.next() { keys.append(key) }
            }
        }
        elapse(1)
        return keys
    }

    func testAPasteAboveItsLimitIsCutAndSaysSo() {
        let whole = Array("\u{1B}[200~abcdefgh\u{1B}[201~i".utf8)
        let cut = "\n[The paste ends here: it had more than 5 bytes.]\n"
        for (limit, text) in [(8, "abcdefgh"), (5, "abcde" + cut)] {
            for step in 1...whole.count {
                var decoder = KeyDecoder(pasteLimit: limit)
                var keys: [Key] = []
                for start in stride(from: 0, to: whole.count, by: step) {
                    decoder.feed(whole[start..<min(start + step, whole.count)])
                    while let key = decoder.next() { keys.append(key) }
                }
                XCTAssertEqual(keys, [.paste(text), .character("i")], "\(limit), \(step)")
            }
        }
    }

    private func keys(_ chunks: [[UInt8]], pause: Double = 0) -> [Key] {
        var decoder = KeyDecoder(patience: 0.05)
        var keys: [Key] = []
        for chunk in chunks + [[]] {
            decoder.feed(chunk)
            while let key = decoder.next() { keys.append(key) }
            decoder.elapse(chunk.isEmpty ? 1 : pause)
            while let key = decoder.next() { keys.append(key) }
        }
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
        ("\u{1B}b", [.alt(.character("b"))]),
        ("\u{1B}é", [.alt(.character("é"))]),
        ("\u{1B}\u{7F}", [.alt(.character("\u{7F}"))]),
        ("\u{1B}\r", [.lineBreak]),
        ("\u{1B}\u{03}", [.escape, .character("\u{03}")]),
        ("\u{1B}\u{1B}", [.escape, .escape]),
        ("\u{1B}\u{1B}\u{1B}b", [.escape, .escape, .alt(.character("b"))]),
        ("\u{1B}\u{1B}[A\u{1B}\u{1B}OD", [.alt(.up), .alt(.left)]),
        ("\u{1B}\u{1B}[200~a\u{1B}[201~", [.escape, .paste("a")]),
        ("\u{1B}[[A\u{1B}[[Bx", [.character("x")]),
        ("\u{1B}[?62;c\u{1B}[24;80Rx\u{1B}[99~", [.character("x")]),
        ("\u{1B}[1\u{03}", [.character("\u{03}")]),
        ("\u{9B}A\0\u{1B}\u{9B}", [.character("A"), .character("\0")]),
        ("\u{1B}", [.escape]),
        ("", []),
    ]

    func testKeysAreTheSameWhereverTheBytesAreCutWithoutAPause() {
        for (text, wanted) in Self.cases {
            let bytes = Array(text.utf8)
            XCTAssertEqual(keys([bytes]), wanted, text.debugDescription)
            for pause in [0, 0.049] {
                for cut in 0...bytes.count {
                    let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
                    let name = "\(text.debugDescription) at \(cut), \(pause) s"
                    XCTAssertEqual(keys(parts, pause: pause), wanted, name)
                }
                XCTAssertEqual(
                    keys(bytes.map { [$0] }, pause: pause), wanted, text.debugDescription)
            }
        }
    }

    func testAnEscIsAloneAfterFiftyMilliseconds() {
        let r = Key.character("r")
        let cases: [(String, [Key])] = [
            ("\u{1B}•r", [.escape, r]),
            ("\u{1B}·r", [.alt(r)]),
            ("\u{1B}·\u{1B}·r", [.escape, .alt(r)]),
            ("\u{1B}•\u{1B}•r", [.escape, .escape, r]),
            ("r\u{1B}•\r", [r, .escape, .character("\n")]),
            // The rest of an arrow key is no text.
            ("\u{1B}•[Ar", [.escape, r]),
            ("\u{1B}•OAr", [.escape, r]),
            ("\u{1B}•[1;5Dr", [.escape, r]),
            ("\u{1B}•[3~r", [.escape, r]),
            ("\u{1B}•[·Ar", [.escape, r]),
            ("\u{1B}[•Ar", [r]),
            ("\u{1B}O•Ar", [r]),
            ("\u{1B}[1;•5Cr", [r]),
            ("\u{1B}\u{1B}•[Ar", [.escape, .escape, r]),
            // It is swallowed once.
            ("\u{1B}•[A[A", [.escape, .character("["), .character("A")]),
            ("\u{1B}•r[A", [.escape, r, .character("["), .character("A")]),
            // Typed by a hand, or no key at all.
            ("\u{1B}•[•A", [.escape, .character("["), .character("A")]),
            ("\u{1B}•[r]", [.escape, .character("["), r, .character("]")]),
            ("\u{1B}•Or", [.escape, .character("O"), r]),
            ("\u{1B}[•r", [r]),
            // A paste that begins late is one all the same.
            ("\u{1B}•[200~a\rb\u{1B}[201~r", [.escape, .paste("a\nb"), r]),
            ("\u{1B}[20•0~a\rb\u{1B}•[201~r", [.paste("a\nb"), r]),
        ]
        for (typing, wanted) in cases {
            XCTAssertEqual(keys(typing), wanted, typing.debugDescription)
        }
    }

    func testAKeyThatAPauseCutsNeverBecomesTextOrAnotherKey() {
        let cases: [(String, [Key])] = [
            ("\u{1B}[A", [.up]), ("\u{1B}OA", [.up]), ("\u{1B}[1;5D", [.wordLeft]),
            ("\u{1B}[3~", [.delete]), ("\u{1B}[13;2u", [.lineBreak]), ("\u{1B}[24;80R", []),
            ("\u{1B}[200~a\rb\u{1B}[201~", [.paste("a\nb")]),
        ]
        for (text, wanted) in cases {
            let bytes = Array(text.utf8)
            for cut in 1..<bytes.count {
                let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
                let got = keys(parts, pause: 0.05).filter { $0 != .escape }
                let name = "\(text.debugDescription) at \(cut): \(got)"
                // A paste is never lost; its end has a mark.
                XCTAssert(got == wanted || (got == [] && !text.contains("200~")), name)
            }
        }
    }

    func testTheTimeCountsFromTheLastByte() {
        var decoder = KeyDecoder(patience: 0.05)
        XCTAssertNil(decoder.rest)
        decoder.feed([0x1B])
        XCTAssertNil(decoder.next())
        XCTAssertEqual(decoder.rest ?? 0, 0.05, accuracy: 1e-9)
        decoder.elapse(0.03)
        XCTAssertEqual(decoder.rest ?? 0, 0.02, accuracy: 1e-9)
        decoder.feed([0x5B])
        XCTAssertNil(decoder.next())
        XCTAssertEqual(decoder.rest ?? 0, 0.05, accuracy: 1e-9)
        decoder.feed([0x41])
        XCTAssertEqual(decoder.next(), .up)
        XCTAssertNil(decoder.rest)
        // Silence without a beginning is no silence after one.
        decoder.elapse(1)
        decoder.feed([0x1B])
        XCTAssertNil(decoder.next())
    }

    func testWhatFollowsAnEscIsKnownToWhoeverGoesOn() {
        var panel = KeyDecoder()
        panel.feed([0x1B])
        panel.elapse(1)
        XCTAssertEqual(panel.next(), .escape)
        var prompt = KeyDecoder()
        prompt.resume(panel)
        prompt.feed("[Ar".utf8)
        XCTAssertEqual(prompt.next(), .character("r"))
        XCTAssertNil(prompt.next())
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
                if Bool.random(using: &generator) { decoder.elapse(0.03) }
                while decoder.next() != nil {}
            }
            decoder.elapse(1)
            while decoder.next() != nil {}
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
