import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Stories

/// `chat story voices --llm`: check 27.
final class StoryVoiceModelTests: XCTestCase {
    private static let tea = """
        “Come in,” said Alice. “It is late,” said the Hatter. “I know,” said Alice.

        “Off with it,” said the Queen.

        """

    private func rig() async throws -> StoryIndexRig {
        let engine = FixedVoices()
        let rig = try await StoryIndexRig(
            Self.tea,
            voice: StoryVoiceBook.Dependencies(engine: { engine }, speak: { _ in }))
        _ = try await rig.stories.run("index", "--offline")
        return rig
    }

    private func voices(_ output: CommandOutput) -> [String] {
        (output.json?.arrayValue ?? []).filter { $0["role"] == "character" }.map {
            "\($0["name"]?.stringValue ?? "") \($0["voiceIdentifier"]?.stringValue ?? "") "
                + "\($0["by"]?.stringValue ?? "")"
        }
    }

    func testTheModelChoosesOfTheVoicesThereAre() async throws {
        let rig = try await rig()
        rig.model.answers { _ in
            """
            [{"character": "Alice", "voice": "en-gb+grandma"},
             {"character": "the Hatter", "voice": "en-gb+m7"},
             {"character": "the Queen", "voice": "en-gb+f2"}, {"character": "Bob", "voice": "x"}]
            """
        }
        let output = try await rig.stories.run("voices", "--llm", "--json")
        XCTAssertEqual(
            voices(output),
            [
                "Alice en-gb+grandma model", "the Hatter en-gb+m7 model",
                "the Queen en-gb+f2 model",
            ])
        XCTAssertEqual(output.notices, [])
        let input = try XCTUnwrap(rig.model.recipes.withLock { $0.last?.input })
        XCTAssert(input.contains("Alice: female, 2 lines"), input)
        XCTAssert(input.contains("en-gb+f3: female, 212 Hz"), input)
        XCTAssertFalse(input.contains("en-gb:"), "the narrator's voice is nobody else's")
        let again = try await rig.stories.run("voices", "--llm", "--json")
        XCTAssertEqual(again.json, output.json)
        XCTAssertEqual(rig.model.asked().count, 1, "it has answered before")
    }

    func testAVoiceThatIsNotThereOrTakenIsChosenByRuleWithAWarning() async throws {
        let rig = try await rig()
        let rule = voices(try await rig.stories.run("voices", "--auto", "--json"))
        _ = try await rig.stories.run("voices", "set", "the Queen", "grandma")
        rig.model.answers { _ in
            """
            [{"character": "Alice", "voice": "en-gb+nosuch"},
             {"character": "the Hatter", "voice": "en-gb"},
             {"character": "the Queen", "voice": "en-gb+f2"}]
            """
        }
        let output = try await rig.stories.run("voices", "--llm", "--json")
        let now = voices(output)
        XCTAssert(now[0].hasSuffix(" rule"), now[0])
        XCTAssertEqual(now[1], rule[1])
        XCTAssertEqual(now[2], "the Queen en-gb+grandma user", "set by hand")
        XCTAssertEqual(
            output.notices,
            [
                "The model named a voice that is not there for Alice, the Hatter: chosen by rule."
            ])
    }

    func testWithoutAnAnswerNothingIsChanged() async throws {
        let rig = try await rig()
        let before = try await rig.stories.item(1)?.metadata
        rig.model.answers { _ in throw GenerationError(.refused) }
        do {
            _ = try await rig.stories.run("voices", "--llm")
            XCTFail("it was chosen")
        } catch let error as StoryIndexProblem {
            XCTAssertEqual(error.diagnostic.exit, .degraded)
            XCTAssertEqual(
                error.diagnostic.what, "The model declined to find the voices of s1 Tea.")
        }
        assertEqual(try await rig.stories.item(1)?.metadata, before)
    }
}
