import Base
import Foundation
import TestSupport
import XCTest

@testable import Documents

/// With the real `pdftotext`, where it is installed.
final class PDFTextTests: XCTestCase {
    private let variables = ProcessInfo.processInfo.environment

    private func needPoppler() throws {
        do {
            _ = try Subprocess.find("pdftotext", in: variables)
        } catch {
            throw XCTSkip("pdftotext is not installed (package poppler-utils)")
        }
    }

    func testLinesOfPagesAreJoinedToParagraphs() {
        let pages = """
            THE TIDE

               It rose in the night, and nobody who was there could re-
            member the hour of it, for the clocks had all stopped.
               “It will fall,” said Ida, and went to bed. She slept until
            the morning came over the roofs of the town, and over the
            \u{C}THE TIDE

            harbour too.
               The second paragraph.

                                        2
            \u{C}
            """
        XCTAssertEqual(
            PageText.prose(pages),
            """
            THE TIDE

            It rose in the night, and nobody who was there could remember the hour of it, for the \
            clocks had all stopped.

            “It will fall,” said Ida, and went to bed. She slept until the morning came over the \
            roofs of the town, and over the harbour too.

            The second paragraph.
            """)
        XCTAssertFalse(PageText.hasColumns(pages))
        XCTAssert(
            PageText.hasColumns(
                String(repeating: "left words of it       right words of it\n", count: 9)))
    }

    func testABookInPDFIsReadWithTheRealProgram() async throws {
        try needPoppler()
        let lines = [
            (250, 760, "Chapter 1"), (92, 720, "It rose in the night, and nobody remem-"),
            (72, 706, "bered the hour of it, for the clocks had"), (72, 692, "all stopped."),
            (92, 678, "\"It will fall,\" said Ida, and then she"), (72, 664, "went to bed."),
            (250, 620, "Chapter 2"), (92, 580, "It fell."),
        ]
        let pdf = TinyPDF(lines: lines, info: "/Title (The Tide) /Author (Ada Lee)")
        let document = try await DocumentReader(variables: variables).read(
            pdf.bytes, ending: "pdf", shown: "a.pdf")
        XCTAssertEqual(
            document.text,
            """
            Chapter 1

            It rose in the night, and nobody remembered the hour of it, for the clocks had all \
            stopped.

            "It will fall," said Ida, and then she went to bed.

            Chapter 2

            It fell.
            """)
        XCTAssertEqual(document.chapters.map(\.title), ["Chapter 1", "Chapter 2"])
        XCTAssertEqual(document.title, "The Tide")
        XCTAssertEqual(document.author, "Ada Lee")
        let named = TinyPDF(lines: lines, info: "/Title (tide-final.docx)")
        let file = try await DocumentReader(variables: variables).read(
            named.bytes, ending: "pdf", shown: "a.pdf")
        XCTAssertNil(file.title)
        XCTAssertNil(file.author)
    }

    func testTheTextOfAPageIsReadInItsOrder() async throws {
        try needPoppler()
        let pdf = TinyPDF(lines: [
            (72, 720, "Max Muster"), (72, 700, "Experience"), (72, 680, "Built a storage engine"),
        ])
        let text = try await PDFText(variables: variables).read(pdf.bytes, name: "cv.pdf")
        XCTAssertEqual(
            text.split(separator: "\n").map(String.init),
            ["Max Muster", "Experience", "Built a storage engine"])
    }

    func testColumnsStayTogether() async throws {
        try needPoppler()
        var lines: [(Int, Int, String)] = []
        for row in 0..<12 {
            lines.append((60, 720 - 14 * row, "left words \(row)"))
            lines.append((330, 720 - 14 * row, "right column words \(row)"))
        }
        let text = try await PDFText(variables: variables).read(
            TinyPDF(lines: lines).bytes, name: "cv.pdf")
        let order = text.split(separator: "\n").map { $0.hasPrefix("left") }
        XCTAssertEqual(
            order, Array(repeating: true, count: 12) + Array(repeating: false, count: 12))
    }

    func testAPageWithoutTextIsCalledScanned() async throws {
        try needPoppler()
        await assertThrows(TinyPDF(lines: []).bytes, .scanned, .refused)
    }

    func testADamagedFileIsOneSentence() async throws {
        try needPoppler()
        await assertThrows(Array("%PDF-1.4\nnothing of use".utf8), .damaged, .usage)
    }

    func testWithoutTheProgramTheLineThatInstallsItIsNamed() async throws {
        do {
            _ = try await PDFText(variables: ["PATH": "/nonexistent"]).read([], name: "cv.pdf")
            XCTFail("read")
        } catch {
            let diagnostic = Diagnostic(of: error).installing(.apt)
            XCTAssertEqual(diagnostic.exit, .missingProgram)
            XCTAssertEqual(diagnostic.todo, "sudo apt install poppler-utils")
        }
    }

    private func assertThrows(
        _ bytes: [UInt8], _ reason: PDFTextError.Reason, _ exit: ExitCode
    ) async {
        do {
            _ = try await PDFText(variables: variables).read(bytes, name: "cv.pdf")
            XCTFail("read")
        } catch {
            XCTAssertEqual(error as? PDFTextError, PDFTextError(reason, "cv.pdf"))
            XCTAssertEqual(Diagnostic(of: error).exit, exit)
        }
    }
}

/// A PDF of one page with lines at places in points, in Helvetica.
struct TinyPDF {
    var bytes: [UInt8]

    /// - Parameter info: entries of its information dictionary: `/Title (One)`.
    init(lines: [(x: Int, y: Int, text: String)], info: String = "") {
        let content = lines.map { "BT /F1 11 Tf \($0.x) \($0.y) Td (\($0.text)) Tj ET" }
            .joined(separator: "\n")
        let objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R "
                + "/Resources << /Font << /F1 4 0 R >> >> >>",
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
            "<< /Length \(content.utf8.count) >>\nstream\n\(content)\nendstream",
            "<< \(info) >>",
        ]
        var text = "%PDF-1.4\n"
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(text.utf8.count)
            text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
        }
        let start = text.utf8.count
        text += "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets { text += offset.padded(to: 10) + " 00000 n \n" }
        text +=
            "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 6 0 R >>\nstartxref\n\(start)\n%%EOF\n"
        bytes = Array(text.utf8)
    }
}
