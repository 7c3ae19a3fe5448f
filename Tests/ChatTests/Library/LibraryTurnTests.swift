import AgentCore
import Base
import Foundation
import Library
import Persistence
import Synchronization
import TerminalKit
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// The library in a conversation: what the model keeps, and what a search finds.
final class LibraryTurnTests: XCTestCase {
    private func server(_ rig: TemporaryFolder, _ environment: Base.Environment)
        -> LibraryServer
    {
        LibraryServer(
            LibraryServer.Dependencies(
                store: LibraryStore(path: rig.path("chat.db"), environment: environment),
                environment: environment))
    }

    func testAnIdeaThatTheModelKeepsSaysWhoMadeItAndWhere() async throws {
        let folder = try TemporaryFolder()
        let environment = ManualClock().environment
        let rig = try ChatRig(
            variables: ChatRig.claude, folder: folder,
            server: { _ in self.server(folder, environment) })
        let round = Mutex(0)
        rig.transport.set("api.anthropic.com") { _ in
            let isFirst = round.withLock { round in
                round += 1
                return round == 1
            }
            let body =
                isFirst
                ? WireScript.toolCall(
                    "library_save", arguments: #"{"kind":"idea","text":"Cups that ring."}"#,
                    id: "call_1", format: .messages)
                : WireScript.text(["Kept."], format: .messages)
            return (200, "text/event-stream", String(decoding: body, as: UTF8.self))
        }
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("save that as an idea") { _ in }
        let conversation = await session.record?.id
        let items = try await rig.services.library.items(ItemFilter(kinds: [.idea]))
        XCTAssertEqual(items.map(\.title), ["Cups that ring."])
        let made = try await rig.services.library.revision(1, of: items[0].id)
        XCTAssertEqual(made?.origin.by, .model)
        XCTAssertEqual(made?.origin.name, "claude-sonnet-5-5")
        XCTAssertEqual(made?.origin.conversation, conversation)
        XCTAssertNotNil(conversation)
        await rig.services.close()
    }

    func testASearchInConversationsFindsItemsAmongThemTheNewestFirst() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Sure, the ferry."))
        let library = rig.services.library
        _ = try await library.add([
            ItemDraft(kind: .idea, title: "Old", body: "A ferry with a garden.")
        ])
        rig.clock.advance(by: .seconds(60))
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("to Oslo?") { _ in }
        rig.clock.advance(by: .seconds(60))
        _ = try await library.add([ItemDraft(kind: .draft, title: "New", body: "The ferry.")])
        let output = try await rig.run(["conversations", "search", "ferry"])
        let found = output.json?.arrayValue ?? []
        XCTAssertEqual(
            found.map { $0["kind"]?.stringValue }, ["draft", "conversation", "idea"])
        XCTAssertEqual(found.map { $0["role"]?.stringValue }, [nil, "assistant", nil])
        XCTAssertEqual(output.lines.count, 6)
        XCTAssertEqual(output.lines[0].text, "i2        New  draft · just now")
        await rig.services.close()
    }

    func testThePickerOfASearchOffersItemsByTheirIds() async throws {
        let rig = try ChatRig(variables: ChatRig.claude)
        _ = try await rig.services.library.add([
            ItemDraft(kind: .idea, title: "Cups", body: "For a dragon.")
        ])
        let choices = ConversationChoices(services: rig.services)
        let request = try await choices.conversations(heading: "x", findsItems: true)
        let found = try await request.search?("dragon") ?? []
        XCTAssertEqual(found.map(\.id), ["i1"])
        XCTAssertEqual(found.first?.snippet, "For a dragon.")
        let resume = try await choices.conversations(heading: "x")
        let none = try await resume.search?("dragon") ?? []
        XCTAssertEqual(none.map(\.id), [], "what is resumed is a conversation")
        await rig.services.close()
    }

    func testAnItemOfOthersWordsMakesALocalAnswerForeign() async throws {
        let folder = try TemporaryFolder()
        let environment = ManualClock().environment
        let server = server(folder, environment)
        let store = LibraryStore(path: folder.path("chat.db"), environment: environment)
        _ = try await store.add(
            [ItemDraft(kind: .draft, title: "Theirs", body: "theirs")],
            by: RevisionOrigin(by: .tool, hasUntrustedText: true))
        _ = try await store.add([ItemDraft(kind: .draft, title: "Mine", body: "mine")])
        for (message, files) in [
            ("show i1", nil), ("show i2", [String]()), ("what's in my library?", nil),
            ("search my library for mine", []),
        ] {
            let output = try await server.handle(message: message)
            XCTAssertEqual(output?.quotedFiles, files, message)
        }
    }
}
