import Base

/// Cuts the lines of a résumé at its headings: what stands above the first of them,
/// then one section after the other. Pure.
///
/// It is careful where it may be wrong: a line that only may be a heading neither
/// ends the head nor a section that is not sent.
struct SectionCutter {
    struct Piece: Sendable, Equatable {
        var kind: ResumeSection.Kind
        var heading: String
        var lines: [ResumeLine]
        /// A line of the declaration or of consent begins it, no heading.
        var isFoundByWords = false
    }

    private(set) var head: [ResumeLine] = []
    private(set) var pieces: [Piece] = []
    /// How many headings speak for each language.
    private(set) var languages: [String: Double] = [:]
    /// No heading was found: `head` is empty and the one piece is everything.
    private(set) var hasHeadings = false

    private let lines: [ResumeLine]
    private let matches: [HeadingMatch?]
    /// Few headings stand alone: those with their text in the same line count too.
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
        // "Ausbildung:" over its text and "Sprachen: Deutsch" are one style.
        let withColon = alone.count { lines[$0].text.hasSuffix(":") }
        usesInline =
            Set(alone.map { matches[$0]?.kind }).count < 2 || withColon * 2 >= alone.count
        cut()
    }

    /// Whether words that may head a section do.
    private static func isBelieved(
        _ index: Int, _ lines: [ResumeLine], _ matches: [HeadingMatch?]
    ) -> Bool {
        guard let match = matches[index] else { return false }
        let line = lines[index]
        // "RESUME" on top is the name of the whole, "Resumé" further down a summary.
        if index < 4, match.form == .alone, isTitle(line) { return false }
        let isMarked = line.style != .plain || line.text.hasSuffix(":")
        if isMarked { return true }
        guard let first = match.words.first, !first.isLowercase || line.hasBlankBefore else {
            return false
        }
        let isOneWord = !match.words.contains(" ")
        if match.form == .alone, isOneWord, !line.hasBlankBefore, index > 0 {
            // One word among such words is an item of a list: "Leadership".
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
        let key = ResumeWords.letters(
            ResumeWords.folded(HeadingMatch.plain(line.text, line.style)))
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
        while let first = boundaries.first, isStillHead(first, boundaries) {
            boundaries.removeFirst()
        }
        if let first = boundaries.first, isWorkAbove(first, boundaries) { boundaries = [] }
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

    /// "Education" is English before it is "éducation" without its accents; over texts in
    /// other languages English headings are common.
    private mutating func count(_ match: HeadingMatch) {
        let isEnglish =
            match.languages.contains("en") && match.words.unicodeScalars.allSatisfy(\.isASCII)
        for language in match.languages {
            languages[language, default: 0] +=
                language == "en" ? 1.5 : isEnglish ? 0.3 : 3 / Double(match.languages.count)
        }
    }

    /// Whether a heading begins a section where `current` is the one before.
    private func begins(
        _ match: HeadingMatch, _ line: ResumeLine, in current: ResumeSection.Kind?
    ) -> Bool {
        if match.form == .alone { return true }
        if usesInline {
            // In a block of personal details "Languages: …" is one of them.
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
        // "SKILLS      Swift, SQL" with the headings in the margin.
        return match.form == .hanging && line.hasBlankBefore && current?.isSendable != false
            && match.words == match.words.uppercased()
    }

    /// No heading stands alone, and several lines above the first label of a section
    /// tell of work: a table, in which that label is one row.
    private func isWorkAbove(_ first: Int, _ boundaries: [Int]) -> Bool {
        guard usesInline, boundaries.allSatisfy({ matches[$0]?.form != .alone }) else {
            return false
        }
        return lines[..<first].count { line in
            line.words.count >= 4 && Self.hasYears(line) && LabelledValue.all(in: line).isEmpty
        } >= 2
    }

    /// Lines of contact right under the first heading: it stands in the head, as a
    /// headline or in a sidebar.
    private func isStillHead(_ index: Int, _ boundaries: [Int]) -> Bool {
        guard index > 0, boundaries.count >= 2, boundaries[0] == index, let match = matches[index],
            match.kind.isSendable, match.form == .alone || match.form == .inline
        else { return false }
        // Up to the first line that tells of work: contact details that stand below one
        // are those of a page.
        let below = lines[(index + 1)..<min(boundaries[1], index + 7)].prefix { line in
            !line.isBullet && line.words.count <= 20 && !Self.hasYears(line)
        }
        return below.contains { PrivateLine.isPrivate($0) }
    }

    static func hasYears(_ line: ResumeLine) -> Bool {
        line.text.split { !$0.isNumber }.contains {
            $0.count == 4 && ($0.hasPrefix("19") || $0.hasPrefix("20"))
        }
    }

    /// "Personal profile" heads a summary in one country and the date of birth in
    /// another: what is mostly labels of that kind is not sent.
    private static func isPersonal(_ lines: [ResumeLine]) -> Bool {
        let count = lines.count { line in
            LabelledValue.all(in: line).contains { labelled in
                switch labelled.label {
                case .birth, .personal, .relative, .identifier, .email, .phone: !labelled.isWeak
                case .name, .given, .family, .address, .url, .referee: false
                }
            }
        }
        return count >= 3 && count * 5 >= lines.count * 2
    }

    /// What a person declares or signs at the end has a section of its own.
    private mutating func splitDeclarations() {
        for index in pieces.indices
        where hasHeadings && pieces[index].kind.isSendable && Self.isPersonal(pieces[index].lines) {
            pieces[index].kind = .personal
        }
        pieces = pieces.flatMap { piece -> [Piece] in
            guard piece.kind.isSendable,
                let start = piece.lines.firstIndex(where: { Self.isDeclaration($0.text) })
            else { return [piece] }
            // "References available upon request" in between is one line.
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
