import Base

/// A line of a résumé without its visual formatting, and the meaning of that formatting:
/// style and indentation. Pure.
struct ResumeLine: Sendable, Equatable {
    enum Style: Sendable, Equatable {
        case plain
        /// `## Skills`: level one to six.
        case marked(Int)
        /// Underlined by a line of `=` or `-`.
        case underlined
        case bold
        /// SKILLS
        case capitals
        /// S k i l l s
        case spaced
    }

    /// The text cleaned, without Markdown marks and bullets; gaps are kept.
    var text: String
    var style = Style.plain
    var isBullet = false
    var indent = 0
    var hasBlankBefore = false

    /// Its words, without gaps.
    var words: [Substring] { text.utf8.split(separator: 0x20).map { Substring($0) } }

    /// The text with single spaces.
    var closed: String { words.joined(separator: " ") }

    /// Whether a year is in it.
    var hasYear: Bool {
        text.split { !$0.isNumber }.contains {
            $0.count == 4 && ($0.hasPrefix("19") || $0.hasPrefix("20"))
        }
    }

    /// The parts between gaps of two or more spaces, as in tables and columns.
    var cells: [String] { Self.cells(text) }

    static func cells(_ text: String) -> [String] {
        var cells: [String] = []
        var cell: [UInt8] = []
        var spaces = 0
        // Bytes, since comparing characters is slow where they have combining marks.
        for byte in text.utf8 {
            if byte == 0x20 {
                spaces += 1
                continue
            }
            if spaces >= 2, !cell.isEmpty {
                cells.append(String(decoding: cell, as: UTF8.self))
                cell = []
            } else if spaces == 1, !cell.isEmpty {
                cell.append(0x20)
            }
            spaces = 0
            cell.append(byte)
        }
        return cell.isEmpty ? cells : cells + [String(decoding: cell, as: UTF8.self)]
    }

    // MARK: - Reading

    /// The lines of a text, without empty ones.
    static func lines(of text: String) -> [ResumeLine] {
        var lines: [ResumeLine] = []
        var isAfterBlank = true
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            let cleaned = clean(raw)
            if cleaned.isEmpty {
                isAfterBlank = true
                continue
            }
            if isRule(cleaned) {
                if !isAfterBlank, let last = lines.indices.last, !cleaned.contains("|"),
                    lines[last].style == .plain || lines[last].style == .capitals,
                    lines[last].words.count <= 8
                {
                    lines[last].style = .underlined
                }
                isAfterBlank = true
                continue
            }
            var line = ResumeLine(cleaned)
            if line.text.isEmpty { continue }
            line.hasBlankBefore = isAfterBlank
            isAfterBlank = false
            lines.append(line)
        }
        return lines
    }

    /// - Parameter cleaned: the result of `clean`.
    init(_ cleaned: String) {
        indent = cleaned.prefix { $0 == " " }.count
        var rest = cleaned.drop { $0 == " " }
        // Quotes and table cells begin with a mark.
        while let first = rest.first, first == ">" || first == "|" {
            rest = rest.dropFirst().drop { $0 == " " }
        }
        if rest.last == "|" { rest = rest.dropLast() }
        let hashes = rest.prefix { $0 == "#" }.count
        if (1...6).contains(hashes), rest.dropFirst(hashes).first == " " {
            style = .marked(hashes)
            rest = rest.dropFirst(hashes).drop { $0 == " " }
            while rest.last == "#" { rest = rest.dropLast() }
        } else if let (bullet, length) = Self.bullet(rest) {
            isBullet = bullet
            rest = rest.dropFirst(length).drop { $0 == " " }
        }
        while rest.last == " " { rest = rest.dropLast() }
        if style == .plain, Self.isWrapped(rest, in: "**") || Self.isWrapped(rest, in: "__") {
            style = .bold
        }
        text = Self.withoutEmphasis(String(rest))
        text = String(text.trimming { $0 == " " })
        if style == .plain || style == .bold { judgeLetters() }
    }

    private mutating func judgeLetters() {
        let words = words
        let isSpaced =
            words.count >= 4
            && words.count { $0.count == 1 && $0.first?.isLetter == true } * 10 >= words.count * 8
        if isSpaced {
            style = .spaced
            return
        }
        if style == .bold { return }
        var upper = 0
        for character in text {
            if character.isLowercase { return }
            if character.isUppercase { upper += 1 }
        }
        if upper >= 2 { style = .capitals }
    }

    /// Whether the line begins with a list mark, and the length of the mark.
    private static func bullet(_ rest: Substring) -> (isBullet: Bool, length: Int)? {
        guard let first = rest.first else { return nil }
        let second = rest.dropFirst().first
        if "-*+–—".contains(first), second == " " { return (true, 1) }
        if "•‣◦▪▫●○■□◆◇►▶➤➢✓✔❖·∙⁃⦁➔→»".contains(first) { return (true, 1) }
        return nil
    }

    private static func isWrapped(_ text: Substring, in mark: String) -> Bool {
        text.utf8.count > 4 && text.hasPrefix(mark)
            && (text.hasSuffix(mark) || text.hasSuffix(mark + ":"))
    }

    private static func withoutEmphasis(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x2A || $0 == 0x5F || $0 == 0x5B }) else {
            return text
        }
        let plain = text.replacing("**", with: "").replacing("__", with: "")
        return withoutLinks(withoutStars(plain))
    }

    /// The text with `*words*` as the words; a star between numbers or alone stays.
    private static func withoutStars(_ text: String) -> String {
        guard text.count(where: { $0 == "*" }) >= 2 else { return text }
        let characters = Array(text)
        return String(
            characters.indices.compactMap { index in
                guard characters[index] == "*" else { return characters[index] }
                let before = index > 0 ? characters[index - 1] : " "
                let after = index + 1 < characters.count ? characters[index + 1] : " "
                let opens = before == " " && after != " "
                let closes = before != " " && !after.isLetter && !after.isNumber
                return opens || closes ? nil : "*"
            })
    }

    /// The text with `[words](address)` as the words, and the address too if it identifies
    /// a person.
    private static func withoutLinks(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstIndex(of: "["), let middle = rest[open...].firstRange(of: "](") {
            guard let close = rest[middle.upperBound...].firstIndex(of: ")") else { break }
            let words = rest[rest.index(after: open)..<middle.lowerBound]
            let address = rest[middle.upperBound..<close]
            result += rest[..<open]
            result += words
            if !address.isEmpty, address != words { result += " <\(address)>" }
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }

    /// Whether the line consists only of signs that draw a rule.
    private static func isRule(_ text: String) -> Bool {
        let signs = text.filter { $0 != " " }
        return signs.count >= 3 && signs.allSatisfy { "-=_*~─━═—–·.|:+#".contains($0) }
            && signs.contains { "-=_*~─━═—–".contains($0) }
    }

    /// The text with all kinds of spaces as spaces, ligatures as letters, and no invisible
    /// characters.
    static func clean(_ raw: some StringProtocol) -> String {
        var output = String.UnicodeScalarView()
        for scalar in raw.unicodeScalars {
            switch scalar.value {
            case 0x09: output.append(contentsOf: "    ".unicodeScalars)
            case 0x20...0x7E: output.append(scalar)
            case ..<0x20, 0x7F: continue
            case _ where scalar.properties.isDefaultIgnorableCodePoint: continue
            case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000:
                output.append(" ")
            case 0xFB00: output.append(contentsOf: "ff".unicodeScalars)
            case 0xFB01: output.append(contentsOf: "fi".unicodeScalars)
            case 0xFB02: output.append(contentsOf: "fl".unicodeScalars)
            case 0xFB03: output.append(contentsOf: "ffi".unicodeScalars)
            case 0xFB04: output.append(contentsOf: "ffl".unicodeScalars)
            // Icon fonts and pictures, such as a telephone before a number.
            case 0xE000...0xF8FF, 0x2190...0x21FF, 0x2300...0x23FF, 0x2600...0x2712,
                0x2715...0x2755, 0x2757...0x2793, 0x2795...0x27BF, 0x1F000...0x1FAFF,
                0xF0000...0x10FFFF:
                // Keep those that serve as bullets.
                if scalar == "►" || scalar == "➤" || scalar == "➢" || scalar == "❖"
                    || scalar == "→" || scalar == "➔" || scalar == "✓" || scalar == "✔"
                {
                    output.append(scalar)
                } else {
                    output.append(" ")
                }
            default: output.append(scalar)
            }
        }
        var text = withoutLeaders(String(output))
        while text.last == " " { text.removeLast() }
        return text
    }

    /// The text with leader dots between an entry and its date as a gap.
    private static func withoutLeaders(_ text: String) -> String {
        guard text.contains("....") || text.contains("____") || text.contains(". . . .") else {
            return text
        }
        var output = ""
        var run = ""
        func close() {
            let count = run.count { $0 != " " }
            output += count >= 4 && run.contains { $0 == "." || $0 == "_" } ? "   " : run
            run = ""
        }
        for character in text {
            if character == "." || character == "_" || character == " " && !run.isEmpty {
                run.append(character)
            } else {
                close()
                output.append(character)
            }
        }
        close()
        return output
    }
}
