import AgentCore
import Base
import Foundation
import Glibc
import Persistence
import TestSupport
import XCTest

/// Routines of the real program: made in the shell and in plain words, run by the service with the
/// chat closed, killed, and kept from doing what they may not.
final class RoutineProgramTests: XCTestCase {
    /// Makes every routine due: they were approved ten minutes ago.
    private func makeDue(_ chat: ChatProgram) throws {
        let database = CalendarDatabase(
            folder: chat.file("state"), environment: .system(variables: [:]))
        defer { database.close() }
        let pins = RoutinePins(try database.connection())
        for (id, pin) in try pins.all() {
            var pin = pin
            pin.since -= 600
            try pins.set(pin, of: id)
        }
    }

    private func states(_ chat: ChatProgram) throws -> [String?] {
        try (chat.json(["routine", "log", "--json"]).arrayValue ?? []).map {
            $0["state"]?.stringValue
        }
    }

    private let hourly = ["routine", "add", "FREQ=HOURLY", "sum up my day", "--name", "Morning"]

    func testTheServiceRunsItOnceWithTheChatClosedAndTheLaunchSaysSo() throws {
        let provider = try ProviderServer(.messages, [.text("Two events. The first is at 9.")])
        let chat = try ChatProgram(provider)
        let made = try chat.run(hourly)
        XCTAssertEqual(made.exit, 0, made.errorText)
        XCTAssertTrue(made.text.contains("claude/claude-sonnet-5-5 at 127.0.0.1:"), made.text)
        try makeDue(chat)
        for _ in 0..<2 {
            let service = try chat.run(["alerts", "run", "--once"])
            XCTAssertEqual(service.exit, 0, service.errorText)
        }
        XCTAssertEqual(provider.requests.count, 1)
        XCTAssertEqual(try states(chat), ["done"])
        try chat.run(["routine", "last", "morning"])
            .assertAnswer("Two events. The first is at 9.\n")
        let rows = try chat.json(["sent", "--json"]).arrayValue ?? []
        let turn = rows.first { $0["purpose"] == "routine" }
        let id = try chat.json(["routine", "list", "--json"]).arrayValue?.first?["id"]
        XCTAssertEqual(turn?["routine"], id)
        let session = try ChatTerminal(chat)
        try session.waitFor("1 routine ran: Morning · /routine log")
        session.leave()
        let again = try ChatTerminal(chat)
        try again.waitForPrompt()
        try again.enter("/routine list", until: "Morning")
        XCTAssertFalse(again.transcript.contains { $0.contains("1 routine ran") })
        again.leave()
        XCTAssertEqual(provider.violations, [])
        provider.finish()
    }

    func testAKilledRunIsReportedAndNotRepeated() async throws {
        let sent = Gate()
        let provider = try ProviderServer(.messages, [.stall(after: "Two", sent: sent)])
        let chat = try ChatProgram(provider)
        try chat.run(hourly)
        try makeDue(chat)
        let id = try XCTUnwrap(
            try chat.json(["routine", "list", "--json"]).arrayValue?.first?["id"]?.stringValue)
        let running = try chat.start(["routine", "run", "--due", id])
        running.endInput()
        await sent.wait()
        running.signal(SIGKILL)
        _ = try running.finish()
        for _ in 0..<2 { try chat.run(["alerts", "run", "--once"]) }
        XCTAssertEqual(try states(chat), ["interrupted"])
        XCTAssertEqual(provider.requests.count, 1)
        let session = try ChatTerminal(chat)
        try session.waitFor("Morning was interrupted")
        session.leave()
        provider.finish()
    }

    func testACallThatWasNotNamedIsHeldBackAndOffered() throws {
        let provider = try ProviderServer(
            .messages,
            [.toolCall("create_reminder", #"{"title": "buy milk"}"#), .text("I noted one thing.")])
        let chat = try ChatProgram(provider)
        try chat.run(hourly)
        let run = try chat.run(["routine", "run", "Morning"])
        XCTAssertEqual(run.exit, 6, run.errorText)
        XCTAssertEqual(try chat.json(["reminders", "list", "--json"]), [])
        let session = try ChatTerminal(chat)
        try session.waitFor("1 run held calls back · /routine held")
        try session.waitForPrompt()
        session.enter("/routine held")
        try session.answer("y", to: "Do it now?", until: "✓ buy milk")
        session.leave()
        let titles = try chat.json(["reminders", "list", "--json"]).arrayValue?.map { $0["title"] }
        XCTAssertEqual(titles, ["buy milk"])
        XCTAssertEqual(try chat.json(["routine", "held", "--json"]), [])
        provider.finish()
    }

    func testARequestThatWouldBeAboveTheBudgetIsNotSent() throws {
        let provider = try ProviderServer(.messages, [])
        let chat = try ChatProgram(provider)
        try chat.run(hourly + ["--budget", "0.0001"])
        let run = try chat.run(["routine", "run", "Morning"])
        XCTAssertEqual(run.exit, 1, run.errorText)
        XCTAssertTrue(run.errorText.contains("would be above its budget"), run.errorText)
        XCTAssertEqual(provider.requests.count, 0)
        let rows = try chat.json(["sent", "--json"]).arrayValue ?? []
        XCTAssertFalse(rows.contains { $0["purpose"] == "routine" })
        let listed = try chat.json(["routine", "list", "--json"]).arrayValue?.first
        XCTAssertEqual(listed?["paused"], "the next request would be above its budget")
        provider.finish()
    }

    func testABackupBringsItBackPausedUntilItIsApproved() throws {
        let provider = try ProviderServer(.messages, [])
        let (old, new) = (try ChatProgram(provider), try ChatProgram(provider))
        try old.run(hourly)
        let file = old.folder.path("b.zip")
        XCTAssertEqual(try old.run(["backup", file]).exit, 0)
        let restored = try new.run(["restore", file])
        XCTAssertEqual(restored.exit, 0, restored.errorText)
        XCTAssertTrue(
            restored.errorText.contains("paused until you approve them"), restored.errorText)
        let listed = try new.json(["routine", "list", "--json"]).arrayValue?.first
        XCTAssertEqual(listed?["paused"], "not approved on this machine")
        try new.run(["alerts", "run", "--once"])
        XCTAssertEqual(try states(new), [])
        XCTAssertEqual(try new.run(["routine", "resume", "Morning", "--yes"]).exit, 0)
        XCTAssertEqual(
            try new.json(["routine", "list", "--json"]).arrayValue?.first?["paused"], .null)
        XCTAssertEqual(provider.requests.count, 0)
        provider.finish()
    }

    func testAtTheLaunchAfterAReviewWhatIsDueIsAskedAboutOneByOne() throws {
        let provider = try ProviderServer(.messages, [.text("Two things are **not done**.")])
        let chat = try ChatProgram(provider)
        for title in ["buy milk", "call Bo"] {
            try chat.run(["reminders", "add", title, "--due", "2020-01-02"])
        }
        try chat.run(hourly + ["--review"])
        try chat.run(["routine", "run", "Morning"]).assertAnswer("Two things are **not done**.\n")
        let session = try ChatTerminal(chat)
        try session.answer("done", to: "1–4, or Enter for none:", until: "✓ done: buy milk")
        try session.waitFor("Not done: call Bo")
        try session.answer("stop", to: "1–4, or Enter for none:", until: "The rest stays as it is")
        try session.waitForPrompt(after: "The rest stays")
        // As an answer is drawn.
        try session.enter("/routine last Morning", until: "Two things are not done.")
        session.leave()
        let open = try chat.json(["reminders", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(open.map { $0["title"] }, ["call Bo"])
        let again = try ChatTerminal(chat)
        try again.waitForPrompt()
        XCTAssertFalse(again.transcript.contains { $0.contains("Not done:") })
        again.leave()
        provider.finish()
    }

    func testWithoutAKeyItIsNotMadeAndTheFixIsNamed() throws {
        let chat = try ChatProgram()
        let made = try chat.run(hourly)
        XCTAssertEqual(made.exit, 4, made.errorText)
        XCTAssertTrue(made.errorText.contains("chat keys set"), made.errorText)
        try chat.run(["routine", "list"]).assertAnswer(
            """
            There are no routines yet.
            chat routine add "every weekday at 7:30" "sum up my day"

            """)
    }

    /// No table of the machine is touched: both programs are fakes of the test.
    func testAKeyThatTheServiceDoesNotHaveIsNoticedWhenItIsMade() throws {
        let provider = try ProviderServer(.messages, [])
        let chat = try ChatProgram(provider)
        let (table, bin) = (chat.folder.path("table"), chat.folder.path("bin"))
        try FileManager.default.createDirectory(
            atPath: bin, withIntermediateDirectories: false)
        for (name, script) in [
            ("systemctl", "exit 1"),
            ("crontab", "[ \"$1\" = - ] && exec cat >\(table); exec cat \(table)"),
        ] {
            try Data("#!/bin/sh\n\(script)\n".utf8).write(
                to: URL(fileURLWithPath: "\(bin)/\(name)"))
            chmod("\(bin)/\(name)", 0o755)
        }
        try Data().write(to: URL(fileURLWithPath: table))
        chat.variables["PATH"] = "\(bin):\(TestMachine.path)"
        try chat.run(["alerts", "install"])
        // Cron passes neither the key nor the address of this shell on.
        let refused = try chat.run(hourly)
        XCTAssertEqual(refused.exit, 4, refused.errorText)
        XCTAssertTrue(
            refused.errorText.contains("The service that runs routines cannot ask it"),
            refused.errorText)
        XCTAssertTrue(refused.errorText.contains("chat keys set claude"), refused.errorText)
        let address = try XCTUnwrap(chat.variables["ANTHROPIC_BASE_URL"])
        try chat.prepare("config.json", #"{"claude": {"base_url": "\#(address)"}}"#)
        let stored = try chat.run(
            ["keys", "set", "claude"], input: ProviderServer.key + "\n")
        XCTAssertEqual(stored.exit, 0, stored.errorText)
        let made = try chat.run(hourly)
        XCTAssertEqual(made.exit, 0, made.errorText)
        let doctor = try chat.run(["doctor"])
        XCTAssertTrue(doctor.text.contains("routine Morning: can run"), doctor.text)
        provider.finish()
    }
}
