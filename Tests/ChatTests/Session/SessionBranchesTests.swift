import AgentCore
import Base
import Persistence
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

/// The last message again, changed, or in a conversation of its own; and the
/// open conversation into the trash.
final class SessionBranchesTests: XCTestCase {
    private let bodies = Bodies()

    private func rig() throws -> ChatRig {
        let rig = try ChatRig(variables: ChatRig.claude)
        answer(rig, RoutedTransport.claude("Sure."))
        return rig
    }

    private func answer(_ rig: ChatRig, _ route: @escaping RoutedTransport.Route) {
        rig.transport.set("api.anthropic.com") { [bodies] request in
            if case .bytes(let bytes) = request.body {
                bodies.add(String(decoding: bytes, as: UTF8.self))
            }
            return try await route(request)
        }
    }

    private var lastBody: String { bodies.all.last ?? "" }

    private func texts(_ rig: ChatRig, _ id: String, all: Bool = false) async throws -> [[String]] {
        try await rig.services.store().turns(of: id, last: 20, includingReplaced: all)
            .map { $0.turn.messages.map(\.text) }
    }

    func testTheLastMessageIsAnsweredAgainWithItsFilesAndTheOldAnswerGivesWay() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("first") { _ in }
        let file = Attachment(name: "a.txt", mediaType: "text/plain", bytes: Array("body".utf8))
        _ = try await session.send("second", attachments: [file]) { _ in }
        answer(rig, RoutedTransport.claude("Better."))
        let last = try await session.lastMessage(isAgain: true)
        XCTAssertEqual(last?.text, "second")
        XCTAssertEqual(last?.attachments, [file])
        _ = try await session.send("second", replacing: last) { _ in }

        let body = lastBody
        XCTAssertEqual(body.ranges(of: "second").count, 1)
        XCTAssertEqual(body.ranges(of: "Sure.").count, 1)
        XCTAssertNotNil(body.firstRange(of: "a.txt"))
        let id = try await XCTUnwrapAsync(await session.record?.id)
        let shown = try await texts(rig, id)
        XCTAssertEqual(shown, [["first", "Sure."], ["second", "Better."]])
        let kept = try await texts(rig, id, all: true)
        XCTAssertEqual(kept, [["first", "Sure."], ["second", "Sure."], ["second", "Better."]])

        _ = try await session.send("third") { _ in }
        XCTAssertNotNil(lastBody.firstRange(of: "Better."))
        XCTAssertEqual(lastBody.ranges(of: "Sure.").count, 1)
        await rig.services.close()
    }

    func testAChangedMessageTakesThePlaceOfTheOldOneOnlyWhenItIsSent() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("teh question") { _ in }
        let last = try await session.lastMessage(isAgain: false)
        let id = try await XCTUnwrapAsync(await session.record?.id)
        let before = try await texts(rig, id)
        XCTAssertEqual(before, [["teh question", "Sure."]])
        _ = try await session.send("the question", replacing: last) { _ in }
        let after = try await texts(rig, id)
        XCTAssertEqual(after, [["the question", "Sure."]])
        XCTAssertNil(lastBody.firstRange(of: "teh question"))
        await rig.services.close()
    }

    func testAFailedTurnIsTriedAgainAndAnUnsentOneLeavesTheOldAsItWas() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        answer(rig) { _ in (400, "application/json", #"{"error":{"message":"no"}}"#) }
        _ = try await session.send("question") { _ in }
        let id = try await XCTUnwrapAsync(await session.record?.id)
        let failed = try await rig.services.store().turns(of: id, last: 1).first?.turn.status
        XCTAssertEqual(failed, .failed)

        let last = try await session.lastMessage(isAgain: true)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await session.send("question", replacing: last) { _ in }
        }
        _ = try? await task.value
        answer(rig, RoutedTransport.claude("Now."))
        let again = try await session.lastMessage(isAgain: true)
        _ = try await session.send("question", replacing: again) { _ in }
        let shown = try await texts(rig, id)
        XCTAssertEqual(shown, [["question", "Now."]])
        await rig.services.close()
    }

    func testWhatWasDoneWithoutAModelGoesToOneOnRetry() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        _ = try await session.send("remind me to buy eggs in 3 days") { _ in }
        let last = try await session.lastMessage(isAgain: true)
        XCTAssertEqual(last?.turn.turn.isLocal, true)
        let answer = try await session.send(
            "remind me to buy eggs in 3 days", replacing: last
        ) { _ in }
        guard case .model = answer else { return XCTFail("\(answer)") }
        await rig.services.close()
    }

    func testAForkGoesOnByItself() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        for text in ["first", "second", "third"] { _ = try await session.send(text) { _ in } }
        let original = try await XCTUnwrapAsync(await session.record?.id)
        let turns = try await rig.services.store().turns(of: original, last: 1)
        let copy = try await session.fork(before: turns.first?.id)
        let opening = try await session.open(copy)
        XCTAssertEqual(opening, .opened)
        _ = try await session.send("another third") { _ in }
        let body = lastBody
        XCTAssertNil(body.firstRange(of: "\"third"))
        XCTAssertNotNil(body.firstRange(of: "second"))
        let forked = try await texts(rig, copy.id).map { $0.first }
        let untouched = try await texts(rig, original).map { $0.first }
        XCTAssertEqual(forked, ["first", "second", "another third"])
        XCTAssertEqual(untouched, ["first", "second", "third"])
        await rig.services.close()
    }

    func testDeletingTheOpenConversationStartsANewOne() async throws {
        let rig = try rig()
        let session = try await rig.session()
        try await session.openNew()
        let nothing = try await session.deleteOpen()
        XCTAssertNil(nothing)
        _ = try await session.send("first") { _ in }
        let gone = try await session.deleteOpen()
        XCTAssertEqual(gone?.title, "first")
        let open = await session.record
        XCTAssertNil(open)
        let trashed = try await rig.services.store().deleted()
        XCTAssertEqual(trashed.map(\.title), ["first"])
        // Found before it was deleted, opened afterwards.
        do {
            _ = try await session.open(try XCTUnwrap(gone))
            XCTFail("a deleted conversation was opened")
        } catch {
            XCTAssertEqual(error as? SessionError, .noConversation(query: "first"))
        }
        let store = try rig.services.store()
        try await store.restore(try XCTUnwrap(gone).id)
        let back = try await session.open(try XCTUnwrap(gone))
        XCTAssertEqual(back, .opened)
        await rig.services.close()
    }
}

private func XCTUnwrapAsync<Value>(
    _ value: Value?, file: StaticString = #filePath, line: UInt = #line
) async throws -> Value { try XCTUnwrap(value, file: file, line: line) }
