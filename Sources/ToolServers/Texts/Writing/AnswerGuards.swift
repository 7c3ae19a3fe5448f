import Base

/// Removes extra text from a model's answer, and decides when to refuse it. Pure.
///
/// Only the text counts as the answer: a model's remarks about it, and a fence
/// or quotes that the original did not have, are removed. White space at both
/// ends, line breaks and the blank lines between paragraphs are taken from the
/// original.
package enum AnswerGuards {
    /// The reason why an answer is refused.
    package enum Fault: Error, Sendable, Equatable {
        case empty
        /// The answer is too short; its length relative to the text.
        case tooShort(Double)
        case tooLong(Double)
        case paragraphs(was: Int, isNow: Int)
    }

    static let shortest = 0.3
    static let longest = 3.0
    /// Share of changed words above which a proofread is a rewrite.
    static let rewriteShare = 0.35
    /// Minimum changed words of a rewrite: two errors in a sentence of four words are not one.
    static let rewriteWords = 3

    /// Whether a proofread is actually a rewrite, which requires consent.
    package static func isRewrite(_ diff: TextDiff) -> Bool {
        diff.changedShare > rewriteShare && diff.changedWordCount >= rewriteWords
    }

    /// - Parameters:
    ///   - answer: the raw answer of the model.
    /// - original: the text it was given (masked); line breaks are LF or CRLF.
    /// - Returns: the answer with the white space of the original.
    package static func cleaned(
        _ answer: String, for original: String
    ) throws(Fault) -> String {
        let frame = Frame(original)
        var text = lines(answer).joined(separator: "\n").trimmingSpace()
        text = withoutTags(text)
        text = withoutFence(text, original)
        text = withoutPreamble(text, original)
        // A preamble may precede a fence, and words within it.
        text = withoutFence(text, original)
        text = withoutQuotes(text, original)
        text = withoutRemark(text, original)
        if text.isEmpty { throw .empty }
        try checkLength(text, original)
        return try frame.around(text)
    }

    private static func checkLength(_ answer: String, _ original: String) throws(Fault) {
        let before = original.count { !$0.isWhitespace }
        let after = answer.count { !$0.isWhitespace }
        guard before > 0 else { return }
        let share = Double(after) / Double(before)
        if share < shortest { throw .tooShort(share) }
        if share > longest { throw .tooLong(share) }
    }

    // MARK: - What is not part of it

    private static func lines(_ text: String) -> [Substring] {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    }

    /// Removes the tag in which the text was given.
    private static func withoutTags(_ text: String) -> String {
        let (open, close) = ("<\(WritingRecipe.tag)>", "</\(WritingRecipe.tag)>")
        guard text.hasPrefix(open), text.hasSuffix(close), text.count > open.count + close.count
        else { return text }
        return text.dropFirst(open.count).dropLast(close.count).trimmingSpace()
    }

    /// The contents of the only fence of an answer with little around it.
    private static func withoutFence(_ text: String, _ original: String) -> String {
        if original.contains("```") || original.contains("~~~") { return text }
        let lines = lines(text)
        let marks = lines.indices.filter {
            let line = lines[$0].trimmingSpace()
            return line.hasPrefix("```") || line.hasPrefix("~~~")
        }
        guard marks.count == 2 else { return text }
        let before = lines[..<marks[0]].filter { !$0.trimmingSpace().isEmpty }
        let after = lines[(marks[1] + 1)...].filter { !$0.trimmingSpace().isEmpty }
        let isTalk =
            before.isEmpty || before.count == 1 && isPreamble(before[0], isBeforeBlank: true)
        guard isTalk, after.isEmpty || after.allSatisfy({ isRemark($0) }) || !before.isEmpty else {
            return text
        }
        return lines[(marks[0] + 1)..<marks[1]].joined(separator: "\n").trimmingSpace()
    }

    private static func withoutPreamble(_ text: String, _ original: String) -> String {
        let answered = lines(text)
        guard answered.count > 1, let first = answered.first,
            isPreamble(first, isBeforeBlank: answered[1].trimmingSpace().isEmpty)
        else {
            return inlineLabel(text, original)
        }
        // The text itself may begin like that.
        let own = lines(original.trimmingSpace()).first ?? ""
        if isPreamble(own, isBeforeBlank: true) { return text }
        return answered.dropFirst().joined(separator: "\n").trimmingSpace()
    }

    private static let openings = [
        "here is", "here's", "here are", "here’s", "sure", "certainly", "of course", "absolutely",
        "okay", "ok,", "the corrected", "corrected", "proofread", "rewritten", "revised",
        "the revised", "the rewritten", "the proofread", "improved", "edited", "below is",
        "hier ist", "gerne", "natürlich", "klar", "korrigiert", "verbessert", "überarbeitet",
        "der korrigierte",
    ]

    /// "Here is the corrected text:"; lines without a colon only if a blank line
    /// follows: "Sure! Here's a friendlier version."
    private static func isPreamble(_ line: some StringProtocol, isBeforeBlank: Bool) -> Bool {
        let folded = line.lowercased().trimming { $0.isWhitespace || $0 == "*" || $0 == "#" }
        guard folded.count <= 160, openings.contains(where: folded.hasPrefix) else { return false }
        if folded.hasSuffix(":") { return true }
        let speaks = ["version", "text", "rewrite", "correct", "proofread", "fassung"]
        return isBeforeBlank && speaks.contains(where: folded.contains)
            && folded.last.map { ".!".contains($0) } == true
    }

    private static let labels = [
        "corrected text:", "corrected version:", "corrected:", "proofread text:",
        "proofread version:", "rewritten text:", "rewritten version:", "rewritten:",
        "revised text:", "revised version:", "revised:", "output:", "korrigierter text:",
    ]

    /// "Corrected text: The cat sat."
    private static func inlineLabel(_ text: String, _ original: String) -> String {
        let folded = text.prefix(40).lowercased()
        guard let label = labels.first(where: folded.hasPrefix),
            !original.trimmingSpace().lowercased().hasPrefix(label)
        else { return text }
        return text.dropFirst(label.count).trimmingSpace()
    }

    private static func withoutQuotes(_ text: String, _ original: String) -> String {
        let own = original.trimmingSpace()
        for (open, close) in [("\"", "\""), ("“", "”"), ("„", "“"), ("'", "'")]
            as [(Character, Character)]
        {
            guard text.count > 2, text.first == open, text.last == close, own.first != open,
                !text.dropFirst().dropLast().contains(where: { $0 == open || $0 == close })
            else { continue }
            return text.dropFirst().dropLast().trimmingSpace()
        }
        return text
    }

    private static let remarks = [
        "let me know", "i corrected", "i've corrected", "i have corrected", "i changed",
        "i've made", "i made", "changes made", "changes:", "note:", "**changes", "**note",
        "i hope", "feel free", "would you like", "if you'd like", "explanation", "the main changes",
        "ich habe", "änderungen:", "hinweis:",
    ]

    private static func isRemark(_ line: some StringProtocol) -> Bool {
        let folded = line.lowercased().trimmingSpace()
        return remarks.contains(where: folded.hasPrefix)
    }

    /// Removes paragraphs after the text that comment on it.
    private static func withoutRemark(_ text: String, _ original: String) -> String {
        let count = paragraphCount(original)
        var parts = TextDiff.paragraphs(text)
        guard parts.count > count, count > 0,
            let first = parts.indices.dropFirst(count).first, isRemark(parts[first])
        else { return text }
        parts.removeSubrange(first...)
        return parts.joined().trimmingSpace()
    }

    static func paragraphCount(_ text: String) -> Int {
        TextDiff.paragraphs(text).count { $0.contains { !$0.isWhitespace } }
    }

    // MARK: - The frame

    /// The parts of a text that no answer changes: the white space around it
    /// and between its paragraphs, and its line endings.
    private struct Frame {
        private var lead = ""
        private var trail = ""
        /// The white space after each paragraph but the last.
        private var gaps: [String] = []
        /// The line endings within each paragraph.
        private var breaks: [[Character]] = []
        /// The most frequent line ending.
        private let usual: Character

        init(_ text: String) {
            let core = text.trimming(while: \.isWhitespace)
            lead = String(text[..<core.startIndex])
            trail = String(text[core.endIndex...])
            for part in TextDiff.paragraphs(String(core)) {
                let end = part.trimmingEnd()
                gaps.append(String(part[end.endIndex...]))
                breaks.append(Array(end.filter(\.isNewline)))
            }
            let all = text.filter(\.isNewline)
            usual = all.count { $0 == "\r\n" } * 2 > all.count ? "\r\n" : "\n"
        }

        func around(_ answer: String) throws(Fault) -> String {
            let parts = TextDiff.paragraphs(answer).map { $0.trimmingEnd() }
            guard parts.count == gaps.count else {
                throw .paragraphs(was: gaps.count, isNow: parts.count)
            }
            var text = lead
            for (index, part) in parts.enumerated() {
                // Line by line as in the original; a paragraph with a different number of
                // lines has the usual line ending.
                let own = breaks[index]
                let lines = part.split(
                    omittingEmptySubsequences: false, whereSeparator: \.isNewline)
                for (number, line) in lines.enumerated() {
                    if number > 0 {
                        text.append(lines.count == own.count + 1 ? own[number - 1] : usual)
                    }
                    text += line
                }
                text += gaps[index]
            }
            return text + trail
        }
    }
}

extension Substring {
    /// The text without white space at its end.
    fileprivate func trimmingEnd() -> Substring {
        var rest = self
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return rest
    }
}
