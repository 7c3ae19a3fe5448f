import StoryKit
import TestSupport
import XCTest

/// Who gets which voice: fitting, distinct where they meet, and the same each time.
final class VoiceCastingTests: XCTestCase {
    /// As they were measured of espeak-ng 1.51.
    private static let pool = VoiceCasting.Pool(
        narrator: VoiceProfile(identifier: "en-us", gender: .male, pitch: 102, centroid: 1_700),
        profiles: [
            ("f1", 179, 2_000), ("f2", 197, 1_900), ("f3", 212, 2_200), ("f4", 179, 1_750),
            ("f5", 206, 2_650), ("Annie", 259, 2_280), ("grandma", 204, 1_630),
            ("linda", 230, 2_050),
            ("m1", 95, 1_900), ("m3", 106, 1_870), ("m7", 107, 1_370), ("iven", 102, 1_080),
            ("david", 77, 1_800), ("grandpa", 109, 1_860), ("rob", 123, 2_400),
            ("ed", 127, 1_500),
        ].map { (name: String, pitch: Double, centroid: Double) in
            VoiceProfile(
                identifier: "en-us+\(name)", gender: pitch > 150 ? .female : .male, pitch: pitch,
                centroid: centroid)
        }, accents: ["en-us", "en-gb-scotland", "en-gb-x-rp"])

    private func casting(_ preset: VoicePreset = .plain) -> VoiceCasting {
        VoiceCasting(Self.pool, standard: VoiceConfig(), preset: preset)
    }

    private func scenes(_ cast: Cast, _ speakers: [Int], chapters: [Int] = []) -> SceneMap {
        let text = StoryText(speakers.map { _ in "“Yes.”" }.joined(separator: "\n\n"))
        let spans = text.spans.indices.filter { text.spans[$0].kind == .quotation }
        XCTAssertEqual(spans.count, speakers.count)
        return SceneMap(
            zip(spans, speakers).map {
                Attribution(span: $0, speaker: $1, confidence: 1, tier: .sure, evidence: "")
            }, in: text, chapters: chapters, characters: cast.characters.count)
    }

    private let tea = Cast([
        StoryCharacter(name: "Alice", gender: .female, age: "about seven"),
        StoryCharacter(name: "Hatter", gender: .male),
        StoryCharacter(name: "March Hare", gender: .male, personality: "stern"),
        StoryCharacter(name: "Dormouse", accent: "Scottish", personality: "shy"),
        StoryCharacter(name: "Grandmother", gender: .female),
        StoryCharacter(name: "Queen", gender: .female),
    ])

    func testEveryoneHasAFittingVoiceAndTheNarratorsIsNobodyElses() {
        let scenes = scenes(tea, [0, 1, 2, 3, 4, 5])
        let voices = casting().voices(for: tea, lines: [9, 8, 7, 6, 5, 4], scenes: scenes)
        XCTAssertEqual(voices.narrator.config, VoiceConfig(voiceIdentifier: "en-us"))
        let names = voices.characters.map { $0.config.voiceIdentifier ?? "" }
        XCTAssertEqual(Set(names + ["en-us"]).count, 7)
        let alice = voices.characters[0]
        XCTAssert(["en-us+f3", "en-us+f5", "en-us+Annie"].contains(names[0]), names[0])
        XCTAssertGreaterThan(alice.config.pitchMultiplier, 1.1)
        XCTAssertEqual(alice.traits, ["child"])
        XCTAssert(names[3].hasPrefix("en-gb-scotland+"), names[3])
        XCTAssertEqual(voices.characters[3].config.volume, 0.45)
        XCTAssertEqual(names[4], "en-us+grandma")
        XCTAssertLessThan(voices.characters[4].config.rate, 0.3)
        for (index, character) in tea.characters.enumerated() where index != 0 {
            let profile = Self.pool.profiles.first {
                $0.identifier.hasSuffix(names[index].drop { $0 != "+" })
            }
            if let gender = character.gender {
                XCTAssertEqual(profile?.gender?.rawValue, gender.rawValue, character.name)
            }
        }
        XCTAssertFalse((names + ["en-us"]).contains(voices.unknown.config.voiceIdentifier ?? ""))
        XCTAssertEqual(voices.config(of: nil), voices.unknown.config)
        XCTAssertEqual(voices.config(of: 1), voices.characters[1].config)
    }

    func testThoseWhoMeetCanBeToldApartInEveryPreset() {
        let cast = Cast(
            (0..<12).map { StoryCharacter(name: "N\($0)", gender: $0 % 2 == 0 ? .male : .female) })
        for preset in VoicePreset.all {
            let casting = casting(preset)
            let voices = casting.voices(
                for: cast, lines: Array(1...12), scenes: scenes(cast, Array(0..<12)))
            let all = [voices.narrator.config] + voices.characters.map(\.config)
            for first in all.indices {
                for second in all.indices.dropFirst(first + 1) {
                    XCTAssert(
                        casting.areDistinct(all[first], all[second]),
                        "\(preset.name): \(all[first]) \(all[second])")
                }
            }
            XCTAssertEqual(voices.pauses, preset.pauses)
        }
    }

    func testTheSameStoryGivesTheSameVoices() {
        let scenes = scenes(tea, [0, 1, 2, 3, 4, 5])
        let lines = [3, 3, 3, 3, 3, 3]
        let voices = casting().voices(for: tea, lines: lines, scenes: scenes)
        XCTAssertEqual(casting().voices(for: tea, lines: lines, scenes: scenes), voices)
    }

    func testAVoiceThatWasChosenStaysAndOthersKeepOffIt() {
        let scenes = scenes(tea, [0, 1, 2, 3, 4, 5])
        let lines = [9, 8, 7, 6, 5, 4]
        let before = casting().voices(for: tea, lines: lines, scenes: scenes)
        let taken = StoryVoices.Part(before.characters[1].config, by: .user)
        let after = casting().voices(for: tea, lines: lines, scenes: scenes, chosen: [2: taken])
        XCTAssertEqual(after.characters[2], taken)
        XCTAssertNotEqual(
            after.characters[1].config.voiceIdentifier, taken.config.voiceIdentifier)
    }

    func testACastLargerThanThePoolSharesVoicesWithThoseNotMet() {
        let cast = Cast((0..<74).map { StoryCharacter(name: "N\($0)", gender: .female) })
        // Pairs that talk, each far from the others.
        let chapters = (0..<37).map { $0 * 2 * 12 }
        let speakers = Array(0..<74)
        let scenes = scenes(cast, speakers, chapters: chapters)
        XCTAssertEqual(scenes.partners[40], [41])
        let casting = casting()
        let voices = casting.voices(
            for: cast, lines: [Int](repeating: 2, count: 74), scenes: scenes)
        for first in stride(from: 0, to: 74, by: 2) {
            XCTAssert(
                casting.areDistinct(
                    voices.characters[first].config, voices.characters[first + 1].config))
        }
    }

    func testAServersVoicesAreToldApartByTheirNames() {
        let pool = VoiceCasting.Pool(
            narrator: VoiceProfile(identifier: "alloy"),
            profiles: [
                VoiceProfile(identifier: "alloy"), VoiceProfile(identifier: "ash", gender: .male),
                VoiceProfile(identifier: "echo", gender: .male),
                VoiceProfile(identifier: "nova", gender: .female),
            ])
        let cast = Cast([
            StoryCharacter(name: "Ada", gender: .female), StoryCharacter(name: "Bo", gender: .male),
            StoryCharacter(name: "Cy", gender: .male, personality: "stern"),
        ])
        let voices = VoiceCasting(pool, standard: VoiceConfig()).voices(
            for: cast, lines: [3, 2, 1], scenes: scenes(cast, [0, 1, 2]))
        let names = voices.characters.compactMap(\.config.voiceIdentifier)
        XCTAssertEqual(names[0], "nova")
        XCTAssertEqual(Set(names.dropFirst()), ["ash", "echo"])
        XCTAssertEqual(voices.characters[2].config.pitchMultiplier, 1)
    }
}
