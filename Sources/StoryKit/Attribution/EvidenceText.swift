/// Describes in a few words why an utterance is attributed to its speaker.
struct EvidenceText {
    let text: StoryText
    let cast: Cast

    /// - Parameter before: speakers of the previous utterance and of the one before that.
    func describe(
        _ utterance: Utterance, _ candidate: CandidateEvidence, before: [Int?]
    ) -> String {
        guard let character = candidate.character else {
            return "no character fits"
        }
        let features = Set(candidate.features)
        let clause = utterance.beside.max { $0.clause.manner < $1.clause.manner }
        let words = clause.map { "“\(excerpt($0.clause))”" } ?? ""
        if features.contains(.nameTag) || features.contains(.narratorTag) { return "tag \(words)" }
        if features.contains(.nameDistant) { return "named before the quotation, \(words)" }
        let fitting: Set<SpeakerFeature> = [
            .pronounFirst, .pronounSecond, .pronounThird, .pronounNever, .roleTag, .roleFits,
        ]
        if !features.isDisjoint(with: fitting) {
            return "tag \(words), \(name(character)) fits best"
        }
        if !features.isDisjoint(with: [.beatBefore, .beatAfter, .possessive, .narratorBeat]) {
            return "acts next to the quotation, \(words)"
        }
        if features.contains(.addressedBefore) { return "is addressed just before" }
        if before.count > 1, before[1] == character, before[0] != character {
            let other = before[0].map { " with \(name($0))" } ?? ""
            return "takes turns\(other)"
        }
        if features.contains(.addressedAfter) { return "is addressed in the answer" }
        if !features.isDisjoint(with: [.precedingSubject, .toldJustBefore]) {
            return "is mentioned just before"
        }
        if before.first == character { return "keeps speaking" }
        return "is in the scene"
    }

    private func name(_ character: Int) -> String { cast.characters[character].name }

    /// The clause from its subject or verb on, on one line.
    private func excerpt(_ clause: ClauseReader.Clause) -> String {
        var first = clause.position
        if first > 0, text.tokens[first - 1].isWord,
            text.vocabulary.classes(of: text.tokens[first - 1].word).contains(.speechVerb)
        {
            first -= 1
        }
        var end = first
        while end < text.tokens.count, end - first < 6 {
            let token = text.tokens[end]
            if token.flags.contains(.inQuotation) { break }
            let length = token.end - token.start
            if !token.isWord, end > clause.position,
                length > 1 || text.bytes[Int(token.start)] != 0x2E
            {
                break
            }
            end += 1
        }
        guard end > first else { return "" }
        let range = Int(text.tokens[first].start)..<Int(text.tokens[end - 1].end)
        return text.text(of: range).split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
