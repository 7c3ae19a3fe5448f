import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

/// From an empty home to an exported letter, and what else is done with letters that
/// are kept. Acceptance check 47 for letters.
final class KeptLetterTests: XCTestCase {
    /// The text of an answer that is known only later.
    private final class Box: Sendable {
        let text = Mutex("")
    }

    private static let name = "Imogen Fairweather"

    private static let sentence =
        "At Dragonfly Press I edited forty cookbooks, and I would like to edit yours. "

    /// - Parameter words: of the answer, at least.
    private static func answer(_ words: Int) -> String {
        Array(repeating: sentence, count: words / 14 + 1).joined()
    }

    private func written(_ replies: ProviderServer.Reply...) throws -> (ProviderServer, ChatProgram)
    {
        let server = try ProviderServer(.messages, replies)
        let chat = try ChatProgram(server)
        let resume = chat.folder.path("resume.md")
        let job = chat.folder.path("job.txt")
        try Data(
            """
            # \(Self.name)
            imogen.fairweather@example.org

            ## Experience
            Editor, Dragonfly Press, Bristol, 2018 – 2023
            - Edited forty cookbooks and a history of salt
            - Worked with authors from six countries on books that people still use every day

            ## Skills
            Copy-editing, InDesign, patience, and a good eye for what a sentence means to say

            """.utf8
        ).write(to: URL(fileURLWithPath: resume))
        try Data(
            "Editor wanted\n\nSalt & Paper, Cardiff, seeks an editor for its cookbooks.\n".utf8
        ).write(to: URL(fileURLWithPath: job))
        XCTAssertEqual(try chat.run(["profile", "set", "name", Self.name]).exit, 0)
        let done = try chat.run([
            "letter", "new", "--resume", resume, "--job", job, "--length", "short", "--yes",
        ])
        XCTAssertEqual(done.exit, 0, done.errorText)
        return (server, chat)
    }

    private func id(_ chat: ChatProgram) throws -> String {
        let letters = try chat.json(["letter", "list", "--json"]).arrayValue ?? []
        return try XCTUnwrap(letters.first?["id"]?.stringValue)
    }

    func testALetterGoesFromAnEmptyHomeToAFile() throws {
        let (server, chat) = try written(.text(Self.answer(140)))
        let id = try id(chat)
        XCTAssertTrue(id.hasPrefix("l"), id)
        let text = try chat.run(["letter", "show", id]).text
        XCTAssertTrue(text.contains(Self.name))
        XCTAssertTrue(text.contains("forty cookbooks"))
        let request = try chat.run(["letter", "show", id, "--request"])
        XCTAssertEqual(request.output, server.requests.first?.body)
        XCTAssertFalse(request.text.contains("Fairweather"))
        for name in ["letter.txt", "letter.md", "letter.html", "letter.json"] {
            let path = chat.folder.path(name)
            let done = try chat.run(["letter", "export", id, "-o", path])
            XCTAssertEqual(done.exit, 0, done.errorText)
            let written = try String(contentsOfFile: path, encoding: .utf8)
            XCTAssertTrue(written.contains(Self.name), name)
            XCTAssertEqual(try chat.run(["letter", "export", id, "-o", path]).exit, 2)
        }
        let generic = try chat.run(["library", "export", id, "--format", "txt"])
        XCTAssertTrue(generic.text.contains(Self.name))

        // It is an item like any other.
        let found = try chat.json(["library", "search", "Dragonfly", "--json"]).arrayValue ?? []
        XCTAssertTrue(found.contains { $0["kind"]?.stringValue == "letter" })
        for words in [["library", "show", id], ["library", "history", id]] {
            XCTAssertEqual(try chat.run(words).exit, 0)
        }
        XCTAssertEqual(try chat.run(["letter", "delete", id]).exit, 0)
        XCTAssertEqual(try chat.run(["letter", "show", id, "--json"]).exit, 0)
        XCTAssertEqual(try chat.run(["letter", "use", id]).exit, 1)
        XCTAssertEqual(try chat.run(["undo"]).exit, 0)
        XCTAssertEqual(try chat.run(["letter", "use", id]).exit, 0)
        server.finish()
    }

    /// Check 47: the writing tools keep what they send without a name.
    func testAWritingToolOnALetterTellsNoName() throws {
        let answer = Box()
        let (server, chat) = try written(
            .text(Self.answer(140)), .text("No."),
            .init { .sse(WireScript.text([answer.text.withLock { $0 }], format: $0)) })
        let id = try id(chat)
        let before = try chat.run(["letter", "show", id]).text
        // A refused answer changes nothing; what was asked is what the next one is made of.
        XCTAssertEqual(try chat.run(["write", "concise", id]).exit, 6)
        XCTAssertEqual(try chat.run(["letter", "show", id]).text, before)
        let input = try XCTUnwrap(server.requests.last).bodyText
        let start = try XCTUnwrap(input.firstRange(of: "<text>\\n")).upperBound
        let end = try XCTUnwrap(input.firstRange(of: "\\n</text>")).lowerBound
        let text = String(input[start..<end]).replacing("\\n", with: "\n")
        answer.text.withLock { $0 = text.replacing(", and I would like to edit yours", with: "") }
        let done = try chat.run(["write", "concise", id])
        XCTAssertEqual(done.exit, 0, done.errorText)
        let history = try chat.json(["library", "history", id, "--json"]).arrayValue ?? []
        XCTAssertEqual(history.map { $0["revision"] }, [2, 1])
        let after = try chat.run(["letter", "show", id]).text
        XCTAssertNotEqual(after, before)
        XCTAssertTrue(after.contains(Self.name), after)
        let sent = try XCTUnwrap(server.requests.last).bodyText
        XCTAssertTrue(sent.contains("Dragonfly"), sent)
        XCTAssertFalse(sent.contains("Imogen") || sent.contains("airweather"), sent)
        XCTAssertEqual(try chat.run(["undo"]).exit, 0)
        XCTAssertEqual(try chat.run(["letter", "show", id]).text, before)
        server.finish()
    }
}
