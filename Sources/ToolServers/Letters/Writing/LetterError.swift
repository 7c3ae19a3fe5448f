import Base
import Persistence

/// The reason why no letter was written, or why an action on a saved one failed.
package struct LetterError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        /// The user has not agreed to the first request with a résumé.
        case notSent
        /// `--strict` refused the letter: number of unsupported sentences, and the letter's item.
        case unbacked(Int, item: String)
        /// The answer is JSON or a refusal; its text.
        case noLetter(String)
        /// An input is missing: "a résumé", "a job advert".
        case needs(String, option: String)
        case emphasisTooLong(Int)
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

extension LetterError: DescribedError {
    package var diagnostic: Diagnostic { sentence.namingCommands }

    private var sentence: Diagnostic {
        switch reason {
        case .notSent:
            Diagnostic(
                "Nothing was sent: the first request of a résumé needs your approval.",
                todo: "--dry-run shows all of it, --yes sends it without a question.",
                exit: .refused)
        case .unbacked(let count, let item):
            Diagnostic(
                "Refused: \(Quantities.count(count, "sentence")) of the letter "
                    + "\(count == 1 ? "says" : "say") what neither the résumé nor the advert says.",
                todo: "It is kept: chat letter show \(item)", exit: .refused)
        case .noLetter(let text):
            Diagnostic(
                "The model did not write a letter\(Diagnostic.said(text)).",
                todo: "Try again, or with another model: -m MODEL.", exit: .degraded)
        case .needs(let what, let option):
            Diagnostic(
                "letter new needs \(what).",
                todo: "chat letter new \(option)", exit: .usage)
        case .emphasisTooLong(let count):
            Diagnostic(
                "--emphasis has \(Quantities.grouped(count)) characters; it takes "
                    + "\(Quantities.grouped(LetterWriter.emphasisLimit)).", exit: .usage)
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
