import AgentCore
import Foundation
import TestSupport
import XCTest

@testable import ChatKit

/// Files made fit for a model, with and without the programs that help.
final class AttachmentLoaderTests: XCTestCase {
    private let claude = ModelOrigin(
        provider: .claude, format: .messages, model: "claude-sonnet-5-5")
    private let local = ModelOrigin(provider: .local, format: .chat, model: "house-blend")
    private let blind = ModelOrigin(provider: .local, format: .chat, model: "llama3.2")

    private func png(_ width: Int, _ height: Int) -> [UInt8] {
        func big(_ number: Int) -> [UInt8] {
            [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            + Array("IHDR".utf8) + big(width) + big(height)
    }

    /// A desk whose PATH has only these scripts.
    private func desk(_ folder: TemporaryFolder, _ tools: [String: String] = [:]) throws
        -> AttachmentLoader
    {
        for (name, script) in tools {
            let path = try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: name)
            XCTAssertEqual(chmod(path, 0o700), 0)
        }
        return AttachmentLoader(converter: FileConverter(variables: ["PATH": folder.path]))
    }

    private func outcome(
        _ desk: AttachmentLoader, _ bytes: [UInt8], _ name: String, _ target: ModelOrigin
    ) async throws -> String {
        let file = try InputFiles.loaded(bytes, path: name, name: name)
        do {
            let one = try await desk.prepare([file], for: target)[0]
            return "\(one.line) | \(one.attachment.mediaType)"
        } catch let error as AttachmentFailure {
            return "\(error.reason)"
        }
    }

    func testWhatFitsGoesAsItIsAndSaysItsSize() async throws {
        let desk = try desk(TemporaryFolder())
        let image = try await outcome(desk, png(1_024, 768), "d.png", claude)
        XCTAssertEqual(image, "d.png  1,024 × 768, 24 bytes | image/png")
        let text = try await outcome(desk, Array("a\nb".utf8), "n.md", local)
        XCTAssertEqual(text, "n.md  3 bytes, 2 lines | text/markdown")
        let pdf = try await outcome(desk, Array("%PDF-1.4 /Type/Page ".utf8), "p.pdf", claude)
        XCTAssertEqual(pdf, "p.pdf  20 bytes, 1 page | application/pdf")
    }

    func testAnImageTooLargeIsSizedDownOrRefusedWithTheLineThatInstallsATool() async throws {
        let folder = try TemporaryFolder()
        let without = try await outcome(try desk(folder), png(9_000, 10), "w.png", claude)
        XCTAssertEqual(
            without,
            #"imageTooLarge(size: "9,000 × 10", limit: "8,000 pixels per side")"#)
        try folder.write(png(1_568, 2), to: "small.png")
        // The name of the file is not among the words; the format is.
        let script = """
            [ "$1" = "png:-[0]" ] || exit 1
            /bin/cat > "\(folder.path)/in"
            /bin/cat "\(folder.path)/small.png"
            """
        let with = try await outcome(
            try desk(folder, ["magick": "exit 3", "convert": script]), png(9_000, 10), "-w.png",
            claude)
        XCTAssertEqual(
            with, "-w.png  1,568 × 2, 24 bytes, scaled down from 9,000 × 10 | image/png")
        XCTAssertEqual(try folder.read("in"), png(9_000, 10))
        let bomb = try await outcome(
            try desk(folder, ["convert": script]), png(90_000, 90_000), "b.png", claude)
        XCTAssertEqual(bomb, "notSizedDown")
    }

    func testAPDFIsItsTextWhereTheServerTakesNone() async throws {
        let folder = try TemporaryFolder()
        let pdf = Array("%PDF-1.4 /Type/Page ".utf8)
        let without = try await outcome(try desk(folder), pdf, "p.pdf", local)
        XCTAssertEqual(without, "noPDF")
        let with = try await outcome(
            try desk(folder, ["pdftotext": "echo words"]), pdf, "p.pdf", local)
        XCTAssertEqual(
            with, "p.pdf  6 bytes, 1 line, only its text: this server accepts no PDF | text/plain")
        let scanned = try await outcome(
            try desk(folder, ["pdftotext": "echo"]), pdf, "p.pdf", local)
        XCTAssertEqual(scanned, "noTextInPDF")
        let locked = try await outcome(
            try desk(folder), Array("%PDF-1.4 /Encrypt 1 0 R".utf8), "p.pdf", claude)
        XCTAssertEqual(locked, "encryptedPDF")
        let long = try await outcome(
            try desk(folder), Array("%PDF-1.4 /Count 601".utf8), "p.pdf", claude)
        XCTAssertEqual(long, "tooManyPages(count: 601, limit: 600)")
    }

    func testAModelThatReadsOnlyTextIsNamed() async throws {
        let refused = try await outcome(
            try desk(TemporaryFolder()), png(1, 1), "d.png", blind)
        XCTAssertEqual(refused, #"noImages(model: "llama3.2")"#)
    }

    func testAllFilesOfAMessageTogetherAreBounded() async throws {
        let desk = try desk(TemporaryFolder())
        let file = try InputFiles.loaded(
            Array("%PDF-1.4".utf8) + Array(repeating: 0x20, count: 11 << 20), path: "p.pdf",
            name: "p.pdf")
        do {
            _ = try await desk.prepare([file, file], for: claude)
            XCTFail("it fits")
        } catch let error as AttachmentFailure {
            XCTAssertEqual(error.reason, .requestTooLarge(limit: 21 << 20))
        }
    }
}
