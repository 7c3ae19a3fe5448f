import Base
import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// The line below what is typed, in a real pseudo-terminal.
final class StatusLineTests: XCTestCase {
    private typealias Fixture = TerminalSessionTests.Fixture

    private func waitFor(_ lines: [String], on fixture: Fixture) throws {
        try fixture.terminal.waitFor("\(lines)") { $0.lines.suffix(lines.count) == lines[...] }
    }

    func testItStandsBelowTheLineAndTypingGoesOnInTheLine() async throws {
        let fixture = try Fixture()
        let result = try await fixture.prompt()
        fixture.terminal.type("hel")
        try waitFor(["> hel"], on: fixture)
        fixture.session.setStatus { _ in StyledLine("  plays") }
        try waitFor(["> hel", "  plays"], on: fixture)
        fixture.terminal.type("lo")
        try waitFor(["> hello", "  plays"], on: fixture)
        fixture.session.setStatus { _ in StyledLine("  paused") }
        try waitFor(["> hello", "  paused"], on: fixture)
        fixture.terminal.type("\u{01}x")
        try waitFor(["> xhello", "  paused"], on: fixture)
        await fixture.session.write("an alert\n")
        try waitFor(["an alert", "> xhello", "  paused"], on: fixture)
        fixture.terminal.paste("one\ntwo")
        try waitFor(["> xone", "twohello", "  paused"], on: fixture)
        fixture.terminal.type("\r")
        let line = await result.value
        XCTAssertEqual(line, .line("xone\ntwohello"))
        // What was entered stays on the screen, the status does not.
        try waitFor(["> xone", "twohello"], on: fixture)
        await fixture.finish()
    }

    func testItGoesAwayWithoutATraceAndIsThereAtTheNextPrompt() async throws {
        let fixture = try Fixture()
        fixture.session.setStatus { _ in StyledLine("  plays") }
        let first = Task { await fixture.session.readLine(prompt: "> ") }
        try waitFor([">", "  plays"], on: fixture)
        fixture.session.setStatus(nil)
        try waitFor([">"], on: fixture)
        fixture.session.setStatus { _ in StyledLine("  plays") }
        try waitFor([">", "  plays"], on: fixture)
        fixture.terminal.type("a\r")
        _ = await first.value
        let second = Task { await fixture.session.readLine(prompt: "> ") }
        try waitFor(["> a", ">", "  plays"], on: fixture)
        fixture.terminal.type("\u{04}")
        _ = await second.value
        await fixture.finish()
    }

    func testItFitsTheWindowAndFollowsItsSize() async throws {
        let fixture = try Fixture(rows: 6, columns: 30) { $0.handlesSignals = true }
        fixture.session.setStatus { columns in
            StyledLine(String(repeating: "=", count: columns + 20))
        }
        let result = Task { await fixture.session.readLine(prompt: "> ") }
        try waitFor([">", String(repeating: "=", count: 29)], on: fixture)
        for _ in 0..<8 { fixture.terminal.type("0123456789") }
        // A line that is taller than the window keeps its status too.
        fixture.terminal.type(String(repeating: "x", count: 90))
        try fixture.terminal.waitFor("the status") {
            $0.lines.last == String(repeating: "=", count: 29) && $0.lines.count == 6
        }
        fixture.terminal.type("\u{15}abc\r")
        let line = await result.value
        XCTAssertEqual(line, .line("abc"))
        await fixture.finish()
    }

    func testABellRingsWithoutTouchingTheLine() async throws {
        let fixture = try Fixture()
        let result = try await fixture.prompt()
        fixture.terminal.type("hello")
        try waitFor(["> hello"], on: fixture)
        let shown = fixture.terminal.transcript.count
        await fixture.session.write([0x07])
        try fixture.terminal.waitForOutput(after: shown)
        XCTAssertEqual(Array(fixture.terminal.transcript.dropFirst(shown)), [0x07])
        fixture.terminal.type("\r")
        let line = await result.value
        XCTAssertEqual(line, .line("hello"))
        await fixture.finish()
    }
}
