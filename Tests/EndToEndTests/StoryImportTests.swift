import Base
import Foundation
import TestSupport
import XCTest

/// `chat story` with the real program: checks 20 and 32 of importing.
final class StoryImportTests: XCTestCase {
    private static let tide =
        "The Tide\r\nby Ada Lee\r\n\r\nChapter 1\r\n\r\n“Will it rise?” said Ida. Nobody knew "
        + "when it would.\r\n\r\nChapter 2\r\n\r\nIt rose.\r\n"

    private func write(_ chat: ChatProgram, _ bytes: some Sequence<UInt8>, _ name: String) throws
        -> String
    {
        try chat.folder.write(bytes, to: name)
    }

    func testAStoryIsImportedListedAndGivenBackByteForByte() throws {
        let chat = try ChatProgram()
        let path = try write(chat, Self.tide.utf8, "tide.txt")
        let imported = try chat.run(["story", "import", path])
        XCTAssertEqual(imported.exit, 0, imported.errorText)
        XCTAssertEqual(imported.errorText, "")
        XCTAssertEqual(
            imported.text,
            "✓ imported: s1 The Tide · chat undo\n"
                + "  Ada Lee · 2 chapters · 21 words · en · quotes “ ”\n")
        let text = try chat.run(["story", "show", "s1", "--text"])
        XCTAssertEqual(Array(text.output), Array(Self.tide.utf8))
        let piped = try chat.run(["story", "import", "-"], input: "Once. Only once.\n")
        XCTAssertEqual(piped.exit, 0, piped.errorText)
        XCTAssertEqual(
            try chat.run(["story", "list"]).text.split(separator: "\n").count, 2)
        let found = try chat.run(["library", "search", "nobody knew"])
        XCTAssert(found.text.contains("The Tide"), found.text)
        let undone = try chat.run(["undo"])
        XCTAssertEqual(undone.exit, 0, undone.errorText)
        XCTAssertEqual(
            try chat.run(["story", "list"]).text,
            "s1  The Tide  not indexed yet  2 chapters  Ada Lee\n")
    }

    /// Packed by Python, so that it is not read by what wrote it.
    func testAHardBookIsItsGoldenTextWithNothingOnStandardError() throws {
        let chat = try ChatProgram()
        let path = chat.folder.path("b.epub")
        _ = try Python.run(
            #"""
            import sys, zipfile
            nav = '''<html xmlns:epub="x"><nav epub:type="toc"><ol>
            <li><a href="ch%20%C3%A9.xhtml#a">One &amp; only</a></li>
            <li><a href="ch%20%C3%A9.xhtml#b">Two</a></li></ol></nav></html>'''
            page = '''<?xml version="1.0"?><!DOCTYPE html><html><head><title/></head><body>
            <h2 id="a">1</h2><p>Caf&eacute;&nbsp;&mdash; <b>a <i>sea</b> <img src="x.png"/>view.
            <p>&ldquo;Yes<a epub:type="noteref" href="#n">1</a>,&rdquo; she said.</p></div>
            <aside epub:type="footnote" id="n">A note.</aside>
            <h2 id="b">2</h2><p class="x" <em>End</em>.</p></body></html>'''
            opf = '''<package><metadata><dc:title>B &lt; C</dc:title></metadata><manifest>
            <item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
            <item id="c" href="ch%20%C3%A9.xhtml" media-type="application/xhtml+xml"/>
            </manifest><spine><itemref idref="n"/><itemref idref="c"/></spine></package>'''
            with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as book:
                book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
                book.writestr("META-INF/container.xml", '<container><rootfiles><rootfile '
                    'full-path="o/c.opf"/></rootfiles></container>')
                book.writestr("o/c.opf", opf)
                book.writestr("o/nav.xhtml", nav)
                book.writestr("o/ch \u00e9.xhtml", page)
            """#, arguments: [path])
        let imported = try chat.run(["story", "import", path])
        XCTAssertEqual(imported.exit, 0, imported.errorText)
        XCTAssertEqual(imported.errorText, "")
        XCTAssert(imported.text.hasPrefix("✓ imported: s1 B < C"), imported.text)
        let text = try chat.run(["story", "show", "s1", "--text"])
        XCTAssertEqual(
            text.text, "1\n\nCafé — a sea view.\n\n“Yes,” she said.\n\n2\n\nEnd.")
        XCTAssertEqual(text.errorText, "")
        let second = try chat.run(["story", "show", "s1", "--chapter", "2"])
        XCTAssertEqual(second.text, "2\n\nEnd.")
        let titles = try chat.json(["story", "show", "s1", "--json"])["chapters"]?.arrayValue
        XCTAssertEqual(titles?.compactMap { $0["title"]?.stringValue }, ["One & only", "Two"])
    }

    /// Check 34 for stories: what a backup holds is read by Python, and restored by us.
    func testABackupHoldsStoriesAndARestoreGivesThemBack() throws {
        let chat = try ChatProgram()
        let path = try write(chat, Self.tide.utf8, "tide.txt")
        try chat.run(["story", "import", path])
        try chat.run(["story", "rename", "s1", "The Ebb"])
        let archive = chat.folder.path("b.zip")
        XCTAssertEqual(try chat.run(["backup", archive]).exit, 0)
        let held = try Python.run(
            """
            import os, sqlite3, sys, tempfile, zipfile
            with tempfile.TemporaryDirectory() as folder:
                path = zipfile.ZipFile(sys.argv[1]).extract("chat.db", folder)
                rows = sqlite3.connect(path).execute(
                    "SELECT i.kind, r.title, b.text FROM items i JOIN revisions r "
                    "ON r.item = i.id AND r.number = i.revision "
                    "JOIN bodies b ON b.id = r.body").fetchall()
            print(rows[0][:2])
            sys.stdout.flush()
            os.write(1, rows[0][2].encode())
            """, arguments: [archive])
        XCTAssertEqual(held, "('story', 'The Ebb')\n" + Self.tide)
        let other = try ChatProgram()
        let restored = try other.run(["restore", archive, "--yes"])
        XCTAssertEqual(restored.exit, 0, restored.errorText)
        XCTAssertEqual(
            try other.run(["library", "list", "--json"]).text,
            try chat.run(["library", "list", "--json"]).text)
        XCTAssertEqual(
            Array(try other.run(["story", "show", "s1", "--text"]).output), Array(Self.tide.utf8))
    }

    func testWithoutPdftotextAPDFNamesTheLineThatInstallsIt() throws {
        let chat = try ChatProgram()
        chat.variables["PATH"] = chat.folder.path("account")
        let path = try write(chat, "%PDF-1.4\n%%EOF".utf8, "a.pdf")
        let result = try chat.run(["story", "import", path])
        XCTAssertEqual(result.exit, 5, result.errorText)
        XCTAssert(result.errorText.contains("poppler"), result.errorText)
    }
}
