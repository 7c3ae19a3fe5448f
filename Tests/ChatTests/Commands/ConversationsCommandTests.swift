import AgentCore
import Base
import Persistence
import TestSupport
import XCTest

@testable import ChatKit
@testable import chat

final class ConversationsCommandTests: XCTestCase {
    private func rig(_ talks: [[String]]) async throws -> (ChatRig, [String]) {
        let rig = try ChatRig(variables: ChatRig.claude)
        rig.transport.set("api.anthropic.com", RoutedTransport.claude("Sure, the ferry."))
        var ids: [String] = []
        for talk in talks {
            let session = try await rig.session()
            try await session.openNew()
            for text in talk { _ = try await session.send(text) { _ in } }
            ids.append(try await session.record.unwrapped())
        }
        return (rig, ids)
    }

    private func run(
        _ rig: ChatRig, _ words: String..., confirms: Bool = false
    ) async throws -> CommandOutput {
        let command = ConversationsCommand(
            services: rig.services, confirm: { _ in confirms }, progress: { _ in }
        ).command
        return try await command.run(words)
    }

    private func fields(_ output: CommandOutput, _ name: String) -> [String] {
        output.json?.arrayValue?.map { $0[name]?.stringValue ?? "-" } ?? []
    }

    func testEachConversationIsOneRowOfTheWindowWithWideTitlesToo() async throws {
        let long = "日本語の会議の予定を教えてください、とても長いタイトルの会話です"
        let (rig, _) = try await rig([["Budget"], [long], ["👩‍👩‍👧 fjords 🇳🇴"]])
        let records = try await rig.services.store().list(limit: 9)
        let now = rig.services.environment.now()
        func rows(_ width: Int?) -> [String] {
            ConversationTable.lines(records, now: now, width: width).map(\.text)
        }
        for (width, last) in [(40, "just now"), (80, "2 messages"), (120, records[0].model)] {
            let widths = rows(width).map(DisplayWidth.of)
            XCTAssertEqual(Set(widths).count, 1, "\(rows(width))")
            XCTAssertLessThan(widths[0], width)
            XCTAssert(rows(width).allSatisfy { $0.hasSuffix("  " + last) }, "\(rows(width))")
        }
        XCTAssert(rows(nil)[1].contains(long))
        await rig.services.close()
    }

    func testSearchShowsEachConversationOnceWithTheWordsMarked() async throws {
        let (rig, ids) = try await rig([["trip to Oslo", "by ferry?"], ["a poem"]])
        let output = try await run(rig, "search", "ferry", "--limit", "1")
        XCTAssertEqual(fields(output, "id"), [ids[1]])
        XCTAssertEqual(output.lines.last?.text, "More were found: add a word, or --limit N.")
        let both = try await run(rig, "search", "ferr")
        XCTAssertEqual(fields(both, "id"), ids.reversed())
        XCTAssertEqual(fields(both, "snippet"), ["Sure, the ferry.", "Sure, the ferry."])
        XCTAssertEqual(both.json?.arrayValue?.first?["matches"], ["ferry"])
        XCTAssertEqual(
            both.lines[1].spans,
            [
                .init("          ", .dim), .init("Sure, the ", .dim), .init("ferry", .bold),
                .init(".", .dim),
            ])
        // A whole word comes before a beginning, which is taken where it is none.
        let whole = try await run(rig, "search", "poem")
        XCTAssertEqual(fields(whole, "title"), ["a poem"])
        let phrase = try await run(rig, "search", "to oslo")
        XCTAssertEqual(fields(phrase, "title"), ["trip to Oslo"])
        let none = try await run(rig, "search", "zebra")
        XCTAssertEqual(none.lines.map(\.text), ["Nothing was found for \"zebra\"."])
        await XCTAssertUsageError { _ = try await self.run(rig, "search", "?!") }
        await rig.services.close()
    }

    func testOneGoesToTheTrashAtOnceAndSeveralOnlyWithAYes() async throws {
        let (rig, ids) = try await rig([["one"], ["two"], ["three"]])
        let store = try rig.services.store()
        let one = try await run(rig, "delete", "one")
        XCTAssertEqual(
            one.lines.map(\.text),
            ["✓ deleted: one (in the trash) · chat conversations restore \(ids[0].prefix(8))"])
        let refused = try await run(rig, "delete", "two", "three")
        XCTAssertEqual(refused.outcome, .refused)
        let left = try await store.list(limit: 9).count
        XCTAssertEqual(left, 2)
        _ = try await run(rig, "delete", "two", "three", confirms: true)
        let listed = try await run(rig, "list", "--deleted")
        XCTAssertEqual(Set(fields(listed, "title")), ["one", "two", "three"])
        let back = try await run(rig, "restore", ids[0], "three")
        XCTAssertEqual(back.lines.map(\.text), ["✓ restored: one", "✓ restored: three"])
        let now = try await run(rig, "list")
        XCTAssertEqual(fields(now, "title"), ["three", "one"])
        await rig.services.close()
    }

    func testABlankTitleAndAnUnknownOptionAreRefused() async throws {
        let (rig, _) = try await rig([["one"]])
        for words in [["rename", "one", " "], ["rename", "one"], ["show", "--limit", "3"]] {
            do {
                let command = ConversationsCommand(services: rig.services).command
                _ = try await command.run(words)
                XCTFail("\(words) was taken")
            } catch {
                XCTAssert(error is UsageError, "\(words): \(error)")
            }
        }
        let titles = try await rig.services.store().list(limit: 3).map(\.title)
        XCTAssertEqual(titles, ["one"])
        await rig.services.close()
    }

    func testEmptyingTheTrashAsks() async throws {
        let (rig, _) = try await rig([["one"], ["two"]])
        let store = try rig.services.store()
        _ = try await run(rig, "delete", "one")
        let refused = try await run(rig, "empty-trash")
        XCTAssertEqual(refused.outcome, .refused)
        let done = try await run(rig, "empty-trash", "--yes")
        XCTAssertEqual(done.lines.map(\.text), ["✓ 1 conversation deleted for good"])
        let deleted = try await store.deleted()
        let list = try await store.list(limit: 9).map(\.title)
        XCTAssertEqual(deleted.map(\.title) + list, ["two"])
        await rig.services.close()
    }

    func testWhatIsOpenInAnotherChatIsNotDeleted() async throws {
        let (rig, ids) = try await rig([["open one"]])
        let lock = try XCTUnwrap(
            ConversationLock.acquire(folder: rig.services.paths.locks, id: ids[0]))
        do {
            _ = try await run(rig, "delete", "open one")
            XCTFail("an open conversation was deleted")
        } catch {
            XCTAssertEqual(error as? SessionError, .busy(title: "open one"))
        }
        withExtendedLifetime(lock) {}
        await rig.services.close()
    }

    func testAForkInTheShellHoldsWhatComesBeforeTheMessage() async throws {
        let (rig, ids) = try await rig([["one", "two", "three"]])
        let whole = try await run(rig, "fork", ids[0])
        let part = try await run(rig, "fork", ids[0], "2")
        XCTAssertEqual(fields(whole, "title"), ["one (fork)"])
        let store = try rig.services.store()
        let counts = try await store.list(limit: 3).map(\.messages)
        XCTAssertEqual(counts, [2, 6, 6])
        XCTAssertEqual(fields(part, "title"), ["one (fork)"])
        await XCTAssertUsageError { _ = try await self.run(rig, "fork", ids[0], "3") }
        await XCTAssertUsageError { _ = try await self.run(rig, "fork", ids[0], "x") }
        await rig.services.close()
    }

    func testReplacedTurnsAreShownOnRequestOnly() async throws {
        let (rig, ids) = try await rig([["one"]])
        let session = try await rig.session()
        let record = try await rig.services.store().conversation(ids[0])
        _ = try await session.open(try XCTUnwrap(record))
        let last = try await session.lastMessage(isAgain: true)
        _ = try await session.send("one", replacing: last) { _ in }
        let plain = try await run(rig, "show", ids[0])
        let all = try await run(rig, "show", ids[0], "--all")
        XCTAssertEqual(plain.lines.filter { $0.text == "> one" }.count, 1)
        XCTAssertEqual(all.lines.filter { $0.text == "> one" }.count, 2)
        XCTAssertEqual(all.lines.first?.text, "  (replaced)")
        await rig.services.close()
    }
}

extension ConversationRecord? {
    fileprivate func unwrapped() throws -> String { try XCTUnwrap(self).id }
}

private func XCTAssertUsageError(
    file: StaticString = #filePath, line: UInt = #line, _ body: () async throws -> Void
) async {
    do {
        try await body()
        XCTFail("no error", file: file, line: line)
    } catch {
        XCTAssertTrue(error is UsageError, "\(error)", file: file, line: line)
    }
}
