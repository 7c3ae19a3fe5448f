import Base

/// The reason why a résumé or a job advert cannot be used. Reveals nothing of its content.
package struct ResumeError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case tooShort
        /// The text contains only contact details, references and similar.
        case noBody
        /// The problem and its position; both count from 1.
        case json(String, line: Int, column: Int)
        /// The text is valid JSON, but not a résumé.
        case jsonShape(String)
        case latex
        case emptyJob
        /// Length in characters.
        case tooLong(Int)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension ResumeError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .tooShort:
            Diagnostic(
                "The résumé could not be used: could not read enough text (fewer than "
                    + "\(Resume.shortest) characters).",
                todo: "A model would have to invent the rest. Give the whole résumé as text, "
                    + "Markdown, JSON Resume or a PDF with text.", exit: .refused)
        case .noBody:
            Diagnostic(
                "The résumé could not be used: could not read enough text besides contact "
                    + "details.",
                todo: "It needs sections such as Experience, Education or Skills.",
                exit: .refused)
        case .json(let what, let line, let column):
            Diagnostic(
                "The résumé is not valid JSON: line \(line), column \(column): \(what).",
                todo: "Correct it there and try again.", exit: .usage)
        case .jsonShape(let what):
            Diagnostic(
                "This JSON is not a résumé: \(what).",
                todo: "JSON Resume is described at jsonresume.org/schema.", exit: .usage)
        case .latex:
            Diagnostic(
                "The résumé is LaTeX source, which is not read.",
                todo: "Give the PDF that is made from it.", exit: .usage)
        case .emptyJob:
            Diagnostic(
                "The job advert has no text.",
                todo: "Give a file, an item or paste it in the editor.", exit: .refused)
        case .tooLong(let count):
            Diagnostic(
                "The text is too long: \(count) characters, at most \(ResumeReader.limit).",
                todo: "Give the résumé or the advert alone.", exit: .usage)
        }
    }
}
