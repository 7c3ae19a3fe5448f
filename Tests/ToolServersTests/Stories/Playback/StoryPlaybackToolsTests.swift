import AgentCore
import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Stories

/// What the model can do with a story that is read aloud.
final class StoryPlaybackToolsTests: XCTestCase {
    private func tools(_ rig: StoryPlayerRig, host: String? = nil) -> StoryPlaybackTools {
        StoryPlaybackTools(
            book: rig.stories.server.book, player: rig.player,
            listening: StoryListening(
                last: { nil }, place: { id in rig.places.withLock { $0[id] } },
                present: { _, _, _, _ in CommandOutput() }), host: { host })
    }

    private func call(
        _ tools: StoryPlaybackTools, _ name: String, _ arguments: KeyValuePairs<String, JSONValue>
    ) async throws -> ToolOutput {
        var object = JSONObject()
        for (name, value) in arguments { object[name] = value }
        return try await tools.answer(name, object, emit: .none)
    }

    func testItReadsAChapterAndIsSteered() async throws {
        let rig = try await StoryPlayerRig()
        let tools = tools(rig)
        let first = Mutex(true)
        await rig.sink.afterEachBlock { _ in
            let isFirst = first.withLock { first in
                defer { first = false }
                return first
            }
            if isFirst { await rig.player.pause() }
        }
        let read = try await call(tools, "story_play", ["chapter": 2])
        XCTAssertTrue(read.text.hasPrefix("Reading s1 tide, segment "), read.text)
        XCTAssertTrue(read.text.hasSuffix(", chapter 2 of 2, stops at its end"), read.text)
        XCTAssertTrue(read.isUntrusted)
        await rig.wait { $0.phase == .paused(.user) }
        let steps: [(KeyValuePairs<String, JSONValue>, String)] = [
            (["action": "next"], "Paused s1 tide, segment "),
            (["action": "back", "count": 2], "Paused s1 tide, segment "),
            (["action": "faster"], "rate 1.1"),
            (["action": "go_to", "chapter": 1], "Paused s1 tide, segment 1 of "),
            (["action": "previous_chapter"], "Paused s1 tide, segment 1 of "),
            (["action": "stop"], "Stopped s1 tide, segment 1 of "),
        ]
        for (arguments, text) in steps {
            let output = try await call(tools, "story_control", arguments)
            XCTAssertTrue(output.text.contains(text), "\(arguments): \(output.text)")
            XCTAssertFalse(output.isError)
        }
        let none = try await call(tools, "story_control", ["action": "pause"])
        XCTAssertTrue(none.isError)
        XCTAssertEqual(none.text, "Nothing is being read aloud.")
    }

    func testAChapterIsReadAloneAndWhatElseToTheEnd() async throws {
        let wishes: [(KeyValuePairs<String, JSONValue>, Range<Int>)] = [
            (["chapter": 1], 0..<5), (["chapter": 1, "until": "end_of_story"], 0..<9),
            (["segment": 1], 0..<9), (["segment": 1, "until": "end_of_chapter"], 0..<5),
            (["chapter": 2], 5..<9), ([:], 0..<9),
        ]
        for (arguments, lines) in wishes {
            let rig = try await StoryPlayerRig()
            _ = try await call(tools(rig), "story_play", arguments)
            _ = await rig.player.finished()
            let heard = await rig.sink.bytes
            let expected = try await rig.sound(lines)
            XCTAssertTrue(heard == expected, "\(arguments)")
        }
    }

    func testWhatItCannotDoIsSaidInItsTerms() async throws {
        let rig = try await StoryPlayerRig()
        let tools = tools(rig)
        let calls: [(KeyValuePairs<String, JSONValue>, ToolError)] = [
            (["story": "moby"], ToolError.noMatch(query: "moby")),
            (
                ["chapter": 9],
                .failed(
                    "There is no chapter 9: s1 has 2 chapters. chat story show s1 lists them.")
            ), (["chapter": 1, "segment": 2], .failed("a chapter or a segment, not both")),
        ]
        for (arguments, error) in calls {
            do {
                _ = try await call(tools, "story_play", arguments)
                XCTFail("\(arguments)")
            } catch let thrown as ToolError {
                XCTAssertEqual(thrown, error)
            }
        }
        XCTAssertEqual(tools.tools.map(\.toolClass), [.read, .read])
        XCTAssertEqual(
            self.tools(rig, host: "tts.example").tools.map(\.toolClass), [.outward, .read])
    }
}
