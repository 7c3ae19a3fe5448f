import AgentCore

/// The searchable text of a message, in the form in which it is indexed. Pure.
///
/// The index's tokenizer treats a run of letters as a word. In scripts without spaces between
/// words, a sentence would become one word; so each character is indexed as a separate word, and a
/// word to search for is a phrase of such characters.
enum SearchableText {
    /// Text of users and answers of models: no thinking, no tool results, no
    /// text added by us.
    static func of(_ message: Message) -> String? {
        guard message.role != .tool else { return nil }
        let text = message.text
        return text.isEmpty ? nil : segmented(text)
    }

    /// Never part of a word.
    private static let separator: UInt8 = 0x1F

    static func segmented(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 && $0 != 0 }) { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count + text.utf8.count / 4)
        var wasUnspaced = false
        for scalar in text.unicodeScalars {
            let isUnspaced = isUnspaced(scalar)
            if isUnspaced || wasUnspaced { output.append(separator) }
            // The index would end a text at a NUL.
            if scalar == "\0" {
                output.append(separator)
            } else {
                output.append(contentsOf: String(scalar).utf8)
            }
            wasUnspaced = isUnspaced
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// Whether words of its script are indexed by character: Han, Kana, Bopomofo, Hangul, Thai,
    /// Lao, Burmese, Khmer.
    static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3005...0x3007,
            0x3041...0x312F, 0x31A0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
            0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFF66...0xFF9F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }
}
