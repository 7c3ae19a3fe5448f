import Base

/// Distinguishes a sentence that a user typed from pasted text: code, a log, a quotation,
/// several sentences. Pure.
enum MessageForm {
    static func isPasted(_ text: String) -> Bool {
        guard let first = text.first(where: { !$0.isWhitespace }) else { return true }
        return text.contains(where: \.isNewline) || "\"“„«‘>'`".contains(first)
            || text.hasPrefix("- ") || text.hasPrefix("* ") || text.hasPrefix("#") || isLog(text)
            || sentences(text).count > 1
    }

    /// Whether the text contains characters that programs use but task titles do not.
    static func isCode(_ text: String) -> Bool {
        text.utf8.contains { "{}<>|\\`=$_*".utf8.contains($0) }
            || text.utf8.contains { "/;-:@".utf8.contains($0) }
                && ["//", "();", "--", "::", "->", "[@"].contains { text.firstRange(of: $0) != nil }
            || text.hasSuffix(";")
    }

    /// Whether a clock time has seconds, as in machine output.
    private static func isLog(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        func isPair(_ start: Int) -> Bool {
            start + 2 < bytes.count && bytes[start] == UInt8(ascii: ":")
                && digits.contains(bytes[start + 1]) && digits.contains(bytes[start + 2])
        }
        return bytes.indices.contains { isPair($0) && isPair($0 + 3) }
    }

    /// The sentences of the text; courtesies are not counted as sentences.
    static func sentences(_ text: String) -> [String] {
        guard text.utf8.contains(where: { "?!.".utf8.contains($0) }) else { return [text] }
        let parts = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let hasCourtesy = parts.count > 1 && parts.dropFirst().count <= 2
        var sentences = [parts.first ?? ""]
        for (word, next) in zip(parts, parts.dropFirst()) {
            sentences[sentences.count - 1] += " " + next
            guard let mark = word.last, "?!.".contains(mark) else { continue }
            // "10 a.m. call", "Call Mr. Smith", "hey! remind me …"
            if mark == ".", isAbbreviation(word) || next.first?.isLetter != true { continue }
            if Lexicon.has(.courtesies, word.dropLast().lowercased()) { continue }
            if Lexicon.has(.courtesies, next.lowercased().filter(\.isLetter)),
                hasCourtesy || next == parts.last
            {
                continue
            }
            if mark == "!", next.allSatisfy({ "!0123456789".contains($0) }) { continue }
            sentences[sentences.count - 1].removeLast(next.count + 1)
            sentences.append(next)
        }
        return sentences
    }

    private static func isAbbreviation(_ word: String) -> Bool {
        let stem = word.dropLast().lowercased()
        return stem.count <= 1 || stem.contains(".") || stem.allSatisfy(\.isNumber)
            || Lexicon.has(.abbreviations, stem)
    }
}
