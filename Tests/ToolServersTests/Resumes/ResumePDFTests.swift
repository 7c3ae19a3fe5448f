import Base
import Foundation
import Privacy
import TestSupport
import XCTest

@testable import Documents

/// Résumés of invented people as PDF, through the real `pdftotext`.
final class ResumePDFTests: XCTestCase {
    func testAPDFTellsNoMoreOfItsPersonThanItsTextDoes() async throws {
        let variables = ProcessInfo.processInfo.environment
        do {
            _ = try Subprocess.find("pdftotext", in: variables)
        } catch {
            throw XCTSkip("pdftotext is not installed (package poppler-utils)")
        }
        // Each fifth: every layout and country is among them.
        let texts = try InventedResume.frozen().filter { $0.format == "txt" }
        let resumes = stride(from: 0, to: texts.count, by: 5).map { texts[$0] }
        XCTAssertGreaterThanOrEqual(resumes.count, 8)
        XCTAssertEqual(Set(resumes.map(\.layout)).count, 3)
        let files = try Self.pdfs(resumes.map(\.text))
        XCTAssertEqual(files.count, resumes.count)
        var (lost, count) = (0, 0)
        for (resume, file) in zip(resumes, files) {
            let text = try await PDFText(variables: variables).read(file, name: "cv.pdf")
            let read = try Resume.read(text, format: .pdf)
            let person = resume.declared.merging(read.person)
            var map = RedactionMap(avoiding: read.body)
            let sent = Redactor(person).redact(read.body, into: &map)
            let hits = PersonScan(resume, withRecruiter: false, withUnknown: false).hits(in: sent)
            XCTAssertEqual(hits, [], resume.id)
            // Long lines of two columns reach across the edge of these pages.
            if resume.layout == "columns" { continue }
            for (words, all) in resume.lost(in: sent.replacing("’", with: "'")).values {
                lost += words.count
                count += all
            }
        }
        XCTAssertLessThanOrEqual(Double(lost), 0.005 * Double(count), "\(lost) of \(count)")
    }

    /// By `Benchmarks/resumes/paper.py`.
    private static func pdfs(_ texts: [String]) throws -> [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Benchmarks/resumes").standardizedFileURL.path
        let temporary = try TemporaryFolder()
        let path = try temporary.write(
            JSONWriter.bytes(.array(texts.map { .string($0) })), to: "texts.json")
        let made = try Python.run(
            """
            import base64, json, sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            import paper
            for text in json.load(open(sys.argv[2], encoding="utf-8")):
                print(base64.b64encode(paper.pdf(text.splitlines())).decode())
            """, arguments: [folder, path])
        return try made.split(separator: "\n").map {
            Array(try XCTUnwrap(Data(base64Encoded: String($0))))
        }
    }
}
