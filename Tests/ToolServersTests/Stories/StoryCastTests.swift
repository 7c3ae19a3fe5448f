import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

/// `chat story index` and `chat story cast`: what is printed, kept and undone.
final class StoryCastTests: XCTestCase {
    private static let ball = """
        “Come, Darcy,” said Mr. Bingley, “I must have you dance.”

        “I certainly shall not,” said Mr. Darcy. “You know how I detest it.”

        “Which do you mean?” asked Fitzwilliam. Elizabeth Bennet heard him, and she smiled.

        “Come, Lizzy,” said Jane Bennet.

        “I am coming,” Elizabeth replied.

        """

    private func rig(width: Int? = nil) async throws -> StoryRig {
        let rig = try StoryRig(width: width)
        _ = try await rig.run("import", try rig.file("ball.txt", Self.ball))
        return rig
    }

    private func names(_ rig: StoryRig) async throws -> [String] {
        let cast = try await rig.run("cast", "--json").json
        return (cast?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    func testIndexingFindsWhoIsThereAndHowMuchEachSays() async throws {
        let rig = try await rig()
        let lines = try await rig.lines("index", "s1", "--offline")
        XCTAssertEqual(lines.first, "✓ indexed: s1 ball · /undo")
        XCTAssert(lines[1].hasPrefix("  5 characters · 7 quotations: "), lines[1])
        XCTAssertEqual(
            Array(lines.dropFirst(2)),
            [
                "Mr. Darcy         2 lines  male, Darcy",
                "Mr. Bingley       2 lines  male",
                "Elizabeth Bennet  1 line   female, Lizzy, Elizabeth",
                "Jane Bennet       1 line   female",
                "Fitzwilliam       1 line",
            ])
        let item = try await rig.item(1)
        XCTAssertEqual(item?.metadata["index"]?["by"]?.stringValue, "offline")
        XCTAssertEqual(item?.metadata["cast"]?.arrayValue?.count, 5)
        XCTAssertEqual(item?.body, Self.ball)
        let again = try await rig.lines("index", "last")
        XCTAssert(again[0].hasPrefix("Already indexed: s1"), again[0])
        XCTAssertEqual(Array(again.dropFirst()), Array(lines.dropFirst(2)))
    }

    func testTwoNamesOfOneAreMergedAndUndoParts() async throws {
        let rig = try await rig()
        _ = try await rig.run("index")
        let before = try await names(rig)
        let output = try await rig.run("cast", "merge", "mr darcy", "Fitzwilliam")
        XCTAssert(output.lines[0].text.hasPrefix("✓ merged into Mr. Darcy: s1"))
        let merged = output.json?.arrayValue?.first { $0["name"]?.stringValue == "Mr. Darcy" }
        XCTAssertEqual(merged?["lines"]?.integerValue, 3)
        XCTAssertEqual(
            merged?["aliases"]?.arrayValue?.compactMap(\.stringValue), ["Darcy", "Fitzwilliam"])
        let step = try await rig.store.steps(undone: false, limit: 1).first
        _ = try await rig.store.undo(XCTUnwrap(step?.id))
        let after = try await names(rig)
        XCTAssertEqual(after, before)
    }

    func testACastIsRenamedAddedToAndTakenFrom() async throws {
        let rig = try await rig()
        _ = try await rig.run("index", "s1")
        _ = try await rig.run("cast", "s1", "rename", "Fitzwilliam", "Colonel Fitzwilliam")
        _ = try await rig.run("cast", "add", "Mrs. Hurst", "--gender", "female", "--age", "adult")
        _ = try await rig.run("cast", "remove", "Jane Bennet")
        let edited = try await rig.run("cast", "edit", "Lizzy", "--personality", "lively")
        XCTAssertEqual(
            edited.json?.arrayValue?.compactMap { $0["name"]?.stringValue },
            ["Mr. Darcy", "Mr. Bingley", "Elizabeth Bennet", "Colonel Fitzwilliam", "Mrs. Hurst"])
        XCTAssertEqual(edited.json?.arrayValue?[2]["personality"]?.stringValue, "lively")
        XCTAssertEqual(
            edited.json?.arrayValue?[3]["aliases"]?.arrayValue?.compactMap(\.stringValue),
            ["Fitzwilliam"])
        // Another text: what was made by hand stays, and what each says is counted again.
        _ = try await rig.run("edit", "s1", "--text", "“No,” said Mrs. Hurst.")
        _ = try await rig.run("index", "s1")
        let counted = try await rig.run("cast", "--json").json?.arrayValue
        XCTAssertEqual(counted?.last?["lines"]?.integerValue, 1)
        XCTAssertEqual(counted?.count, 5)
    }

    func testACastIsEditedAsJSON() async throws {
        let rig = try await rig()
        _ = try await rig.run("index")
        rig.library.editor.withLock {
            $0 = { _ in .changed(#"[{"name": "Ida", "gender": "female"}]"#) }
        }
        _ = try await rig.run("cast", "edit")
        let edited = try await names(rig)
        XCTAssertEqual(edited, ["Ida"])
        rig.library.editor.withLock { $0 = { _ in .changed("[{]") } }
        let said = await failure { try await rig.run("cast", "edit") }?.what
        XCTAssertEqual(said, "Nothing was changed: line 1, column 3 is not JSON.")
    }

    func testWhoIsNotThereIsSaidWithTheNearestName() async throws {
        let rig = try await rig()
        var said = await failure { try await rig.run("cast") }?.what
        XCTAssertEqual(said, "s1 is not indexed yet.")
        _ = try await rig.run("index")
        said = await failure { try await rig.run("cast", "remove", "Bingly") }?.what
        XCTAssertEqual(said, "No one in the cast is called \"Bingly\".")
        said = await failure { try await rig.run("cast", "merge", "Darcy", "Mr. Darcy") }?.what
        XCTAssertEqual(said, "\"Darcy\" and \"Mr. Darcy\" are already one character.")
        said = await failure {
            try await rig.run("cast", "edit", "Jane Bennet", "--alias", "Lizzy")
        }?.what
        XCTAssertEqual(said, "\"Lizzy\" is already a name of \"Elizabeth Bennet\".")
        do {
            _ = try await rig.run("cast", "merge", "Darcy")
            XCTFail("merge needs two names")
        } catch let error as UsageError {
            XCTAssert(error.problem.contains("merge"), error.problem)
        }
    }

    func testTheTextsOfAllSegmentsAreTheStoryByteForByte() async throws {
        let rig = try await rig()
        _ = try await rig.run("index")
        let segments = try await rig.run("segments", "s1", "--json").json?.arrayValue ?? []
        XCTAssertEqual(segments.compactMap { $0["text"]?.stringValue }.joined(), Self.ball)
        XCTAssertEqual(segments.map { $0["number"]?.integerValue }, Array(1...segments.count))
        XCTAssertEqual(segments.first?["speaker"]?.stringValue, "Mr. Bingley")
        let lines = try await rig.lines("segments", "--from", "2")
        XCTAssert(lines[0].hasSuffix("said Mr. Bingley,"), lines[0])
        let seen = segments.dropFirst().filter {
            $0["text"]?.stringValue?.contains { !$0.isWhitespace } == true
        }
        XCTAssertEqual(lines.count, seen.count, "space between quotations is not listed")
    }

    func testADecisionOfTheUserHoldsAndFollowsTheText() async throws {
        let rig = try await rig()
        _ = try await rig.run("index")
        let fixed = try await rig.run("fix", "1", "Jane", "Bennet")
        XCTAssert(fixed.lines[0].text.hasPrefix("✓ Jane Bennet says 1: s1"), fixed.lines[0].text)
        XCTAssertEqual(fixed.json?.arrayValue?[0]["by"]?.stringValue, "user")
        _ = try await rig.run("edit", "s1", "--text", "It began so.\n\n" + Self.ball)
        let segments = try await rig.run("segments", "--json").json?.arrayValue ?? []
        let decided = segments.filter { $0["by"]?.stringValue == "user" }
        XCTAssertEqual(decided.map { $0["speaker"]?.stringValue }, ["Jane Bennet"])
        XCTAssertEqual(decided.map { $0["text"]?.stringValue }, ["“Come, Darcy,”"])
        let said = await failure { try await rig.run("fix", "s1", "2", "Bingly") }?.what
        XCTAssertEqual(said, "No one in the cast is called \"Bingly\".")
        do {
            _ = try await rig.run("fix", "s1", "3", "Jane Bennet")
            XCTFail("a narration has no speaker")
        } catch let error as UsageError {
            XCTAssertEqual(error.problem, "Segment 3 is not spoken.")
        }
    }

    func testTheTableFitsANarrowTerminal() async throws {
        let rig = try await rig(width: 40)
        _ = try await rig.run("index")
        for line in try await rig.lines("cast") + rig.lines("segments") {
            XCTAssertLessThan(DisplayWidth.of(line), 40, line)
        }
    }
}
