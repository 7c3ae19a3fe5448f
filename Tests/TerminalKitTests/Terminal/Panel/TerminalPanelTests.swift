import Base
import Foundation
import Glibc
import Synchronization
import TestSupport
import XCTest

@testable import TerminalKit

/// The panel on a real pseudo-terminal, in this process.
final class TerminalPanelTests: XCTestCase {
    typealias Fixture = TerminalSessionTests.Fixture

    private func lines(_ texts: String...) -> [StyledLine] { texts.map { StyledLine($0) } }

    /// A panel below "the talk above", with these lines in it.
    private func open(
        _ fixture: Fixture, _ lines: [StyledLine], shown: [String]
    ) async throws -> TerminalPanel {
        await fixture.session.write("the talk above\n")
        let opened = await fixture.session.openPanel()
        let panel = try XCTUnwrap(opened)
        panel.show(lines)
        try fixture.terminal.waitFor(lines: ["the talk above"] + shown)
        return panel
    }

    func testTheLatestLinesAreBelowAndGoWhenItCloses() async throws {
        let fixture = try Fixture()
        let panel = try await open(
            fixture, lines("  one", "  two", "  three"), shown: ["  one", "  two", "  three"])
        panel.show(lines("  one", "  2"))
        try fixture.terminal.waitFor(lines: ["the talk above", "  one", "  2"])
        panel.show(lines("  a", "  b", "  c", "  d"))
        try fixture.terminal.waitFor(lines: ["the talk above", "  a", "  b", "  c", "  d"])
        await panel.close()
        let screen = try fixture.terminal.waitFor(lines: ["the talk above"])
        XCTAssertEqual(screen.cursor.row, 1)
        XCTAssertEqual(screen.cursor.column, 0)
        let key = await panel.nextKey()
        XCTAssertNil(key)
        await fixture.finish()
    }

    func testAFloodOfPicturesIsPacedAndTheLastIsSeen() async throws {
        let fixture = try Fixture()
        let panel = try await open(fixture, lines("  0"), shown: ["  0"])
        let before = fixture.terminal.transcript.count
        for number in 1...20_000 { panel.show(lines("  \(number)", "  the same")) }
        try fixture.terminal.waitFor(text: "  20000")
        XCTAssertLessThan(fixture.terminal.transcript.count - before, 2_000)
        // One that looks the same writes nothing.
        let settled = fixture.terminal.transcript.count
        for _ in 1...100 { panel.show(lines("  20000", "  the same")) }
        panel.show(lines("  20000", "  end"))
        try fixture.terminal.waitFor(text: "  end")
        XCTAssertLessThan(fixture.terminal.transcript.count - settled, 40)
        await panel.close()
        await fixture.finish()
    }

    func testKeysComeInOrderAPasteIsOneAndAltAndUnknownKeysDoNot() async throws {
        let fixture = try Fixture()
        let panel = try await open(fixture, lines("  keys"), shown: ["  keys"])
        fixture.terminal.type("\r \u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[Dq\u{1B}r\u{1B}[99~\u{1}é")
        fixture.terminal.paste("\r\rqq")
        fixture.terminal.type("n\u{1B}")
        var keys: [PanelKey?] = []
        for _ in 0..<12 { keys.append(await panel.nextKey()) }
        XCTAssertEqual(
            keys,
            [
                .enter, .character(" "), .up, .down, .right, .left, .character("q"),
                .control("\u{01}"), .character("é"), .paste("\n\nqq"), .character("n"), .escape,
            ])
        await panel.close()
        await fixture.finish()
    }

    func testWhatWasTypedBeforeItOpenedStaysForTheNextPrompt() async throws {
        let fixture = try Fixture()
        await fixture.session.flush()
        // Also the beginning of a paste over a slow line.
        fixture.terminal.type("before\u{1B}[200~ pasted")
        let panel = try await open(fixture, lines("  keys"), shown: ["  keys"])
        fixture.terminal.type("\rq\n\u{1B}[201~")
        fixture.terminal.type("x")
        let key = await panel.nextKey()
        XCTAssertEqual(key, .character("x"))
        // Nobody's: gone with the panel.
        fixture.terminal.type("zzz")
        let next = await panel.nextKey()
        XCTAssertEqual(next, .character("z"))
        await panel.close()
        let result = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(text: "> before pasted")
        fixture.terminal.type("\r")
        let line = await result.value
        XCTAssertEqual(line, .line("before pasted\nq\n"))
        await fixture.finish()
    }

    /// A letter that is being written, a transcription: only Esc and Ctrl-C are theirs.
    func testWhatIsTypedWhileItOnlyShowsSomethingIsForTheNextPrompt() async throws {
        let fixture = try Fixture()
        let panel = try await open(fixture, lines("  writing"), shown: ["  writing"])
        fixture.terminal.type("a")
        let own = await panel.nextKey()
        XCTAssertEqual(own, .character("a"))
        // Typed before it was said, and not fetched.
        fixture.terminal.type("th")
        await fixture.session.flush()
        panel.passTyping(true)
        fixture.terminal.type("anks, \u{1B}[D")
        fixture.terminal.paste("pasted")
        fixture.terminal.type("\u{1B}")
        let key = await panel.nextKey()
        XCTAssertEqual(key, .escape)
        await panel.close()
        let result = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(text: "> thanks,pasted")
        fixture.terminal.type("\r")
        let line = await result.value
        XCTAssertEqual(line, .line("thanks,pasted "))
        await fixture.finish()
    }

    func testOutputAppearsAboveAlsoAPartOfALine() async throws {
        let fixture = try Fixture()
        let panel = try await open(fixture, lines("  bar", "  hint"), shown: ["  bar", "  hint"])
        await fixture.session.write("⏰ call mom\n")
        await fixture.session.write("partly")
        await fixture.session.flush()
        try fixture.terminal.waitFor(lines: [
            "the talk above", "⏰ call mom", "partly", "  bar", "  hint",
        ])
        await panel.close()
        await fixture.session.write("after\n")
        try fixture.terminal.waitFor(lines: ["the talk above", "⏰ call mom", "partly", "after"])
        await fixture.finish()
    }

    func testItIsMadeAnewForAnotherWidthAndCutWhereItDoesNotFit() async throws {
        let fixture = try Fixture(rows: 10, columns: 40) { $0.handlesSignals = true }
        await fixture.session.write("the talk above\n")
        let opened = await fixture.session.openPanel()
        let panel = try XCTUnwrap(opened)
        panel.show { columns in
            [
                StyledLine("  \(columns)"),
                StyledLine("  " + String(repeating: "-", count: 100)),
            ]
        }
        for columns in [40, 12, 80] {
            fixture.terminal.resize(rows: 10, columns: columns)
            kill(getpid(), SIGWINCH)
            try fixture.terminal.waitFor("the width \(columns)") {
                $0.lines.suffix(2) == [
                    "  \(columns)", "  " + String(repeating: "-", count: columns - 3),
                ]
            }
        }
        fixture.terminal.resize(rows: 2, columns: 80)
        kill(getpid(), SIGWINCH)
        try fixture.terminal.waitFor("one row") { $0.lines.last == "  80" }
        await panel.close()
        try fixture.terminal.waitFor("an empty row") { !$0.text.contains("80") }
        await fixture.finish()
    }

    func testForeignTextActsOnNothing() async throws {
        let fixture = try Fixture()
        let panel = try await open(
            fixture, [StyledLine("  evil\u{1B}[2J\r\n\u{7}title")],
            shown: [#"  evil\x1b[2J\n\x07title"#])
        await panel.close()
        await fixture.finish()
    }

    func testAnInterruptIsAKeyOnceAndIsNotLostWhenItComesTooLate() async throws {
        let interrupts = Mutex(0)
        let fixture = try Fixture {
            $0.handlesSignals = true
            $0.onInterrupt = { interrupts.withLock { $0 += 1 } }
        }
        let panel = try await open(fixture, lines("  meter"), shown: ["  meter"])
        kill(getpid(), SIGINT)
        let key = await panel.nextKey()
        XCTAssertEqual(key, .interrupt)
        XCTAssertEqual(interrupts.withLock { $0 }, 0)
        // Nobody asks for this one.
        kill(getpid(), SIGINT)
        panel.show(lines("  after"))
        try fixture.terminal.waitFor(text: "  after")
        await panel.close()
        XCTAssertEqual(interrupts.withLock { $0 }, 1)
        await fixture.finish()
    }

    func testEndOfInputAndTheEndOfTheSessionEndIt() async throws {
        let fixture = try Fixture()
        let panel = try await open(fixture, lines("  meter"), shown: ["  meter"])
        let waiting = Task { await panel.nextKey() }
        await fixture.session.close()
        let key = await waiting.value
        XCTAssertNil(key)
        try fixture.terminal.waitFor(lines: ["the talk above"])
        panel.show(lines("  late"))
        await panel.close()
        let late = await fixture.session.openPanel()
        XCTAssertNil(late)
        await fixture.finish()

        let hungUp = try Fixture()
        let second = try await open(hungUp, lines("  meter"), shown: ["  meter"])
        hungUp.terminal.hangUp()
        let none = await second.nextKey()
        XCTAssertNil(none)
        await second.close()
        await hungUp.session.close()
    }

    func testACancelledTaskWaitsNoLongerAndADroppedPanelCloses() async throws {
        let fixture = try Fixture()
        var panel: TerminalPanel? = try await open(
            fixture, lines("  meter"), shown: ["  meter"])
        if let panel {
            let waiting = Task { await panel.nextKey() }
            waiting.cancel()
            let key = await waiting.value
            XCTAssertNil(key)
        }
        panel = nil
        XCTAssertNil(panel)
        let prompt = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: ["the talk above", ">"])
        fixture.terminal.type("\r")
        _ = await prompt.value
        await fixture.finish()
    }

    func testATerminalThatOnlyPrintsHasNone() async throws {
        let fixture = try Fixture { $0.term = "dumb" }
        let panel = await fixture.session.openPanel()
        XCTAssertNil(panel)
        await fixture.finish()
    }
}
