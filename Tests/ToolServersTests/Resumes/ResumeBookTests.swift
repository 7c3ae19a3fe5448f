import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Documents

final class ResumeBookTests: XCTestCase {
    private final class Rig: Sendable {
        let folder: TemporaryFolder
        let library: LibraryStore
        let book: ResumeBook

        init(input: [UInt8]? = nil) throws {
            folder = try TemporaryFolder()
            library = LibraryStore(
                path: folder.path("chat.db"), environment: ManualClock().environment)
            book = ResumeBook(
                .init(
                    library: library, variables: ["PATH": "/nonexistent"], home: folder.path,
                    input: { input }))
        }

        func write(_ text: String, _ name: String) throws -> String {
            try folder.write(Array(text.utf8), to: name)
        }
    }

    private let resume = """
        Max Muster
        max@muster.de

        Experience
        Acme GmbH, Engineer, 2015 - 2020: built the billing platform with three colleagues.

        Skills
        Swift, SQL, Kubernetes, Terraform, distributed systems, databases, mentoring, writing well
        """

    func testAFileBecomesAnItemWithItsTextAsBody() async throws {
        let rig = try Rig()
        let path = try rig.write(resume, "cv-2024.txt")
        let kept = try await rig.book.keep(path, as: .resume)
        XCTAssertEqual(kept.change, .added)
        XCTAssertEqual(kept.item.kind, .resume)
        XCTAssertEqual(kept.item.title, "cv-2024")
        XCTAssertEqual(kept.item.body, resume)
        XCTAssertEqual(kept.item.metadata["format"]?.stringValue, "text")
        XCTAssertEqual(kept.item.metadata["source"]?.stringValue, "cv-2024")
        XCTAssertFalse(JSONWriter.string(.object(kept.item.metadata)).contains(rig.folder.path))
        let read = try ResumeBook.resume(kept.item)
        XCTAssertEqual(read.contact.name, "Max Muster")
    }

    func testTheSameTextIsTheSameItemAndOtherTextOfTheFileARevision() async throws {
        let rig = try Rig()
        let path = try rig.write(resume, "cv.txt")
        let first = try await rig.book.keep(path, as: .resume)
        let again = try await rig.book.keep(path, as: .resume)
        XCTAssertEqual(again.change, .unchanged)
        XCTAssertEqual(again.item.id, first.item.id)
        let copy = try rig.write(resume, "copy.txt")
        let copied = try await rig.book.keep(copy, as: .resume)
        XCTAssertEqual(copied.item.id, first.item.id)
        _ = try rig.write(resume + ", Rust", "cv.txt")
        let changed = try await rig.book.keep(path, as: .resume)
        XCTAssertEqual(changed.change, .revised)
        XCTAssertEqual(changed.item.id, first.item.id)
        XCTAssertEqual(changed.item.revision, 2)
    }

    func testAnotherJobInTheSameFileIsAnotherItem() async throws {
        let rig = try Rig()
        let path = try rig.write("Backend Engineer at Acme Corp\nSwift.", "job.txt")
        let first = try await rig.book.keep(path, as: .job)
        XCTAssertEqual(first.item.title, "Backend Engineer at Acme Corp")
        XCTAssertTrue(first.item.hasUntrustedText)
        _ = try rig.write("Backend Engineer at Acme Corp\nSwift and Go.", "job.txt")
        let revised = try await rig.book.keep(path, as: .job)
        XCTAssertEqual(revised.item.id, first.item.id)
        _ = try rig.write("Data Analyst at Beta Ltd\nSQL.", "job.txt")
        let other = try await rig.book.keep(path, as: .job)
        XCTAssertNotEqual(other.item.id, first.item.id)
    }

    func testAnItemIsFoundByItsNumberAndItsTitle() async throws {
        let rig = try Rig()
        let path = try rig.write(resume, "cv.txt")
        let kept = try await rig.book.keep(path, as: .resume)
        for name in ["i1", "cv", "last"] {
            let found = try await rig.book.keep(name, as: .resume)
            XCTAssertEqual(found.item.id, kept.item.id, name)
        }
    }

    func testStandardInputIsRead() async throws {
        let rig = try Rig(input: Array(resume.utf8))
        let kept = try await rig.book.keep("-", as: .resume)
        XCTAssertEqual(kept.item.title, "Résumé")
        let empty = try Rig()
        await assertThrows(empty, "-", "Standard input is empty.", .usage)
    }

    func testEachThingThatCannotBeReadIsOneSentenceAndNothingIsKept() async throws {
        let rig = try Rig()
        await assertThrows(rig, "none.txt", "There is no file and no item \"none.txt\".", .usage)
        await assertThrows(rig, "./none.txt", "There is no file ./none.txt.", .usage)
        await assertThrows(rig, rig.folder.path, "\(rig.folder.path) is a folder.", .usage)
        let zero = try rig.folder.write([0, 1, 2, 3], to: "a.bin")
        await assertThrows(rig, zero, "\(zero) is not text.", .usage)
        let empty = try rig.write(" \n", "empty.txt")
        await assertThrows(
            rig, empty, "\(empty) is empty: could not read enough text.", .refused)
        let word = try rig.folder.write(Array("PK\u{3}\u{4}xxxx".utf8), to: "cv.docx")
        await assertThrows(
            rig, word,
            "\(word) is a word processor's document or another archive, which is not "
                + "read.", .usage)
        let large = try rig.folder.write(
            [UInt8](repeating: 0x61, count: 50 << 20), to: "large.txt")
        await assertThrows(rig, large, "\(large) is too large: 50 MB, at most 2 MB.", .usage)
        let pdf = try rig.write("%PDF-1.4", "cv.pdf")
        await assertThrows(
            rig, pdf, "Reading \(pdf) needs the program pdftotext, which is not installed.",
            .missingProgram)
        let short = try rig.write("Max Muster, Swift", "short.txt")
        await assertThrows(
            rig, short,
            "The résumé could not be used: could not read enough text (fewer than 200 "
                + "characters).", .refused)
        let items = try await rig.library.items()
        XCTAssertEqual(items, [])
    }

    private func assertThrows(
        _ rig: Rig, _ name: String, _ what: String, _ exit: ExitCode, line: UInt = #line
    ) async {
        do {
            _ = try await rig.book.keep(name, as: .resume)
            XCTFail("read \(name)", line: line)
        } catch {
            XCTAssertEqual(Diagnostic(of: error).what, what, line: line)
            XCTAssertEqual(Diagnostic(of: error).exit, exit, line: line)
        }
    }
}
