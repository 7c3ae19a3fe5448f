/// What speaks for each member of the cast who may have spoken an utterance.
struct CandidateEvidence {
    /// An index into the cast, or nil for nobody of it.
    var character: Int?
    var features: [SpeakerFeature]
}

/// Collects the evidence for every utterance of a text.
struct EvidenceCollector {
    private let text: StoryText
    private let index: CastIndex
    private let narrator: Int?
    private let utterances: [Utterance]
    /// The utterance after the narration with a mention, for each narrated mention of a
    /// character, in order: distance is counted in utterances.
    private var told: [[Told]]
    /// The utterances that address a character.
    private var addresses: [[Int]]
    private var ranks: [Int]
    /// How much has been told up to each utterance: a run of quotations with nothing told
    /// between hardly moves, so that its speakers stay near.
    private let clock: [Int]
    private var narratorTold: [Int] = []

    private struct Told {
        var token: Int
        var utterance: Int
        var isSubject: Bool
        /// The utterance whose tag it is, where "she" or "his wife" was made out.
        var tag = -1
    }

    /// A speaker whom a tag means without naming them.
    struct Meant {
        var character: Int
        var token: Int
        var utterance: Int
    }

    /// So many candidates at most; those nearer in the text come first.
    private static let limit = 10

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
                Told(token: token, utterance: next, isSubject: Self.isSubject(mention, text)))
        }
        for one in meant {
            told[one.character].append(
                Told(
                    token: one.token, utterance: one.utterance + 1, isSubject: true,
                    tag: one.utterance))
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
            told[narrator].append(Told(token: number, utterance: next, isSubject: false))
            narratorTold.append(number)
        }
        told[narrator].sort { $0.token < $1.token }
        ranks[narrator] = min(ranks[narrator], 1)
    }

    private static func isSubject(_ mention: CastIndex.Mention, _ text: StoryText) -> Bool {
        guard !mention.isPossessive else { return false }
        guard mention.tokens.lowerBound > 0 else { return true }
        var before = text.tokens[mention.tokens.lowerBound - 1]
        if before.isWord, mention.tokens.lowerBound > 1,
            !text.vocabulary.classes(of: before.word).isDisjoint(with: [
                .title, .determiner, .endearment,
            ])
        {
            before = text.tokens[mention.tokens.lowerBound - 2]
        }
        guard before.isWord else { return true }
        let classes = text.vocabulary.classes(of: before.word)
        return text.tokens[mention.tokens.lowerBound].flags.contains(.startsSentence)
            || (classes.isDisjoint(with: [.preposition, .determiner])
                && !classes.isDisjoint(with: [.conjunction, .speechVerb, .adverb]))
    }

    // MARK: - Who spoke

    /// How much each candidate speaks in the utterances around, as a first decision over
    /// all of them tells.
    struct Spoken {
        private let candidates: [[CandidateEvidence]]
        private let probabilities: [[Double]]
        private static let reach = 10

        init(_ candidates: [[CandidateEvidence]], _ probabilities: [[Double]]) {
            self.candidates = candidates
            self.probabilities = probabilities
        }

        func add(to second: inout [[CandidateEvidence]]) {
            for number in second.indices {
                var spoken: [Int: Double] = [:]
                let around =
                    max(0, number - Self.reach)...min(second.count - 1, number + Self.reach)
                for other in around where other != number {
                    for (place, candidate) in candidates[other].enumerated() {
                        guard let character = candidate.character else { continue }
                        spoken[character, default: 0] += probabilities[other][place]
                    }
                }
                for place in second[number].indices {
                    guard let character = second[number][place].character else { continue }
                    let feature: SpeakerFeature =
                        switch spoken[character, default: 0] {
                        case ..<0.4: .spokeNever
                        case ..<1.5: .spokeOnce
                        case ..<4: .spokeSometimes
                        default: .spokeOften
                        }
                    second[number][place].features.append(feature)
                }
            }
        }
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

    private func time(_ utterance: Int) -> Int {
        utterance < 0 ? 0 : clock[min(utterance, clock.count - 1)]
    }

    private struct Presence {
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

    private func candidates(of number: Int, _ cursors: [Int]) -> [CandidateEvidence] {
        let utterance = utterances[number]
        var presences: [Presence] = []
        for character in told.indices {
            let cursor = cursors[character]
            let last = cursor > 0 ? told[character][cursor - 1] : nil
            let next = told[character][cursor...].first { $0.tag != number }
            let presence = Presence(
                character: character, back: last.map { clock[number] - time($0.utterance) } ?? 9999,
                // What is told after this utterance and before the next is at distance 0.
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

    private func addressDistance(_ character: Int, from number: Int) -> Int {
        let list = addresses[character]
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle] < number { low = middle + 1 } else { high = middle }
        }
        var best = 999
        if low < list.count { best = list[low] - number }
        if low > 0 { best = min(best, number - list[low - 1]) }
        return best
    }

    private func nobody(_ utterance: Utterance) -> [SpeakerFeature] {
        var features: [SpeakerFeature] = [.nobody]
        for beside in utterance.beside where beside.clause.manner == .tag {
            switch beside.clause.subject {
            case .several: features.append(.severalNobody)
            case .other(let tokens, _):
                features.append(
                    text.tokens[tokens.lowerBound].isCapitalized ? .unnamedNobody : .roleNobody)
            default: break
            }
        }
        return features
    }

    // MARK: - Features

    private func features(
        of presence: Presence, _ number: Int, among all: [Presence]
    ) -> [SpeakerFeature] {
        let utterance = utterances[number]
        let character = presence.character
        var features: [SpeakerFeature] = []
        var isSubject = false
        for beside in utterance.beside {
            if let feature = self.beside(beside, presence, utterance, all) {
                if case .character(character) = beside.clause.subject { isSubject = true }
                features += feature
            }
            if beside.clause.addressee == character, !isSubject { features.append(.addressee) }
        }
        if !isSubject, character != narrator, isObject(character, utterance) {
            features.append(.objectBeside)
        }
        features += speech(character, number)
        features += around(presence, utterance, all)
        return features
    }

    /// What a clause beside the quotation says of a candidate.
    private func beside(
        _ beside: Utterance.Beside, _ presence: Presence, _ utterance: Utterance, _ all: [Presence]
    ) -> [SpeakerFeature]? {
        let character = presence.character
        let gender = index.genders[character]
        let manner = beside.clause.manner
        switch beside.clause.subject {
        case .character(let subject):
            guard subject == character else { return nil }
            switch manner {
            case .tag: return [.nameTag]
            case .distant: return [.nameDistant]
            case .beat: return [beside.place == .before ? .beatBefore : .beatAfter]
            case .possessive: return [.possessive]
            }
        case .narrator:
            guard character == narrator else { return nil }
            return [manner >= .distant ? .narratorTag : .narratorBeat]
        case .pronoun(let wanted):
            if character == narrator { return [.narratorMismatch] }
            let isTag = manner >= .distant
            if let gender, gender != wanted {
                return [isTag ? .pronounMismatch : .beatPronounMismatch]
            }
            var features: [SpeakerFeature] = []
            if gender == nil { features.append(.pronounUnknown) }
            let rank = rank(of: presence, wanted, before: beside.clause.position, all)
            if isTag {
                features.append(
                    [.pronounFirst, .pronounSecond, .pronounThird, .pronounNever][rank.place])
                if rank.isSubject { features.append(.pronounSubject) }
            } else if rank.place == 0 {
                features.append(.beatPronounFirst)
            } else if rank.place == 1 {
                features.append(.beatPronounSecond)
            }
            return features
        case .other(let tokens, let wanted):
            guard manner == .tag else { return nil }
            if let gender, let wanted, gender != wanted { return [.roleMismatch] }
            return (wanted != nil && gender == wanted ? [.roleTag] : [])
                + relation(tokens, presence, all)
        case .several: return nil
        }
    }

    /// Whether a candidate may be "her mother", "his lady", "the girl".
    private func relation(
        _ tokens: Range<Int>, _ presence: Presence, _ all: [Presence]
    ) -> [SpeakerFeature] {
        guard let last = tokens.last,
            let kin = Self.kin[text.vocabulary.text(of: text.tokens[last].word)]
        else { return [] }
        var features = [fits(presence.character, kin) ? SpeakerFeature.roleFits : .roleUnfit]
        if kin != .elder, isOfFamily(presence.character, all.map(\.character)) {
            features.append(.roleSurname)
        }
        return features
    }

    /// Whether a name is that of a wife, a parent, an aunt, a child.
    private func fits(_ character: Int, _ kin: Kin) -> Bool {
        let family = index.families[character]
        let isElder = family.isWife || family.isGentleman
        return kin == .child ? !isElder : isElder
    }

    private func isOfFamily(_ character: Int, _ others: [Int]) -> Bool {
        guard let surname = index.families[character].surname else { return false }
        return others.contains { $0 != character && index.families[$0].surname == surname }
    }

    private enum Kin { case spouse, parent, elder, child }
    private static let kin: [String: Kin] = [
        "wife": .spouse, "husband": .spouse, "lady": .spouse, "spouse": .spouse,
        "mother": .parent, "father": .parent, "mamma": .parent, "mama": .parent,
        "papa": .parent, "aunt": .elder, "uncle": .elder, "daughter": .child, "son": .child,
        "sister": .child, "brother": .child, "girl": .child, "boy": .child, "niece": .child,
        "nephew": .child, "child": .child,
    ]

    /// Those of a nearby family whom "his wife" may mean, though nobody named them yet.
    private func relatives(_ utterance: Utterance, _ near: [Int]) -> [Int] {
        var found: [Int] = []
        for beside in utterance.beside where beside.clause.manner == .tag {
            guard case .other(let tokens, let gender) = beside.clause.subject,
                let last = tokens.last,
                let kin = Self.kin[text.vocabulary.text(of: text.tokens[last].word)],
                kin == .spouse || kin == .parent
            else { continue }
            found += index.genders.indices.filter {
                index.genders[$0] == gender && fits($0, kin) && isOfFamily($0, near)
            }
        }
        return found
    }

    /// The place of a candidate among those a pronoun may mean, by who was told of last.
    private func rank(
        of presence: Presence, _ gender: StoryCharacter.Gender, before token: Int, _ all: [Presence]
    ) -> (place: Int, isSubject: Bool) {
        let own = lastTold(presence.character, before: token)
        guard own.token >= 0, presence.back < 100 || own.token > presence.last else {
            return (3, false)
        }
        var place = 0
        var isSubject = own.isSubject
        for other in all where other.character != presence.character {
            if other.character == narrator { continue }
            if let theirs = index.genders[other.character], theirs != gender { continue }
            let last = lastTold(other.character, before: token)
            if last.token > own.token {
                place += 1
                if last.isSubject { isSubject = false }
            }
        }
        return (min(place, 2), isSubject)
    }

    private func lastTold(_ character: Int, before token: Int) -> (token: Int, isSubject: Bool) {
        let place = firstTold(character, from: token)
        return place > 0
            ? (told[character][place - 1].token, told[character][place - 1].isSubject)
            : (-1, false)
    }

    private func firstTold(_ character: Int, from token: Int) -> Int {
        let list = told[character]
        var low = 0
        var high = list.count
        while low < high {
            let middle = (low + high) / 2
            if list[middle].token < token { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a candidate is named beside the quotation without being the subject.
    private func isObject(_ character: Int, _ utterance: Utterance) -> Bool {
        let list = told[character]
        var place = firstTold(character, from: utterance.tokens.upperBound) - 1
        while place >= 0, list[place].tag >= 0 { place -= 1 }
        return place >= 0 && list[place].token >= utterance.tokens.lowerBound
    }

    /// What this utterance and those beside it say of whom they are spoken to.
    private func speech(_ character: Int, _ number: Int) -> [SpeakerFeature] {
        let utterance = utterances[number]
        var features: [SpeakerFeature] = []
        if utterance.addressed.contains(character) { features.append(.addressedHere) }
        if utterance.mentioned.contains(character) { features.append(.mentionedHere) }
        let gender = index.genders[character]
        if number > 0, utterance.gap != .scene, utterance.gap != .continued {
            let before = utterances[number - 1]
            if before.addressed.contains(character) { features.append(.addressedBefore) }
            if before.mentioned.contains(character) { features.append(.mentionedBefore) }
            if before.beside.contains(where: { $0.clause.addressee == character }) {
                features.append(.addressedByTagBefore)
            }
            if let addressed = before.addressedGender, let gender {
                features.append(
                    addressed == gender ? .genderMatchesBefore : .genderDiffersBefore)
            }
        }
        if number + 1 < utterances.count {
            let after = utterances[number + 1]
            if after.gap != .scene, after.gap != .continued {
                if after.addressed.contains(character) { features.append(.addressedAfter) }
                if after.beside.contains(where: { $0.clause.addressee == character }) {
                    features.append(.addressedByTagAfter)
                }
                if let addressed = after.addressedGender, let gender {
                    features.append(
                        addressed == gender ? .genderMatchesAfter : .genderDiffersAfter)
                }
            }
        }
        if addressDistance(character, from: number) < 7 { features.append(.addressedNearby) }
        return features
    }

    /// How near a candidate is in the narration around.
    private func around(
        _ presence: Presence, _ utterance: Utterance, _ all: [Presence]
    ) -> [SpeakerFeature] {
        let character = presence.character
        var features: [SpeakerFeature] = []
        switch utterance.precedingSubject {
        case .character(character): features.append(.precedingSubject)
        case .pronoun(let wanted):
            if character == narrator {
                break
            } else if let gender = index.genders[character], gender != wanted {
                features.append(.precedingPronounMismatch)
            } else if rank(
                of: presence, wanted, before: utterance.tokens.lowerBound, all
            ).place == 0 {
                features.append(.precedingPronoun)
            }
        case .narrator where character == narrator: features.append(.precedingNarrator)
        default: break
        }
        if presence.last >= utterance.toldBefore.lowerBound, presence.last >= 0,
            character != narrator
        {
            features.append(.toldJustBefore)
            if all.allSatisfy({ $0.last <= presence.last || $0.character == narrator }) {
                features.append(.toldLastBefore)
            }
        }
        if character == narrator {
            features.append(.narrator)
            if presence.back < 13 || presence.ahead < 12 { features.append(.narratorHere) }
        } else {
            switch presence.back {
            case ...4: features.append(.back1)
            case ...12: features.append(.back2)
            case ...28: features.append(.back3)
            case ...99: features.append(.back4)
            default: features.append(.backNever)
            }
            switch presence.ahead {
            case ...4: features.append(.ahead1)
            case ...16: features.append(.ahead2)
            case ...48: features.append(.ahead3)
            default: features.append(.aheadNever)
            }
        }
        features.append([.rank0, .rank1, .rank2, .rank3, .rank4][ranks[character]])
        return features
    }
}
