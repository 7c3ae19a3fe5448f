import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Tool calls of the model, from the wire to the file on disk: what runs,
/// what does not, and what other programs read.
final class ReminderToolTests: XCTestCase {
    private static let call =
        #"{"title":"call Zoë 🌷","due_date":"2027-03-04T09:30:00+01:00","notes":"a, b; c\nd","priority":2}"#

    private func calendarFiles(_ chat: ChatProgram) -> [String] {
        chat.files.filter { $0.hasPrefix("calendars/") && $0.hasSuffix(".ics") }
    }

    func testACalledToolMakesAReminderOnEveryWireFormat() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let server = try ProviderServer(
                format, [.toolCall("create_reminder", Self.call), .text("Noted.")])
            let chat = try ChatProgram(server)
            try chat.run(["--provider", server.provider, "-p", "call Zoë"])
                .assertAnswer("Noted.\n")
            XCTAssertEqual(calendarFiles(chat).count, 1)
            let reminders = try chat.json(["reminders", "list", "--json"]).arrayValue ?? []
            XCTAssertEqual(reminders.map { $0["title"] }, ["call Zoë 🌷"])
            XCTAssertEqual(reminders[0]["priority"], 2)
            XCTAssertEqual(reminders[0]["notes"], "a, b; c\nd")
            server.finish()
        }
    }

    func testAnActThatNoToolDidIsMarkedBelowTheAnswer() throws {
        let lie = "I've set a reminder to call Zoë."
        let server = try ProviderServer(
            .messages,
            [.text(lie), .text("Zoë at five!"), .toolCall("create_reminder", Self.call)]
                + [.text(lie), .text(lie)])
        let chat = try ChatProgram(server)
        let marked = try chat.run(["-p", "call Zoë"])
        XCTAssertEqual(marked.text, lie + "\n")
        XCTAssertEqual(marked.errorText, "! not done: no tool did this in this answer\n")
        XCTAssertEqual(marked.exit, 0)
        let unclaimed = try chat.run(["-p", "call Zoë"])
        XCTAssertEqual(
            unclaimed.errorText, "· nothing was changed: no tool did anything in this answer\n")
        XCTAssertEqual(calendarFiles(chat), [])
        try chat.run(["-p", "call Zoë"]).assertAnswer(lie + "\n")
        XCTAssertEqual(calendarFiles(chat).count, 1)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("call Zoë", until: "  ! not done: no tool did this in this answer · /retry")
        repl.leave()
        server.finish()
    }

    func testInTheShellThatIsWhatTheModelSaidWhereItSpokeLast() throws {
        let server = try ProviderServer(.messages, [.text("A poem."), .text("Unsaid.")])
        let chat = try ChatProgram(server)
        let made = try chat.run(["-p", "remind me to buy eggs in 3 days"])
        XCTAssert(made.text.hasPrefix("✓ buy eggs"), made.text)
        try chat.run(["-c", "-p", "write a poem"]).assertAnswer("A poem.\n")
        let unsaid = try chat.run(["-c", "-p", "undo that"])
        XCTAssertEqual(unsaid.text, "Unsaid.\n")
        XCTAssert(unsaid.errorText.hasPrefix("· nothing was changed"), unsaid.errorText)
        // In a conversation of its own nobody has said anything.
        let undone = try chat.run(["-p", "undo that"])
        XCTAssert(undone.text.hasPrefix("✓ undone"), undone.text)
        server.finish()
    }

    /// An independent reader (Python's icalendar) sees the same reminder.
    func testTheFileIsReadByAnotherICalendarProgram() throws {
        let probe = try RunningProgram(
            "/usr/bin/python3", ["-c", "import icalendar"], environment: [:])
        probe.endInput()
        guard try probe.finish().exit == 0 else {
            throw XCTSkip("Python's icalendar is not installed (Debian: python3-icalendar)")
        }
        let server = try ProviderServer(
            .messages, [.toolCall("create_reminder", Self.call), .text("Noted.")])
        let chat = try ChatProgram(server)
        try chat.run(["-p", "call Zoë"]).assertAnswer("Noted.\n")
        server.finish()
        let script = #"""
            import sys, json, icalendar
            calendar = icalendar.Calendar.from_ical(open(sys.argv[1], "rb").read())
            [todo] = calendar.walk("VTODO")
            [alarm] = todo.walk("VALARM")
            print(json.dumps([str(todo["summary"]), todo["due"].dt.isoformat(),
                str(todo["description"]), int(todo["priority"]), str(todo["uid"]) + ".ics",
                str(alarm["action"])]))
            """#
        // One file, as the test above asserts.
        let file = calendarFiles(chat)[0]
        let reader = try RunningProgram(
            "/usr/bin/python3", ["-c", script, chat.file(file)], environment: ["LANG": "C.UTF-8"])
        reader.endInput()
        let read = try reader.finish()
        XCTAssertEqual(read.errorText, "")
        XCTAssertEqual(
            try JSONParser.parse(read.output),
            [
                "call Zoë 🌷", "2027-03-04T08:30:00+00:00", "a, b; c\nd", 2,
                .string((file as NSString).lastPathComponent), "DISPLAY",
            ])
    }

    func testAnAnswerCutInAToolCallRunsNothingAndTheNextRequestIsValid() throws {
        for format in [WireFormat.responses, .chat, .messages] {
            let whole = WireScript.toolCall(
                "create_reminder", arguments: Self.call, format: format)
            let text = String(decoding: whole, as: UTF8.self)
            guard let middle = text.range(of: "due_date") else { return XCTFail(text) }
            let head = Array(text[..<middle.lowerBound].utf8)
            let cut = ProviderServer.Reply { _ in
                ServerScript([ServerScript.sseHead(), .chunk(head), .cut])
            }
            let server = try ProviderServer(format, [cut, .text("Here again.")])
            let chat = try ChatProgram(server)
            let broken = try chat.run(["--provider", server.provider, "-p", "call Zoë"])
            broken.assertFailure(1, "127.0.0.1")
            XCTAssertEqual(calendarFiles(chat), [])
            try chat.run(["-c", "-p", "go on"]).assertAnswer("Here again.\n")
            XCTAssertEqual(calendarFiles(chat), [])
            XCTAssertEqual(try chat.json(["reminders", "list", "--json"]), [])
            server.finish()
        }
    }
}
