import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// `chat write` as a filter, on files and on items: acceptance checks 10 to 16.
final class WritingTests: XCTestCase {
    private func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
    }

    private static let mixed =
        "# Teh title\r\n\r\nUse `teh` and see https://x.org/teh now.\r\n\r\n"
        + "```\r\nteh code\r\n```\r\n\r\n> teh quote\r\n\r\nteh end"

    /// Check 12.
    func testAFileIsRewrittenInPlaceAndItsBytesComeBack() throws {
        let server = try ProviderServer(
            .messages,
            [.text("# The title\n\nUse ⟦1⟧ and see ⟦2⟧ now.\n\n⟦3⟧\n\n⟦4⟧\n\nThe end")])
        let chat = try ChatProgram(server)
        let path = chat.folder.path("notes.md")
        try write(Self.mixed, to: path)
        let done = try chat.run(["write", "proofread", path, "--in-place"])
        XCTAssertEqual(done.exit, 0, done.errorText)
        XCTAssertEqual(
            done.text, "✓ \(path) · 2 corrections · chat undo \(path)\n")
        XCTAssertEqual(
            try text(path),
            Self.mixed.replacing("# Teh", with: "# The").replacing("teh end", with: "The end"))
        let listed = try chat.json(["undo", "list", "--json"]).arrayValue
        XCTAssertEqual(listed?.first?["verb"]?.stringValue, "proofread")
        XCTAssertEqual(try chat.run(["undo", path]).exit, 0)
        XCTAssertEqual(try text(path), Self.mixed)
        // What a model is given holds nothing that is protected.
        let sent = try server.messages(0).joined()
        for secret in ["teh code", "teh quote", "x.org"] { XCTAssertFalse(sent.contains(secret)) }
        server.finish()
    }

    /// Check 10.
    func testAFilterPrintsTheCorrectedTextAndOnlyTheNamedPartIsSent() throws {
        let server = try ProviderServer(
            .messages,
            [
                .text("The cat ", "sat."), .text("The second line is here."),
                .text("The third one, in two lines."),
            ])
        let chat = try ChatProgram(server)
        try chat.run(["write", "proofread", "-"], input: "teh cat sat.\n")
            .assertAnswer("The cat sat.\n")
        let path = chat.folder.path("f.txt")
        let old =
            "The frist line is heer.\nteh second line is here.\n\nteh third one, in two lines.\n"
        try write(old, to: path)
        let lines = try chat.run(["write", "proofread", path, "--lines", "2"])
        XCTAssertEqual(lines.text, old.replacing("teh second", with: "The second"))
        XCTAssertEqual(
            try server.messages(1), ["user: <text>\nteh second line is here.\n</text>\n"])
        let paragraph = try chat.run(["write", "proofread", path, "--paragraph", "2"])
        XCTAssertEqual(paragraph.text, old.replacing("teh third", with: "The third"))
        try chat.run(["write", "proofread", path, "--lines", "9"]).assertFailure(2, "4 lines")
        try chat.run(["write", "proofread", path, "--lines", "x"]).assertFailure(2, "--lines 3-5")
        server.finish()
    }

    func testWhatIsDoneIsKeptWhenALongFileIsStopped() throws {
        let first = "Teh first part. " + String(repeating: "More of it. ", count: 480) + "\n\n"
        let second = "teh second part. " + String(repeating: "More of it. ", count: 480) + "\n"
        let sent = Gate()
        let server = try ProviderServer(
            .messages,
            [
                .text(first.replacing("Teh", with: "The")),
                .stall(after: "The second", sent: sent),
            ])
        let chat = try ChatProgram(server)
        let path = chat.folder.path("long.md")
        try write(first + second, to: path)
        let running = try chat.start(["write", "proofread", path, "--in-place"])
        running.endInput()
        sent.block()
        running.signal(SIGINT)
        let done = try running.finish()
        XCTAssertEqual(done.exit, 130, done.errorText)
        XCTAssertTrue(done.text.contains("stopped; the rest is unchanged"), done.text)
        XCTAssertEqual(try text(path), first.replacing("Teh", with: "The") + second)
        XCTAssertEqual(try chat.run(["undo", path]).exit, 0)
        XCTAssertEqual(try text(path), first + second)
        server.finish()
    }

    /// What the model said last is worked on with one word.
    func testTheLastAnswerIsWorkedOnAtThePrompt() throws {
        let server = try ProviderServer(
            .messages,
            [
                .text("hey, that aint gonna work at all."),
                .text("Unfortunately, that will not work."),
            ])
        let chat = try ChatProgram(server)
        let repl = try ChatTerminal(chat)
        try repl.waitForPrompt(after: "/help")
        try repl.enter("Will it work?", until: "aint gonna")
        try repl.enter("/professional", until: "Unfortunately, that will not work.")
        repl.leave()
        XCTAssertTrue(try server.messages(1)[0].contains("<text>\nhey, that aint gonna"))
        server.finish()
    }
}
