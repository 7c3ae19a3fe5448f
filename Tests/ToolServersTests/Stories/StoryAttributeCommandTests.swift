import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Stories

/// `chat story attribute`: what it prints, and what it refuses.
final class StoryAttributeCommandTests: XCTestCase {
    private static let story = "É.\n\n“Yes,” said Ann. “I do.”\n\n“No,” said Bob.\n"
    private static let cast = """
        [{"name": "Ann Lee", "aliases": ["Ann"], "gender": "female"}, \
        {"name": "Bob", "aliases": [], "gender": "male"}]
        """

    func testPlacesAreBytesOfTheFileAndSpeakersNamesOfTheCast() async throws {
        let rig = try StoryRig()
        let file = try rig.file("story.txt", Self.story)
        let output = try await rig.run(
            "attribute", file, "--cast", try rig.file("cast.json", Self.cast), "--json")
        let rows = try XCTUnwrap(output.json?.arrayValue)
        XCTAssertEqual(
            rows.map { $0["speaker"]?.stringValue }, ["Ann Lee", "Ann Lee", "Bob"])
        XCTAssertEqual(rows.map { $0["tier"]?.stringValue }, ["sure", "sure", "sure"])
        let bytes = Array(Self.story.utf8)
        for row in rows {
            let start = Int(try XCTUnwrap(row["start"]?.integerValue))
            let end = Int(try XCTUnwrap(row["end"]?.integerValue))
            XCTAssertEqual(
                String(decoding: bytes[start..<end], as: UTF8.self), row["text"]?.stringValue)
        }
        XCTAssertEqual(rows[0]["evidence"]?.stringValue, "tag “said Ann.”")
    }

    func testTheCastThatIsFoundCanBeGivenBack() async throws {
        let rig = try StoryRig()
        let file = try rig.file("story.txt", Self.story)
        let found = try await rig.run("attribute", file, "--show-cast", "--json")
        let text = JSONWriter.pretty(try XCTUnwrap(found.json))
        let given = try rig.file("found.json", text)
        let again = try await rig.run("attribute", file, "--cast", given, "--show-cast", "--json")
        XCTAssertEqual(again.json, found.json)
    }

    func testWhatIsNoCastIsSaid() async throws {
        let rig = try StoryRig()
        let file = try rig.file("story.txt", Self.story)
        for cast in ["{}", "[{\"aliases\": []}]", "[{]"] {
            let path = try rig.file("bad.json", cast)
            do {
                _ = try await rig.run("attribute", file, "--cast", path)
                XCTFail("\(cast) was taken for a cast")
            } catch let error as StoryAttributeError {
                XCTAssertTrue(error.diagnostic.what.contains("is not a cast"), cast)
            }
        }
    }
}
