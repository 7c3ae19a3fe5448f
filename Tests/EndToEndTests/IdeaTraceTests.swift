import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

/// What ideas leave behind: the titles that are not to come again, and no key.
/// Acceptance checks 4 and 8; the others are in `IdeaTests` and `IdeaKeysTests`.
final class IdeaTraceTests: XCTestCase {
    private static let prompt = "One app idea, one sentence"

    /// A program with an idea prompt.
    private func chat(_ server: ProviderServer?, prompt: Bool = true) throws -> ChatProgram {
        let chat = try server.map { try ChatProgram($0) } ?? ChatProgram()
        if prompt { XCTAssertEqual(try chat.run(["idea", "prompt", "set", Self.prompt]).exit, 0) }
        return chat
    }

    private func server(_ ideas: String...) throws -> ProviderServer {
        try ProviderServer(.messages, ideas.map { .text($0) })
    }

    /// `i1 Title`, in the order of the list.
    private func kept(_ chat: ChatProgram, _ noun: String = "idea") throws -> [String] {
        (try chat.json([noun, "list", "--json"]).arrayValue ?? []).map {
            "\($0["id"]?.stringValue ?? "?") \($0["title"]?.stringValue ?? "?")"
        }
    }

    /// Checks 3 and 4.
    func testTheLoopKeepsAndDiscardsAndDoesNotAskForTheSameAgain() throws {
        let server = try server(
            "A choir on a bus.", "Soup by post.", "A lamp that hums.", "Chess on stairs.",
            "A clock for cats.", "A bell for books.")
        let chat = try chat(server)
        let loop = try chat.run(["idea", "loop"], input: "s\nd\ns\nq\n")
        XCTAssertEqual(loop.exit, 0, loop.errorText)
        XCTAssertEqual(server.requests.count, 4)
        XCTAssertEqual(try kept(chat), ["i1 A choir on a bus.", "i2 A lamp that hums."])
        XCTAssertEqual(try chat.run(["idea"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "--no-memory"]).exit, 0)
        XCTAssertEqual(server.requests.count, 6)
        let titles = ["A choir on a bus.", "A lamp that hums."]
        let (fifth, sixth) = try (server.messages(4).joined(), server.messages(5).joined())
        for title in titles + ["Soup by post."] {
            XCTAssertTrue(fifth.contains(title), "\(title) is missing in \(fifth)")
            XCTAssertFalse(sixth.contains(title), "\(title) is in \(sixth)")
        }
        server.finish()
    }

    /// Check 8; what else a key must not get into is in `KeysTests`.
    func testNoKeyIsInWhatIdeasLeaveBehind() throws {
        let canary = "sk-canary-Zq8vN3xT5bL7wR2mK9pJ4hG6"
        let server = try ProviderServer(
            .messages, [.text("A choir on a bus."), .text("Soup by post."), .text("A lamp.")],
            accepts: canary)
        let chat = try chat(nil)
        chat.variables["ANTHROPIC_BASE_URL"] = server.url
        XCTAssertEqual(try chat.run(["keys", "set", "claude"], input: canary).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "--save"]).exit, 0)
        XCTAssertEqual(try chat.run(["idea", "loop"], input: "s\nq\n").exit, 0)
        try chat.run(["idea", "prompt", "set", "Ideas like \(canary)"]).assertFailure(3, "key")
        try chat.run(["idea", "prompt", "show"]).assertAnswer(Self.prompt + "\n")
        let scan = CanaryScan(canary)
        for name in chat.files where name != "keys.json" {
            XCTAssertEqual(scan.hits(in: try chat.bytes(name)), [], name)
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: chat.file("keys.json"))
        XCTAssertEqual((attributes[.posixPermissions] as? NSNumber)?.intValue, 0o600)
        XCTAssertEqual(try chat.run(["keys", "remove", "claude"]).exit, 0)
        for name in chat.files {
            XCTAssertEqual(scan.hits(in: try chat.bytes(name)), [], name)
        }
        server.finish()
    }
}
