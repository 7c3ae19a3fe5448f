import Base
import XCTest

@testable import ChatKit

final class ReplLineTests: XCTestCase {
    func testCommandsMessagesAndPathsAreToldApart() throws {
        let table: [(String, ReplLine)] = [
            ("", .empty),
            ("   ", .empty),
            ("hello there", .message("hello there")),
            ("  hello ", .message("hello")),
            ("/help", .command(name: "help", arguments: [])),
            (
                "/reminders add buy milk",
                .command(name: "reminders", arguments: ["add", "buy", "milk"])
            ),
            ("/usr/bin/env is what?", .message("/usr/bin/env is what?")),
            ("/ what?", .message("/ what?")),
            ("!ls", .message("!ls")),
            ("//x", .message("//x")),
            ("line one\n/second", .message("line one\n/second")),
            ("exit", .command(name: "exit", arguments: [])),
            (" Quit ", .command(name: "quit", arguments: [])),
            ("help", .command(name: "help", arguments: [])),
            ("?", .command(name: "?", arguments: [])),
            ("help me", .message("help me")),
            ("exit!", .message("exit!")),
        ]
        for (line, expected) in table {
            XCTAssertEqual(try ReplLine.parse(line), expected, line)
        }
    }

    func testWordsAreSplitAsAShellDoes() throws {
        let table: [(String, [String])] = [
            (#"add "buy milk" --due 2026-11-22"#, ["add", "buy milk", "--due", "2026-11-22"]),
            (#"add 'a "b" c'"#, ["add", #"a "b" c"#]),
            (#"a\ b "" c"#, ["a b", "", "c"]),
            ("don't forget Ann's", ["don't", "forget", "Ann's"]),
            ("x\\", ["x\\"]),
        ]
        for (line, words) in table {
            XCTAssertEqual(try ShellTokenizer.words(typed: line), words, line)
        }
        XCTAssertThrowsError(try ShellTokenizer.words(typed: "add \"open"))
    }
}
