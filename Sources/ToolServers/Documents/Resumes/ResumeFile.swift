import Base
import Glibc

/// Reads a résumé or an advert from a file or a pipe as text. Blocks, except for the
/// program that reads PDFs.
package enum ResumeFile {
    package struct Content: Sendable, Equatable {
        package var text: String
        /// The format; nil if it has to be detected.
        package var format: Resume.Format?
    }

    /// Maximum bytes of a PDF: one with a photograph and scanned certificates has a few megabytes.
    static let pdfLimit = 20 << 20
    /// Maximum bytes of a text: a thousand pages, half a million tokens. More could not be sent to a
    /// model.
    static let textLimit = 2 << 20

    /// - Throws: `ResumeFileError`; files that are too large are rejected before memory is
    ///   allocated.
    package static func bytes(_ path: String, shown: String) throws(ResumeFileError) -> [UInt8] {
        let size: Int
        let limit: Int
        do throws(OpenFile.Failure) {
            let file = try OpenFile(path)
            let start = try file.read(at: 0, count: min(file.size, 1_024))
            size = file.size
            limit = PDFText.isPDF(start) ? pdfLimit : textLimit
            if size <= limit { return try file.read(at: 0, count: size) }
        } catch {
            throw ResumeFileError(.file(error.reason), shown)
        }
        throw ResumeFileError(.tooLarge(size, limit: limit), shown)
    }

    package static func content(
        _ bytes: [UInt8], shown: String, extension name: String, pdf: PDFText
    ) async throws -> Content {
        if bytes.allSatisfy({ [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) }) {
            throw ResumeFileError(.empty, shown)
        }
        if PDFText.isPDF(bytes) {
            let text = try await pdf.read(bytes, name: shown, points: headings)
            return Content(text: text, format: .pdf)
        }
        if let kind = unsupported(bytes) { throw ResumeFileError(.unsupported(kind), shown) }
        if bytes.count > textLimit {
            throw ResumeFileError(.tooLarge(bytes.count, limit: textLimit), shown)
        }
        guard let text = TextDecoding.text(bytes) else {
            throw ResumeFileError(.binary, shown)
        }
        switch name {
        case "json", "jsonc", "json5": return Content(text: text, format: .json)
        case "md", "markdown": return Content(text: text, format: .markdown)
        default: return Content(text: text, format: nil)
        }
    }

    /// The number of headings that have text, either on their line or before the next heading.
    static func headings(_ text: String) -> Int {
        let matches = ResumeLine.lines(of: Columns.unfolded(text)).map(HeadingMatch.init)
        return matches.indices.count { index in
            guard let match = matches[index], match.kind.isSendable else { return false }
            if match.form == .hanging { return true }
            return match.form == .alone && matches.indices.contains(index + 1)
                && matches[index + 1]?.form != .alone
        }
    }

    /// The name of an unsupported format that people use for résumés; nil for other files.
    private static func unsupported(_ bytes: [UInt8]) -> String? {
        func begins(_ text: String) -> Bool { bytes.starts(with: text.utf8) }
        if begins("PK\u{3}\u{4}") { return "a word processor's document or another archive" }
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) { return "an old Word document" }
        if begins("{\\rtf") { return "a document in RTF" }
        let head = String(decoding: bytes.prefix(4_096), as: UTF8.self).lowercased()
        if head.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).hasPrefix("<?xml"),
            !head.contains("<html")
        {
            return head.contains("europass") ? "a Europass XML file" : "an XML document"
        }
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) || bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            return "a picture"
        }
        return nil
    }
}

/// The reason why a file cannot be read as a résumé or an advert.
package struct ResumeFileError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case file(OpenFile.Failure.Reason)
        case empty
        /// Size in bytes.
        case tooLarge(Int, limit: Int)
        case binary
        /// The name of the format.
        case unsupported(String)
        case noInput
        case notFound
    }

    package var reason: Reason
    /// The file as typed by the user.
    package var name: String

    package init(_ reason: Reason, _ name: String) {
        self.reason = reason
        self.name = name
    }
}

extension ResumeFileError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .file(.system(ENOENT)): Diagnostic("There is no file \(name).", exit: .usage)
        case .file(.system(let code)):
            Diagnostic("\(name) cannot be read: \(String(cString: strerror(code))).")
        case .file(.changed): Diagnostic("\(name) changed while it was read.", todo: "Try again.")
        case .file(.isFolder):
            Diagnostic("\(name) is a folder.", todo: "Name a file in it.", exit: .usage)
        case .file(.notRegular):
            Diagnostic("\(name) is not a file.", todo: "A pipe's text: COMMAND | … -", exit: .usage)
        case .empty:
            Diagnostic("\(name) is empty: could not read enough text.", exit: .refused)
        case .tooLarge(let size, let limit):
            Diagnostic(
                "\(name) is too large: \(Quantities.bytes(size)), at most "
                    + "\(Quantities.bytes(limit)).", exit: .usage)
        case .binary:
            Diagnostic(
                "\(name) is not text.", todo: "Text, Markdown, JSON Resume and PDF are read.",
                exit: .usage)
        case .unsupported(let kind):
            Diagnostic(
                "\(name) is \(kind), which is not read.",
                todo: "Save it as PDF or plain text first.", exit: .usage)
        case .noInput:
            Diagnostic("Standard input is empty.", exit: .usage)
        case .notFound:
            Diagnostic(
                "There is no file and no item \"\(KeyShape.shown(name))\".",
                todo: "Name a file such as cv.pdf, - for standard input, or an item of: "
                    + "chat library list", exit: .usage)
        }
    }
}
