import Base
import Persistence

/// A letter that was written and kept, and what there is to say about it. A value.
package struct WrittenLetter: Sendable {
    package var draft: LetterDraft
    package var item: LibraryItem
    package var claims: [ClaimCheck.Finding]
    /// What it had to go without: "phone".
    package var missing: [String]
    /// Placeholders that stand for nothing.
    package var leftOver: [String]
    /// The language, where date, greeting and closing could not be in it: `fi`.
    package var formless: String?
    /// Why no model wrote it; nil where one did.
    package var reason: String?
    /// What broke the answer off.
    package var trouble: String?
    package var isStopped: Bool
    /// Of the letter itself.
    package var words: Int
    /// Of what broke it off; nil where nothing did.
    package var exit: ExitCode?

    /// How a command ends that wrote it.
    package var outcome: ExitCode {
        if isStopped { return .interrupted }
        return exit ?? (claims.isEmpty && draft.faults.isEmpty ? .ok : .degraded)
    }

    /// The letter with a mark after each sentence that nothing backs.
    package var marked: String { LetterMarks.marked(draft.body, draft.flagged) }

    package static let mark = "⚠ not in your résumé"

    /// What is to be noticed, a sentence each.
    package var notices: [String] {
        var notices: [String] = []
        if let trouble, reason == nil { notices.append("\(trouble) What arrived was kept.") }
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
