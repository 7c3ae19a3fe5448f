import AgentCore
import Base
import Foundation
import TestSupport
import XCTest

@testable import Letters

/// A letter as the files that go to an employer.
final class LetterExportTests: XCTestCase {
    private func text(_ output: CommandOutput) -> String {
        String(decoding: output.document ?? [], as: UTF8.self)
    }

    func testTheTextHasNoHardWrapsAndNoMarks() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let output = try await rig.run("export", "l3")
        XCTAssertEqual(text(output), rig.draft.body + "\n")
        XCTAssertEqual(
            output.notices,
            [
                "⚠ not in your résumé: 1 sentence, exported without marks; "
                    + "chat letter show l3 shows them."
            ])
        let marked = try await rig.run("export", "l3", "--marks")
        XCTAssertTrue(text(marked).contains("Ritz Paris. [⚠ not in your résumé]\n"))
    }

    func testAParagraphThatAnEditorFoldedIsOneLineAgain() {
        let letter = LetterText(
            """
            Ann Example
            12 High Street

            I cooked for five years in a kitchen that was calm, and I
            would like to go on doing so in yours; that is the whole
            story.


            - one
            - two
            """)
        XCTAssertEqual(
            letter.plain,
            """
            Ann Example
            12 High Street

            I cooked for five years in a kitchen that was calm, and I would like to go on doing \
            so in yours; that is the whole story.

            - one
            - two

            """)
        XCTAssertTrue(letter.markdown.hasPrefix("Ann Example  \n12 High Street\n\n"))
        XCTAssertTrue(letter.markdown.hasSuffix("- one\n- two\n"))
        XCTAssertEqual(LetterText("").blocks, [])
        let list = "These lines of my résumé show what I have done with it so far:\n- one\n- two"
        XCTAssertEqual(LetterText(list).plain, list + "\n")
        XCTAssertEqual(LetterText(list).markdown, list + "\n")
        let page = LetterPage(title: "", language: "", size: .a4).html(LetterText(list))
        XCTAssertTrue(page.contains("so far:</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>"), page)
    }

    func testThePageIsSelfContainedAndFitForPaper() async throws {
        let rig = try await LetterBookRig()
        var draft = rig.draft
        draft.title = "Chef <b> & \"Co\""
        draft.body = "Ann <script>alert(1)</script>\n& Sons\u{202E}\n\nDear Team,"
        _ = try await rig.book.save(draft)
        let html = text(try await rig.run("export", "l3", "--format", "html"))
        XCTAssertTrue(html.contains("<html lang=\"en-GB\">"))
        XCTAssertTrue(html.contains("<title>Chef &lt;b&gt; &amp; &quot;Co&quot;</title>"))
        XCTAssertTrue(
            html.contains(
                "<p>Ann &lt;script&gt;alert(1)&lt;/script&gt;<br>\n&amp; Sons</p>\n<p>Dear Team,</p>"
            ))
        XCTAssertTrue(html.contains("size: A4"))
        XCTAssertTrue(html.contains("@media print"))
        XCTAssertTrue(html.contains("color-scheme: light dark"))
        XCTAssertFalse(html.contains("http:") || html.contains("https:") || html.contains("src="))
        XCTAssertEqual(LetterPage.PaperSize(language: "en-US", variables: [:]), .letter)
        XCTAssertEqual(LetterPage.PaperSize(language: "de", variables: [:]), .a4)
        XCTAssertEqual(
            LetterPage.PaperSize(language: "en", variables: ["LANG": "en_US.UTF-8"]), .letter)
        XCTAssertEqual(
            LetterPage.PaperSize(language: "en-GB", variables: ["LANG": "en_US.UTF-8"]), .a4)
    }

    func testAFileIsNeverReplacedUnasked() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let path = rig.library.folder.path("letter.md")
        let done = try await rig.run("export", "l3", "-o", "letter.md")
        XCTAssertTrue(done.lines[0].text.hasPrefix("✓ l3 Chef · Blue Door → letter.md, "))
        let first = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertTrue(first.hasPrefix("Ann Example  \n12 High Street  \nLeeds\n\n"))
        let again = await failure { try await rig.run("export", "l3", "-o", "letter.md") }
        XCTAssertEqual(again?.what, "\(path) already exists.")
        let forced = try await rig.run(
            "export", "l3", "-o", "letter.md", "--force", "--format", "txt")
        XCTAssertEqual(forced.json?["format"]?.stringValue, "txt")
        let second = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertEqual(second, rig.draft.body + "\n")
        let folder = try await rig.run("export", "l3", "-o", ".", "--format", "html")
        XCTAssertTrue(folder.lines[0].text.contains("→ l3-chef-blue-door.html, "))
    }

    func testThePDFNeedsAProgramAndSaysHowToGetOne() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let path = rig.library.folder.path("letter.pdf")
        let missing = await failure {
            try await rig.run(
                "export", "l3", "-o", "letter.pdf", variables: ["PATH": "/nonexistent"])
        }
        XCTAssertEqual(missing?.exit, .missingProgram)
        XCTAssertEqual(missing?.what, "No program that can make a PDF is installed.")
        XCTAssertTrue(
            missing?.todo?.hasSuffix("--format html, then print that to PDF in a browser.") ?? false
        )
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
        let screen = await failure {
            try await rig.run("export", "l3", "--format", "pdf", isTerminal: true)
        }
        XCTAssertEqual(screen?.exit, .usage)
    }

    /// The program gets the page and nothing else, and its folder is gone afterwards.
    func testThePDFIsWhatTheFirstProgramMakesOfThePage() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let bin = rig.library.folder.path("bin")
        let temporary = rig.library.folder.path("temporary")
        for folder in [bin, temporary] {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
        }
        func install(_ name: String, _ lines: String) throws {
            let path = "\(bin)/\(name)"
            try "#!/bin/sh\n\(lines)\n".write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let seen = rig.library.folder.path("seen")
        try install(
            "wkhtmltopdf",
            """
            echo "$https_proxy" > \(seen)
            for last; do before=$page; page=$last; done
            { printf '%%PDF-1.4 '; cat "$before"; } > "$page"
            """)
        try install("chromium", "exit 1")
        let variables = ["PATH": "\(bin):\(TestMachine.path)", "TMPDIR": temporary]
        let done = try await rig.run("export", "l3", "-o", "letter.pdf", variables: variables)
        XCTAssertEqual(done.json?["format"]?.stringValue, "pdf")
        let pdf = try String(contentsOfFile: rig.library.folder.path("letter.pdf"), encoding: .utf8)
        XCTAssertTrue(pdf.hasPrefix("%PDF-1.4 <!DOCTYPE html>"))
        XCTAssertTrue(pdf.contains("I cooked for five years."))
        let proxy = try String(contentsOfFile: seen, encoding: .utf8)
        XCTAssertEqual(proxy, "http://127.0.0.1:9\n")
        let left = try FileManager.default.contentsOfDirectory(atPath: temporary)
        XCTAssertEqual(left, [])
        // weasyprint comes first, and one that fails is named.
        try install("weasyprint", "echo 'no such font' >&2; exit 3")
        let failed = await failure {
            try await rig.run(
                "export", "l3", "-o", "letter.pdf", "--force", variables: variables)
        }
        XCTAssertEqual(failed?.what, "weasyprint could not make the PDF: no such font.")
        let kept = try String(
            contentsOfFile: rig.library.folder.path("letter.pdf"), encoding: .utf8)
        XCTAssertEqual(kept, pdf)
        let rest = try FileManager.default.contentsOfDirectory(atPath: temporary)
        XCTAssertEqual(rest, [])
    }

    func testADocumentHasTheWordsAndRoomForTheSignature() async throws {
        let text = LetterText("Ann & Co\n1 Street\n\n- one\n\nSincerely,\n\n\n\nAnn")
        XCTAssertEqual(text.blocks.count, 5)
        XCTAssertTrue(text.plain.hasSuffix("Sincerely,\n\n\n\nAnn\n"))
        let page = LetterPage(title: "", language: "", size: .a4).html(text)
        XCTAssertTrue(page.contains("<p class=\"signature\"></p>\n<p>Ann</p>"), page)
        let bytes = LetterDocument(language: "en-GB", size: .a4).bytes(text)
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "letter.docx")
        let xml = try Python.run(
            """
            import sys, zipfile
            from xml.dom import minidom
            parts = zipfile.ZipFile(sys.argv[1])
            assert parts.testzip() is None
            for name in parts.namelist(): minidom.parseString(parts.read(name))
            assert parts.namelist()[0] == "[Content_Types].xml"
            print(parts.read("word/document.xml").decode())
            """, arguments: [path])
        for words in ["Ann &amp; Co</w:t><w:br/>", "• one", "<w:p><w:r></w:r></w:p>", "11906"] {
            XCTAssertTrue(xml.contains(words), "\(words): \(xml)")
        }
        let office = try TestMachine.find("soffice", package: "libreoffice-writer")
        let made = try await Subprocess(
            program: office,
            arguments: [
                "--headless", "-env:UserInstallation=file://\(folder.path("office"))",
                "--convert-to", "txt:Text", "--outdir", folder.path, path,
            ], environment: Subprocess.baseEnvironment(from: ProcessInfo.processInfo.environment),
            limits: Subprocess.Limits(time: .seconds(120), outputBytes: 64 << 10)
        ).run()
        XCTAssertTrue(made.isSuccess)
        XCTAssertTrue(
            try String(contentsOfFile: folder.path("letter.txt"), encoding: .utf8)
                .contains("Ann & Co"))
    }

    func testAnyOtherEndingIsAnError() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        for ending in ["odt", "rtf", "doc", "htm"] {
            do {
                _ = try await rig.run("export", "l3", "-o", "letter.\(ending)")
                XCTFail(ending)
            } catch let error as LetterError {
                XCTAssertEqual(error.reason, .unknownEnding(ending))
            }
        }
    }
}
