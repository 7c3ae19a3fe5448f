import Base

/// Rewrites lines so that only their words matter: one line for each item and paragraph,
/// with single spaces. Pure.
///
/// Line breaks in the file depend on word lengths, including that of the name; the output
/// must be the same for two applicants who differ only in identity.
enum BodyText {
    /// - Parameter names: words of the applicant's names as in `NameShape.keys`; one that
    ///   was split at the end of a line is rejoined.
    static func text(_ lines: [ResumeLine], names: Set<String> = []) -> String {
        var output: [String] = []
        var last: ResumeLine?
        var isOpen = false
        for line in lines {
            let text = line.closed
            if text.isEmpty { continue }
            if isOpen, let before = last, continues(line, before), !output.isEmpty {
                output[output.count - 1] = joined(output[output.count - 1], text, names)
            } else {
                output.append(line.isBullet ? "- \(text)" : text)
            }
            isOpen = true
            // Keep the bullet for comparing the lines below it.
            var next = line
            if let before = last, before.isBullet, !line.isBullet, continues(line, before) {
                next.isBullet = true
                next.indent = before.indent
            }
            last = next
        }
        return output.joined(separator: "\n")
    }

    /// Whether a line continues an item or a sentence above it, and so is not a line of its
    /// own, whatever it contains.
    static func goesOn(_ lines: [ResumeLine], _ index: Int) -> Bool {
        guard index > 0, !lines[index].isBullet, !lines[index].hasBlankBefore,
            isFlowing(lines[index].style)
        else { return false }
        let before = lines[index - 1]
        if before.text.count >= 60, before.words.count >= 8, before.text.last != "." {
            return true
        }
        // Up to the bullet to which the lines belong: no item has more, and the search for one would
        // take the square of the time.
        for above in lines[..<index].suffix(50).reversed() {
            if above.isBullet { return lines[index].indent > above.indent }
            if above.hasBlankBefore || above.indent < lines[index].indent { return false }
        }
        return false
    }

    private static func joined(_ one: String, _ other: String, _ names: Set<String>) -> String {
        // "client-" and "server": a word split at the end of the line stays hyphenated.
        if one.last == "-", one.dropLast().last?.isLetter == true,
            other.first?.isLowercase == true
        {
            let start = one.split(separator: " ").last ?? ""
            let end = other.prefix { $0.isLetter || $0 == "'" || $0 == "’" }
            let isName = names.contains(ResumeWords.key(start + end))
            return (isName ? String(one.dropLast()) : one) + other
        }
        return "\(one) \(other)"
    }

    /// Whether a line continues the text of the one before.
    private static func continues(_ line: ResumeLine, _ before: ResumeLine) -> Bool {
        if line.isBullet || line.hasBlankBefore { return false }
        guard isFlowing(line.style), isFlowing(before.style) else { return false }
        if line.text.first?.isLowercase == true, !hasYears(before) { return true }
        // A row of a table is a line of its own.
        if isLabelled(line) || line.text.contains(" | ") { return false }
        if before.isBullet, line.indent > before.indent { return true }
        if hasYears(line) || hasYears(before) { return false }
        return before.text.count >= 60 && before.words.count >= 8
    }

    /// "Contact: …" begins a new line.
    private static func isLabelled(_ line: ResumeLine) -> Bool {
        line.words.prefix(3).contains { $0.last == ":" }
    }

    private static func isFlowing(_ style: ResumeLine.Style) -> Bool {
        switch style {
        case .plain, .bold: true
        case .marked, .underlined, .capitals, .spaced: false
        }
    }

    /// Whether a line gives a period: the head of an entry. A year in a sentence does not
    /// count.
    private static func hasYears(_ line: ResumeLine) -> Bool {
        !line.isBullet && line.words.count <= 12 && line.hasYear
    }
}
