import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Library

/// Items as files: whole, or not at all, and never over another.
final class ItemExportTests: XCTestCase {
    private func filled() async throws -> LibraryRig {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "Cups that *ring*.", tags: ["tea"])
        try await rig.add(.transcript, "Talk", "good morning")
        return rig
    }

    private func document(_ rig: LibraryRig, _ words: String...) async throws -> String? {
        try await rig.server().commands[0].run(["export"] + words).document.map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    func testEachFormatGoesToStandardOutputWithoutAPath() async throws {
        let rig = try await filled()
        let markdown = try await document(rig, "i1")
        XCTAssertEqual(markdown, "# Tea cups\n\nCups that *ring*.\n\n#tea\n")
        let speech = try await document(rig, "i2")
        XCTAssertEqual(speech, "Talk\n\ngood morning\n", "speech is plain text")
        let json = try await document(rig, "i1", "i2", "--format", "json")
        let objects = try JSONParser.parse(Array(try XCTUnwrap(json).utf8)).arrayValue
        XCTAssertEqual(objects?.map { $0["id"]?.stringValue }, ["i1", "i2"])
        XCTAssertEqual(objects?[0]["body"]?.stringValue, "Cups that *ring*.")
        let both = try await document(rig, "i1", "i2", "--format", "md")
        XCTAssertEqual(
            both, "# Tea cups\n\nCups that *ring*.\n\n#tea\n\n---\n\n# Talk\n\ngood morning\n")
    }

    func testATitleThatIsTheFirstLineIsNotWrittenTwice() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "Tea cups\nthat ring")
        let text = try await document(rig, "i1", "--format", "txt")
        XCTAssertEqual(text, "Tea cups\nthat ring\n")
    }

    func testTheEndingOfTheFileSaysTheFormat() async throws {
        let rig = try await filled()
        let output = try await rig.run("export", "i1", "-o", "tea.json")
        XCTAssertTrue(output.lines[0].text.hasPrefix("✓ 1 item → tea.json, "), "\(output.lines)")
        let bytes = try rig.folder.read("tea.json")
        XCTAssertEqual(bytes.first, UInt8(ascii: "["))
    }

    func testAFileThatIsThereIsReplacedOnlyByForce() async throws {
        let rig = try await filled()
        try rig.folder.write(Array("mine".utf8), to: "tea.md")
        let said = await failure { try await rig.run("export", "i1", "-o", "tea.md") }
        XCTAssertEqual(said?.exit, .usage)
        XCTAssertEqual(said?.todo, "Give another name, or --force to replace it.")
        XCTAssertEqual(try rig.folder.read("tea.md"), Array("mine".utf8))
        _ = try await rig.run("export", "i1", "-o", "tea.md", "--force")
        XCTAssertEqual(
            String(decoding: try rig.folder.read("tea.md"), as: UTF8.self),
            "# Tea cups\n\nCups that *ring*.\n\n#tea\n")
        let names = try FileManager.default.contentsOfDirectory(atPath: rig.folder.path)
        XCTAssertFalse(names.contains { $0.hasSuffix(".new") }, "\(names)")
    }

    func testAFolderGetsOneFileForEachOrNone() async throws {
        let rig = try await filled()
        try await rig.add(.idea, "../../etc/passwd", "x")
        try FileManager.default.createDirectory(
            atPath: rig.folder.path("out"), withIntermediateDirectories: false)
        try rig.folder.write(Array("mine".utf8), to: "out/i2-talk.md")
        let said = await failure {
            try await rig.run("export", "i1", "i2", "-o", "out", "--format", "md")
        }
        XCTAssertEqual(said?.exit, .usage)
        var names = try FileManager.default.contentsOfDirectory(atPath: rig.folder.path("out"))
        XCTAssertEqual(names, ["i2-talk.md"])
        _ = try await rig.run("export", "i1", "i3", "-o", "out")
        names = try FileManager.default.contentsOfDirectory(atPath: rig.folder.path("out"))
        XCTAssertEqual(names.sorted(), ["i1-tea-cups.md", "i2-talk.md", "i3-etc-passwd.md"])
    }

    func testALinkIsFollowedAndWhatIsNoFileIsLeftAlone() async throws {
        let rig = try await filled()
        let mine = try rig.folder.write(Array("mine".utf8), to: "mine.md")
        try FileManager.default.createSymbolicLink(
            atPath: rig.folder.path("link.md"), withDestinationPath: mine)
        _ = try await rig.run("export", "i1", "-o", "link.md", "--force")
        XCTAssertEqual(try rig.folder.read("mine.md").first, UInt8(ascii: "#"))
        let kind = try FileManager.default.attributesOfItem(
            atPath: rig.folder.path("link.md"))[.type]
        XCTAssertEqual(kind as? FileAttributeType, .typeSymbolicLink)
        XCTAssertEqual(mkfifo(rig.folder.path("pipe.md"), 0o600), 0)
        let said = await failure {
            try await rig.run("export", "i1", "-o", "pipe.md", "--force")
        }
        XCTAssertEqual(said?.what, "\(rig.folder.path)/pipe.md is not a file.")
    }

    func testAFileThatCannotBeWrittenIsNamed() async throws {
        let rig = try await filled()
        let said = await failure { try await rig.run("export", "i1", "-o", "nowhere/tea.md") }
        XCTAssertEqual(
            said?.what,
            "\(rig.folder.path)/nowhere/tea.md cannot be written: No such file or directory.")
    }
}
