import TestSupport
import XCTest

/// The program as a job of a shell that is at a terminal.
final class JobControlTests: XCTestCase {
    func testControlZStopsTheProgramAndTheForegroundBringsItBack() throws {
        guard access("/bin/bash", X_OK) == 0 else { throw XCTSkip("bash is not installed") }
        let chat = try ChatProgram()
        let terminal = try PseudoTerminal(rows: 20, columns: 80)
        let script = #"set -m; "$0"; echo "stopped with $?"; fg; echo "left with $?""#
        try terminal.spawn(
            "/bin/bash", ["--norc", "-c", script, try ChatProgram.path()],
            environment: chat.variables)
        try terminal.waitFor("a prompt") { $0.lines.last == ">" }
        terminal.type("\u{1A}")
        // 128 and SIGTSTP, as a shell counts.
        _ = try terminal.waitFor(text: "stopped with 148")
        try terminal.waitFor("a prompt") { $0.lines.last == ">" }
        terminal.type("\u{04}")
        _ = try terminal.waitFor(text: "left with 0")
        XCTAssertEqual(terminal.waitForExit(), 0)
        terminal.end()
    }
}
