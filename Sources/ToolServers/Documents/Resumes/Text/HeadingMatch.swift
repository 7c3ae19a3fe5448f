import Base

/// Decides whether a line is a section heading, and of which kind, by the words of
/// `headings.txt` in any typography.
///
///     EXPERIENCE   ## Experience   2. Work experience:   E X P E R I E N C E
///     Experience & Education       SKILLS    Swift, SQL       Skills: Swift, SQL
struct HeadingMatch: Sendable, Equatable {
    enum Form: Sendable, Equatable {
        /// The heading is the whole line.
        case alone
        /// A wide gap, then the beginning of the section.
        case hanging
        /// A colon, then the beginning of the section.
        case inline
    }

    var kind: ResumeSection.Kind
    var languages: [String]
    var form: Form
    /// The heading as written, without number and colon.
    var words: String
    /// The rest of the line.
    var rest: String

    init?(_ line: ResumeLine) {
        let text = line.text
        guard let first = text.first, first != "<" else { return nil }
        if let found = Self.heading(text, style: line.style) {
            // "- Research" is an item of a list; "● EXPERIENCE" is decorated.
            if line.isBullet, line.style == .plain { return nil }
            guard !Self.isSentence(text) else { return nil }
            self.init(found, .alone, words: Self.plain(text, line.style))
            return
        }
        if line.isBullet { return nil }
        let cells = line.cells
        if cells.count > 1, let found = Self.heading(cells[0], style: line.style),
            !Self.isSentence(cells[0])
        {
            let rest = cells.dropFirst().joined(separator: "  ")
            self.init(found, .hanging, words: Self.plain(cells[0], line.style), rest: rest)
            return
        }
        if let colon = text.firstIndex(of: ":"), colon != text.startIndex {
            let after = text[text.index(after: colon)...]
            guard after.first == " ",
                let found = Self.heading(
                    String(text[..<colon]), style: line.style)
            else { return nil }
            self.init(
                found, .inline, words: Self.plain(String(text[..<colon]), line.style),
                rest: String(after.drop { $0 == " " }))
            return
        }
        return nil
    }

    private init(
        _ heading: ResumeWords.Heading, _ form: Form, words: String, rest: String = ""
    ) {
        kind = heading.kind
        languages = heading.languages
        self.form = form
        self.words = words
        self.rest = rest
    }

    private static func isSentence(_ text: String) -> Bool {
        text.last == "." && text.contains(" ") && text.count > 12
    }

    /// Maximum length of a heading.
    private static let limit = 60

    static func heading(_ text: String, style: ResumeLine.Style) -> ResumeWords.Heading? {
        guard text.utf8.count <= 4 * limit else { return nil }
        let plain = plain(text, style)
        guard !plain.isEmpty, plain.count <= limit else { return nil }
        let words = ResumeWords.shared
        let folded = ResumeWords.folded(plain)
        let whole = ResumeWords.letters(folded)
        if let known = words.headings[whole] { return known }
        // The singular of a listed plural, and the reverse.
        if whole.count > 8,
            let known = words.headings[whole + "s"]
                ?? (whole.last == "s" ? words.headings[String(whole.dropLast())] : nil),
            known.languages.contains("en")
        {
            return known
        }
        var kinds: [ResumeWords.Heading] = []
        for part in parts(folded) {
            let key = ResumeWords.letters(part)
            if let known = words.headings[key] {
                kinds.append(known)
            } else if let known = qualified(part) {
                kinds.append(known)
            } else if !words.qualifiers.contains(key) {
                return nil
            }
        }
        // A part that must not be sent decides for the whole.
        return kinds.first { !$0.kind.isSendable } ?? kinds.first
    }

    /// "selected work experience": a known heading with insignificant words before or after
    /// it.
    private static func qualified(_ part: String) -> ResumeWords.Heading? {
        let words = ResumeWords.shared
        var rest = part.split(separator: " ").map { ResumeWords.letters($0) }[...]
        guard rest.count > 1, rest.count <= 6 else { return nil }
        while let first = rest.first, words.qualifiers.contains(first) {
            rest = rest.dropFirst()
            if let known = words.headings[rest.joined()] { return known }
        }
        while let last = rest.last, words.qualifiers.contains(last) {
            rest = rest.dropLast()
            if let known = words.headings[rest.joined()] { return known }
        }
        return nil
    }

    private static let joints: Set<Substring> = [
        "&", "and", "und", "et", "y", "e", "i", "och", "og", "ja", "a", "ve", "και", "si", "es",
        "en", "и", "та", "+", "|", "/", "oraz", "u.", "or", "-", "o", "ou",
    ]

    private static func parts(_ folded: String) -> [String] {
        var parts: [String] = []
        var part: [Substring] = []
        let spread = String(
            folded.flatMap { "/&|,+•·".contains($0) ? " \($0 == "," ? "&" : $0) " : "\($0)" })
        for word in spread.split(separator: " ") {
            if joints.contains(word) || word == "•" || word == "·" {
                if !part.isEmpty { parts.append(part.joined(separator: " ")) }
                part = []
            } else {
                part.append(word)
            }
        }
        if !part.isEmpty { parts.append(part.joined(separator: " ")) }
        return parts.count > 4 ? [folded] : parts
    }

    /// The text without number, colon, brackets and surrounding signs.
    static func plain(_ text: String, _ style: ResumeLine.Style) -> String {
        var rest = text[...]
        func isSign(_ character: Character) -> Bool {
            !character.isLetter && !character.isNumber && character != ")"
        }
        rest = rest.drop(while: isSign)
        // "2." "IV)" "A." at the start.
        if let end = rest.firstIndex(where: { $0 == "." || $0 == ")" }),
            rest.distance(from: rest.startIndex, to: end) <= 4,
            rest[..<end].allSatisfy({ $0.isNumber || "ivxIVX".contains($0) })
                || rest.distance(from: rest.startIndex, to: end) == 1
                    && rest[..<end].allSatisfy(\.isUppercase),
            rest[rest.index(after: end)...].first == " "
        {
            rest = rest[rest.index(after: end)...].drop(while: isSign)
        } else {
            let digits = rest.prefix(while: \.isNumber)
            if (1...2).contains(digits.count) {
                rest = rest.dropFirst(digits.count).drop(while: isSign)
            }
        }
        // "(continued)"
        if rest.last == ")", let open = rest.lastIndex(of: "("), open != rest.startIndex {
            rest = rest[..<open]
        }
        while let last = rest.last, !last.isLetter, !last.isNumber { rest = rest.dropLast() }
        guard style == .spaced else { return String(rest) }
        // Words are separated by two spaces, letters by one.
        return ResumeLine.cells(String(rest)).map { $0.filter { $0 != " " } }.joined(separator: " ")
    }
}
