import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// Texts of every script, typed and pasted at a real terminal: what is sent is
/// what was typed, and the cursor is where the terminal has drawn the text to.
///
/// Each run takes a seeded sample; CHAT_FULL=1 takes ten times as many.
final class LineTextTests: XCTestCase {
    /// Drawn by the screen as the words of Unicode want it.
    private static let typed = [
        "a", "Z ", "é", "ß", "Ж", "-", "日", "本語", "한글", "，", "ａ", "𠀀", "👩‍👩‍👧", "👨‍💻", "🎉", "😀",
        "🇩🇪", "🇯🇵", "שלום", "مرحبا", "e\u{0301}", "o\u{0308}\u{0323}", "ก็", "\u{F0000}",
        "\u{E0001}", "\u{2028}", "\u{202E}x", "\u{FEFF}",
    ]
    private static let pasted = typed + ["\t", "\n", "\u{1B}[31m", "\u{07}", "\u{7F}"]

    private static var count: Int {
        ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 100 : 1_000
    }

    func testAnyTextIsSentAsItWasTypedWithTheCursorBehindIt() async throws {
        var random = SplitMix(seed: 12)
        let fixture = try TerminalSessionTests.Fixture(rows: 24, columns: 60)
        var wrong: [String] = []
        for round in 0..<Self.count {
            let isPaste = random.once(in: 3)
            let pieces = isPaste ? Self.pasted : Self.typed
            let text = (0..<Int.random(in: 1...7, using: &random)).map { _ in
                pieces[Int.random(in: 0..<pieces.count, using: &random)]
            }.joined()
            let clean = KeyDecoder.cleanPaste(Array(text.utf8)[...])
            let result = Task { await fixture.session.readLine(prompt: "\(round)> ") }
            try fixture.terminal.waitFor("prompt \(round)") { $0.lines.last == "\(round)>" }
            if isPaste { fixture.terminal.paste(text) } else { fixture.terminal.type(text) }
            // There and back: the column is counted, not just reached.
            fixture.terminal.type("\u{01}")
            try fixture.terminal.waitFor("the start") {
                $0.lines.contains { $0.hasPrefix("\(round)>") }
                    && $0.cursor.column == "\(round)> ".count
            }
            fixture.terminal.type("\u{05}")
            var oracle = Screen(rows: 24, columns: 60)
            let shown = clean.split(separator: "\n", omittingEmptySubsequences: false)
                .map { HostileText.text(String($0)) }.joined(separator: "\r\n")
            oracle.feed(Array(("\(round)> " + shown).utf8))
            let wanted = oracle.cursor.column
            do {
                try fixture.terminal.waitFor("the end", limit: 2) { $0.cursor.column == wanted }
            } catch {
                wrong.append("\(text.debugDescription): \(wanted)")
            }
            fixture.terminal.type("\r")
            let value = await result.value
            XCTAssertEqual(value, .line(clean), text.debugDescription)
        }
        await fixture.finish()
        XCTAssertLessThanOrEqual(wrong.count * 100, Self.count, wrong.joined(separator: "\n"))
    }

    /// Any bytes: no trap, no hang, and the terminal is as it was.
    func testRandomBytesEndAndRestoreTheTerminal() async throws {
        let count = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 40 : 10_000
        var random = SplitMix(seed: 13)
        let pieces = [
            "\u{1B}", "\u{1B}[", "\u{1B}[A", "\u{1B}[B", "\u{1B}[200~", "\u{1B}[201~", "\u{11}",
            "\u{13}", "\u{18}\u{05}", "\u{18}\u{13}", "\u{18}\u{0F}", "\u{1F}", "\u{16}", "\u{12}",
            "\u{0B}", "\u{19}", "\u{14}", "\t", "\n", "\\\r", "日本", "👩‍👩‍👧", "e\u{0301}", "word ",
            "\u{1B}s", "\u{1B}b", "\u{1B}d", "\u{1B}c", "\u{1B}:", "\u{1B}x", "dw", "u", ".", "p",
        ]
        for round in 0..<count {
            let fixture = try TerminalSessionTests.Fixture(
                rows: Int.random(in: 1...30, using: &random),
                columns: Int.random(in: 1...100, using: &random)
            ) { $0.keys = round % 2 == 0 ? .emacs : .vi }
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                if random.once(in: 3) {
                    bytes += (0..<Int.random(in: 1...9, using: &random)).map { _ in
                        UInt8.random(in: 0...255, using: &random)
                    }
                } else {
                    bytes += Array(pieces[Int.random(in: 0..<pieces.count, using: &random)].utf8)
                }
            }
            // Those stop this very process, as they should.
            bytes.removeAll { $0 == 0x1A || $0 == 0x1C }
            let reading = Task {
                while true {
                    if await fixture.session.readLine(prompt: "> ") == .endOfInput { return }
                }
            }
            fixture.terminal.type(bytes)
            if random.once(in: 4) {
                fixture.terminal.resize(rows: 10, columns: Int.random(in: 1...80, using: &random))
            }
            // Everything was read: only what is still in the terminal is not.
            var rest: Int32 = 1
            while rest > 0, ioctl(fixture.terminal.slave, UInt(FIONREAD), &rest) == 0 {
                await Task.yield()
            }
            // The end comes from the program: whatever was typed, it ends.
            await fixture.session.close()
            await reading.value
            XCTAssertEqual(fixture.terminal.settingsText, fixture.before, "\(round): \(bytes)")
            XCTAssertEqual(fixture.terminal.screen.unknown, [], "\(round): \(bytes)")
            fixture.terminal.end()
        }
    }
}
