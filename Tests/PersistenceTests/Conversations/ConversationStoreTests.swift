import AgentCore
import Base
import Foundation
import XCTest

@testable import Persistence

final class ConversationStoreTests: XCTestCase {
    private let world = World()

    /// A conversation with one closed turn.
    @discardableResult
    private func add(
        _ text: String, to store: ConversationStore, kind: ConversationRecord.Kind = .repl,
        id: String? = nil, usage: Usage = Usage(), isLocal: Bool = false
    ) async throws -> String {
        let conversation =
            if let id { id } else {
                await store.newConversation(kind: kind, provider: .claude, model: "m").id
            }
        let journal = store.journal(for: conversation, in: kind)
        let turn = try await journal.begin(user: .user(text), isLocal: isLocal)
        try await journal.close(turn, status: .done, usage: usage, note: nil)
        return conversation
    }

    func testAConversationExistsFromItsFirstMessage() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let other = try folder.store(world)
        let draft = await store.newConversation(kind: .repl, provider: .openai, model: "gpt")
        try await store.setModel(draft.id, provider: .claude, model: "sonnet")
        let known = try await store.conversation(draft.id)
        XCTAssertEqual(known?.model, "sonnet")
        let none = try await other.list(limit: 10)
        XCTAssertEqual(none, [])

        try await add("Trip to Oslo\nplease", to: store, id: draft.id)
        let listed = try await other.list(limit: 10)
        XCTAssertEqual(listed.map(\.id), [draft.id])
        XCTAssertEqual(listed.map(\.title), ["Trip to Oslo"])
        XCTAssertEqual(listed.map(\.provider), [.claude])
        XCTAssertEqual(listed.map(\.model), ["sonnet"])
        XCTAssertEqual(listed.map(\.messages), [1])
        await store.close()
        await other.close()
    }

    func testTheLatestIsTheOneUsedLastOfTheKindsAskedFor() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let none = try await store.latest(kinds: [.repl, .oneshot])
        XCTAssertNil(none)
        let first = try await add("first", to: store)
        let second = try await add("second", to: store)
        let shot = try await add("shot", to: store, kind: .oneshot)
        try await add("again", to: store, id: first)

        var found: [String?] = []
        found.append(try await store.latest(kinds: [.repl])?.id)
        found.append(try await store.latest(kinds: [.oneshot])?.id)
        found.append(try await store.latest(kinds: [.repl, .oneshot])?.id)
        found.append(try await store.latest(kinds: [])?.id)
        XCTAssertEqual(found, [first, shot, first, nil])
        let order = try await store.list(limit: 10).map(\.id)
        XCTAssertEqual(order, [first, shot, second])
        await store.close()
    }

    func testAOneShotThatAREPLGoesOnWithBecomesOneOfTheREPL() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let shot = try await add("shot", to: store, kind: .oneshot)
        try await add("more", to: store, kind: .repl, id: shot)
        try await add("and more", to: store, kind: .oneshot, id: shot)
        let record = try await store.conversation(shot)
        XCTAssertEqual(record?.kind, .repl)
        await store.close()
    }

    func testAClockThatGoesBackChangesNoOrder() async throws {
        let folder = try StoreFolder()
        let late = try folder.store(world)
        let first = try await add("first", to: late)
        await late.close()
        let earlier = World()
        let store = try ConversationStore(
            path: folder.database,
            environment: {
                var environment = earlier.environment
                environment.now = { Date(timeIntervalSince1970: -5) }
                environment.uuid = { "ffffffff-0000-4000-8000-000000000000" }
                return environment
            }())
        let second = try await add("second", to: store)
        let order = try await store.list(limit: 10).map(\.id)
        XCTAssertEqual(order, [second, first])
        let created = try await store.conversation(second)?.created
        XCTAssertEqual(created, Date(timeIntervalSince1970: -5))
        await store.close()
    }

    func testListsComeInPages() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        var ids: [String] = []
        for number in 0..<7 { ids.append(try await add("\(number)", to: store)) }
        var seen: [String] = []
        var before: Int64?
        while true {
            let page = try await store.list(limit: 3, before: before)
            seen += page.map(\.id)
            before = page.last?.order
            if page.count < 3 { break }
        }
        XCTAssertEqual(seen, ids.reversed())
        await store.close()
    }

    func testAConversationIsFoundByIDBeginningOfItOrTitle() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let oslo = try await add("Trip to Oslo", to: store)
        let other = try await add("trip to oslo and back", to: store)
        let odd = try await add("100% ÄPFEL_und\\Birnen", to: store)
        func find(_ query: String) async throws -> [String] {
            try await store.find(query).map(\.id)
        }
        var found: [[String]] = []
        for query in [
            oslo, oslo.uppercased(), "00000000-0000-4000", "trip TO oslo", "oslo", "100%", "0%",
            "_und\\", "äpfel", "0000", "nothing", "", "'; --", "%", "_",
        ] {
            found.append(try await find(query))
        }
        XCTAssertEqual(
            found,
            [
                [oslo], [oslo], [odd, other, oslo], [oslo], [other, oslo], [odd], [odd], [odd],
                [odd], [odd, other, oslo], [], [], [], [odd], [odd],
            ])
        await store.close()
    }

    func testAModelsTitleGivesWayToTheUsersAndTheFirstWordsStillFindIt() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let id = try await add("Was kostet die Fähre nach Oslo?", to: store)
        let other = try await add("mine", to: store)
        try await store.rename(other, to: "Oslo, renamed")
        let first = "Was kostet die Fähre nach Oslo?"
        var taken = [try await store.entitle(id, "Ferry prices", inPlaceOf: first)]
        // Only the first words are replaced, and only once.
        taken.append(try await store.entitle(id, "Ferries", inPlaceOf: "Ferry prices"))
        taken.append(try await store.entitle(other, "x", inPlaceOf: "mine"))
        taken.append(try await store.entitle(other, "x", inPlaceOf: "Oslo, renamed"))
        XCTAssertEqual(taken, [true, false, false, false])
        for query in ["ferry", "kostet", "FÄHRE", first] {
            let found = try await store.find(query)
            XCTAssertEqual(found.map(\.title), ["Ferry prices"], query)
        }
        try await store.rename(id, to: "Boats")
        let found = try await store.find("fähre").map(\.title)
        XCTAssertEqual(found, ["Boats"])
        await store.close()
    }

    func testRenamingAndChoosingAModelAreKept() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let id = try await add("hello", to: store)
        let draft = await store.newConversation(kind: .repl, provider: .local, model: "l").id
        try await store.rename(draft, to: "named before")
        try await add("hello", to: store, id: draft)
        try await store.rename(id, to: "a better name")
        try await store.setModel(id, provider: .openai, model: "gpt")
        await store.close()

        let again = try folder.store(world)
        let record = try await again.conversation(id)
        XCTAssertEqual(record?.title, "a better name")
        XCTAssertEqual(record?.provider, .openai)
        XCTAssertEqual(record?.model, "gpt")
        let named = try await again.conversation(draft)?.title
        XCTAssertEqual(named, "named before")
        await XCTAssertReason(.notFound) { try await again.rename("none", to: "x") }
        await XCTAssertReason(.notFound) {
            try await again.setModel("none", provider: .local, model: "x")
        }
        await XCTAssertReason(.notFound) {
            _ = try await again.journal(for: "none", in: .repl).begin(
                user: .user("x"), isLocal: false)
        }
        await again.close()
    }

    func testEveryPartAndOddTextComeBackFromTheFile() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let id = await store.newConversation(kind: .repl, provider: .claude, model: "m").id
        let user = Message(
            role: .user, parts: Samples.naughty.map { .text($0) } + Samples.everyPart)
        let journal = store.journal(for: id, in: .repl)
        let turn = try await journal.begin(user: user, isLocal: true)
        let answers = WireFormatSamples.all.map {
            Message(role: .assistant, parts: Samples.everyPart, origin: $0)
        }
        for answer in answers { try await journal.record(answer, in: turn) }
        let empty = Message(role: .assistant, parts: [])
        try await journal.record(empty, in: turn)
        for text in Samples.naughty {
            try await journal.append(text, kind: .text, to: turn)
        }
        try await journal.close(turn, status: .failed, usage: Usage(), note: "it's \"bad\"\0")
        await store.close()

        let again = try folder.store(world)
        let stored = try await again.turns(of: id, last: 5)
        let partial = Message(role: .assistant, parts: [.text(Samples.naughty.joined())])
        XCTAssertEqual(
            stored.map(\.turn),
            [
                Turn(
                    status: .failed, messages: [user] + answers + [empty, partial], isLocal: true)
            ])
        XCTAssertEqual(stored.map(\.note), ["it's \"bad\"\0"])
        for text in Samples.naughty {
            try await again.rename(id, to: text)
            let title = try await again.conversation(id)?.title
            XCTAssertEqual(title, text)
        }
        await again.close()
    }

    func testUsageIsSummedByModelWithoutLocalTurns() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let usage = Usage(input: 10, cachedInput: 5, output: 3, reasoning: 1)
        let id = try await add("a", to: store, usage: usage)
        try await add("b", to: store, id: id, usage: usage)
        try await add("local", to: store, id: id, isLocal: true)
        try await store.setModel(id, provider: .openai, model: "gpt")
        try await add("c", to: store, id: id, usage: usage)
        try await add("elsewhere", to: store, usage: usage)

        let mine = try await store.usage(of: id)
        XCTAssertEqual(
            mine,
            [
                UsageTotal(provider: .claude, model: "m", turns: 2, usage: usage + usage),
                UsageTotal(provider: .openai, model: "gpt", turns: 1, usage: usage),
            ])
        let all = try await store.usage(since: .distantPast)
        XCTAssertEqual(all.map(\.turns), [3, 1])
        let none = try await store.usage(since: .distantFuture)
        XCTAssertEqual(none, [])
        await store.close()
    }

    func testADamagedPartIsLeftOut() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let id = try await add("hello", to: store)
        try await add("good", to: store, id: id)
        try await store.script("UPDATE parts SET body = '{' WHERE id = 1")
        let stored = try await store.turns(of: id, last: 5)
        XCTAssertEqual(stored.map { $0.turn.messages.map(\.text) }, [[""], ["good"]])
        await store.close()
    }

    func testACancelledReadThrowsAndTheStoreGoesOn() async throws {
        let folder = try StoreFolder()
        let store = try folder.store(world)
        let id = try await add("hello", to: store)
        let read = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.list(limit: 5)
        }
        do {
            _ = try await read.value
            XCTFail("a cancelled read returned")
        } catch {
            XCTAssertTrue(error is CancellationError, "\(error)")
        }
        let ids = try await store.list(limit: 5).map(\.id)
        XCTAssertEqual(ids, [id])
        await store.close()
    }
}

enum WireFormatSamples {
    static let all = ProviderName.builtIn.flatMap { provider in
        [WireFormat.responses, .chat, .messages, .none].map {
            ModelOrigin(provider: provider, format: $0, model: "m é")
        }
    }
}
