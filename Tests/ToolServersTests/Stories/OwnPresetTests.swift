import AgentCore
import Base
import Foundation
import StoryKit
import TestSupport
import XCTest

@testable import Stories

/// Presets of the user's own: `voice_presets` in the configuration.
final class OwnPresetTests: XCTestCase {
    private static let calm = VoicePreset(
        name: "", summary: "your own", rate: -0.1, spread: 1,
        pauses: VoicePauses(sameSpeaker: 0.4, change: 0.9, chapter: 3))

    func testAPresetOfTheConfigurationIsListedChosenAndKeptWithTheStory() async throws {
        let engine = FixedVoices()
        let rig = try StoryRig(
            voice: StoryVoiceBook.Dependencies(
                engine: { engine }, presets: ["calm": Self.calm, "plain": Self.calm],
                speak: { _ in }))
        _ = try await rig.run(
            "import", try rig.file("tea.txt", "“Come in,” said Alice."), "--title", "Tea")
        _ = try await rig.run("index")
        let listed = try await rig.lines("voices", "presets")
        XCTAssertEqual(listed.count, 4, "a built-in name stays what it is")
        XCTAssert(listed[3].hasPrefix("calm"), listed[3])
        XCTAssert(listed[3].contains("your own"), listed[3])
        XCTAssert(listed[3].hasSuffix("pauses of 0.4, 0.9 and 3 s"), listed[3])
        _ = try await rig.run("voices", "--preset", "calm")
        let item = try await rig.item(1)
        let kept = KeptVoices(try XCTUnwrap(item)).preset
        XCTAssertEqual(kept.name, "calm")
        XCTAssertEqual(kept.pauses, Self.calm.pauses)
        XCTAssertEqual(kept.rate, -0.1)
        let narrator = try await rig.run("voices", "--json").json?.arrayValue?.first
        XCTAssertEqual(narrator?["rate"]?.doubleValue ?? 0, 0.2, accuracy: 0.001)
        do {
            _ = try await rig.run("voices", "--preset", "nosuch")
            XCTFail("there is none")
        } catch is UsageError {}
    }

    func testWhatIsNoPresetIsPlain() throws {
        for text in [#""nosuch""#, "{}", #"{"name":"x","rate":1e9,"spread":1,"pauses":[1,1,1]}"#] {
            XCTAssertNil(VoicePreset(try JSONParser.parse(Array(text.utf8))), text)
        }
        var own = Self.calm
        own.name = "calm"
        XCTAssertEqual(VoicePreset(own.json), own)
    }
}
