import AgentCore
import Foundation
import Glibc
import TestSupport
import XCTest

/// Keys from the person to the server, and nowhere else.
final class KeysTests: XCTestCase {
    private static let canary = "sk-canary-Zq8vN3xT5bL7wR2mK9pJ4hG6"

    /// The server's address without its key.
    private func chat(_ server: ProviderServer) throws -> ChatProgram {
        let chat = try ChatProgram(server)
        chat.variables["ANTHROPIC_API_KEY"] = nil
        chat.variables["OPENAI_API_KEY"] = nil
        return chat
    }

    func testAKeyFromStdinIsCheckedKeptPrivatelyAndUsed() throws {
        let server = try ProviderServer(.messages, [.text("hi")], accepts: Self.canary)
        let chat = try chat(server)
        let result = try chat.run(["keys", "set", "claude"], input: Self.canary + "\n")
        XCTAssertEqual(result.exit, 0, result.errorText)
        XCTAssert(result.text.contains("The key is valid: 3 models"), result.text)
        XCTAssert(result.text.contains("4hG6"), result.text)
        let attributes = try FileManager.default.attributesOfItem(atPath: chat.file("keys.json"))
        XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600)
        // The secrets of connections are not written for debuggers.
        let path = chat.folder.path("secrets.log")
        chat.variables["SSLKEYLOGFILE"] = path
        try chat.run(["-p", "x"]).assertAnswer("hi\n")
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        server.finish()
    }

    func testAKeyIsNeverAnArgument() throws {
        let chat = try ChatProgram()
        for words in [
            ["--key", Self.canary], ["--api-key", Self.canary], ["-k", Self.canary],
            ["--token=\(Self.canary)"],
        ] {
            let result = try chat.run(words + ["-p", "x"])
            XCTAssertEqual(result.exit, 2)
            XCTAssertFalse((result.text + result.errorText).contains("canary"), result.errorText)
        }
        XCTAssertEqual(chat.files, [])
    }

    func testNoFileAndNoOutputHoldsAKey() throws {
        let script: [ProviderServer.Reply] = [
            .toolCall("create_reminder", #"{"title":"a"}"#), .text("done"),
            .response(401, [], #"{"error":{"message":"bad key \#(Self.canary)"}}"#),
            .response(400, [], #"{"error":{"message":"what"}}"#), .cut(after: "half"),
            .response(500, [HTTPHeader("x-should-retry", "false")], Self.canary),
        ]
        for isStored in [true, false] {
            let server = try ProviderServer(.messages, script, accepts: Self.canary)
            let chat = try chat(server)
            if isStored {
                try chat.run(["keys", "set", "claude"], input: Self.canary)
            } else {
                chat.variables["ANTHROPIC_API_KEY"] = Self.canary
            }
            var output: [UInt8] = []
            for _ in 0..<5 {
                let result = try chat.run(["--verbose", "-p", "x"])
                output += result.output + result.errors
            }
            for arguments in [
                ["keys", "list"], ["config"], ["conversations", "show", "--json"], ["usage"],
                ["models"], ["-c", "--output", "json", "-p", "y"],
            ] {
                let result = try chat.run(arguments + ["--verbose"])
                output += result.output + result.errors
            }
            let scan = CanaryScan(Self.canary)
            XCTAssertEqual(scan.hits(in: output), [])
            for name in chat.files where name != "keys.json" {
                XCTAssertEqual(scan.hits(in: try chat.bytes(name)), [], name)
            }
            XCTAssertEqual(chat.files.contains("keys.json"), isStored)
            server.stop()
        }
    }

    func testAKeyEnteredAtThePromptIsNeitherSentNorKept() throws {
        let server = try ProviderServer(.messages, [.text("hi")])
        let repl = try ChatTerminal(try ChatProgram(server))
        try repl.waitForPrompt()
        try repl.enter(Self.canary, until: "/keys set openai|claude|")
        repl.enter("/reminders add \(Self.canary)")
        try repl.terminal.waitFor("the line without the key") {
            $0.lines.last == "> /reminders add [key]"
        }
        repl.terminal.type("\u{03}")
        try repl.waitForPrompt()
        repl.terminal.paste("why is\n\(Self.canary)\nrefused?")
        repl.terminal.type("\r")
        // An Enter that is typed before the line is there again sends nothing.
        try repl.terminal.waitFor("the lines without the key") {
            $0.lines.suffix(3) == ["> why is", "[key]", "refused?"]
        }
        XCTAssertEqual(server.allRequests.filter { !$0.body.isEmpty }.count, 0)
        repl.terminal.type("\r")
        try repl.waitForPrompt(after: "hi")
        // Typed and not entered when the program is ended.
        repl.terminal.type("half \(Self.canary)")
        try repl.terminal.waitFor("the draft") { $0.text.contains("half sk-") }
        repl.terminal.signal(SIGTERM)
        repl.assertEnd(130)
        let scan = CanaryScan(Self.canary)
        for request in server.allRequests { XCTAssertEqual(scan.hits(in: request.body), []) }
        for name in repl.chat.files {
            XCTAssertEqual(scan.hits(in: try repl.chat.bytes(name)), [], name)
        }
        server.finish()
    }

    func testAKeyOnTheCommandLineIsRefusedAndOneInDataIsData() throws {
        let server = try ProviderServer(.messages, [.text("hi"), .text("ho")])
        let chat = try ChatProgram(server)
        for arguments in [
            ["-p", Self.canary], ["-p", "what is \(Self.canary)?"],
            ["--system", Self.canary, "-p", "x"],
        ] {
            try chat.run(arguments).assertFailure(3, "Not sent", "chat keys set", "pipe it in")
        }
        try chat.run([], input: Self.canary + "\n").assertFailure(3, "Not sent")
        try chat.run(["-p", "x"], input: Self.canary).assertFailure(3, "Not sent")
        XCTAssertEqual(server.requests.count, 0)
        for name in chat.files {
            XCTAssertEqual(CanaryScan(Self.canary).hits(in: try chat.bytes(name)), [], name)
        }
        try chat.run(["-p", "x"], input: "a log line with \(Self.canary)").assertAnswer("hi\n")
        try chat.run([], input: "a log line with \(Self.canary)").assertAnswer("ho\n")
        server.finish()
    }

    /// The files in /proc of a process that may not be dumped belong to root, and so its user's
    /// other programs cannot read its memory (proc(5), "ptrace access mode").
    func testNeitherACoreNorAnotherProgramOfTheUserShowsTheMemory() throws {
        let home = try TemporaryFolder()
        var (program, words) = (try ChatProgram.path(), ["mcp", "serve"])
        if getuid() == 0 {
            words = ["--reuid=65534", "--regid=65534", "--clear-groups", program] + words
            program = try TestMachine.find("setpriv", package: "util-linux")
            XCTAssertEqual(chown(home.path, 65534, 65534), 0)
        }
        let chat = try RunningProgram(
            program, words, environment: ["CHAT_HOME": home.path("home"), "HOME": home.path])
        chat.write(Array("not JSON\n".utf8))
        _ = try chat.waitForLine { !$0.isEmpty }
        var status = stat()
        XCTAssertEqual(stat("/proc/\(chat.pid)/mem", &status), 0)
        XCTAssertEqual(status.st_uid, 0)
        let limits = try String(contentsOfFile: "/proc/\(chat.pid)/limits", encoding: .utf8)
        let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
        XCTAssertEqual(core?.split(separator: " ").suffix(3).map(String.init), ["0", "0", "bytes"])
        chat.endInput()
        XCTAssertEqual(try chat.finish().exit, 0)
    }
}
