import AgentCore
import Foundation
import TestSupport
import XCTest

/// Standard output that takes nothing: a full disk is a failure that is said, a
/// reader that has gone is not.
final class BadOutputTests: XCTestCase {
    /// Something that each command prints.
    private static let commands = [
        ["--version"], ["--help"], ["help", "reminders"], ["reminders", "--help"],
        ["-p", "x"], ["-p", "x", "--json"], ["-p", "x", "--output", "stream-json"],
        ["-p", "what's on today?"], ["-n"],
        ["conversations", "list"], ["conversations", "show", "--json"],
        ["conversations", "export", "first"],
        ["reminders", "add", "call Bo"], ["reminders", "list"], ["reminders", "list", "--json"],
        ["calendar", "list"], ["today"], ["alerts", "status"], ["undo", "list"],
        ["transcribe", "jobs"],
        ["record", "list"], ["say", "voices", "--engine", "server"], ["keys", "list"],
        ["models"], ["usage"], ["sent"], ["sent", "show", "1"], ["config"], ["doctor"],
        ["completion", "bash"], ["man"],
        ["__complete", ""], ["mcp", "tools"], ["mcp", "list"], ["tools", "list"],
        ["library", "list"], ["library", "show", "i1"], ["idea", "list"], ["prompt", "list"],
        ["memory", "list"], ["routine", "list"],
        ["write", "list"], ["letter", "list"], ["story", "list"], ["profile", "show"],
        ["redact", text], ["backup", "--force", archive], ["restore", "--dry-run", archive],
    ]
    /// Stand for files in the folder of each program.
    private static let archive = "ARCHIVE"
    private static let text = "TEXT"
    private static let files = [archive: "b.zip", text: "note.txt"]

    private func prepared(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        // No clipboard, sound or notification server of this machine is asked.
        chat.variables["PATH"] = chat.folder.path("account")
        try chat.run(["-p", "first"])
        try chat.run(["reminders", "add", "buy milk"])
        try chat.run(["library", "save", "A boat"], input: "Build it of paper.")
        try chat.run(["memory", "add", "I am vegetarian"])
        try chat.run(["backup", chat.folder.path("b.zip")])
        try Data("Write to ida@mail.example.\n".utf8).write(
            to: URL(fileURLWithPath: chat.folder.path("note.txt")))
        return chat
    }

    /// Runs a command behind a redirection of bash.
    private func run(
        _ redirection: String, _ arguments: [String], _ chat: ChatProgram
    ) throws -> RunningProgram.Result {
        let shell = try RunningProgram(
            "/bin/bash",
            ["-c", redirection + #" exec "$0" "$@""#, try ChatProgram.path()]
                + arguments.map { Self.files[$0].map(chat.folder.path) ?? $0 },
            environment: chat.variables)
        shell.endInput()
        return try shell.finish()
    }

    func testAFullDiskIsAFailureOfEveryCommandThatPrints() throws {
        let server = try ProviderServer(.messages, [.text("an answer")], repeats: true)
        let chat = try prepared(server)
        let offered = try chat.run(["__complete", ""]).text.split(separator: "\n").compactMap {
            $0.split(separator: "\t").first.map(String.init)
        }
        let nouns = offered.filter { !$0.hasPrefix("-") && !$0.hasPrefix(":") && $0 != "help" }
        XCTAssertGreaterThan(nouns.count, 10)
        XCTAssertEqual(Set(nouns).subtracting(Self.commands.map { $0[0] }), [], "not in this test")
        for arguments in Self.commands {
            let result = try run("exec > /dev/full;", arguments, chat)
            XCTAssertEqual(result.exit, 1, "\(arguments): \(result.errorText)")
            XCTAssertEqual(
                result.errorLines.suffix(2),
                [
                    "chat: Standard output could not be written: No space left on device.",
                    "      The output is incomplete, but the command was carried out.",
                ], "\(arguments)")
        }
        server.finish()
    }

    func testAReaderThatHasGoneIsNoFailureOfAnyCommand() throws {
        let server = try ProviderServer(.messages, [.text("an answer")], repeats: true)
        let chat = try prepared(server)
        for arguments in Self.commands {
            let whole = try run("", arguments, chat)
            // The reader has ended before the first byte is written.
            let result = try run("exec > >(exec /bin/true); wait $!;", arguments, chat)
            XCTAssertEqual(result.exit, whole.exit, "\(arguments): \(result.errorText)")
            XCTAssertEqual(result.errorText, whole.errorText, "\(arguments)")
        }
        server.finish()
    }

    /// Another failure of the same run keeps its own exit code.
    func testAnotherFailureIsNotHiddenByTheOutput() throws {
        let chat = try ChatProgram()
        let result = try run("exec > /dev/full;", ["-p", "x", "--json"], chat)
        XCTAssertEqual(result.exit, 4, result.errorText)
        XCTAssert(result.errorText.contains("Standard output could not be written"))
    }
}
