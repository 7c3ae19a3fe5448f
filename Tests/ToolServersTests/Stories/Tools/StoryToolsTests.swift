import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Stories

/// What a model sees of stories, and what it may change.
final class StoryToolsTests: XCTestCase {
    private static let tea = """
        “Come in,” said Alice. A fire burned.

        “A raven is like a writing-desk.”

        “It is late,” said the Hatter.

        “I know,” said Alice.

        """

    private func rig() async throws -> StoryRig {
        let engine = FixedVoices()
        let rig = try StoryRig(
            voice: StoryVoiceBook.Dependencies(engine: { engine }, speak: { _ in }))
        _ = try await rig.run("import", try rig.file("tea.txt", Self.tea), "--title", "Tea")
        _ = try await rig.run("index", "--offline")
        return rig
    }

    private func call(_ rig: StoryRig, _ name: String, _ json: String) async throws -> ToolOutput {
        let arguments = try XCTUnwrap(JSONParser.parse(Array(json.utf8)).objectValue)
        let tool = try XCTUnwrap(rig.server.listTools().first { $0.name == name })
        XCTAssertEqual(tool.inputSchema.violations(in: .object(arguments)), [])
        return try await rig.server.callTool(name, arguments: arguments, emit: .none)
    }

    func testStoriesCastsAndSegmentsAreListedInBounds() async throws {
        let rig = try await rig()
        let list = try await call(rig, "story_list", #"{"query": "tea"}"#)
        XCTAssertEqual(list.text, "s1 Tea, no chapters")
        XCTAssert(list.isUntrusted)
        let cast = try await call(rig, "story_cast", "{}")
        XCTAssertEqual(
            cast.text, "s1 Tea\nAlice: female; 3 lines\nthe Hatter: male; 1 line")
        let found = try await call(rig, "story_segments", #"{"query": "raven desk"}"#)
        XCTAssert(found.text.hasPrefix("3 "), found.text)
        XCTAssert(found.text.hasSuffix("“A raven is like a writing-desk.”"), found.text)
        let first = try await call(rig, "story_segments", #"{"limit": 2}"#)
        XCTAssertEqual(first.text.split(separator: "\n").last, "[more: from 3]")
        XCTAssertEqual(first.summary, "2 segments")
        let spoken = try await call(rig, "story_segments", #"{"speaker": "hatter", "limit": 1}"#)
        XCTAssert(spoken.text.contains("the Hatter"), spoken.text)
    }

    func testALineIsGivenToWhoSaidIt() async throws {
        let rig = try await rig()
        let done = try await call(
            rig, "story_fix_speaker", #"{"segment": 3, "speaker": "alice"}"#)
        XCTAssertEqual(done.text, "Alice says 3 in s1")
        XCTAssertEqual(done.summary, "✓ Alice says 3: s1 Tea · /undo")
        let json = try await rig.run("segments", "--json").json?.arrayValue ?? []
        XCTAssertEqual(json[2]["speaker"], "Alice")
        XCTAssertEqual(json[2]["by"], "user")
        for (arguments, problem) in [
            (#"{"segment": 2, "speaker": "Alice"}"#, "narrated, not spoken"),
            (#"{"segment": 3, "speaker": "Bob"}"#, "No one in the cast is called \"Bob\""),
            (#"{"segment": 99, "speaker": "Alice"}"#, "no segment 99"),
        ] {
            do {
                _ = try await call(rig, "story_fix_speaker", arguments)
                XCTFail(arguments)
            } catch let error as ToolError {
                XCTAssert(error.modelText.contains(problem), error.modelText)
            }
        }
    }

    func testAnOlderCharacterGetsAnOlderVoiceWithOneUndo() async throws {
        let rig = try await rig()
        let before = try await rig.item(1)?.metadata
        let done = try await call(
            rig, "story_set_voice", #"{"character": "the hatter", "age": "old", "rate": 0.2}"#)
        XCTAssert(done.text.hasPrefix("the Hatter → en-gb+"), done.text)
        XCTAssert(done.text.contains("old"), done.text)
        XCTAssert(done.text.contains("rate 0.2"), done.text)
        let cast = try await rig.run("cast", "--json").json?.arrayValue ?? []
        XCTAssertEqual(cast.first { $0["name"] == "the Hatter" }?["age"], "old")
        let step = try await rig.store.steps(undone: false, limit: 1).first
        _ = try await rig.store.undo(XCTUnwrap(step?.id))
        assertEqual(try await rig.item(1)?.metadata, before)
        for (arguments, problem) in [
            (#"{"character": "Alice"}"#, "nothing was named"),
            (#"{"character": "narrator", "age": "old"}"#, "only a character"),
            (#"{"character": "Alice", "pitch": 9}"#, "pitch is from 0.5 to 2.0"),
            (#"{"character": "Alice", "voice": "nosuch"}"#, "no voice \"nosuch\""),
        ] {
            do {
                _ = try await call(rig, "story_set_voice", arguments)
                XCTFail(arguments)
            } catch let error as ToolError {
                XCTAssert(error.modelText.contains(problem), error.modelText)
            }
        }
    }

    func testTwoNamesBecomeOneCharacter() async throws {
        let rig = try await rig()
        let done = try await call(rig, "story_merge", #"{"names": ["Alice", "the Hatter"]}"#)
        XCTAssertEqual(done.text, "merged into Alice in s1")
        let cast = try await rig.run("cast", "--json").json?.arrayValue ?? []
        XCTAssertEqual(cast.count, 1)
        do {
            _ = try await call(rig, "story_merge", #"{"names": ["Alice"]}"#)
            XCTFail("one name")
        } catch let error as ToolError {
            XCTAssert(error.modelText.contains("two names"), error.modelText)
        }
    }
}
