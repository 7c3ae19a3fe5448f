import Base

/// The reason why a writing tool produced no text. The original text is unchanged.
package struct WritingError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case tooShort
        /// Part of it is shaped like a key or a password.
        case secret
        /// The title of the tool.
        case needsModel(String)
        case unknownTool(String, known: [String])
        case mangled(ProtectedText.Violation)
        case answer(AnswerGuards.Fault)
        case declined
        case cut
        /// Changed facts or a rewrite were rejected: why, and the file with the answer.
        case doubtful(String, kept: String?)
        case noPart(String)
    }

    package var reason: Reason

    package init(_ reason: Reason) { self.reason = reason }

    /// The reason why an answer was rejected, as part of a sentence.
    var reasonText: String {
        switch reason {
        case .mangled(let violation): violation.sentence
        case .answer(.empty): "it is empty"
        case .answer(.tooShort(let share)):
            "it is only \(Self.percent(share)) as long as the text"
        case .answer(.tooLong(let share)):
            "it is \(Self.percent(share)) as long as the text"
        case .answer(.paragraphs(let was, let isNow)):
            "it has \(isNow) paragraph\(isNow == 1 ? "" : "s") where the text has \(was)"
        case .declined: "the model declined"
        case .cut: "it was cut off at its length limit"
        case .tooShort, .secret, .needsModel, .unknownTool, .doubtful, .noPart: ""
        }
    }

    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }
}

extension WritingError: DescribedError {
    package var diagnostic: Diagnostic {
        switch reason {
        case .tooShort:
            Diagnostic(
                "The text is too short for a writing tool: at least \(WritingEngine.leastWords) "
                    + "words and \(WritingEngine.leastLetters) characters.",
                exit: .refused)
        case .secret:
            Diagnostic(
                "The text contains what looks like a key or a password; nothing was sent.",
                todo: "Remove it and try again.", exit: .refused)
        case .needsModel(let title):
            Diagnostic(
                "\(title) needs a model, and none is connected; proofread works without one.",
                todo: "Connect one: chat keys set openai", exit: .needsKeyOrNetwork,
                namesCommands: true)
        case .unknownTool(let name, let known):
            Diagnostic(
                "There is no writing tool \"\(KeyShape.shown(name))\".",
                todo: NearestWord.find(name, among: known).map { "Did you mean \($0)?" }
                    ?? "Available: \(known.joined(separator: ", ")).",
                exit: .usage)
        case .mangled, .answer, .declined, .cut:
            Diagnostic(
                "The answer was refused: \(reasonText). Nothing was changed.",
                todo: "Try again, or use another model.", exit: .degraded)
        case .doubtful(let why, let kept):
            Diagnostic(
                "\(why) The answer was not accepted, and nothing was changed.",
                todo: kept.map { "It is kept in \($0); --yes accepts without asking." },
                exit: .refused)
        case .noPart(let what): Diagnostic(what, exit: .usage)
        }
    }
}
