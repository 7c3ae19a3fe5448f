import XCTest

@testable import TerminalKit

/// The allow-list: what passes, what is shown, and that chunk edges are nothing.
final class HostileTextTests: XCTestCase {
    /// Attack and what must be seen.
    static let payloads: [(String, String)] = [
        ("\u{1B}[31mred", "\\x1b[31mred"), ("\u{1B}[2J", "\\x1b[2J"),
        ("\u{1B}[38D\u{1B}[K", "\\x1b[38D\\x1b[K"), ("\u{1B}]0;title\u{07}", "\\x1b]0;title\\x07"),
        ("\u{1B}]1;icon\u{07}", "\\x1b]1;icon\\x07"), ("\u{1B}]2;t\u{1B}\\", "\\x1b]2;t\\x1b\\"),
        ("\u{1B}]4;1;red\u{07}", "\\x1b]4;1;red\\x07"),
        (
            "\u{1B}]8;;http://x\u{1B}\\link\u{1B}]8;;\u{1B}\\",
            "\\x1b]8;;http://x\\x1b\\link\\x1b]8;;\\x1b\\"
        ),
        ("\u{1B}]9;note\u{07}", "\\x1b]9;note\\x07"), ("\u{1B}]10;?\u{07}", "\\x1b]10;?\\x07"),
        ("\u{1B}]11;?\u{07}", "\\x1b]11;?\\x07"), ("\u{1B}]50;f\u{07}", "\\x1b]50;f\\x07"),
        ("\u{1B}]52;c;ZXZpbA==\u{07}", "\\x1b]52;c;ZXZpbA==\\x07"),
        ("\u{1B}]133;A\u{07}", "\\x1b]133;A\\x07"),
        ("\u{1B}]777;notify;a;b\u{07}", "\\x1b]777;notify;a;b\\x07"),
        ("\u{1B}]1337;File=:x\u{07}", "\\x1b]1337;File=:x\\x07"),
        ("\u{1B}P$qm\u{1B}\\", "\\x1bP$qm\\x1b\\"), ("\u{1B}Pq#0\u{1B}\\", "\\x1bPq#0\\x1b\\"),
        ("\u{1B}Ptmux;\u{1B}x", "\\x1bPtmux;\\x1bx"), ("\u{1B}_Gf=1\u{1B}\\", "\\x1b_Gf=1\\x1b\\"),
        ("\u{1B}^pm\u{1B}\\", "\\x1b^pm\\x1b\\"), ("\u{1B}Xsos\u{1B}\\", "\\x1bXsos\\x1b\\"),
        ("\u{9B}31m", "\\x9b31m"), ("\u{9D}0;t\u{9C}", "\\x9d0;t\\x9c"), ("\u{90}q", "\\x90q"),
        ("\u{84}\u{85}", "\\x84\\x85"), ("\u{1B}c", "\\x1bc"),
        ("\u{1B}[?1049h", "\\x1b[?1049h"), ("\u{1B}[?1000h", "\\x1b[?1000h"),
        ("\u{1B}[?2004l", "\\x1b[?2004l"), ("\u{1B}[?25l", "\\x1b[?25l"),
        ("safe\rrm", "safe\\x0drm"), ("abc\u{08}\u{08}x", "abc\\x08\\x08x"),
        ("a\u{0B}b", "a\\x0bb"), ("a\u{0C}b", "a\\x0cb"), ("a\u{7F}b", "a\\x7fb"),
        ("\u{07}\u{07}\u{07}", "\\x07\\x07\\x07"), ("\u{1B}[6n", "\\x1b[6n"),
        ("\u{1B}[5n", "\\x1b[5n"), ("\u{1B}[c", "\\x1b[c"), ("\u{1B}[>q", "\\x1b[>q"),
        ("\u{1B}[21t", "\\x1b[21t"), ("\u{18}\u{1A}", "\\x18\\x1a"), ("\0", "\\x00"),
        ("\u{1B}]0;never ended", "\\x1b]0;never ended"), ("\u{1B}", "\\x1b"),
        ("\u{1B}\u{1B}[A", "\\x1b\\x1b[A"), ("\u{0E}\u{0F}", "\\x0e\\x0f"),
        ("\u{05}", "\\x05"), ("\u{1B}(0lqk", "\\x1b(0lqk"), ("\u{1B}#8", "\\x1b#8"),
        ("\u{1B}[20h", "\\x1b[20h"), ("\u{1B}[3;1H", "\\x1b[3;1H"), ("\u{1B}M", "\\x1bM"),
        ("\u{1B}[1;1r", "\\x1b[1;1r"), ("\u{1B}Z", "\\x1bZ"), ("\u{1B}[4i", "\\x1b[4i"),
        ("a\r\nb", "a\nb"), ("a\r\r\nb", "a\\x0d\nb"), ("end\r", "end\\x0d"),
        ("\u{202E}evil", "<U+202E>evil"), ("\u{202A}\u{202B}\u{202C}", "<U+202A><U+202B><U+202C>"),
        ("\u{202D}x", "<U+202D>x"), ("\u{2066}a\u{2069}", "<U+2066>a<U+2069>"),
        ("\u{2067}\u{2068}", "<U+2067><U+2068>"), ("\u{200E}\u{200F}", "<U+200E><U+200F>"),
        ("\u{061C}", "<U+061C>"), ("a\u{200B}b", "a<U+200B>b"), ("\u{FEFF}x", "<U+FEFF>x"),
        ("\u{2060}", "<U+2060>"), ("so\u{AD}ft", "so<U+00AD>ft"),
        ("\u{E0041}\u{E007F}", "<U+E0041><U+E007F>"), ("\u{E0001}", "<U+E0001>"),
        ("\u{115F}\u{1160}", "<U+115F><U+1160>"), ("\u{3164}", "<U+3164>"),
        ("\u{FFA0}", "<U+FFA0>"), ("\u{180E}", "<U+180E>"), ("a\u{034F}b", "a<U+034F>b"),
        ("\u{2028}\u{2029}", "<U+2028><U+2029>"), ("\u{FFF9}\u{FFFB}", "<U+FFF9><U+FFFB>"),
        ("\u{FE00}", "<U+FE00>"), ("a\u{E0100}", "a<U+E0100>"), ("\u{FFFE}", "<U+FFFE>"),
        ("\u{2062}\u{2063}\u{2064}", "<U+2062><U+2063><U+2064>"),
        ("\u{1D173}", "<U+1D173>"), ("\\x1b[31m", "\\x1b[31m"),
        (
            "a" + String(repeating: "\u{0301}", count: 10_000),
            "a" + String(repeating: "\u{0301}", count: 8) + "…"
        ),
        (
            "a" + String(repeating: "\u{200D}", count: 50) + "b",
            "a" + String(repeating: "\u{200D}", count: 8) + "…b"
        ),
    ]

    static let harmless = [
        "plain", "tab\tand\nnewline", "Grüße, naïve café", "日本語テキスト", "한국어", "العربية",
        "می‌خواهم", "עברית", "हिन्दी", "ไทย", "👩‍👩‍👧‍👦 👍🏽 🇳🇴 ❤️ ☺︎ 1️⃣", "e\u{0301}", "x² → ∞ ≠ ½", "┌─┐│█▓",
        "“quotes” – dash — …", "⏰ ✓ ⚙ ·", "naïve\u{00A0}space", "\u{3000}", "𝔘𝔫𝔦", "𓀀", "½€£",
    ]

    func testEveryPayloadIsShownAndNothingActs() {
        XCTAssertGreaterThanOrEqual(Self.payloads.count, 80)
        for (attack, wanted) in Self.payloads {
            XCTAssertEqual(
                Array(HostileText.text(attack).utf8), Array(wanted.utf8), attack.debugDescription)
        }
    }

    func testHarmlessTextPassesUnchanged() {
        for text in Self.harmless {
            XCTAssertEqual(Array(HostileText.text(text).utf8), Array(text.utf8), text)
        }
    }

    func testOutputDoesNotDependOnChunkEdges() {
        for text in Self.payloads.map(\.0) + Self.harmless where text.utf8.count < 500 {
            let bytes = Array(text.utf8)
            let whole = pass([bytes])
            for cut in 0...bytes.count {
                XCTAssertEqual(pass([Array(bytes[..<cut]), Array(bytes[cut...])]), whole, text)
            }
            XCTAssertEqual(pass(bytes.map { [$0] }), whole, text)
        }
    }

    func testInvalidUTF8IsReplacedWhereverItIsCut() {
        let cases: [([UInt8], String)] = [
            ([0xFF, 0x61], "\u{FFFD}a"), ([0xC3, 0x28], "\u{FFFD}("),
            ([0xC0, 0x80], "\u{FFFD}\u{FFFD}"),
            ([0xE2, 0x82], "\u{FFFD}"), ([0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ([0xF0, 0x9F, 0x98, 0x61], "\u{FFFD}a"), ([0x80, 0x80], "\u{FFFD}\u{FFFD}"),
            ([0xF5, 0x61], "\u{FFFD}a"), ([0x61, 0xF0], "a\u{FFFD}"),
        ]
        for (bytes, wanted) in cases {
            let whole = pass([bytes])
            XCTAssertEqual(String(decoding: whole, as: UTF8.self), wanted, "\(bytes)")
            XCTAssertEqual(pass(bytes.map { [$0] }), whole, "\(bytes)")
        }
    }

    func testAFieldOfOneLineHasOneLine() {
        XCTAssertEqual(HostileText.line("a\nb\tc\r\nd\u{1B}"), "a\\nb c\\nd\\x1b")
        XCTAssertEqual(HostileText.line("plain"), "plain")
    }

    private func pass(_ chunks: [[UInt8]]) -> [UInt8] {
        var filter = HostileText()
        var out: [UInt8] = []
        for chunk in chunks { chunk.withUnsafeBufferPointer { out += filter.pass($0) } }
        return out + filter.finish()
    }
}
