import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// What is left when the program is stopped or killed between two steps: the
/// next request is valid, and nothing has been done twice.
final class RecoveryTests: XCTestCase {
    private static let formats: [WireFormat] = [.responses, .chat, .messages]
    private static let create = ProviderServer.Reply.toolCall(
        "create_reminder", #"{"title":"buy milk"}"#)

    private func reminders(_ chat: ChatProgram) throws -> Int {
        try chat.json(["reminders", "list", "--json"]).arrayValue?.count ?? 0
    }

    func testKilledAfterAToolRanItIsNotRunAgainAndTheNextRequestIsValid() throws {
        for format in Self.formats {
            let arrived = Gate()
            let silent = ProviderServer.Reply { _ in ServerScript([.open(arrived), .stall]) }
            let server = try ProviderServer(format, [Self.create, silent, .text("I know.")])
            let chat = try ChatProgram(server)
            let program = try chat.start(["--provider", server.provider, "-p", "x"])
            program.endInput()
            arrived.block()
            program.signal(SIGKILL)
            XCTAssertEqual(try program.finish().exit, -SIGKILL)
            try chat.run(["-c", "-p", "is it there?"]).assertAnswer("I know.\n")
            XCTAssertEqual(try reminders(chat), 1)
            XCTAssert(server.requests[2].bodyText.contains("created"), "the result is lost")
            server.finish()
        }
    }

    func testStoppedInTheArgumentsOfACallItNeverRunsAndTheNextRequestIsValid() throws {
        for format in Self.formats {
            for number in [SIGINT, SIGKILL] {
                let sent = Gate()
                let half = ProviderServer.Reply { format in
                    let whole = String(
                        decoding: WireScript.toolCall(
                            "create_reminder", arguments: #"{"title":"buy milk"}"#, format: format),
                        as: UTF8.self)
                    let end = whole.range(of: "buy")?.lowerBound ?? whole.endIndex
                    return ServerScript([
                        ServerScript.sseHead(), .chunk(Array(whole[..<end].utf8)), .open(sent),
                        .stall,
                    ])
                }
                let server = try ProviderServer(format, [half, .text("Fine.")])
                let chat = try ChatProgram(server)
                let program = try chat.start(["--provider", server.provider, "-p", "x"])
                program.endInput()
                sent.block()
                program.signal(number)
                XCTAssertEqual(
                    try program.finish().exit, number == SIGINT ? 130 : -SIGKILL)
                try chat.run(["-c", "-p", "leave it"]).assertAnswer("Fine.\n")
                XCTAssertEqual(try reminders(chat), 0)
                server.finish()
            }
        }
    }

    func testAnswersOfTheSameConversationMayComeFromEveryProviderInTurn() throws {
        let servers = try Self.formats.map {
            try ProviderServer($0, [Self.create, .text("by \($0)"), .text("again")])
        }
        let chat = try ChatProgram(servers[2])
        // OpenAI and the local server share a variable; the second is set in
        // the configuration.
        chat.variables.merge(servers[0].variables) { $1 }
        try chat.prepare(
            "config.json", #"{"local": {"base_url": "\#(servers[1].url)/v1", "model": "m"}}"#)
        try chat.run(["--provider", "openai", "-p", "note it"]).assertAnswer("by responses\n")
        for (server, answer) in [
            (servers[1], "by chat\n"), (servers[2], "by messages\n"), (servers[0], "again\n"),
            (servers[1], "again\n"), (servers[2], "again\n"),
        ] {
            let result = try chat.run(["-c", "--provider", server.provider, "-p", "and?"])
            XCTAssertEqual(result.text, answer)
            // Never silently: another host gets to read everything.
            let host = server.url.dropFirst("http://".count)
            XCTAssertEqual(result.errorText, "The whole conversation goes to \(host).\n")
        }
        XCTAssertEqual(try reminders(chat), 3)
        for server in servers { server.finish() }
    }

    func testKilledAtManyMomentsNothingIsLostAndEveryNextRequestIsValid() throws {
        let server = try ProviderServer(
            .messages,
            [.init { .sse(WireScript.text((0..<400).map { "piece \($0) " }, format: $0)) }],
            repeats: true)
        let chat = try ChatProgram(server)
        try chat.run(["-p", "message 0"])
        var random = SplitMix(seed: 7)
        for number in 1...12 {
            let program = try chat.start(["-c", "-p", "message \(number)"])
            program.endInput()
            // Somewhere in the answer: a number of its pieces.
            let piece = Int(random.next() % 390)
            try program.waitFor(output: "piece \(piece) ")
            program.signal(SIGKILL)
            _ = try program.finish()
        }
        let last = try chat.run(["-c", "-p", "message 13"])
        XCTAssertEqual(last.exit, 0, last.errorText)
        let messages = try chat.conversation().filter { $0.hasPrefix("user: ") }
        XCTAssertEqual(
            messages.map { $0.split(separator: " ")[2] }, (0...13).map { Substring("\($0)") })
        server.finish()
    }
}
