import AgentCore
import Base
import Foundation
import Persistence
import StoryKit
import Synchronization
import TestSupport
import XCTest

@testable import Stories

/// Check 33: bookmarks stay where their words are.
final class StoryBookmarkTests: XCTestCase {
    private static let tide = """
        # One

        “Will it rise?” said Ida. Nobody knew, for nobody had ever looked at the sea so long.

        # Two

        “There will be tea,” said Bo, and there was tea for everybody who had come that day.
        """

    private func rig(_ text: String = tide) async throws -> StoryPlayerRig {
        try await StoryPlayerRig(text)
    }

    private func run(_ rig: StoryPlayerRig, _ words: String...) async throws -> CommandOutput {
        try await command(rig).command.run(["bookmark"] + words, rig.stories.library.interaction)
    }

    private struct Bench {
        var command: Command
    }

    private func command(_ rig: StoryPlayerRig) -> Bench {
        let book = rig.stories.server.book
        let listening = StoryListening(
            last: { nil }, place: { id in rig.places.withLock { $0[id] } },
            present: { item, start, _, _ in
                CommandOutput(lines: [StyledLine("\(item.id) \(start)")])
            })
        let verb = StoryBookmarkCommand(
            bookmarks: StoryBookmarks(book: book), library: rig.stories.server.library,
            player: rig.player, listening: listening
        ).verb
        return Bench(command: Command(name: "story", summary: "", verbs: [verb]))
    }

    private func tea(_ text: String) -> Int? {
        text.range(of: "“There will").map {
            text.utf8.distance(from: text.utf8.startIndex, to: $0.lowerBound)
        }
    }

    func testABookmarkIsSetListedGoneToAndRemovedAndAllOfItIsUndone() async throws {
        let rig = try await rig()
        let spans = await rig.book.perform { [item = rig.item] in StoryText(item) }.spans
        let number =
            try XCTUnwrap(
                spans.firstIndex { $0.range.lowerBound == tea(rig.item.body) }) + 1
        let added = try await run(rig, "add", "s1", "\(number)", "tea")
        XCTAssertEqual(added.lines[0].text, "✓ bookmark 1: tea · s1 tide · /undo")
        rig.places.withLock { $0[rig.item.id] = 9 }
        _ = try await run(rig, "add", "--here", "the", "start")
        let list = try await run(rig, "list")
        XCTAssertEqual(
            list.json?.arrayValue?.map { $0["note"]?.stringValue }, ["the start", "tea"])
        XCTAssertEqual(list.json?.arrayValue?.last?["segment"]?.integerValue, number)
        XCTAssertEqual(list.json?.arrayValue?.last?["chapter"]?.integerValue, 2)
        XCTAssertEqual(
            list.json?.arrayValue?.last?["at"]?.integerValue, tea(rig.item.body))
        let gone = try await run(rig, "go", "2")
        XCTAssertEqual(gone.lines[0].text, "i1 offset(\(try XCTUnwrap(tea(rig.item.body))))")
        _ = try await run(rig, "rm", "s1", "1")
        var count = try await run(rig, "list").json?.arrayValue?.count
        XCTAssertEqual(count, 1)
        let step = try await rig.stories.store.steps(undone: false, limit: 1).first
        _ = try await rig.stories.store.undo(XCTUnwrap(step?.id))
        count = try await run(rig, "list").json?.arrayValue?.count
        XCTAssertEqual(count, 2)
    }

    func testWhatCannotBeMeantIsSaid() async throws {
        let rig = try await rig()
        for (words, what) in [
            (["add", "s1", "99"], "There is no segment 99"),
            (["add", "s1", "tea"], "bookmark add needs the number of a segment."),
            (["go", "s1", "1"], "There is no bookmark 1: s1 tide has none."),
            (["rm"], "bookmark rm needs the number of a bookmark."),
            (["adda"], "There is no action adda."), (["list", "--here"], "--here is for add."),
            (["add", "--here"], "You have not listened to s1 tide yet."),
        ] {
            do {
                _ = try await command(rig).command.run(
                    ["bookmark"] + words, rig.stories.library.interaction)
                XCTFail(what)
            } catch {
                let diagnostic = try XCTUnwrap((error as? any DescribedError)?.diagnostic)
                XCTAssertTrue(diagnostic.what.hasPrefix(what), diagnostic.what)
                XCTAssertEqual(diagnostic.exit, .usage)
            }
        }
    }

    func testItIsFoundAgainByItsWordsInAChangedText() async throws {
        let rig = try await rig()
        let at = try XCTUnwrap(tea(rig.item.body))
        let set = StoryBookmark(at: at, note: "", in: Array(rig.item.body.utf8))
        for (change, expected) in [
            // Text before it, and text behind it.
            ("A long new page stands here now.\n\n" + Self.tide, "“There will be tea"),
            (Self.tide.replacingOccurrences(of: "for everybody", with: "for all"), "“There will"),
            // Its own beginning is another; what stood before it is not.
            (
                Self.tide.replacingOccurrences(of: "“There will be tea,”", with: "“No tea!”"),
                "“No tea!”"
            ),
            // What stood before it is another.
            ("“There will be tea,” said Bo, and there was none.", "“There will"),
        ] {
            let bytes = Array(change.utf8)
            let place = try XCTUnwrap(set.place(in: bytes), change)
            let rest = String(decoding: bytes[place...], as: UTF8.self)
            XCTAssertTrue(
                rest.trimmingCharacters(in: .whitespacesAndNewlines).hasPrefix(expected), rest)
        }
        XCTAssertNil(set.place(in: Array("Another story altogether.".utf8)))
        XCTAssertNil(set.place(in: []))
    }

    func testOfEqualWordsTheNearestAreMeant() throws {
        let verse = "And the sea came in, and the sea went out again.\n"
        let text = Array(String(repeating: verse, count: 9).utf8)
        let set = StoryBookmark(at: 4 * verse.utf8.count, note: "", in: text)
        XCTAssertEqual(set.place(in: text), 4 * verse.utf8.count)
        XCTAssertEqual(set.place(in: Array("x\n".utf8) + text), 4 * verse.utf8.count + 2)
    }

    func testItSurvivesReindexingAndAnEdit() async throws {
        let rig = try await rig()
        _ = try await rig.stories.run("index", "s1")
        let added = try await StoryBookmarks(book: rig.stories.server.book)
            .add(try XCTUnwrap(tea(rig.item.body)), "tea", to: rig.item.id)
        XCTAssertEqual(added.number, 1)
        _ = try await rig.stories.run("index", "s1", "--again")
        _ = try await rig.stories.store.change(
            rig.item.id, ItemChange(body: "A preface.\n\n" + rig.item.body), by: .user,
            verb: "edited")
        let list = try await run(rig, "list", "s1")
        let item = try await rig.stories.item(1)
        XCTAssertEqual(
            list.json?.arrayValue?.first?["at"]?.integerValue,
            tea(try XCTUnwrap(item).body))
        XCTAssertEqual(list.json?.arrayValue?.first?["lost"]?.boolValue, false)
    }

    /// Any bytes, any place: what is kept is whole text, and is found where it was set.
    func testAnyPlaceOfAnyTextIsFoundAgain() {
        var random = SplitMix(seed: 5)
        let letters = ["a", " ", "é", "“", "👩‍🚀", "\n", "ß"]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 0..<120, using: &random))
                .map { _ in letters.randomElement(using: &random) ?? "a" }.joined()
            let bytes = Array(text.utf8)
            var at = Int.random(in: 0...bytes.count, using: &random)
            while at < bytes.count, bytes[at] & 0xC0 == 0x80 { at += 1 }
            let set = StoryBookmark(at: at, note: "", in: bytes)
            XCTAssertEqual(set.place(in: bytes), at)
            XCTAssertEqual(StoryBookmark(set.json), set)
        }
    }
}
