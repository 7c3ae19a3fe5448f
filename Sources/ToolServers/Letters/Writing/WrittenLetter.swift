import Base
import Persistence

/// A letter that was written and saved, and the notes about it. A value.
package struct WrittenLetter: Sendable {
    package var draft: LetterDraft
    package var item: LibraryItem
    package var claims: [ClaimCheck.Finding]
    /// Details that were not available: "phone".
    package var missing: [String]
    /// Placeholders without a value.
    package var leftOver: [String]
    /// The language (`fi`), if date, greeting and closing are not available in it.
    package var formless: String?
    /// The reason why no model wrote it; nil if one did.
    package var reason: String?
    /// The reason why the model's answer broke off; nil if it did not.
    package var failure: String?
    package var isStopped: Bool
    /// Number of words in the letter itself.
    package var words: Int
    /// Exit code for a broken-off answer; nil if it is complete.
    package var exit: ExitCode?

    /// Exit code of the command that wrote it.
    package var outcome: ExitCode {
        if isStopped { return .interrupted }
        return exit ?? (claims.isEmpty && draft.faults.isEmpty ? .ok : .degraded)
    }

    /// The letter with a mark after each unsupported sentence.
    package var marked: String { LetterMarks.marked(draft.body, draft.flagged) }

    package static let mark = "⚠ not in your résumé"

    /// Notices for the user, one sentence each.
    package var notices: [String] {
        var notices: [String] = []
        if let failure, reason == nil { notices.append("\(failure) What arrived was kept.") }
        if isStopped { notices.append("Stopped; what had arrived was kept.") }
        if !claims.isEmpty {
            let words = claims.flatMap(\.claims)
            let shown = words.prefix(6).joined(separator: ", ") + (words.count > 6 ? " …" : "")
            notices.append("\(Self.mark): \(shown)")
        }
        if draft.faults.contains(.length) {
            let length = draft.settings.length
            let range = length.words
            notices.append(
                "The letter has \(Quantities.count(words, "word")); \(length.rawValue) means "
                    + "\(range.lowerBound) to \(range.upperBound).")
        }
        if !leftOver.isEmpty {
            notices.append(
                "Fill in what the model left open: \(leftOver.prefix(4).joined(separator: ", "))")
        }
        return notices
    }
}
