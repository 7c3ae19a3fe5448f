import Base
import Foundation
import TestSupport

/// Books for tests, packed by Python's `zipfile`, so that what reads them is not what
/// wrote them.
struct EPUBFixture {
    /// By their names in the archive, in their order.
    var files: [(name: String, text: String)]
    var pictures: [(name: String, bytes: [UInt8])] = []

    static let container = """
        <?xml version="1.0"?>
        <container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
        <rootfiles><rootfile full-path="OEBPS/content.opf"
         media-type="application/oebps-package+xml"/></rootfiles></container>
        """

    /// - Parameters:
    ///   - manifest: items of the package document.
    ///   - spine: its itemrefs.
    init(
        manifest: String, spine: String, metadata: String? = nil, guide: String = "",
        pages: [(name: String, text: String)]
    ) {
        let metadata =
            metadata ?? """
                <dc:title>The Tide</dc:title><dc:creator opf:role="aut">Ada Lee</dc:creator>
                <dc:creator opf:role="ill">Bo Ray</dc:creator><dc:language>en-GB</dc:language>
                """
        files = [
            ("mimetype", "application/epub+zip"),
            ("META-INF/container.xml", Self.container),
            (
                "OEBPS/content.opf",
                """
                <?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0">
                <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">\(metadata)</metadata>
                <manifest>\(manifest)</manifest>\(spine)\(guide)</package>
                """
            ),
        ]
        files += pages.map { ("OEBPS/" + $0.name, $0.text) }
    }

    /// Writes the book and returns its path.
    func write(to folder: TemporaryFolder, _ name: String = "book.epub") throws -> String {
        let path = folder.path(name)
        let list = JSONWriter.string(
            .array(
                (files.map { ($0.name, Array($0.text.utf8)) } + pictures).map { name, bytes in
                    [.string(name), .string(Data(bytes).base64EncodedString())]
                }))
        try folder.write(Array(list.utf8), to: "files.json")
        _ = try Python.run(
            """
            import base64, json, sys, zipfile
            files = json.load(open(sys.argv[1]))
            with zipfile.ZipFile(sys.argv[2], "w") as book:
                for name, text in files:
                    kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
                    book.writestr(name, base64.b64decode(text), kind)
            """, arguments: [folder.path("files.json"), path])
        return path
    }

    /// Check 32: chapters by anchors of one file, entities, broken tags, a picture in the
    /// middle of a chapter, footnotes, percent-encoded paths.
    static let hard = EPUBFixture(
        manifest: """
            <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
            <item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
            <item id="legal" href="legal.xhtml" media-type="application/xhtml+xml"/>
            <item id="a" href="text/part%20one%C3%A9.xhtml" media-type="application/xhtml+xml"/>
            <item id="n" href="text/notes.xhtml" media-type="application/xhtml+xml"/>
            <item id="b" href="text/two.xhtml" media-type="application/xhtml+xml"/>
            <item id="p" href="a.png" media-type="image/png" properties="cover-image"/>
            """,
        spine: """
            <spine><itemref idref="cover"/><itemref idref="nav"/><itemref idref="legal"/>
            <itemref idref="a"/><itemref idref="b"/><itemref idref="n" linear="no"/></spine>
            """,
        pages: [
            (
                "nav.xhtml",
                """
                <html xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>
                <li><a href="cover.xhtml">Cover</a></li>
                <li><a href="text/part%20one%C3%A9.xhtml#c1">I. Caf&eacute;&nbsp;&amp; Sea</a></li>
                <li><a href="text/part%20one%C3%A9.xhtml#c2">II. <em>Night</em></a><ol>
                <li><a href="text/two.xhtml">III. Morning</a></li></ol></li></ol></nav>
                <nav epub:type="landmarks"><a epub:type="copyright-page" href="legal.xhtml">c</a></nav>
                <nav epub:type="page-list"><a href="text/two.xhtml#p9">9</a></nav></body></html>
                """
            ),
            ("cover.xhtml", "<html><body epub:type=\"cover\"><p>Buy this</p></body></html>"),
            ("legal.xhtml", "<html><body><p>All rights reserved.</p></body></html>"),
            (
                "text/part oneé.xhtml",
                """
                <?xml version="1.0" encoding="utf-8"?>
                <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.1//EN" "x.dtd">
                <html><head><title/></head><body>
                <h2 id="c1">I</h2><p>The caf&eacute;&nbsp;was shut &mdash; &ldquo;Shut?&rdquo; said Ida.
                <p>She <b>looked <i>out</b></i> to <img src="../a.png" alt="the sea"/>sea.<a
                epub:type="noteref" href="notes.xhtml#n1">1</a></p></div>
                <h2 id="c2">II</h2><p class="x" <em>Night</em> fell.</p>
                <aside epub:type="footnote"><p>Not read.</p></aside></body></html>
                """
            ),
            ("text/notes.xhtml", "<html><body><p>A note out of line.</p></body></html>"),
            ("text/two.xhtml", "<html><body><h1>III</h1><p>It was day.</p></body></html>"),
            ("a.png", "no picture"),
        ])

    static let hardText = """
        I

        The café was shut — “Shut?” said Ida.

        She looked out to sea.

        II

        Night fell.

        III

        It was day.
        """
}
