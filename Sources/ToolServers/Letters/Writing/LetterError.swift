import Base

/// The reason why no letter was written.
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
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }
}

extension LetterError: DescribedError {
    package var diagnostic: Diagnostic {
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
                todo: "It is kept: chat letter show \(item)", exit: .refused, namesCommands: true)
        case .noLetter(let text):
            Diagnostic(
                "The model did not write a letter\(Diagnostic.said(text)).",
                todo: "Try again, or with another model: -m MODEL.", exit: .degraded)
        case .needs(let what, let option):
            Diagnostic(
                "letter new needs \(what).",
                todo: "chat letter new \(option)", exit: .usage, namesCommands: true)
        case .emphasisTooLong(let count):
            Diagnostic(
                "--emphasis has \(Quantities.grouped(count)) characters; it takes "
                    + "\(Quantities.grouped(LetterWriter.emphasisLimit)).", exit: .usage)
        }
    }
}
