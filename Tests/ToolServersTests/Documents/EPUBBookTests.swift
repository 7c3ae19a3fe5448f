import Base
import Foundation
import TestSupport
import XCTest

@testable import Documents

final class EPUBBookTests: XCTestCase {
    private func read(_ book: EPUBFixture) async throws -> ReadDocument {
        let folder = try TemporaryFolder()
        return try await DocumentReader(variables: [:]).read(
            path: try book.write(to: folder), shown: "book.epub")
    }

    func testBooksOfOtherFormatsAreConvertedByCalibre() async throws {
        let folder = try TemporaryFolder()
        _ = try EPUBFixture.hard.write(to: folder)
        let fb2 = Array("<?xml version=\"1.0\"?>\n<FictionBook><body/></FictionBook>".utf8)
        let mobi = [UInt8](repeating: 0, count: 60) + Array("BOOKMOBI".utf8) + [0, 0]
        let missing = DocumentReader(variables: ["PATH": "/nonexistent"])
        for (name, bytes) in [("a.fb2", fb2), ("a.mobi", mobi)] {
            do {
                _ = try await missing.read(bytes, shown: name)
                XCTFail(name)
            } catch let error as DocumentError {
                XCTAssertEqual(error.reason, .needsProgram("ebook-convert"))
                XCTAssertEqual(error.diagnostic.exit, .missingProgram)
            }
        }
        let program = try folder.write(
            """
            #!/bin/sh
            echo "$1" > "$HOME/seen"
            case $1 in *.fb2) cp "$HOME/book.epub" "$2" ;; *) exit 1 ;; esac
            """.utf8, to: "ebook-convert")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let reader = DocumentReader(variables: [
            "PATH": folder.path + ":" + TestMachine.path, "HOME": folder.path,
            "TMPDIR": folder.path,
        ])
        let document = try await reader.read(fb2, shown: "a.fb2")
        XCTAssertEqual(document.text, EPUBFixture.hardText)
        do {
            _ = try await reader.read(mobi, shown: "a.mobi")
            XCTFail("converted")
        } catch let error as DocumentError {
            XCTAssertEqual(error.reason, .damaged("ebook-convert could not convert it"))
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("chat-book") }
        XCTAssertEqual(left, [])
    }

    private func chapters(_ document: ReadDocument) -> [String] {
        document.chapters.map { chapter in
            let rest = Array(document.text.utf8)[chapter.start...]
            let line = String(decoding: rest.prefix { $0 != 0x0A }, as: UTF8.self)
            return "\(chapter.title) | \(line)"
        }
    }

    func testTheTextOfAHardBookIsThatOfItsReader() async throws {
        let document = try await read(.hard)
        XCTAssertEqual(document.text, EPUBFixture.hardText)
        XCTAssertEqual(
            chapters(document), ["I. Café & Sea | I", "II. Night | II", "III. Morning | III"])
        XCTAssertEqual(document.title, "The Tide")
        XCTAssertEqual(document.author, "Ada Lee")
        XCTAssertEqual(document.language, "en-GB")
        XCTAssertEqual(document.format, .epub)
    }

    func testAnOlderBookHasItsContentsInNCX() async throws {
        let document = try await read(
            EPUBFixture(
                manifest: """
                    <item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
                    <item id="t" href="title.html" media-type="application/xhtml+xml"/>
                    <item id="a" href="a.html" media-type="application/xhtml+xml"/>
                    """,
                spine: "<spine toc=\"ncx\"><itemref idref=\"t\"/><itemref idref=\"a\"/></spine>",
                metadata: """
                    <dc:title>One</dc:title><dc:creator id="x">Ed Ed</dc:creator>
                    <dc:creator id="w">Wes Oh</dc:creator>
                    <meta refines="#x" property="role">edt</meta>
                    """,
                guide: "<guide><reference type=\"toc\" href=\"title.html\"/></guide>",
                pages: [
                    (
                        "toc.ncx",
                        """
                        <ncx><docTitle><text>No chapter</text></docTitle><navMap>
                        <navPoint><navLabel><text>Part One</text></navLabel><content src="a.html"/>
                        <navPoint><navLabel><text>First</text></navLabel>
                        <content src="a.html#one"/></navPoint></navPoint>
                        <navPoint><navLabel><text>Second</text></navLabel>
                        <content src="a.html#two"/></navPoint></navMap></ncx>
                        """
                    ),
                    ("title.html", "<body><p>Contents</p></body>"),
                    (
                        "a.html",
                        "<body><h2 id='one'>A</h2><p>x</p><a id='two'></a><h2>B</h2><p>y</p></body>"
                    ),
                ]))
        XCTAssertEqual(document.text, "A\n\nx\n\nB\n\ny")
        XCTAssertEqual(chapters(document), ["Part One · First | A", "Second | B"])
        XCTAssertEqual(document.author, "Wes Oh")
    }

    func testAPageOfContentsIsKnownByItsTitle() async throws {
        let document = try await read(
            EPUBFixture(
                manifest: """
                    <item id="n" href="n.html" media-type="application/xhtml+xml" properties="nav"/>
                    <item id="t" href="t.html" media-type="application/xhtml+xml"/>
                    <item id="a" href="a.html" media-type="application/xhtml+xml"/>
                    """,
                spine: "<spine><itemref idref=\"t\"/><itemref idref=\"a\"/></spine>",
                pages: [
                    (
                        "n.html",
                        "<nav><a href='t.html'>Table of Contents</a><a href='a.html'>Contents</a>"
                            + "<a href='a.html#x'>One</a></nav>"
                    ), ("t.html", "<p>1 2 3</p>"), ("a.html", "<p>Start</p><p id='x'>End</p>"),
                ]))
        XCTAssertEqual(document.text, "Start\n\nEnd")
        XCTAssertEqual(chapters(document), ["Contents | Start", "One | End"])
    }

    func testWithoutContentsHeadingsAreChapters() async throws {
        let document = try await read(
            EPUBFixture(
                manifest: "<item id=\"a\" href=\"a.html\" media-type=\"application/xhtml+xml\"/>",
                spine: "<spine><itemref idref=\"a\"/></spine>",
                pages: [
                    (
                        "a.html",
                        "<h1>The Tide</h1><h2>One</h2><p>x</p><h2>Two</h2><p>y</p>"
                    )
                ]))
        XCTAssertEqual(chapters(document), ["One | One", "Two | Two"])
    }

    func testObscuredFontsAreNoProtectionAndProtectionIsSaidClearly() async throws {
        var book = EPUBFixture.hard
        func encryption(_ method: String, _ file: String) -> (String, String) {
            (
                "META-INF/encryption.xml",
                """
                <encryption xmlns:enc="x"><enc:EncryptedData>
                <enc:EncryptionMethod Algorithm="\(method)"/><enc:CipherData>
                <enc:CipherReference URI="\(file)"/></enc:CipherData></enc:EncryptedData></encryption>
                """
            )
        }
        book.files.append(encryption("http://www.idpf.org/2008/embedding", "OEBPS/f.otf"))
        let text = try await read(book).text
        XCTAssertEqual(text, EPUBFixture.hardText)
        book.files.removeLast()
        book.files.append(encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/a"))
        let refusal = await failure { try await read(book) }
        XCTAssertEqual(
            refusal?.what, "book.epub: unpacking failed because it is protected by DRM.")
        XCTAssertEqual(refusal?.exit, .refused)
    }

    /// As some programs pack books: the name in the archive encoded as a link is, and links
    /// with backslashes.
    func testNamesAreFoundHoweverTheyAreWritten() async throws {
        let book = EPUBFixture(
            manifest: """
                <item id="a" href="text\\part one.xhtml" media-type="application/xhtml+xml"/>
                """,
            spine: "<spine><itemref idref=\"a\"/></spine>",
            pages: [("text/part%20one.xhtml", "<html><body><p>It rose.</p></body></html>")])
        let document = try await read(book)
        XCTAssertEqual(document.text, "It rose.")
    }

    func testADamagedBookNamesWhatIsMissing() async throws {
        var book = EPUBFixture.hard
        book.files.removeAll { $0.name.hasSuffix("two.xhtml") }
        let missing = await failure { try await read(book) }
        XCTAssertEqual(
            missing?.what, "book.epub: unpacking failed because OEBPS/text/two.xhtml is missing.")
        XCTAssertEqual(missing?.exit, .failure)
        let none = await failure {
            try await read(EPUBFixture(manifest: "", spine: "<spine/>", pages: []))
        }
        XCTAssertEqual(
            none?.what, "book.epub: unpacking failed because its package names nothing to read.")
        let cut = await failure {
            let folder = try TemporaryFolder()
            let path = try EPUBFixture.hard.write(to: folder)
            let bytes = try folder.read("book.epub")
            try folder.write(bytes.prefix(bytes.count / 2), to: "book.epub")
            return try await DocumentReader(variables: [:]).read(path: path, shown: "book.epub")
        }
        XCTAssertEqual(cut?.what, "book.epub: unpacking failed because the archive ends too early.")
    }

    func testAMemberThatLeadsOutIsRefused() async throws {
        var book = EPUBFixture.hard
        book.files.append(("../evil.xhtml", "x"))
        let refusal = await failure { try await read(book) }
        XCTAssertEqual(refusal?.exit, .failure)
        XCTAssert(
            refusal?.what.contains("could lead out of its folder") == true, refusal?.what ?? "")
    }

    func testAnyCutOrWrongByteIsAnErrorOrText() async throws {
        let folder = try TemporaryFolder()
        _ = try EPUBFixture.hard.write(to: folder)
        let bytes = try folder.read("book.epub")
        var random = SplitMix(seed: 20)
        for _ in 0..<300 {
            var broken = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                broken[Int.random(in: 0..<broken.count, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            do {
                _ = try await DocumentReader(variables: [:]).read(broken, shown: "x")
            } catch is DocumentError {
                // Any reason will do.
            }
        }
    }
}
