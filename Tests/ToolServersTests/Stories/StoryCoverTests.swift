import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Documents
@testable import Sound

/// The picture on the cover of a story, from the book it was imported from to the files
/// that are made of it, looked at with other programs.
final class StoryCoverTests: XCTestCase {
    private static func book(_ picture: [UInt8]?) -> EPUBFixture {
        var book = EPUBFixture(
            manifest: """
                <item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>
                <item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>
                <item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>
                <item id="p" href="c.jpg" media-type="image/jpeg" properties="cover-image"/>
                """,
            spine: "<spine><itemref idref=\"c\"/><itemref idref=\"a\"/>"
                + "<itemref idref=\"b\"/></spine>",
            pages: [
                ("c.xhtml", "<html><body><img src=\"c.jpg\"/></body></html>"),
                ("a.xhtml", "<html><body><h1>One</h1><p>“Yes,” said Ida.</p></body></html>"),
                ("b.xhtml", "<html><body><h1>Two</h1><p>It rose.</p></body></html>"),
            ])
        if let picture { book.pictures = [("OEBPS/c.jpg", picture)] }
        return book
    }

    private func imported(_ rig: StoryRig, _ picture: [UInt8]?) async throws -> [String] {
        let path = try Self.book(picture).write(to: rig.library.folder)
        return try await rig.lines("import", path)
    }

    private func cover(_ rig: StoryRig) async throws -> [UInt8]? {
        try await rig.store.picture(of: ItemID(rawValue: 1))
    }

    func testItIsKeptWithTheStoryAndComesAnewWithAnotherImport() async throws {
        let rig = try StoryRig()
        let first = try await imported(rig, CoverFixture.jpeg)
        XCTAssertEqual(first.last?.hasSuffix(" · cover"), true, "\(first)")
        var kept = try await cover(rig)
        XCTAssertEqual(kept, CoverFixture.jpeg)
        _ = try await imported(rig, CoverFixture.png)
        kept = try await cover(rig)
        XCTAssertEqual(kept, CoverFixture.png)
        // A book without one takes none away.
        let again = try await imported(rig, nil)
        XCTAssertEqual(again.last?.contains("cover"), false, "\(again)")
        kept = try await cover(rig)
        XCTAssertEqual(kept, CoverFixture.png)
        let revision = try await rig.item(1)?.revision
        XCTAssertEqual(revision, 1)
    }

    func testABookOfItHasItAsOtherReadersExpect() async throws {
        for (picture, type) in [
            (CoverFixture.jpeg, "image/jpeg"), (CoverFixture.png, "image/png"),
        ] {
            let rig = try StoryRig()
            _ = try await imported(rig, picture)
            let path = rig.library.folder.path("again.epub")
            _ = try await rig.run("export", "s1", "-o", path)
            let read = try Python.run(
                """
                import base64, posixpath, sys, zipfile
                import xml.etree.ElementTree as tree
                book = zipfile.ZipFile(sys.argv[1])
                package = tree.fromstring(book.read("EPUB/package.opf"))
                items = {i.get("id"): i for i in package.findall(".//{*}item")}
                marked = [i for i in items.values() if i.get("properties") == "cover-image"]
                assert len(marked) == 1
                named = [m.get("content") for m in package.findall(".//{*}meta")
                    if m.get("name") == "cover"]
                assert named == [marked[0].get("id")], named
                first = items[package.find(".//{*}itemref").get("idref")]
                page = tree.fromstring(book.read("EPUB/" + first.get("href")))
                body = page.find("{*}body")
                assert body.get("{http://www.idpf.org/2007/ops}type") == "cover"
                image = body.find(".//{*}img")
                assert image.get("src") == marked[0].get("href") and image.get("alt") == "The Tide"
                print(marked[0].get("media-type"))
                print(base64.b64encode(book.read("EPUB/" + marked[0].get("href"))).decode())
                """, arguments: [path])
            XCTAssertEqual(read, "\(type)\n\(Data(picture).base64EncodedString())\n")
            let other = try StoryRig()
            _ = try await other.run("import", path)
            let (here, there) = (try await rig.item(1), try await other.item(1))
            XCTAssertEqual(there?.body, here?.body)
            let kept = try await cover(other)
            XCTAssertEqual(kept, picture)
        }
    }

    func testAnArchiveTakesItAlong() async throws {
        let rig = try StoryRig()
        _ = try await imported(rig, CoverFixture.png)
        let path = rig.library.folder.path("tide.zip")
        _ = try await rig.run("export", "s1", "-o", path)
        let listing = try Python.run(
            """
            import base64, json, sys, zipfile
            book = zipfile.ZipFile(sys.argv[1])
            print([f["name"] for f in json.loads(book.read("manifest.json"))["files"]])
            print(base64.b64encode(book.read("cover.png")).decode())
            """, arguments: [path])
        XCTAssertEqual(
            listing,
            "['story.json', 'source.txt', 'cover.png']\n"
                + "\(Data(CoverFixture.png).base64EncodedString())\n")
        let other = try StoryRig()
        let back = try await other.lines("import", path)
        XCTAssertEqual(back.last?.hasSuffix(" · cover"), true, "\(back)")
        let kept = try await cover(other)
        XCTAssertEqual(kept, CoverFixture.png)
    }

    // MARK: - Sound files

    private func rendering() throws -> StoryRenderTests.Rig {
        try StoryRenderTests.Rig(path: "/usr/bin") { text in
            .bytes([UInt8](repeating: 3, count: 400 * text.utf8.count), PCMFormat(rate: 22_050))
        }
    }

    private func probed(_ path: String) throws -> String {
        try Python.run(
            """
            import json, subprocess, sys
            facts = json.loads(subprocess.run(["ffprobe", "-loglevel", "error", "-of", "json",
                "-show_streams", "-show_chapters", sys.argv[1]], capture_output=True).stdout)
            print(*["%s %dx%d %d" % (s["codec_name"], s["width"], s["height"],
                s["disposition"]["attached_pic"]) for s in facts["streams"]
                if s["codec_type"] == "video"], len(facts["chapters"]), sep=", ")
            """, arguments: [path]
        ).trimmingCharacters(in: .newlines)
    }

    private func needFFmpeg() throws {
        for name in ["ffmpeg", "ffprobe"] { _ = try TestMachine.find(name, package: "ffmpeg") }
    }

    func testSoundFilesShowItBesideTheirChapters() async throws {
        try needFFmpeg()
        for (picture, codec) in [(CoverFixture.jpeg, "mjpeg"), (CoverFixture.png, "png")] {
            let rig = try rendering()
            _ = try await imported(rig.stories, picture)
            for ending in ["m4b", "mp3"] {
                // A name that patterns of pictures are in.
                let path = rig.output("a%d.\(ending)")
                let done = try await rig.stories.run("render", "-o", path)
                XCTAssertEqual(done.lines.last?.text.hasSuffix(", cover"), true)
                XCTAssertEqual(done.notices, [])
                XCTAssertEqual(try probed(path), "\(codec) 8x12 1, 2")
            }
            XCTAssertEqual(try rig.names, ["a%d.m4b", "a%d.mp3", "sound"])
        }
    }

    func testAPictureOfTheUsersOwnTakesItsPlace() async throws {
        try needFFmpeg()
        let rig = try rendering()
        _ = try await imported(rig.stories, CoverFixture.jpeg)
        let picture = try rig.folder.write(CoverFixture.png, to: "own %d.png")
        let path = rig.output("a.m4b")
        _ = try await rig.stories.run("render", "-o", path, "--cover", picture)
        XCTAssertEqual(try probed(path), "png 8x12 1, 2")
    }

    func testOneThatFFmpegDoesNotTakeIsLeftOutAndSaid() async throws {
        try needFFmpeg()
        let rig = try rendering()
        // Its size is in its header, and nothing behind it.
        let path = try XCTUnwrap(
            CoverFixture.jpeg.indices.dropFirst(2).first { place in
                CoverPicture(Array(CoverFixture.jpeg[..<place])) != nil
            })
        _ = try await imported(rig.stories, Array(CoverFixture.jpeg[..<path]))
        let done = try await rig.stories.run("render", "-o", rig.output("a.m4b"))
        XCTAssertEqual(
            done.notices, ["Its cover was left out: ffmpeg does not take the picture."])
        XCTAssertEqual(try probed(rig.output("a.m4b")), "2")
    }

    func testAPictureThatIsNoneIsRefusedBeforeAnythingIsMade() async throws {
        try needFFmpeg()
        let rig = try rendering()
        _ = try await imported(rig.stories, nil)
        let text = try rig.folder.write(Array("no picture".utf8), to: "cover.png")
        for (path, what) in [
            (text, "\(text) is not such a picture."),
            (
                rig.output("none.jpg"),
                "\(rig.output("none.jpg")): reading failed because there is no such file."
            ),
        ] {
            let refused = await failure {
                try await rig.stories.run("render", "-o", rig.output("a.m4b"), "--cover", path)
            }
            XCTAssertEqual(refused?.what, what)
            XCTAssertEqual(refused?.exit, .usage)
        }
        XCTAssertEqual(rig.engine.texts, [])
    }
}
