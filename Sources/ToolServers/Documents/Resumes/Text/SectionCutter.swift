import Base

/// Splits the lines of a résumé at its headings: the part above the first one, then one
/// section after the other. Pure.
///
/// It is cautious: a line that is only possibly a heading ends neither the header nor a
/// section that is not sent.
struct SectionCutter {
    struct Piece: Sendable, Equatable {
        var kind: ResumeSection.Kind
        var heading: String
        var lines: [ResumeLine]
        /// Whether it begins with a line of the declaration or of consent, not with a
        /// heading.
        var isFoundByWords = false
    }

    private(set) var head: [ResumeLine] = []
    private(set) var pieces: [Piece] = []
    /// The weight of the headings in each language.
    private(set) var languages: [String: Double] = [:]
    /// Whether a heading was found. If not, `head` is empty and the only piece is everything.
    private(set) var hasHeadings = false

    private let lines: [ResumeLine]
    private let matches: [HeadingMatch?]
    /// Whether headings with text on the same line count too, because few are alone.
    private let usesInline: Bool

    init(_ lines: [ResumeLine]) {
        self.lines = lines
        let all = lines.map(HeadingMatch.init)
        var matches = all
        for index in lines.indices where all[index] != nil {
            if !Self.isBelieved(index, lines, all) { matches[index] = nil }
        }
        self.matches = matches
        let alone = lines.indices.filter {
            matches[$0]?.form == .alone && matches[$0]?.kind.isSendable == true
        }
        // "Ausbildung:" above its text and "Sprachen: Deutsch" are one style.
        let withColon = alone.count { lines[$0].text.hasSuffix(":") }
        usesInline =
            Set(alone.map { matches[$0]?.kind }).count < 2 || withColon * 2 >= alone.count
        cut()
    }

    /// Whether a possible heading really is one.
    private static func isBelieved(
        _ index: Int, _ lines: [ResumeLine], _ matches: [HeadingMatch?]
    ) -> Bool {
        guard let match = matches[index] else { return false }
        let line = lines[index]
        // "RESUME" at the top is the title of the document, "Resumé" further down a
        // summary.
        if index < 4, match.form == .alone, isTitle(line) { return false }
        let isMarked = line.style != .plain || line.text.hasSuffix(":")
        if isMarked { return true }
        guard let first = match.words.first, !first.isLowercase || line.hasBlankBefore else {
            return false
        }
        let isOneWord = !match.words.contains(" ")
        if match.form == .alone, isOneWord, !line.hasBlankBefore, index > 0 {
            // A single word among such words is a list item: "Leadership".
            let isAmongWords =
                lines[index - 1].words.count <= 2 && matches[index - 1] == nil
                && !lines[index - 1].text.contains(where: \.isNumber)
            if isAmongWords {
                return !match.kind.isSendable
                    ? match.kind == .references : strong.contains(match.kind)
            }
            if match.kind == .contact || match.kind == .photo { return false }
        }
        return true
    }

    private static let strong: Set<ResumeSection.Kind> = [
        .experience, .education, .skills, .languages, .summary,
    ]

    static func isTitle(_ line: ResumeLine) -> Bool {
        let key = ResumeWords.key(HeadingMatch.plain(line.text, line.style))
        return ResumeWords.shared.titles.contains(key)
    }

    // MARK: - Cutting

    private mutating func cut() {
        var boundaries: [Int] = []
        var current: ResumeSection.Kind?
        for index in lines.indices {
            guard let match = matches[index], begins(match, lines[index], in: current) else {
                continue
            }
            boundaries.append(index)
            current = match.kind
        }
        guard let first = boundaries.first else {
            pieces = [Piece(kind: .other, heading: "", lines: lines)]
            splitDeclarations()
            return
        }
        hasHeadings = true
        head = Array(lines[..<first])
        for (place, start) in boundaries.enumerated() {
            let end = place + 1 < boundaries.count ? boundaries[place + 1] : lines.count
            guard let match = matches[start] else { continue }
            var own = Array(lines[(start + 1)..<end])
            if !match.rest.isEmpty {
                var line = ResumeLine(match.rest)
                line.hasBlankBefore = true
                own.insert(line, at: 0)
            }
            count(match)
            pieces.append(Piece(kind: match.kind, heading: match.words, lines: own))
        }
        splitDeclarations()
    }

    /// Adds the languages of a heading. "Education" counts as English before it counts as
    /// "éducation" without accents; English headings are common in texts in other
    /// languages.
    private mutating func count(_ match: HeadingMatch) {
        let isEnglish =
            match.languages.contains("en") && match.words.unicodeScalars.allSatisfy(\.isASCII)
        for language in match.languages {
            languages[language, default: 0] +=
                language == "en" ? 1.5 : isEnglish ? 0.3 : 3 / Double(match.languages.count)
        }
    }

    /// Whether a heading begins a section if the section before it is `current`.
    private func begins(
        _ match: HeadingMatch, _ line: ResumeLine, in current: ResumeSection.Kind?
    ) -> Bool {
        if match.form == .alone { return true }
        if usesInline {
            // In a block of personal details, "Languages: …" is one of them.
            if let current, !current.isSendable {
                return match.kind.isSendable
                    && (line.hasBlankBefore
                        || Self.strong.contains(match.kind) && match.kind != .languages)
            }
            return match.kind.isSendable || match.kind != .contact && match.kind != .photo
        }
        if !match.kind.isSendable {
            return match.kind == .references && line.hasBlankBefore
        }
        // "SUMMARY: Data scientist …"
        if match.form == .inline, current?.isSendable != false, match.words.count >= 5,
            match.words == match.words.uppercased()
        {
            return true
        }
        // "SKILLS      Swift, SQL", with the headings in the margin.
        return match.form == .hanging && line.hasBlankBefore && current?.isSendable != false
            && match.words == match.words.uppercased()
    }

    /// Moves the declaration and signature at the end to a section of their own.
    private mutating func splitDeclarations() {
        pieces = pieces.flatMap { piece -> [Piece] in
            guard piece.kind.isSendable,
                let start = piece.lines.firstIndex(where: { Self.isDeclaration($0.text) })
            else { return [piece] }
            // "References available upon request" in the middle is one line.
            var before = piece
            before.lines = Array(piece.lines[..<start])
            let first = piece.lines[start]
            let isLast = piece.lines.count - start <= 14
            if !isLast || first.words.count <= 6 && piece.lines.count - start > 6 {
                before.lines += piece.lines[(start + 1)...].filter { !Self.isDeclaration($0.text) }
                return [before]
            }
            return [
                before,
                Piece(
                    kind: .declaration, heading: "", lines: Array(piece.lines[start...]),
                    isFoundByWords: true),
            ]
        }
    }

    static func isDeclaration(_ text: String) -> Bool {
        let folded = ResumeWords.folded(text)
        return ResumeWords.shared.declarations.contains { start in
            folded.hasPrefix(start)
                && (folded.utf8.count == start.utf8.count
                    || !(folded.dropFirst(start.count).first?.isLetter ?? false))
        }
    }
}
