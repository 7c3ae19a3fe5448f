/// The result of proofreading a text.
package struct Proofreading: Sendable, Equatable {
    /// The corrections, ascending and not overlapping, none in a protected span.
    package var corrections: [Correction]
    /// Problems that are only reported: there is no certain correction.
    package var remarks: [ProofreadingRemark]
    /// The main language of the text: "en", "de", or nil if it was not
    /// recognised and nothing was corrected.
    package var language: String?
    /// The reason why spelling was not checked; nil if it was, or if there is no language to check.
    package var missingSpelling: Speller.Missing?
}

/// Something in a text that the user may want to look at.
package struct ProofreadingRemark: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        /// A word that hunspell does not know, with its suggestions, at most three.
        case unknownWord(suggestions: [String])
        case unmatched
    }

    package var kind: Kind
    /// UTF-8 offsets into the original text.
    package var range: Range<Int>
    /// The word or the sign.
    package var text: String

    /// One line for the user.
    package var sentence: String {
        switch kind {
        case .unknownWord(let suggestions) where suggestions.isEmpty:
            "\"\(text)\" is not in the dictionary"
        case .unknownWord(let suggestions):
            "\"\(text)\" is not in the dictionary; perhaps "
                + suggestions.joined(separator: ", ")
        case .unmatched: "\(text) has no counterpart"
        }
    }
}
