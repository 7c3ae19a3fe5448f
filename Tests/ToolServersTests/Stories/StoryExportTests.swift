import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

/// Stories as files, read by Python's `zipfile` and `xml.etree`, and by ourselves.
final class StoryExportTests: XCTestCase {
    private static let tide = """
        THE TIDE

        Chapter 1

        “Will it rise?” said Ida, & nobody of all the people who stood there at
        the wall had an answer <for> her.

        * * *

        Chapter 2

          It rose,
          it fell.

        “A 'quoted' \u{1}word”, she said, and looked at the sea for as long as there was
        any light to look at it.

        """

    private func imported() async throws -> StoryRig {
        let rig = try StoryRig()
        let path = try rig.file("tide.txt", Self.tide)
        _ = try await rig.run("import", path, "--author", "Ada & Bo", "--title", "Tide < Ebb")
        return rig
    }

    func testAnArchiveComesBackWithAllThatIsKnown() async throws {
        let rig = try await imported()
        let id = ItemID(rawValue: 1)
        var metadata = try await rig.item(1)?.metadata ?? JSONObject()
        metadata["voices"] = ["Ida": ["voiceIdentifier": "en-gb+f3", "rate": .number("0.5")]]
        metadata["later"] = [1, 2]
        _ = try await rig.store.change(
            id, ItemChange(metadata: metadata, tags: ["sea"]), verb: "edited")
        let path = rig.library.folder.path("tide.zip")
        let done = try await rig.lines("export", "s1", "-o", path)
        XCTAssert(done.first?.hasPrefix("✓ s1 Tide < Ebb → tide.zip, ") == true, "\(done)")
        let listing = try Python.run(
            """
            import hashlib, json, sys, zipfile
            book = zipfile.ZipFile(sys.argv[1])
            manifest = json.loads(book.read("manifest.json"))
            for file in manifest["files"]:
                data = book.read(file["name"])
                assert hashlib.sha256(data).hexdigest() == file["sha256"]
                assert len(data) == file["size"]
            print(book.testzip(), manifest["format"], sorted(book.namelist()))
            sys.stdout.write(book.read("source.txt").decode())
            """, arguments: [path])
        XCTAssertEqual(
            listing,
            "None chat story ['manifest.json', 'source.txt', 'story.json']\n" + Self.tide)

        let other = try StoryRig()
        let back = try await other.run("import", path)
        XCTAssertEqual(back.lines.first?.text, "✓ imported: s1 Tide < Ebb · /undo")
        let (here, there) = (try await rig.item(1), try await other.item(1))
        XCTAssertEqual(there?.title, here?.title)
        XCTAssertEqual(there.map { Array($0.body.utf8) }, Array(Self.tide.utf8))
        XCTAssertEqual(there?.tags, ["sea"])
        var known = here?.metadata
        known?["file"] = nil
        XCTAssertEqual(
            there?.metadata.members.sorted { $0.name < $1.name },
            known?.members.sorted { $0.name < $1.name })
        let again = try await other.lines("import", path)
        XCTAssertEqual(again.first, "Imported already: s1 Tide < Ebb")
        other.library.input.withLock { $0 = (try? rig.library.folder.read("tide.zip")) ?? [] }
        let piped = try await other.lines("import", "-", "--new")
        XCTAssertEqual(piped.first, "✓ imported: s2 Tide < Ebb · /undo")
    }

    func testADamagedArchiveIsRefusedWhole() async throws {
        let rig = try await imported()
        let path = rig.library.folder.path("tide.zip")
        _ = try await rig.run("export", "s1", "-o", path)
        _ = try Python.run(
            """
            import sys, zipfile
            book = zipfile.ZipFile(sys.argv[1])
            files = {name: book.read(name) for name in book.namelist()}
            files["source.txt"] += b"!"
            with zipfile.ZipFile(sys.argv[1], "w") as book:
                for name, data in files.items(): book.writestr(name, data)
            """, arguments: [path])
        let other = try StoryRig()
        let refused = await failure { try await other.run("import", path) }
        XCTAssertEqual(
            refused?.what,
            "\(path): unpacking failed because source.txt does not match its manifest.")
        let count = try await other.store.count()
        XCTAssertEqual(count, 0)
    }

    func testNothingIsReplacedUnasked() async throws {
        let rig = try await imported()
        let path = rig.library.folder.path("tide.txt")
        let refused = await failure { try await rig.run("export", "s1", "-o", path) }
        XCTAssertEqual(refused?.exit, .usage)
        let other = await failure {
            try await rig.run("export", "s1", "-o", rig.library.folder.path("tide.m4b"))
        }
        XCTAssertEqual(other?.what, "Stories are not exported as \".m4b\".")
        let text = try await rig.run("export", "s1")
        XCTAssertEqual(text.document, Array(Self.tide.utf8))
    }
}
