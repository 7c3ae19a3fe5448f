import Base

/// A letter as a DOCX document: the parts required by WordprocessingML (ECMA-376, part 1,
/// §11.3 and §17) in a ZIP archive. Pure.
struct LetterDocument: Sendable {
    /// The language, `en-GB`; empty if unknown.
    var language: String
    var size: LetterPage.PaperSize

    func bytes(_ text: LetterText) -> [UInt8] {
        let parts = [
            ("[Content_Types].xml", Self.types), ("_rels/.rels", Self.relations),
            ("word/_rels/document.xml.rels", Self.documentRelations),
            ("word/styles.xml", styles), ("word/document.xml", document(text)),
        ]
        return ZipWriter.bytes { archive in
            for (name, xml) in parts {
                // Safe and distinct names are never rejected.
                try? archive.add(name, Array((Self.head + xml).utf8))
            }
        }
    }

    private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
    private static let package = "http://schemas.openxmlformats.org/package/2006"
    private static let office = "http://schemas.openxmlformats.org/officeDocument/2006"
    private static let word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    private static let content = "application/vnd.openxmlformats-officedocument.wordprocessingml"

    private static let types = """
        <Types xmlns="\(package)/content-types">\
        <Default Extension="rels" \
        ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
        <Override PartName="/word/document.xml" ContentType="\(content).document.main+xml"/>\
        <Override PartName="/word/styles.xml" ContentType="\(content).styles+xml"/></Types>
        """
    private static let relations = """
        <Relationships xmlns="\(package)/relationships"><Relationship Id="r1" \
        Type="\(office)/relationships/officeDocument" Target="word/document.xml"/></Relationships>
        """
    private static let documentRelations = """
        <Relationships xmlns="\(package)/relationships"><Relationship Id="r1" \
        Type="\(office)/relationships/styles" Target="styles.xml"/></Relationships>
        """

    private var styles: String {
        let tag = language.isEmpty ? "" : "<w:lang w:val=\"\(LetterPage.escaped(language))\"/>"
        return """
            <w:styles xmlns:w="\(Self.word)"><w:docDefaults><w:rPrDefault><w:rPr>\
            <w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Georgia"/><w:sz w:val="22"/>\(tag)\
            </w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="220" w:line="276" \
            w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults></w:styles>
            """
    }

    /// Sizes and margins are in twentieths of a point.
    private func document(_ text: LetterText) -> String {
        let (width, height) = size == .a4 ? (11_906, 16_838) : (12_240, 15_840)
        return """
            <w:document xmlns:w="\(Self.word)"><w:body>\
            \(text.blocks.map(Self.paragraph).joined())<w:sectPr>\
            <w:pgSz w:w="\(width)" w:h="\(height)"/><w:pgMar w:top="1247" w:right="1361" \
            w:bottom="1247" w:left="1361" w:header="709" w:footer="709" w:gutter="0"/>\
            </w:sectPr></w:body></w:document>
            """
    }

    /// An empty paragraph leaves room for the signature.
    private static func paragraph(_ block: [String]) -> String {
        let runs = block.map { line in
            let line = LetterText.isItem(line) ? "• \(line.dropFirst(2))" : line
            return "<w:t xml:space=\"preserve\">\(LetterPage.escaped(line))</w:t>"
        }
        return "<w:p><w:r>\(runs.joined(separator: "<w:br/>"))</w:r></w:p>"
    }
}
