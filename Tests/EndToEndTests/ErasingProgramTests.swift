import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// What was deleted for good is in no file of the real program, whatever was done with
/// it before and whoever has the database open; and a model never had it.
final class ErasingProgramTests: XCTestCase {
    private static let literals = [
        "zqida", "zqsvensson", "zqstorgatan", "zqida@mail.example", "08-771 234 56", "0877123456",
    ]
    private static let resume = """
        ZqIda ZqSvensson
        ZqStorgatan 5, 111 22 Stockholm
        zqida@mail.example
        08-771 234 56

        Experience
        Harbour office, Gothenburg, 2013 – 2023
        Has shipped teh timetable of a ferry for ten years, with a crew of twelve people.
        Planned the repairs of nine boats in winter and kept them below what they may cost.

        """
    private static let advert = """
        Harbour master at North Shore Ferries

        We seek a calm person for our harbour who knows timetables and boats. Please write
        to our Ms. ZqIda ZqSvensson, zqida@mail.example, 08-771 234 56.

        """

    /// `file: literal` for each file of the home but the profile in which one stands, in
    /// whatever case.
    private func traces(_ chat: ChatProgram) throws -> [String] {
        try chat.files.filter { $0 != "profile.json" }.flatMap { name in
            let bytes = Data(try chat.bytes(name).map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
            return Self.literals.filter { bytes.range(of: Data($0.utf8)) != nil }.map {
                "\(name): \($0)"
            }
        }
    }

    private func run(_ chat: ChatProgram, _ words: String..., input: String = "") throws {
        let result = try chat.run(words, input: input)
        XCTAssertEqual(result.exit, 0, "\(words): \(result.errorText)")
    }

    func testNothingOfALetterIsLeftInAnyFileButTheProfile() throws {
        let server = try ProviderServer(.messages, [.text("A ferry."), .text("Yes.")])
        let chat = try ChatProgram(server)
        for (field, value) in [
            ("name", "ZqIda ZqSvensson"), ("email", "zqida@mail.example"),
            ("phone", "08-771 234 56"), ("address", "ZqStorgatan 5, 111 22 Stockholm"),
        ] {
            try run(chat, "profile", "set", field, "-", input: value)
        }
        try run(chat, "library", "save", "--kind", "resume", input: Self.resume)
        try run(chat, "library", "save", "--kind", "job", input: Self.advert)
        try run(chat, "letter", "new", "--resume", "i1", "--job", "i2", "--offline")
        for number in 1...3 {
            let longer = String(repeating: Self.resume, count: number * 4)
            try run(chat, "library", "edit", "i\(number)", "--text", "-", input: longer)
            try run(chat, "library", "edit", "i\(number)", "--title", "ZqSvensson \(number)")
        }
        try run(chat, "library", "undo")
        // A file of the user's that the writing tools correct, and remember.
        let file = chat.folder.path("cv.txt")
        try Data(Self.resume.utf8).write(to: URL(fileURLWithPath: file))
        try run(chat, "write", "proofread", file, "--in-place", "--offline")
        XCTAssert(try traces(chat).contains { $0.hasPrefix("state/files.db") })
        XCTAssert(try traces(chat).contains { $0.hasPrefix("chat.db") })
        // Another chat has all of it open; its messages name two of the items.
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("what is @i1 about, and @i3?", until: "A ferry.")
        try repl.enter("/library show i1", until: "ZqStorgatan")
        let once = try chat.run(["-p", "and this?", "--attach", "i2"])
        XCTAssertEqual(once.exit, 0, once.errorText)
        for number in 1...3 { try run(chat, "library", "delete", "i\(number)") }
        let emptied = try chat.run(["library", "empty-trash", "--yes"])
        XCTAssertEqual(emptied.exit, 0, emptied.errorText)
        XCTAssertEqual(emptied.text, "✓ 3 items deleted for good\n")
        XCTAssertEqual(try traces(chat), [])
        repl.leave()
        XCTAssertEqual(try traces(chat), [])
        for request in server.requests {
            let body = String(decoding: request.body, as: UTF8.self).lowercased()
            for literal in Self.literals { XCTAssertFalse(body.contains(literal), literal) }
        }
        XCTAssertEqual(server.requests.filter { $0.method == "POST" }.count, 2)
        server.finish()
    }

    /// While another chat has the database open.
    func testAMessageWithoutAnAnswerGoesWithItsConversation() throws {
        let server = try ProviderServer(
            .messages, [.response(401, [], "{}")])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        let asked = try chat.run(["-p", "I am ZqIda ZqSvensson, 08-771 234 56. Who are you?"])
        XCTAssertEqual(asked.exit, 4, asked.errorText)
        XCTAssertNotEqual(try traces(chat), [])
        try run(chat, "conversations", "delete", "ZqIda")
        try run(chat, "conversations", "empty-trash", "--yes")
        XCTAssertEqual(try traces(chat), [])
        repl.leave()
        XCTAssertEqual(try traces(chat), [])
        server.finish()
    }

    /// The log of tool calls holds the arguments redacted, in the database alone, and goes
    /// with its conversation.
    func testWhatToolsWereCalledWithIsInTheDatabaseAloneAndGoesWithTheTrash() throws {
        let server = try ProviderServer(
            .messages,
            [
                .toolCall("search_reminders", #"{"query":"ZqIda ZqSvensson zqplum"}"#),
                .text("None."), .toolCall("zqplum_tool", #"{"zqplum":1}"#), .text("No."),
            ])
        let chat = try ChatProgram(server)
        try run(chat, "profile", "set", "name", "-", input: "ZqIda ZqSvensson")
        for number in 1...2 {
            let result = try chat.run(["-p", "number \(number)", "--verbose"])
            XCTAssertEqual(result.exit, 0, result.errorText)
        }
        let log = try chat.run(["tools", "log", "--json"]).text
        XCTAssertTrue(log.contains("zqplum"), log)
        XCTAssertFalse(log.lowercased().contains("zqida"), log)
        XCTAssertFalse(log.lowercased().contains("zqsvensson"), log)
        func holding(_ text: String) throws -> [String] {
            try chat.files.filter { try Data(chat.bytes($0)).range(of: Data(text.utf8)) != nil }
        }
        XCTAssertEqual(try holding("zqplum").filter { !$0.hasPrefix("chat.db") }, [])
        XCTAssertNotEqual(try holding("zqplum"), [])
        for number in 1...2 { try run(chat, "conversations", "delete", "number \(number)") }
        XCTAssertEqual(try chat.json(["tools", "log", "--json"]), [])
        try run(chat, "conversations", "empty-trash", "--yes")
        XCTAssertEqual(try holding("zqplum"), [])
        server.finish()
    }
}
