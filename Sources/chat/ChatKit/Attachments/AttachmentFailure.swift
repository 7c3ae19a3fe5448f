import Base
import Glibc

/// The reason why a file cannot be sent with a message.
package struct AttachmentFailure: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case system(Int32)
        case folder
        /// The folder or pattern has no files.
        case noFiles(leftOut: String?)
        case tooManyFiles(limit: Int)
        /// The files are too many for a single answer, which cannot ask first.
        case manyFiles(count: Int, bytes: Int)
        /// A pipe, a socket, a device.
        case notAFile
        case empty
        /// Maximum bytes of one file.
        case tooLarge(limit: Int)
        case textTooLarge(limit: Int)
        /// An unsupported kind with a name, such as "a Word document".
        case unsupported(FileKind.Unsupported)
        /// Neither text nor a known kind.
        case unknownType
        /// The signature of an image with an invalid header.
        case brokenImage
        /// Above the provider's limit, and no program is installed that can scale it down.
        case imageTooLarge(size: String, limit: String)
        /// The program that scales images down failed.
        case notSizedDown
        case tooManyImages(limit: Int)
        /// The model is known to read text only.
        case noImages(model: String)
        /// The provider accepts no PDF and `pdftotext` is missing.
        case noPDF
        case encryptedPDF
        case noTextInPDF
        case tooManyPages(count: Int, limit: Int)
        /// The total of all files in one message.
        case requestTooLarge(limit: Int)
    }

    /// The path as the user wrote it.
    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }
}

extension AttachmentFailure: DescribedError {
    package var diagnostic: Diagnostic {
        let (what, todo) = words
        return Diagnostic(what, todo: todo, exit: .usage)
    }

    private var words: (String, String?) {
        let all = "Text, PNG, JPEG, GIF, WebP and PDF files can be attached."
        switch reason {
        case .system(ENOENT):
            return ("\(path) does not exist.", "A name with spaces needs quotes: \"my file.txt\"")
        case .system(let code):
            return ("\(path) cannot be read: \(Diagnostic.system(code)).", nil)
        case .folder: return ("\(path) is a folder.", "Name the files in it that matter.")
        case .noFiles(let leftOut):
            return (
                "\(path) matches no file that a model can read"
                    + (leftOut.map { " (left out: \($0))." } ?? "."),
                "From a folder only text files are attached; to add images: DIR/*.png"
            )
        case .tooManyFiles(let limit):
            return (
                "\(path) matches more than \(Quantities.grouped(limit)) files.",
                "Narrow it down: src/**/*.swift. Or let the model look for itself: /open DIR"
            )
        case .manyFiles(let count, let bytes):
            return (
                "\(path) matches \(Quantities.count(count, "file")), "
                    + "\(Quantities.bytes(bytes)).",
                "To attach them all: --yes. Or let the model look for itself: --open DIR"
            )
        case .notAFile:
            return ("\(path) is not a file.", "A pipe's text: COMMAND | chat -p \"…\"")
        case .empty: return ("\(path) is empty.", nil)
        case .tooLarge(let limit): return ("\(path) is larger than \(limit >> 20) MB.", nil)
        case .textTooLarge(let limit):
            return (
                "\(path) has more than \(limit >> 20) MB of text, more than a model can read.",
                "Attach the part that matters."
            )
        case .unsupported(let kind): return ("\(path) is \(Self.words(kind)).", Self.advice(kind))
        case .unknownType: return ("\(path) is a type of file that models cannot read.", all)
        case .brokenImage:
            return ("\(path) is damaged: it starts like an image but cannot be decoded.", nil)
        case .imageTooLarge(let size, let limit):
            return (
                "\(path) is too large for this model: \(size), and the limit is \(limit).",
                "To have it scaled down: sudo apt install imagemagick"
            )
        case .notSizedDown:
            return (
                "\(path) is too large for this model and could not be scaled down.",
                "Up to \(Quantities.grouped(FileConverter.pixelLimit)) pixels are scaled down: make it "
                    + "smaller, then attach it again."
            )
        case .tooManyImages(let limit):
            return ("That is more than the \(limit) images this model takes.", nil)
        case .noImages(let model):
            return ("\(path) is an image, and \(model) reads only text.", "/model selects another.")
        case .noPDF:
            return (
                "\(path) is a PDF, and this server accepts none.",
                "To send its text: sudo apt install poppler-utils"
            )
        case .encryptedPDF: return ("\(path) is encrypted.", "Save it without a password.")
        case .noTextInPDF:
            return (
                "\(path) has no text that can be extracted, and this server accepts no PDF.",
                "Claude and OpenAI accept it as it is: /model selects another."
            )
        case .tooManyPages(let count, let limit):
            return ("\(path) has about \(count) pages; this model takes \(limit).", nil)
        case .requestTooLarge(let limit):
            return (
                "Together the files are too large: a message holds at most \(limit >> 20) MB.", nil
            )
        }
    }

    private static func words(_ kind: FileKind.Unsupported) -> String {
        switch kind {
        case .heic: "a HEIC or AVIF image, which models do not accept"
        case .svg: "an SVG drawing, which models do not accept as an image"
        case .bitmap: "a BMP image, which models do not accept"
        case .tiff: "a TIFF image, which models do not accept"
        case .word: "a word processor's document, which models do not accept"
        case .spreadsheet: "a spreadsheet, which models do not accept"
        case .slides: "a presentation, which models do not accept"
        case .archive: "an archive"
        case .audio: "a recording, which cannot be attached"
        case .video: "a video, which cannot be attached"
        case .program: "a program"
        case .database: "a database"
        }
    }

    private static func advice(_ kind: FileKind.Unsupported) -> String? {
        switch kind {
        case .heic, .bitmap, .tiff, .svg: "Save it as PNG or JPEG first."
        case .word, .slides: "Save it as PDF or plain text first."
        case .spreadsheet: "Save it as CSV first."
        case .archive: "Unpack it and name the files that matter."
        case .audio, .video:
            "To attach its transcript: /transcribe FILE"
        case .program, .database:
            "Text, PNG, JPEG, GIF, WebP and PDF files can be attached."
        }
    }
}
