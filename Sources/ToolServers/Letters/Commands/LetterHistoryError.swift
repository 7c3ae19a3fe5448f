import Base
import Persistence

/// An error of an action on a saved letter.
package struct LetterHistoryError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The letter names no sources, or they no longer exist.
        case noSources(ItemID)
        /// No program that makes PDF is installed.
        case noPDFProgram(install: String?)
        /// The program failed; its name and its output.
        case pdfFailed(String, String)
        /// A PDF or a document cannot be printed to a terminal.
        case needsOutput
        /// The extension of a file name: "odt".
        case unknownEnding(String)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension LetterHistoryError: DescribedError {
    package var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        switch reason {
        case .noSources(let id):
            Diagnostic(
                "The résumé or the advert of \(ItemKind.letter.id(id)) is no longer there.",
                todo: "chat letter new --resume FILE --job FILE")
        case .noPDFProgram(let install):
            Diagnostic(
                "No program that can make a PDF is installed.",
                todo: (install.map { "\($0); or " } ?? "")
                    + "--format html, then print that to PDF in a browser.",
                exit: .missingProgram)
        case .pdfFailed(let program, let words):
            Diagnostic(
                "\(program) could not make the PDF\(words.isEmpty ? "" : ": \(words)").",
                todo: "chat letter export --format html makes a page to print.")
        case .needsOutput:
            Diagnostic(
                "PDF and .docx need an output file.", todo: "chat letter export l12 -o letter.pdf",
                exit: .usage)
        case .unknownEnding(let ending):
            Diagnostic(
                "A letter cannot be exported as .\(ending.oneLine).",
                todo: "Use .docx, .pdf, .html, .md, .txt or .json.", exit: .usage)
        }
    }
}
