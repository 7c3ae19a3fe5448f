import AgentCore
import XCTest

@testable import chat

/// Hints of the prompt, told in the shell.
final class ShellFormTests: XCTestCase {
    private let commands: Set<String> = ["undo", "reminders"]

    func testAHintNamesTheCommandOfTheShell() {
        let line = StyledLine([
            .init("✓ read and/undo it, /undo", .success), .init(" · /undo", .dim),
        ])
        XCTAssertEqual(
            ShellForm.lines([line], commands: commands).map(\.text),
            ["✓ read and/undo it, /undo · chat undo"])
    }

    func testOnlyCommandsAreChanged() {
        XCTAssertEqual(
            ShellForm.text("/reminders search, /help, a/undo /undone /", commands: commands),
            "chat reminders search, /help, a/undo /undone /")
        XCTAssertEqual(ShellForm.text("", commands: commands), "")
    }
}
