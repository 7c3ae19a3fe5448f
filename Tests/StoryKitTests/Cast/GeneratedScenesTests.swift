import Foundation
import XCTest

@testable import StoryKit

/// The cast and the speakers of three hundred scenes whose answers are known, because
/// they were made that way (Benchmarks/stories/generate.py).
final class GeneratedScenesTests: XCTestCase {
    private struct Scene: Decodable {
        struct Character: Decodable {
            var name: String
            var aliases: [String]
            var gender: String?

            var names: Set<String> { Set(([name] + aliases).map(Cast.compared)) }
        }
        struct Quote: Decodable {
            var start: Int
            var end: Int
            var speaker: String?
            var kind: String
            var speech: Bool?
        }

        var text: String
        var cast: [Character]
        var quotes: [Quote]

        var known: Cast {
            Cast(
                cast.map {
                    StoryCharacter(
                        name: $0.name, aliases: $0.aliases,
                        gender: $0.gender.flatMap(StoryCharacter.Gender.init))
                })
        }
        var spoken: [Quote] { quotes.filter { $0.speech != false } }
    }

    private static func scenes() throws -> [Scene] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Benchmarks/stories/generated.json")
        return try JSONDecoder().decode([Scene].self, from: Data(contentsOf: file))
    }

    private struct Count {
        var right = 0
        var all = 0
        var share: Double { all == 0 ? 1 : Double(right) / Double(all) }

        mutating func add(_ isRight: Bool) {
            all += 1
            if isRight { right += 1 }
        }
    }

    func testTheCastOfAGeneratedSceneIsFoundByItself() throws {
        var (recall, gender, narrators) = (Count(), Count(), Count())
        var strangers: [String] = []
        for scene in try Self.scenes() {
            let found = CastFinder.find(in: StoryText(scene.text))
            let names = found.characters.map {
                Set(([$0.name] + $0.aliases).map(Cast.compared))
            }
            for character in scene.cast {
                let index = names.firstIndex { name in
                    !name.isDisjoint(with: character.names.subtracting(["i"]))
                }
                let isNarrator = character.aliases.contains("I")
                if isNarrator {
                    narrators.add(found.narrator.map { names[$0].contains("i") } == true)
                }
                recall.add(index != nil || isNarrator && character.gender == nil)
                if let index, let expected = character.gender {
                    gender.add(found.characters[index].gender?.rawValue == expected)
                }
            }
            strangers += zip(found.characters, names).filter { _, name in
                !scene.cast.contains { !$0.names.isDisjoint(with: name) }
            }.map(\.0.name)
        }
        XCTAssertGreaterThanOrEqual(recall.share, 0.95)
        XCTAssertGreaterThanOrEqual(gender.share, 0.95)
        XCTAssertEqual(narrators.right, narrators.all)
        XCTAssertEqual(strangers, [])
    }

    func testTheQuotationsOfAGeneratedSceneAreFound() throws {
        var (recall, precision) = (Count(), Count())
        for scene in try Self.scenes() {
            let text = StoryText(scene.text)
            let found = Set(
                text.spans.filter { $0.kind == .quotation }.map(\.range))
            let expected = Set(scene.spoken.map { $0.start..<$0.end })
            for range in expected { recall.add(found.contains(range)) }
            for range in found { precision.add(expected.contains(range)) }
        }
        XCTAssertGreaterThanOrEqual(recall.share, 0.99)
        XCTAssertGreaterThanOrEqual(precision.share, 0.99)
    }

    func testTheSpeakersOfGeneratedScenesAreKnown() throws {
        var kinds: [String: Count] = [:]
        var (all, alone, sure) = (Count(), Count(), Count())
        for scene in try Self.scenes() {
            let text = StoryText(scene.text)
            let known = scene.known
            let found = CastFinder.find(in: text)
            let given = Self.answers(text, known)
            let own = Self.answers(text, found)
            for quote in scene.spoken {
                let answer = given[quote.start]
                let name = answer?.speaker.map { known.characters[$0].name }
                let isRight = name == quote.speaker
                kinds[quote.kind, default: Count()].add(isRight)
                all.add(isRight)
                if answer?.tier == .sure { sure.add(isRight) }
                let names = scene.cast.first { $0.name == quote.speaker }?.names ?? []
                let heard = own[quote.start]?.speaker.map { found.characters[$0] }
                alone.add(
                    heard.map { character in
                        ([character.name] + character.aliases).contains {
                            names.contains(Cast.compared($0))
                        }
                    } ?? false)
            }
        }
        XCTAssertGreaterThanOrEqual(kinds["explicit"]?.share ?? 0, 0.95)
        XCTAssertGreaterThanOrEqual(kinds["anaphoric"]?.share ?? 0, 0.80)
        XCTAssertGreaterThanOrEqual(kinds["implicit"]?.share ?? 0, 0.70)
        XCTAssertGreaterThanOrEqual(all.share, 0.85)
        XCTAssertGreaterThanOrEqual(alone.share, 0.80)
        XCTAssertGreaterThanOrEqual(sure.share, 0.98)
    }

    /// By where the quotation begins.
    private static func answers(_ text: StoryText, _ cast: Cast) -> [Int: Attribution] {
        Dictionary(
            Attributor(cast: cast).attribute(text).map {
                (text.spans[$0.span].range.lowerBound, $0)
            }, uniquingKeysWith: { first, _ in first })
    }
}
