import Base
import Foundation
import TestSupport
import XCTest

@testable import StoryKit

/// What the generated scenes of Benchmarks/stories demand: they are easier than novels,
/// so that what falls below is a fault.
final class AttributionGrade: XCTestCase {
    func testGeneratedScenesAreReadRight() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = repository.appendingPathComponent("Benchmarks/stories/generated.json")
        let scenes = try XCTUnwrap(JSONParser.parse(Array(Data(contentsOf: file))).arrayValue)
        var counts: [String: (right: Int, all: Int)] = [:]
        func count(_ name: String, _ isRight: Bool) {
            counts[name, default: (0, 0)].all += 1
            if isRight { counts[name]?.right += 1 }
        }
        for scene in Grade.sample(scenes) {
            let text = StoryText(try XCTUnwrap(scene["text"]?.stringValue))
            let members = try XCTUnwrap(scene["cast"]?.arrayValue)
            let cast = Cast(
                members.map { member in
                    StoryCharacter(
                        name: member["name"]?.stringValue ?? "",
                        aliases: (member["aliases"]?.arrayValue ?? []).compactMap(\.stringValue),
                        gender: member["gender"]?.stringValue.flatMap(StoryCharacter.Gender.init))
                })
            let found = Dictionary(
                uniqueKeysWithValues: Attributor(cast: cast).attribute(text).map {
                    (text.spans[$0.span].range, $0)
                })
            for quote in try XCTUnwrap(scene["quotes"]?.arrayValue) {
                guard let speaker = quote["speaker"]?.stringValue,
                    let start = quote["start"]?.integerValue, let end = quote["end"]?.integerValue
                else { continue }
                let answer = found[Int(start)..<Int(end)]
                count("found", answer != nil)
                let isRight = answer?.speaker.map { cast.characters[$0].name } == speaker
                count("all", isRight)
                count(quote["kind"]?.stringValue ?? "", isRight)
                if answer?.tier == .sure { count("sure", isRight) }
            }
        }
        for (name, least) in [
            ("found", 0.99), ("explicit", 0.95), ("anaphoric", 0.8), ("implicit", 0.7),
            ("all", 0.85), ("sure", 0.98),
        ] {
            let (right, all) = try XCTUnwrap(counts[name], name)
            Grade.check("quotations of scenes: \(name)", right: right, of: all, atLeast: least)
        }
    }
}
