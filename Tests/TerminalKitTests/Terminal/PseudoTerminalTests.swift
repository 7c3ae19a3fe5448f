import Glibc
import TestSupport
import XCTest

/// The test kit itself: a program gets the terminal as its own, and the screen
/// shows what a terminal would.
final class PseudoTerminalTests: XCTestCase {
    func testAProgramGetsItsOwnTerminalAndItsExitCodeIsSeen() throws {
        let terminal = try PseudoTerminal(rows: 5, columns: 30)
        try terminal.spawn(
            "/bin/sh", ["-c", "read line; echo \"got $line\"; stty size; exit 3"],
            environment: TestMachine.variables)
        terminal.type("hi\r")
        try terminal.waitFor(lines: ["hi", "got hi", "5 30"])
        XCTAssertEqual(terminal.waitForExit(), 3)
        terminal.end()
    }

    func testControlCReachesTheProgramAsASignal() throws {
        let terminal = try PseudoTerminal()
        try terminal.spawn(
            "/bin/sh", ["-c", "echo ready; exec cat"], environment: TestMachine.variables)
        try terminal.waitFor(lines: ["ready"])
        terminal.type("\u{03}")
        XCTAssertEqual(terminal.waitForExit(), -SIGINT)
        terminal.end()
    }

    func testTheScreenFollowsTheSequencesThatEditorsSend() {
        let cases: [(String, [String])] = [
            ("abc\r\ndef", ["abc", "def"]),
            ("abcdefghijkl", ["abcdefghij", "kl"]),
            ("abcdefghij\r\nx", ["abcdefghij", "x"]),
            ("one\r\ntwo\u{1B}[A\rX", ["Xne", "two"]),
            ("abcdef\u{1B}[3D\u{1B}[K", ["abc"]),
            ("abcdef\r\u{1B}[2P", ["cdef"]),
            ("abc\r\u{1B}[2@x", ["x abc"]),
            ("1\r\n2\r\n3\r\n4", ["2", "3", "4"]),
            ("1\r\n2\u{1B}[H\u{1B}[JX", ["X"]),
            ("日本語日本語", ["日本語日本", "語"]),
            ("123456789日", ["123456789", "日"]),
            ("a\u{1B}[31mb\u{1B}[0m\u{1B}[?2004hc", ["abc"]),
            ("a\tb", ["a       b"]), ("ab\u{8}\u{8}X", ["Xb"]), ("e\u{0301}x", ["e\u{0301}x"]),
        ]
        for (bytes, wanted) in cases {
            var screen = Screen(rows: 3, columns: 10)
            screen.feed(bytes.utf8)
            XCTAssertEqual(screen.lines, wanted, bytes.debugDescription)
            XCTAssertEqual(screen.unknown, [], bytes.debugDescription)
        }
    }
}
