import Base
import Synchronization
import TestSupport
import XCTest

@testable import TerminalKit

/// Screens that run: on a real pseudo-terminal, and where only lines are read.
final class PanelRunnerTests: XCTestCase {
    /// Shows what it was given.
    private struct Letters: PanelScreen {
        enum Effect: Equatable, Sendable { case work, leave, other, end }

        var seen = ""
        private var isListed = false

        mutating func take(_ key: PanelKey, on size: ScreenSize) -> Effect? {
            guard case .character(let letter) = key else { return nil }
            return take(line: String(letter))
        }

        func lines(on size: ScreenSize) -> [StyledLine] { [StyledLine("  seen \(seen).")] }

        mutating func listing(width: Int) -> [StyledLine] {
            defer { isListed = true }
            return isListed ? [] : [StyledLine("w o e")]
        }

        var question: String { "\(seen)> " }

        mutating func take(line: String) -> Effect? {
            seen += line
            return ["w": .work, "o": .other, "l": .leave, "e": .end][line]
        }
    }

    private static let style = Style(usesColor: false, usesUnicode: true)

    /// Runs a screen on a terminal; `work` is what `w` does.
    private func start(
        _ fixture: TerminalSessionTests.Fixture, keepsKeys: Bool = true,
        work: @escaping @Sendable (PanelRunner<Letters>) async throws -> Void
    ) -> Task<String?, any Error> {
        let terminal = fixture.session
        return Task { @Sendable () async throws -> String? in
            try await Self.run(terminal, keepsKeys, work)
        }
    }

    private static func run(
        _ terminal: TerminalSession, _ keepsKeys: Bool,
        _ work: @escaping @Sendable (PanelRunner<Letters>) async throws -> Void
    ) async throws -> String? {
        let runner = await PanelRunner(Letters(), at: PanelPlace(terminal, style))
        return try await runner.run { effect -> String? in
            switch effect {
            case .work:
                let result = await runner.working(keepsKeys: keepsKeys) { try await work(runner) }
                if case .failure(let error) = result, error is CancellationError {
                    runner.update { $0.seen += "!" }
                }
            case .other: await runner.outside { await terminal.write("outside\n") }
            case .leave: throw CancellationError()
            case .end: return runner.screen.seen
            }
            return nil
        }
    }

    func testKeysAreTakenAndTheScreenIsDrawnAndGone() async throws {
        let fixture = try TerminalSessionTests.Fixture()
        let run = start(fixture) { _ in }
        try fixture.terminal.waitFor(lines: ["  seen ."])
        fixture.terminal.type("ab")
        try fixture.terminal.waitFor(lines: ["  seen ab."])
        fixture.terminal.type("o")
        try fixture.terminal.waitFor(lines: ["outside", "  seen abo."])
        fixture.terminal.type("e")
        let ending = try await run.value
        XCTAssertEqual(ending, "aboe")
        try fixture.terminal.waitFor(lines: ["outside"])
        await fixture.finish()
    }

    func testEscCancelsWhatWorksAndOtherKeysWaitOrAreLost() async throws {
        for (keepsKeys, wanted) in [(true, "w!xe"), (false, "w!e")] {
            let fixture = try TerminalSessionTests.Fixture()
            let run = start(fixture, keepsKeys: keepsKeys) { runner in
                runner.update { _ in }
                try await ManualClock().environment.sleep(.seconds(3_600))
            }
            try fixture.terminal.waitFor(lines: ["  seen ."])
            fixture.terminal.type("w")
            try fixture.terminal.waitFor(lines: ["  seen w."])
            fixture.terminal.type("x\u{1B}")
            try fixture.terminal.waitFor(lines: [keepsKeys ? "  seen w!x." : "  seen w!."])
            fixture.terminal.type("e")
            let ending = try await run.value
            XCTAssertEqual(ending, wanted)
            await fixture.finish()
        }
    }

    func testAKeyCanBePressedByWhatWorksAndErrorsEndTheScreen() async throws {
        let fixture = try TerminalSessionTests.Fixture()
        let run = start(fixture) { $0.press(.character("l")) }
        try fixture.terminal.waitFor(lines: ["  seen ."])
        fixture.terminal.type("w")
        do {
            _ = try await run.value
            XCTFail("It has not ended.")
        } catch is CancellationError {}
        try fixture.terminal.waitFor(lines: [])
        await fixture.finish()
    }

    func testLinesAreReadWhereThereIsNoCursor() async throws {
        let lines = Mutex(["x", "w", "o", ""])
        let said = Mutex<[String]>([])
        var place = PanelPlace(
            nil, isChat: false,
            say: { lines in
                said.withLock { $0 += lines.map(\.text) }
            })
        place.readLine = { question in
            said.withLock { $0.append(question) }
            return lines.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
        let runner = await PanelRunner(Letters(), at: place)
        XCTAssertTrue(runner.readsLines)
        var done: [Letters.Effect] = []
        let ending: String? = try await runner.run { effect in
            done.append(effect)
            _ = await runner.working {}
            return await runner.outside { nil }
        }
        XCTAssertNil(ending)
        XCTAssertEqual(done, [.work, .other])
        XCTAssertEqual(said.withLock { $0 }, ["w o e", "> ", "x> ", "xw> ", "xwo> ", "xwo> "])
    }
}
