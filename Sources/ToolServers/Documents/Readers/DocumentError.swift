import Base
import Glibc

/// The reason why a document could not be read, and the step that failed. Nothing was created.
package struct DocumentError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case file(OpenFile.Failure.Reason)
        case noInput
        case empty
        /// Size in bytes.
        case tooLarge(Int, limit: Int)
        case binary
        /// The detected kind: "a picture".
        case unsupported(String)
        /// The encoding is unknown; its name.
        case encoding(String)
        /// Line number, counted from 1, and the size of the line.
        case longLine(Int, bytes: Int)
        case archive(ArchiveError)
        /// The book is damaged; the missing or invalid part: "it has no META-INF/container.xml".
        case damaged(String)
        case protected
        /// The program that reads it is not installed.
        case needsProgram(String)
        /// The file contains only pictures, or nothing.
        case noText
    }

    package var reason: Reason
    /// The file as typed by the user.
    package var name: String

    package init(_ reason: Reason, _ name: String) {
        self.reason = reason
        self.name = name
    }

    /// The step that failed: "reading".
    package var phase: String {
        switch reason {
        case .file, .noInput, .empty, .tooLarge: "reading"
        case .binary, .unsupported, .encoding, .needsProgram: "decoding"
        case .archive, .damaged, .protected: "unpacking"
        case .longLine, .noText: "finding the text"
        }
    }
}

extension DocumentError: DescribedError {
    package var diagnostic: Diagnostic {
        let (what, todo) = sentence
        if case .needsProgram(let program) = reason {
            return Diagnostic(
                "\(name.oneLine): \(phase) failed because \(what).", exit: .missingProgram,
                programs: [program])
        }
        return Diagnostic(
            "\(name.oneLine): \(phase) failed because \(what).", todo: todo,
            exit: reason == .protected ? .refused : .failure)
    }

    private var sentence: (what: String, todo: String?) {
        switch reason {
        case .file(.system(ENOENT)): ("there is no such file", "Nothing was imported.")
        case .file(.system(let code)): (String(cString: strerror(code)), "Nothing was imported.")
        case .file(.isFolder): ("it is a folder", "Name a file in it.")
        case .file(.notRegular): ("it is not a file", "To read what a program prints, use -.")
        case .file(.changed): ("it changed while it was being read", "Nothing was imported.")
        case .noInput: ("nothing is piped in", "Name a file, or pipe a text in.")
        case .empty: ("it is empty", "Nothing was imported.")
        case .tooLarge(let size, let limit):
            (
                "it has \(Quantities.bytes(size)), but the limit is \(Quantities.bytes(limit))",
                "Split it, and import the parts."
            )
        case .binary:
            ("it is not text", "Text, Markdown, HTML, EPUB, PDF, RTF, MOBI and FB2 are read.")
        case .unsupported(let kind):
            ("it is \(kind)", "Text, Markdown, HTML, EPUB, PDF, RTF, MOBI and FB2 are read.")
        case .encoding(let encoding):
            (
                "it is written in \(KeyShape.shown(encoding.oneLine))",
                "iconv -f ENCODING -t UTF-8 makes it readable."
            )
        case .longLine(let line, let bytes):
            (
                "line \(Quantities.grouped(line)) is \(Quantities.bytes(bytes)) long",
                "A paragraph has at most \(Quantities.bytes(DocumentReader.lineLimit)). "
                    + "Break it into lines first."
            )
        case .needsProgram(let program): ("it needs \(program), which is not installed", nil)
        case .archive(let error):
            (Self.clause(Diagnostic(of: error).what), "Nothing was imported.")
        case .damaged(let what): (what, "Nothing was imported.")
        case .protected:
            (
                "it is protected by DRM",
                "Only the program it was bought for can open it; get a copy without DRM."
            )
        case .noText: ("there is no text in it", "Pictures of pages need OCR first.")
        }
    }

    /// Turns a sentence into a clause of another sentence.
    private static func clause(_ sentence: String) -> String {
        let text = sentence.hasSuffix(".") ? sentence.dropLast() : sentence[...]
        return text.prefix(1).lowercased() + text.dropFirst()
    }
}
