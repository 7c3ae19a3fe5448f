import AgentCore
import Foundation
import TestSupport
import XCTest

/// The program as a part of a pipeline, and under signals.
final class PipeTests: XCTestCase {
    func testAReaderThatHasEnoughIsNoFailure() throws {
        let rest = Gate()
        let more = String(repeating: "and more\n", count: 20_000)
        let server = try ProviderServer(
            .messages, [.paused(after: "first line\n", until: rest, rest: more)])
        let chat = try ChatProgram(server)
        let program = try chat.start(["-p", "x"])
        program.endInput()
        try program.waitFor(output: "first line\n")
        program.closeOutput()
        rest.open()
        let result = try program.finish()
        XCTAssertEqual(result.errorText, "")
        XCTAssertEqual(result.exit, 0)
        server.finish()
    }

    func testHeadOfAListingIsQuiet() throws {
        let chat = try ChatProgram()
        for number in 0..<30 { try chat.run(["reminders", "add", "thing \(number)"]) }
        let shell = try RunningProgram(
            "/bin/bash",
            [
                "-c", #"set -o pipefail; "$0" reminders list | head -1; echo "${PIPESTATUS[0]}""#,
                try ChatProgram.path(),
            ], environment: chat.variables)
        shell.endInput()
        let result = try shell.finish()
        XCTAssertEqual(result.errorText, "")
        XCTAssertEqual(result.text.split(separator: "\n").last, "0")
    }

    func testAClosedOutputIsNoCrash() throws {
        let server = try ProviderServer(.messages, [.text("lost")])
        let chat = try ChatProgram(server)
        let program = try chat.start(["-p", "x"], closesOutput: true)
        program.endInput()
        try program.finish().assertFailure(1, "Standard output could not be written")
        // Nothing of the answer went into a file that took the free descriptor.
        XCTAssertEqual(try chat.conversation().first?.hasPrefix("user: x"), true)
        server.stop()
    }

    func testSignalsSaveWhatArrivedAndEndTheProgram() throws {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            let server = try ProviderServer(
                .messages, [.stall(after: "half an ", "answer"), .text("the rest")])
            let chat = try ChatProgram(server)
            let program = try chat.start(["-p", "x"])
            program.endInput()
            try program.waitFor(output: "half an answer")
            program.signal(number)
            let result = try program.finish()
            XCTAssertEqual(result.text, "half an answer\n")
            XCTAssertEqual(result.exit, 130)
            XCTAssertEqual(result.errorLines, ["chat: Stopped; what arrived is saved."])
            XCTAssertEqual(
                try chat.conversation(),
                ["user: x (interrupted)", "assistant: half an answer (interrupted)"])
            try chat.run(["-c", "-p", "go on"]).assertAnswer("the rest\n")
            server.finish()
        }
    }

    func testASignalBeforeTheFirstByteOfTheAnswerKeepsTheMessage() throws {
        let arrived = Gate()
        let server = try ProviderServer(
            .responses,
            [.init { _ in ServerScript([.open(arrived), .stall]) }, .text("now")])
        let chat = try ChatProgram(server)
        let program = try chat.start(["-p", "x"])
        program.endInput()
        arrived.block()
        program.signal(SIGINT)
        let result = try program.finish()
        XCTAssertEqual(result.exit, 130)
        XCTAssertEqual(try chat.conversation(), ["user: x (interrupted)"])
        try chat.run(["-c", "-p", "again"]).assertAnswer("now\n")
        server.finish()
    }

    func testNoOutputHoldsAnEscapeByteWithoutATerminal() throws {
        let server = try ProviderServer(.messages, [.text("**bold**")])
        let chat = try ChatProgram(server)
        chat.variables["NO_COLOR"] = nil
        for arguments in [
            ["--help"], ["help", "reminders"], ["--version"], ["-p", "x"],
            ["reminders", "add", "buy milk"], ["reminders", "list"], ["conversations", "list"],
            ["conversations", "show"], ["keys", "list"], ["config"], ["usage"],
            ["reminders", "nonsense"],
        ] {
            let result = try chat.run(arguments)
            XCTAssertFalse((result.output + result.errors).contains(0x1B), "\(arguments)")
        }
        server.finish()
    }

    func testKilledInTheMiddleTheConversationOpensAndSaysSo() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(
                format, [.stall(after: "half an ", "answer"), .text("the rest")])
            let chat = try ChatProgram(server)
            let program = try chat.start(["--provider", server.provider, "-p", "x"])
            program.endInput()
            try program.waitFor(output: "half an answer")
            // Stored a little behind what is shown, at most 250 ms.
            try RunningProgram.waitUntilStored("half an answer", in: chat.file("chat.db"))
            program.signal(SIGKILL)
            XCTAssertEqual(try program.finish().exit, -SIGKILL)
            try chat.run(["-c", "-p", "go on"]).assertAnswer("the rest\n")
            XCTAssertEqual(
                try chat.conversation(),
                [
                    "user: x (interrupted)", "assistant: half an answer (interrupted)",
                    "user: go on (done)", "assistant: the rest (done)",
                ])
            XCTAssertEqual(
                try server.messages(1),
                ["user: x", "assistant: half an answer", "user: go on"])
            server.finish()
        }
    }
}
