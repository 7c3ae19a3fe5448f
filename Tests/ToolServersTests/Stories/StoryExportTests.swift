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

    /// What EPUB 3.3 asks for, looked at with other tools than ours.
    private static let reader = """
        import posixpath, sys, zipfile
        import xml.etree.ElementTree as tree
        book = zipfile.ZipFile(sys.argv[1])
        first = book.infolist()[0]
        assert first.filename == "mimetype" and first.compress_type == 0 and not first.extra
        assert book.read("mimetype") == b"application/epub+zip"
        with open(sys.argv[1], "rb") as file:
            assert file.read(58)[30:58] == b"mimetypeapplication/epub+zip"
        for name in book.namelist():
            if name.endswith((".xml", ".opf", ".xhtml")): tree.fromstring(book.read(name))
        container = tree.fromstring(book.read("META-INF/container.xml"))
        path = container.find(".//{*}rootfile").get("full-path")
        package = tree.fromstring(book.read(path))
        assert package.get("version") == "3.0"
        names = ["identifier", "title", "language", "creator"]
        print([package.find(".//{http://purl.org/dc/elements/1.1/}" + n).text for n in names])
        assert package.find(".//{*}identifier").get("id") == package.get("unique-identifier")
        print([m.text for m in package.findall(".//{*}meta") if m.get("property") == "dcterms:modified"])
        items = {i.get("id"): i for i in package.findall(".//{*}item")}
        folder = posixpath.dirname(path)
        for item in items.values(): book.read(posixpath.join(folder, item.get("href")))
        nav = [i for i in items.values() if i.get("properties") == "nav"]
        assert len(nav) == 1
        links = tree.fromstring(book.read(posixpath.join(folder, nav[0].get("href")))).findall(
            ".//{*}nav//{*}a")
        for link in links: book.read(posixpath.join(folder, link.get("href")))
        print([link.text for link in links])
        for ref in package.findall(".//{*}itemref"):
            page = tree.fromstring(book.read(posixpath.join(folder, items[ref.get("idref")].get("href"))))
            body = page.find("{*}body")
            print([(e.tag.split("}")[1], "|".join(t.strip() for t in e.itertext())) for e in body])
        """

    func testABookIsReadByOthersAsItWasMeant() async throws {
        let rig = try await imported()
        let path = rig.library.folder.path("tide.epub")
        _ = try await rig.run("export", "s1", "-o", path)
        let uid = try await rig.item(1)?.uid ?? ""
        let time = LocalTime(.utc).isoText(rig.library.clock.environment.now()).prefix(19)
        let read = try Python.run(Self.reader, arguments: [path])
        XCTAssertEqual(
            read,
            """
            ['urn:uuid:\(uid)', 'Tide < Ebb', 'en', 'Ada & Bo']
            ['\(time)Z']
            ['Chapter 1', 'Chapter 2']
            [('p', 'THE TIDE')]
            [('h1', 'Chapter 1'), ('p', '“Will it rise?” said Ida, & nobody of all the people who \
            stood there at the wall had an answer <for> her.'), ('p', '* * *')]
            [('h1', 'Chapter 2'), ('p', 'It rose,|it fell.'), ('p', "“A 'quoted' word”, she said, \
            and looked at the sea for as long as there was any light to look at it.")]

            """)
        let other = try StoryRig()
        let back = try await other.run("import", path)
        XCTAssertEqual(back.json?["title"]?.stringValue, "Tide < Ebb")
        XCTAssertEqual(back.json?["author"]?.stringValue, "Ada & Bo")
        let second = try await other.run("show", "s1", "--chapter", "2")
        XCTAssertEqual(
            second.document.map { String(decoding: $0, as: UTF8.self) },
            """
            Chapter 2

            It rose,
            it fell.

            “A 'quoted' word”, she said, and looked at the sea for as long as there was any \
            light to look at it.
            """)
    }

    /// What stresses words in plain text is no part of what is read.
    func testStressedWordsHeadingsAndBreaksAreElementsInABook() async throws {
        let rig = try StoryRig()
        let text = """
            # One

            It was *very* late, and __nobody__ had _seen
            him_ go; snake_case and 5 * 3 stay, *so does this.

            ## Within

            * * * *

            ---

            “***No!***” she *said “_now_”*.

            # Two

            The *_end*_.

            """
        _ = try await rig.run("import", try rig.file("stress.md", text))
        let path = rig.library.folder.path("stress.epub")
        _ = try await rig.run("export", "s1", "-o", path)
        let read = try Python.run(
            """
            import re, sys, zipfile
            import xml.etree.ElementTree as tree
            book = zipfile.ZipFile(sys.argv[1])
            for name in ("EPUB/chapter-1.xhtml", "EPUB/chapter-2.xhtml"):
                page = book.read(name).decode()
                tree.fromstring(page)
                print(re.search("<body>(.*)</body>", page, re.S).group(1).strip())
            """, arguments: [path])
        XCTAssertEqual(
            read,
            """
            <h1>One</h1>
              <p>It was <em>very</em> late, and <strong>nobody</strong> had <em>seen him</em> go; snake_case and 5 * 3 stay, *so does this.</p>
              <h2>Within</h2>
              <p class="break">* * * *</p>
              <p class="break">* * *</p>
              <p>“<strong><em>No!</em></strong>” she <em>said “<em>now</em>”</em>.</p>
            <h1>Two</h1>
              <p>The <em>_end</em>_.</p>

            """)
        let other = try StoryRig()
        _ = try await other.run("import", path)
        let back = try await other.item(1)?.body ?? ""
        XCTAssert(back.contains("\n\n* * * *\n\n"), back)
        XCTAssert(back.contains("It was very late, and nobody had seen him go;"), back)
    }

    /// A book of a book is the same book.
    func testAnImportedBookSurvivesTheWayOutAndIn() async throws {
        let rig = try StoryRig()
        _ = try await rig.run("import", try EPUBFixture.hard.write(to: rig.library.folder))
        let path = rig.library.folder.path("again.epub")
        _ = try await rig.run("export", "s1", "-o", path)
        let other = try StoryRig()
        _ = try await other.run("import", path)
        let (here, there) = (try await rig.item(1), try await other.item(1))
        XCTAssertEqual(there?.body, here?.body)
        XCTAssertEqual(there?.metadata["chapters"], here?.metadata["chapters"])
        XCTAssertEqual(there?.metadata["language"], here?.metadata["language"])
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
