import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// Files that go with a message, in the real program.
final class AttachmentTests: XCTestCase {
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
        + Array("IHDR".utf8) + [0, 0, 4, 0, 0, 0, 3, 0]

    private func types(_ server: ProviderServer, _ index: Int) throws -> [String] {
        let body = try JSONParser.parse(server.requests[index].body)
        return (body["messages"]?[0]?["content"]?.arrayValue ?? []).compactMap {
            $0["type"]?.stringValue
        }
    }

    func testFilesAreQueuedNamedShownSentAndSeenAgain() throws {
        let server = try ProviderServer(.messages, [.text("I see it.")])
        let chat = try ChatProgram(server)
        let image = try chat.folder.write(Self.png, to: "my pic.png")
        let notes = try chat.folder.write(Array("one\ntwo\n".utf8), to: "notes.md")
        let repl = try ChatTerminal(chat, ["--provider", "claude"])
        try repl.waitForPrompt(after: "/help")
        // As a terminal writes a file that is dropped on it.
        try repl.enter("'\(image)' ", until: "with the next message")
        try repl.enter("what is in @\(notes), eve@example.org?", until: "I see it.")
        let shown = ["+ my pic.png  1,024 × 768, 24 bytes", "+ notes.md  8 bytes, 2 lines"]
        for line in shown { try repl.waitFor(line) }
        try repl.enter("/attach", until: "Nothing is attached.")
        repl.leave()
        XCTAssertEqual(try types(server, 0), ["image", "text", "text", "text"])
        XCTAssertEqual(
            try server.messages(0),
            [
                "user: File notes.md:\n```markdown\none\ntwo\n```|"
                    + "what is in @\(notes), eve@example.org?"
            ])
        let again = try ChatTerminal(chat)
        try again.waitForPrompt(after: "I see it.")
        for line in shown { try again.waitFor(line) }
        again.leave()
        server.finish()
    }

    func testWhatCannotGoIsRefusedBeforeAnythingIsSentOrSaved() throws {
        let server = try ProviderServer(.messages, [.text("ok")])
        let chat = try ChatProgram(server)
        let empty = try chat.folder.write([], to: "empty")
        let document = try chat.folder.write(Array("PK\u{3}\u{4}..".utf8), to: "a.docx")
        let fifo = chat.folder.path("fifo")
        XCTAssertEqual(mkfifo(fifo, 0o600), 0)
        for path in [empty, document, fifo, "/dev/zero", chat.folder.path, "/nowhere"] {
            let result = try chat.run(["-p", "look", "--attach", path])
            XCTAssertEqual(result.exit, 2, path)
            XCTAssertEqual(result.text, "")
            XCTAssertLessThanOrEqual(result.errorText.split(separator: "\n").count, 3)
            XCTAssert(result.errorText.hasPrefix("chat: \(path) "), result.errorText)
        }
        XCTAssertEqual(try chat.run(["conversations", "list", "--json"]).text.first, "[")
        XCTAssertEqual(server.allRequests.count, 0)
        // An @ in a script names no file.
        let notes = try chat.folder.write(Array("secret".utf8), to: "notes.md")
        try chat.run(["-p", "see @\(notes)"]).assertAnswer("ok\n")
        XCTAssertEqual(try server.messages(0), ["user: see @\(notes)"])
        server.finish()
    }
}
