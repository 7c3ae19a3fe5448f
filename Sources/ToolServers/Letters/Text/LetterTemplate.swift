import Base

/// A letter without a model: the role and the company of the advert, the words shared by
/// résumé and advert, and the lines of the résumé that contain them. Pure.
///
/// It makes no claims: anything about the applicant is quoted from the résumé. German for a
/// German letter, otherwise English.
package struct LetterTemplate: Sendable {
    /// Words shared by both, most important first, as spelled in the advert.
    package let keywords: [String]
    /// Lines quoted from the résumé without their bullets.
    package let lines: [String]
    private let role: String?
    private let company: String?
    private let settings: LetterSettings
    private let phrases: [String: String]

    private static let keywordLimit = 5
    /// Maximum number of quoted lines; more would be a résumé.
    private static let lineLimit = 9

    /// - Parameter language: a tag such as `de-AT`.
    package init(
        resume: String, job: String, role: String?, company: String?, settings: LetterSettings,
        language: String
    ) {
        self.role = role
        self.company = company
        self.settings = settings
        phrases = LetterTexts.named(language.hasPrefix("de") ? "template de" : "template en")
        // The name of the job says nothing about the applicant.
        let named = Set(
            Self.words([role, company].compactMap(\.self).joined(separator: " ")).map(\.key))
        let wanted = Self.wanted(job, notIn: named)
        let known = Set(Self.words(resume).map(\.key))
        keywords = wanted.filter { known.contains($0.key) }.prefix(Self.keywordLimit)
            .map(\.spelling)
        lines = Self.lines(resume, with: wanted.map(\.key).filter(known.contains))
    }

    /// Paragraphs between blank lines, as in a model's answer.
    package var body: String {
        var paragraphs = [opening]
        let limit = settings.length == .short ? 2 : 4
        let quoted = quoted(atLeast: limit)
        if !lines.isEmpty {
            let first = settings.length == .long ? Array(quoted.prefix(limit)) : quoted
            let list = first.map { "- \($0)" }.joined(separator: "\n")
            paragraphs.append("\(match)\n\(list)")
        } else if settings.length != .short {
            paragraphs.append(match)
        }
        if settings.length == .long {
            let more = quoted.dropFirst(limit)
            paragraphs.append(
                more.isEmpty
                    ? phrase("resume")
                    : ([phrase("more")] + more.map { "- \($0)" }).joined(separator: "\n"))
        }
        let closing = phrase("closing \(settings.tone)")
        if settings.length == .short, paragraphs.count > 1 {
            // Two paragraphs: the text after the list closes the letter.
            return "\(opening) \(paragraphs[1])\n\n\(closing)"
        }
        return (paragraphs + [closing]).joined(separator: "\n\n")
    }

    /// The best lines, and more of them until the letter is long enough. Nothing is made
    /// up, so it may stay shorter.
    private func quoted(atLeast count: Int) -> [String] {
        var words = LetterAnswer.words(
            [opening, match, phrase("closing \(settings.tone)")].joined(separator: " "))
        var quoted: [String] = []
        for line in lines.prefix(Self.lineLimit) {
            if quoted.count >= count, words >= settings.length.words.lowerBound { break }
            quoted.append(line)
            words += LetterAnswer.words(line)
        }
        return quoted
    }

    private func phrase(_ name: String) -> String { phrases[name, default: ""] }

    private var opening: String {
        // "at Salt & Rye Inc.." needs only one full stop.
        let sentence =
            switch (role, company) {
            case (let role?, let company?):
                phrase("role and company").replacing("{role}", with: role)
                    .replacing("{company}", with: company).replacing("..", with: ".")
            case (let role?, nil): phrase("role").replacing("{role}", with: role)
            case (nil, let company?):
                phrase("company").replacing("{company}", with: company).replacing("..", with: ".")
            case (nil, nil): phrase("neither")
            }
        // A sentence that announces lines needs some.
        if lines.isEmpty, settings.tone == .professional { return sentence }
        return "\(sentence) \(phrase("opening \(settings.tone)"))".trimmingSpace()
    }

    private var match: String {
        guard !keywords.isEmpty else {
            return lines.isEmpty ? phrase("resume") : phrase("lines")
        }
        let list = keywords.dropLast().joined(separator: ", ")
        let words =
            list.isEmpty ? keywords.joined() : "\(list) \(phrase("and")) \(keywords.last ?? "")"
        return (lines.isEmpty ? phrase("keywords alone") : phrase("keywords"))
            .replacing("{keywords}", with: words)
    }

    // MARK: - Shared words

    private struct Word {
        /// Key for comparison.
        var key: String
        var spelling: String
    }

    /// Words as skills are spelled: `C++`, `Node.js`, `CI/CD`; none from an address, since
    /// `jobs@acme.com` asks for no skill called "jobs".
    private static func words(_ text: String) -> [Word] {
        let text = text.split(whereSeparator: \.isWhitespace).filter { word in
            !word.contains("@") && !word.contains("://") && !word.hasPrefix("www.")
        }.joined(separator: " ")
        return text.split { !$0.isLetter && !$0.isNumber && !"+#./-".contains($0) }.compactMap {
            part in
            let spelling = String(part).trimming { ".-/".contains($0) }.description
            return spelling.contains(where: \.isLetter)
                ? Word(key: SearchText.folded(spelling), spelling: spelling) : nil
        }
    }

    /// Words that say nothing about a job.
    private static let vague = Set(LetterTexts.words("vague"))

    /// Words of the advert that name requirements, most frequent first; names and terms
    /// before other words.
    private static func wanted(_ job: String, notIn named: Set<String>) -> [Word] {
        var found: [String: (word: Word, weight: Int, place: Int)] = [:]
        for (place, word) in words(job).enumerated() {
            let isTerm =
                word.spelling.dropFirst().contains { $0.isUppercase || $0.isNumber }
                || word.spelling.contains { "+#".contains($0) }
            guard word.key.count >= 4 || isTerm, !named.contains(word.key),
                !vague.contains(word.key)
            else { continue }
            let isName = word.spelling.first?.isUppercase == true
            found[word.key, default: (word, 0, place)].weight += isTerm ? 4 : isName ? 2 : 1
        }
        return found.values.sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }.map(\.word)
    }

    /// Meaningful lines, those with most of the words first.
    private static func lines(_ resume: String, with keys: [String]) -> [String] {
        let keys = Set(keys)
        var scored: [(line: String, score: Int, place: Int)] = []
        for (place, raw) in resume.split(whereSeparator: \.isNewline).enumerated() {
            let line = raw.trimming { $0.isWhitespace || "-•*–·▪‣●#|".contains($0) }.description
            let words = words(line)
            guard (4...40).contains(words.count) else { continue }
            let score = Set(words.map(\.key)).intersection(keys).count
            if score > 0 { scored.append((line, score, place)) }
        }
        return scored.sorted { ($1.score, $0.place) < ($0.score, $1.place) }.map(\.line)
    }
}
