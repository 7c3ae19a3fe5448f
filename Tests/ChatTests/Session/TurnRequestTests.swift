import AgentCore
import Base
import Outside
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// What a request is made of, from facts: without a store, a server or a session.
final class TurnRequestTests: XCTestCase {
    private struct Tools: ToolServer {
        let name = "things"
        let description = "Keeps things."
        let topic = "thing*"

        func listTools() -> [Tool] {
            [("list_things", .read, "show"), ("delete_thing", .destroy, "delete")].map {
                Tool(
                    name: $0, title: $0, description: "", inputSchema: .object([]), toolClass: $1,
                    cues: $2)
            }
        }

        func callTool(
            _ name: String, arguments: JSONObject, emit: Emitter
        ) async throws -> ToolOutput {
            ToolOutput(text: name)
        }
    }

    private let answered = Turn(
        status: .done,
        messages: [
            Message(role: .user, parts: [.text("Hi")]),
            Message(role: .assistant, parts: [.text("Hello.")]),
        ])

    private func facts(
        _ text: String = "Why?", after history: [Turn] = []
    ) -> TurnRequest.Facts {
        let context = Agent.Context(
            provider: ScriptedProvider([]), model: "m", system: "Be terse.", history: history,
            journal: SilentJournal())
        return TurnRequest.Facts(
            message: Message(role: .user, parts: [.text(text)]), context: context,
            tools: ToolFacts(
                registry: ToolRegistry(servers: [Tools()]), rules: ApprovalRules(), allowed: [],
                window: ContextWindow(limit: 100_000, outputLimit: 1_000), web: .off,
                host: "api.example.org", offered: ToolOffer(),
                asked: AskedWords(
                    text: text, isTyped: true, hasUntrustedText: false, suggested: [])))
    }

    private func parts(_ request: TurnRequest) -> [String] {
        request.message.parts.map {
            if case .text(let text) = $0 { "\(text.phase ?? "said"): \(text.text)" } else { "-" }
        }
    }

    private func tools(_ request: TurnRequest) -> [String] {
        request.context.offered(of: ToolRegistry(servers: [])).tools.map(\.name)
    }

    func testTheMessageGetsNotesAndAChangedSystemText() {
        var facts = facts(after: [answered])
        XCTAssertEqual(parts(TurnRequest(facts)), ["said: Why?"])
        facts.sentSystem = "Rhyme."
        XCTAssertEqual(
            parts(TurnRequest(facts)),
            ["said: Why?", "first_system: Rhyme.", "system: Be terse."])
        facts.sentSystem = "Be terse."
        facts.notes = [UserNotes.Note(id: "i1", text: "I am vegetarian")]
        let noted = TurnRequest(facts)
        XCTAssertEqual(parts(noted).map { String($0.prefix(6)) }, ["notes:", "said: "])
        XCTAssertFalse(noted.context.hasUntrustedInstructions)
        facts.haveNotesUntrustedText = true
        XCTAssertTrue(TurnRequest(facts).context.hasUntrustedInstructions)
        // They were sent already: the turns that have them say whether they are untrusted.
        var told = answered
        told.messages[0].parts.insert(noted.message.parts[0], at: 0)
        facts.context.history = [told]
        XCTAssertEqual(parts(TurnRequest(facts)), ["said: Why?"])
        XCTAssertFalse(TurnRequest(facts).context.hasUntrustedInstructions)
        facts.notes = []
        XCTAssertEqual(parts(TurnRequest(facts)).count, 2, "they are withdrawn")
        facts.notes = nil
        XCTAssertEqual(parts(TurnRequest(facts)), ["said: Why?"], "memory is off")
    }

    func testTheToolsFollowFromTheRulesTheWordsAndWhatWasOffered() {
        let all = ["find_tools", "list_things", "delete_thing"]
        XCTAssertEqual(tools(TurnRequest(facts())), all, "a first request has room for all")
        var later = facts()
        later.tools.offered = ToolOffer(joined: [["find_tools"]])
        XCTAssertEqual(tools(TurnRequest(later)), ["find_tools"])
        later.tools.asked.text = "show"
        let shown = TurnRequest(later)
        XCTAssertEqual(tools(shown), ["find_tools", "list_things"])
        XCTAssertEqual(shown.tools.offer?.joined, [["find_tools"], ["list_things"]])
        XCTAssertNotNil(shown.tools.router)
        for (offer, names) in [
            (ApprovalRules.Offering.all, ["list_things", "delete_thing"]), (.none, []),
        ] {
            var ruled = facts()
            ruled.tools.rules.offer = offer
            XCTAssertEqual(tools(TurnRequest(ruled)), names)
            XCTAssertNil(TurnRequest(ruled).tools.offer, "nothing joins the conversation")
        }
        var without = facts()
        without.context.offersTools = false
        XCTAssertEqual(tools(TurnRequest(without)), [])
        XCTAssertFalse(TurnRequest(without).tools.areLeftOut)
    }

    func testUntrustedTextBringsNoToolThatDeletesUnlessTheUserNamesIt() {
        var told = answered
        told.carriesUntrustedText = true
        XCTAssertEqual(
            tools(TurnRequest(facts(after: [told]))), ["find_tools", "list_things"])
        var asked = facts("delete it", after: [told])
        XCTAssertTrue(tools(TurnRequest(asked)).contains("delete_thing"))
        asked.tools.asked.isTyped = false
        XCTAssertFalse(tools(TurnRequest(asked)).contains("delete_thing"))
    }

    func testTheWebIsSearchedAskedForOrLeft() {
        for (web, searches, asks) in [
            (Settings.Web.off, false, false), (.on, true, false), (.ask, false, true),
        ] {
            var facts = facts()
            facts.tools.web = web
            let request = TurnRequest(facts)
            XCTAssertEqual(request.context.searchesWeb, searches)
            XCTAssertEqual(tools(request).contains(WebSearch.permission), asks)
        }
    }

    func testAWindowThatTheToolsWouldFillGetsNone() {
        var facts = facts()
        (facts.tools.window.limit, facts.tools.window.reserve) = (40, 0)
        let request = TurnRequest(facts)
        XCTAssertEqual(tools(request), [])
        XCTAssertTrue(request.tools.areLeftOut)
    }
}
