import Base

/// The evidence for and against one possible speaker of an utterance.
struct CandidateEvidence {
    /// An index into the cast; nil for anyone else.
    var character: Int?
    var features: [SpeakerFeature]
}

/// Collects the evidence for every utterance of a text.
struct EvidenceCollector {
    let text: StoryText
    let index: CastIndex
    let narrator: Int?
    let utterances: [Utterance]
    /// The narrated mentions of each character in order, each with the utterance that follows:
    /// distance is counted in utterances.
    var told: [[Told]]
    /// The utterances that address each character.
    var addresses: [[Int]]
    var ranks: [Int]
    /// Amount of narration up to each utterance. A run of quotations with no narration
    /// between hardly advances it, so that its speakers stay near.
    let clock: [Int]

    struct Told {
        var token: Int
        var utterance: Int
        /// The utterance whose tag mentions the speaker without a name, as "she" or "his wife";
        /// else -1.
        var tag = -1
    }

    /// A speaker to whom a tag refers without a name.
    struct Meant {
        var character: Int
        var token: Int
        var utterance: Int
    }

    /// Maximum number of candidates; nearer ones come first.
    static let limit = 10

    init(
        _ text: StoryText, _ index: CastIndex, _ utterances: [Utterance], narrator: Int?,
        meant: [Meant] = []
    ) {
        self.text = text
        self.index = index
        self.utterances = utterances
        self.narrator = narrator
        var time = 0
        clock = utterances.map { utterance in
            time += utterance.gap == .adjacent && utterance.beside.isEmpty ? 1 : 4
            return time
        }
        let count = index.genders.count
        told = Array(repeating: [], count: count)
        addresses = Array(repeating: [], count: count)
        var totals = [Int](repeating: 0, count: count)
        var next = 0
        for mention in index.mentions {
            let token = mention.tokens.lowerBound
            while next < utterances.count, utterances[next].tokens.lowerBound <= token {
                next += 1
            }
            totals[mention.character] += 1
            if text.tokens[token].flags.contains(.inQuotation) { continue }
            told[mention.character].append(
                Told(token: token, utterance: next))
        }
        for one in meant {
            told[one.character].append(
                Told(
                    token: one.token, utterance: one.utterance + 1, tag: one.utterance))
        }
        for character in Set(meant.map(\.character)) {
            told[character].sort { $0.token < $1.token }
        }
        for (number, utterance) in utterances.enumerated() {
            for character in utterance.addressed { addresses[character].append(number) }
        }
        ranks = [Int](repeating: 4, count: count)
        let order = totals.indices.sorted { (totals[$0], $1) > (totals[$1], $0) }
        for (place, character) in order.enumerated() where totals[character] > 0 {
            ranks[character] = place == 0 ? 0 : place < 3 ? 1 : place < 8 ? 2 : place < 20 ? 3 : 4
        }
        guard let narrator else { return }
        next = 0
        for (number, token) in text.tokens.enumerated()
        where !token.flags.contains(.inQuotation) && token.isWord {
            guard text.vocabulary.classes(of: token.word).contains(.firstPerson) else { continue }
            while next < utterances.count, utterances[next].tokens.lowerBound <= number {
                next += 1
            }
            told[narrator].append(Told(token: number, utterance: next))
        }
        told[narrator].sort { $0.token < $1.token }
        ranks[narrator] = min(ranks[narrator], 1)
    }

    // MARK: - Candidates

    func candidates() -> [[CandidateEvidence]] {
        var cursors = [Int](repeating: 0, count: told.count)
        return utterances.indices.map { number in
            let start = utterances[number].tokens.lowerBound
            for character in told.indices {
                while cursors[character] < told[character].count,
                    told[character][cursors[character]].token < start
                { cursors[character] += 1 }
            }
            return candidates(of: number, cursors)
        }
    }

    func time(_ utterance: Int) -> Int {
        utterance < 0 ? 0 : clock[min(utterance, clock.count - 1)]
    }

    struct Presence {
        var character: Int
        /// Utterances since the last and until the next narrated mention.
        var back: Int
        var ahead: Int
        /// The token of the last mention before the first quotation, or -1.
        var last: Int
        /// The nearest utterance that addresses them.
        var addressed: Int
        var nearest: Int { min(back, ahead + 4, addressed * 4 + 4) }
    }

    func candidates(of number: Int, _ cursors: [Int]) -> [CandidateEvidence] {
        let utterance = utterances[number]
        var presences: [Presence] = []
        for character in told.indices {
            let cursor = cursors[character]
            let last = cursor > 0 ? told[character][cursor - 1] : nil
            let next = told[character][cursor...].first { $0.tag != number }
            let presence = Presence(
                character: character, back: last.map { clock[number] - time($0.utterance) } ?? 9999,
                // Narration between this utterance and the next is at distance 0.
                ahead: next.map { time($0.utterance - 1) - clock[number] } ?? 9999,
                last: last?.token ?? -1,
                addressed: addressDistance(character, from: number))
            if presence.nearest < 100 { presences.append(presence) }
        }
        var wanted = Set(
            utterance.beside.compactMap { beside -> Int? in
                if case .character(let character) = beside.clause.subject { return character }
                return nil
            })
        if let narrator { wanted.insert(narrator) }
        wanted.formUnion(relatives(utterance, presences.map(\.character)))
        presences.sort {
            let (a, b) = (wanted.contains($0.character), wanted.contains($1.character))
            if a != b { return a }
            return ($0.nearest, ranks[$0.character], $0.character)
                < ($1.nearest, ranks[$1.character], $1.character)
        }
        for character in wanted.sorted()
        where !presences.contains(where: { $0.character == character }) {
            presences.insert(
                Presence(character: character, back: 9999, ahead: 0, last: -1, addressed: 999),
                at: 0)
        }
        presences = Array(presences.prefix(max(Self.limit, wanted.count)))
        var evidence = presences.map {
            CandidateEvidence(
                character: $0.character,
                features: features(of: $0, number, among: presences))
        }
        evidence.append(CandidateEvidence(character: nil, features: nobody(utterance)))
        return evidence
    }

    func addressDistance(_ character: Int, from number: Int) -> Int {
        let list = addresses[character]
        let low = list.partitioningIndex { $0 >= number }
        var best = 999
        if low < list.count { best = list[low] - number }
        if low > 0 { best = min(best, number - list[low - 1]) }
        return best
    }

    func nobody(_ utterance: Utterance) -> [SpeakerFeature] {
        let isOther = utterance.beside.contains {
            guard $0.clause.manner == .tag else { return false }
            return switch $0.clause.subject {
            case .several, .other: true
            default: false
            }
        }
        return isOther ? [.nobody, .otherNobody] : [.nobody]
    }

    // MARK: - Features

    func features(
        of presence: Presence, _ number: Int, among all: [Presence]
    ) -> [SpeakerFeature] {
        let utterance = utterances[number]
        return utterance.beside.flatMap { beside($0, presence, of: utterance, among: all) ?? [] }
            + speech(presence.character, number) + around(presence, utterance, all)
    }
}
