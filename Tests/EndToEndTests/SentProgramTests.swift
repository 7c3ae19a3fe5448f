import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// The ledger beside what servers on loopback have counted: each request has one row.
final class SentProgramTests: XCTestCase {
    /// `port method bytes`, in order.
    private func counted(_ requests: [RecordedRequest], _ port: Int) -> [String] {
        requests.map { "\(port) \($0.body.count)" }.sorted()
    }

    private func rows(_ chat: ChatProgram, _ port: Int) throws -> [JSONValue] {
        let all = try chat.json(["sent", "--limit", "1000", "--json"]).arrayValue ?? []
        return all.filter { $0["host"]?.stringValue == "127.0.0.1:\(port)" }
    }

    private func sizes(_ rows: [JSONValue], _ port: Int) -> [String] {
        rows.map { "\(port) \($0["bytesOut"]?.integerValue ?? -1)" }.sorted()
    }

    func testEachRequestOfEveryKindHasOneRow() throws {
        let provider = try ProviderServer(
            .messages,
            [
                .toolCall("list_reminders", "{}"), .text("None."), .text("One."), .text("Two."),
                .text("Three."), .text("A summary."),
            ], titles: .text("About nothing"))
        let sound = try TranscriptionServerStub(.json("we ship on friday"))
        let other = try LoopbackServer(always: .text(404, "no such place"))
        let chat = try TranscribedSound.program(sound, provider)
        let home = try XCTUnwrap(URL(string: provider.url)?.port)
        try chat.run(["keys", "check", "claude"])
        try chat.run(["models", "claude", "--refresh"])
        try chat.run(["-p", "which?"]).assertAnswer("None.\n")
        let recording = try chat.folder.write(TranscribedSound.wave(), to: "talk.wav")
        try chat.run(["transcribe", recording])
        try chat.run(["mcp", "add", "far", "--url", "http://127.0.0.1:\(other.port)/mcp", "--yes"])
        let repl = try ChatTerminal(chat, ["--new"])
        try repl.waitForPrompt(after: "/help")
        let long = String(repeating: "long ", count: 60)
        try repl.enter("one \(long)", until: "One.")
        try repl.enter("two \(long)", until: "Two.")
        try repl.enter("three \(long)", until: "Three.")
        try repl.enter("/compact", until: "the originals are kept")
        repl.leave()
        provider.finish()
        other.stop()
        let own = try rows(chat, home)
        XCTAssertEqual(sizes(own, home), counted(provider.allRequests, home))
        XCTAssertEqual(
            Set(own.compactMap { $0["purpose"]?.stringValue }),
            ["key check", "models", "turn", "title", "summary"])
        XCTAssertEqual(
            sizes(try rows(chat, other.port), other.port), counted(other.requests, other.port))
        XCTAssertGreaterThan(other.requests.count, 0)
        let port = try XCTUnwrap(URL(string: sound.address)?.port)
        let uploads = try rows(chat, port)
        XCTAssertEqual(
            sizes(uploads, port), counted(sound.uploads.map(\.request), port))
        XCTAssertEqual(uploads.map { $0["purpose"] }, ["transcription"])
        XCTAssertEqual(uploads.map { $0["content"] }, [["recording"]])
        // The second request of the first turn holds what the tool has answered.
        let kinds = own.filter { $0["purpose"] == "turn" }.map { $0["content"] }
        XCTAssertEqual(kinds.suffix(2), [["message", "reminders:list_reminders"], ["message"]])
        XCTAssertTrue(own.allSatisfy { $0["status"]?.integerValue == 200 })
    }

    func testTheLastTurnAndOneRequestAreShownAndTotalsAreByHost() throws {
        let provider = try ProviderServer(.messages, [.text("One."), .text("Two.")])
        let chat = try ChatProgram(provider)
        try chat.prepare("config.json", #"{"conversation_titles": "off"}"#)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("first", until: "One.")
        try repl.enter("second", until: "Two.")
        try repl.enter("/sent", until: "bytes in")
        let screen = repl.terminal.screen.text
        XCTAssertTrue(screen.contains("127.0.0.1"), screen)
        XCTAssertEqual(screen.components(separatedBy: "message, history").count, 2, screen)
        repl.leave()
        provider.finish()
        let shown = try chat.run(["sent", "show", "2"])
        XCTAssertEqual(shown.exit, 0, shown.errorText)
        for words in ["claude/claude-sonnet-5-5", "message, history", "your message"] {
            XCTAssertTrue(shown.text.contains(words), shown.text)
        }
        try chat.run(["sent", "show", "77"]).assertFailure(1, "no request 77")
        try chat.run(["sent", "--since", "rubbish"]).assertFailure(2, "--since")
        let totals = try chat.json(["usage", "--by", "host", "--json"]).arrayValue ?? []
        XCTAssertEqual(totals.map { $0["requests"] }, [2])
        XCTAssertEqual(
            totals.map { $0["bytesOut"]?.integerValue },
            [provider.allRequests.reduce(0) { $0 + $1.body.count }])
    }

    func testBodiesAreKeptIfWantedWithoutTheKeyAndGoWithTheirConversation() throws {
        let provider = try ProviderServer(.messages, [.text("At the pier."), .text("At 14.")])
        let chat = try ChatProgram(provider)
        try chat.run(["-p", "where is the ferry?"]).assertAnswer("At the pier.\n")
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("sent/") }, [])
        try chat.prepare("config.json", #"{"ledger": {"bodies": 7}}"#)
        try chat.run(["-p", "and when?"]).assertAnswer("At 14.\n")
        let row = try XCTUnwrap(
            chat.json(["sent", "--limit", "1", "--json"]).arrayValue?.first?["id"]?.integerValue)
        let kept = ["sent/\(row).request", "sent/\(row).response"]
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("sent/") }, kept)
        let shown = try chat.run(["sent", "show", "\(row)"])
        for words in ["POST http", "and when?", "At 14."] {
            XCTAssertTrue(shown.text.contains(words), shown.text)
        }
        XCTAssertFalse(shown.text.contains(ProviderServer.key))
        let json = try chat.json(["sent", "show", "\(row)", "--json"])
        let request = json["request"]?.stringValue ?? ""
        XCTAssertTrue(request.contains("and when?"), request)
        // A model does not see them, and a backup does not hold them.
        let file = chat.folder.path("b.zip")
        XCTAssertEqual(try chat.run(["backup", file]).exit, 0)
        let members = try ZipReader(ArchiveSource(try OpenFile(file))).members.map(\.name)
        XCTAssertFalse(members.contains { $0.contains("sent") }, "\(members)")
        let id = try XCTUnwrap(json["conversation"]?.stringValue)
        XCTAssertEqual(try chat.run(["conversations", "delete", id, "--yes"]).exit, 0)
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("sent/") }, [])
        provider.finish()
    }

    func testBodiesGoWhenTheyAreNoLongerWanted() throws {
        let provider = try ProviderServer(.messages, [.text("At the pier.")])
        let chat = try ChatProgram(provider)
        try chat.prepare("config.json", #"{"ledger": {"bodies": 1}}"#)
        try chat.run(["-p", "where is the ferry?"]).assertAnswer("At the pier.\n")
        XCTAssertEqual(chat.files.count { $0.hasPrefix("sent/") }, 2)
        let then = Date(timeIntervalSinceNow: -2 * 86_400)
        try FileManager.default.setAttributes(
            [.modificationDate: then], ofItemAtPath: chat.file("sent/1.request"))
        try chat.run(["sent"])
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("sent/") }, ["sent/1.response"])
        try chat.prepare("config.json", "{}")
        try chat.run(["sent"])
        XCTAssertEqual(chat.files.filter { $0.hasPrefix("sent/") }, [])
        provider.finish()
    }

    /// The comparison that runs at the end of every test with programs and servers.
    func testARequestWithoutARowAndAnAnsweredRowWithoutARequestAreFound() {
        let received = ["127.0.0.1:1 10": 2, "127.0.0.1:1 5": 1]
        XCTAssertEqual(
            LedgerCheck.problems(
                received, ["127.0.0.1:1 10": (3, 2), "127.0.0.1:1 5": (1, 0), "b:1 3": (1, 1)]),
            [])
        XCTAssertEqual(
            LedgerCheck.problems(
                received, ["127.0.0.1:1 10": (1, 1), "127.0.0.1:1 7": (1, 1)]),
            [
                "127.0.0.1:1 10 bytes: received 2, rows 1, of them answered 1",
                "127.0.0.1:1 5 bytes: received 1, rows 0, of them answered 0",
                "127.0.0.1:1 7 bytes: received 0, rows 1, of them answered 1",
            ])
    }

    func testServersThatAreProgramsAreNamed() throws {
        let chat = try ChatProgram()
        try chat.prepare(
            "mcp.json",
            #"{"mcpServers": {"files": {"command": "true"}, "far": {"url": "https://a.example/"}}}"#
        )
        let listed = try chat.run(["sent"])
        XCTAssertEqual(listed.exit, 0)
        XCTAssertEqual(listed.text, "Nothing was sent.\n")
        XCTAssertTrue(listed.errorText.contains("programs send by themselves (files)"))
    }

    func testWithADamagedDatabaseAKeyIsCheckedAndSaidToBeUnrecorded() throws {
        let provider = try ProviderServer(.messages, [])
        let chat = try ChatProgram(provider)
        try chat.prepare("chat.db", String(repeating: "no database ", count: 100))
        let checked = try chat.run(["keys", "check", "claude"])
        XCTAssertEqual(checked.exit, 0, checked.errorText)
        XCTAssertTrue(checked.errorText.contains("without a record of it"), checked.errorText)
        XCTAssertEqual(provider.allRequests.count, 1)
        provider.finish()
    }
}
