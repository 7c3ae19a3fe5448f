import Base

/// Shortens the long parts of a request so that it fits into a small window: texts of files, notes
/// about the user and tool results, but never a question or an answer. Pure.
///
/// The longest are cut first, all to the same length. The stored text is not changed.
package enum ContextFit {
    package struct Fitted: Sendable {
        package var turns: [Turn]
        /// Names of the parts that were cut.
        package var names: [String] = []
    }

    /// Minimum length in tokens; nothing is cut below it, since less would be useless.
    private static let least = 48

    /// - Parameter room: estimated tokens for all turns.
    package static func fit(_ turns: [Turn], room: Int) -> Fitted {
        var size = turns.reduce(0) { $0 + ContextWindow.tokens(of: $1) }
        if size <= room { return Fitted(turns: turns) }
        // The longest length at which all of them fit: from the longest piece down.
        let lengths = turns.flatMap(\.messages).flatMap(\.parts).compactMap(length)
            .filter { $0 > least }.sorted(by: >)
        var most = lengths.first ?? 0
        for (index, length) in lengths.enumerated() {
            let next = max(least, index + 1 < lengths.count ? lengths[index + 1] : least)
            let need = (size - room + index) / (index + 1)
            most = max(next, length - need)
            size -= (length - most) * (index + 1)
            if size <= room { break }
        }
        var fitted = Fitted(turns: turns)
        for turn in fitted.turns.indices {
            for message in fitted.turns[turn].messages.indices {
                for index in fitted.turns[turn].messages[message].parts.indices {
                    let part = fitted.turns[turn].messages[message].parts[index]
                    guard let long = length(of: part), long > most else { continue }
                    fitted.turns[turn].messages[message].parts[index] = cut(
                        part, to: most, of: long)
                    fitted.names.append(name(of: part))
                }
            }
        }
        return fitted
    }

    /// The length of a part in tokens; nil if it is never shortened.
    private static func length(of part: Part) -> Int? {
        switch part {
        case .text(let text): text.isNotes ? ContextWindow.tokens(in: text.text) : nil
        case .toolResult(let result): ContextWindow.tokens(in: result.text)
        case .attachment(let attachment):
            attachment.isKeptOnly || AttachmentContent.kind(of: attachment) != .text
                ? nil
                : ContextWindow.tokens(in: String(decoding: attachment.bytes, as: UTF8.self))
        case .refusal, .thinking, .toolCall, .opaque: nil
        }
    }

    private static func cut(_ part: Part, to tokens: Int, of long: Int) -> Part {
        func shortened(_ text: String) -> String {
            // The mark of the cut takes a few tokens.
            let bytes = text.utf8.count * max(1, tokens - 12) / long
            return Compaction.shortened(text, bytes: bytes)
        }
        switch part {
        case .text(var text):
            text.text = shortened(text.text)
            return .text(text)
        case .toolResult(var result):
            result.text = shortened(result.text)
            return .toolResult(result)
        case .attachment(var attachment):
            attachment.bytes = Array(
                shortened(String(decoding: attachment.bytes, as: UTF8.self)).utf8)
            return .attachment(attachment)
        case .refusal, .thinking, .toolCall, .opaque: return part
        }
    }

    private static func name(of part: Part) -> String {
        switch part {
        case .toolResult(let result): result.name
        case .attachment(let attachment): attachment.name
        default: "notes about you"
        }
    }
}
