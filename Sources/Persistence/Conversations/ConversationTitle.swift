import AgentCore

/// The title that a conversation gets from its first message. Pure.
///
/// It is made from the first text part written by the user, not from text added for the model.
package enum ConversationTitle {
    /// Maximum length in characters as users count them.
    package static let limit = 60

    package static func make(from message: Message) -> String {
        var fallback = ""
        for part in message.parts {
            switch part {
            case .text(let text) where !text.isContext:
                let title = make(from: text.text)
                if !title.isEmpty { return title }
            case .attachment(let file) where fallback.isEmpty: fallback = make(from: file.name)
            default: break
            }
        }
        return fallback
    }

    /// The first non-empty line, its white space collapsed; a long line is cut between words.
    package static func make(from text: String) -> String {
        guard
            let line = text.split(whereSeparator: \.isNewline)
                .first(where: { !$0.allSatisfy(isSpace) })
        else { return "" }
        // A pasted file may be one line of megabytes; only its beginning is examined.
        let words = line.prefix(limit * 20).split(whereSeparator: isSpace)
        let joined = words.joined(separator: " ")
        if joined.count <= limit { return joined }
        let cut = joined.prefix(limit - 1)
        let atWord = joined.dropFirst(limit - 1).first == " "
        let whole =
            atWord ? cut : cut.lastIndex(of: " ").map { cut[..<$0] } ?? cut
        return whole + "…"
    }

    /// "Oslo" → "Oslo (fork)" → "Oslo (fork 2)".
    package static func fork(of title: String) -> String {
        guard title.hasSuffix(")"), let open = title.lastIndex(of: "("), open > title.startIndex,
            title[open...].hasPrefix("(fork")
        else { return title + " (fork)" }
        let number = title[open...].dropFirst("(fork".count).dropLast()
        if number.isEmpty { return title[..<open] + "(fork 2)" }
        guard number.first == " ", let count = Int(number.dropFirst()), count < 1_000_000 else {
            return title + " (fork)"
        }
        return title[..<open] + "(fork \(count + 1))"
    }

    private static func isSpace(_ character: Character) -> Bool {
        character.isWhitespace || character == "\0"
    }
}
