import Base

/// Evidence from the clauses beside an utterance: names, pronouns, nouns for people.
extension EvidenceCollector {
    /// Evidence for a candidate from a clause beside the quotation.
    func beside(
        _ beside: Utterance.Beside, _ presence: Presence, of utterance: Utterance,
        among all: [Presence]
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
            if narrator == nil, manner >= .distant { return [.narratorMismatch] }
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
                    [.pronounFirst, .pronounSecond, .pronounThird, .pronounNever][rank])
            } else if rank == 0 {
                features.append(.beatPronounFirst)
            } else if rank == 1 {
                features.append(.beatPronounSecond)
            }
            return features
        case .other(let tokens, let wanted):
            let isAlias = isAlias(tokens, of: character)
            guard manner == .tag else { return isAlias ? [.beatPronounFirst] : nil }
            if let gender, let wanted, gender != wanted { return [.roleMismatch] }
            return (wanted != nil && gender == wanted ? [.roleTag] : [])
                + (isAlias ? [.roleAlias] : []) + relation(tokens, presence, all)
        case .several: return nil
        }
    }

    /// Whether the cast lists a description such as "the girl" as an alias of a member.
    func isAlias(_ tokens: Range<Int>, of character: Int) -> Bool {
        guard let mention = index.mention(at: tokens.upperBound - 1) else { return false }
        return mention.isLoose && mention.character == character
    }

    /// Whether a candidate may be "her mother", "his lady", "the girl".
    func relation(
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

    /// Whether a name fits a wife, a parent, an aunt, a child.
    func fits(_ character: Int, _ kin: Kin) -> Bool {
        let family = index.families[character]
        let isElder = family.isWife || family.isGentleman
        return kin == .child ? !isElder : isElder
    }

    func isOfFamily(_ character: Int, _ others: [Int]) -> Bool {
        guard let surname = index.families[character].surname else { return false }
        return others.contains { $0 != character && index.families[$0].surname == surname }
    }

    enum Kin { case spouse, parent, elder, child }
    static let kin: [String: Kin] = [
        "wife": .spouse, "husband": .spouse, "lady": .spouse, "spouse": .spouse,
        "mother": .parent, "father": .parent, "mamma": .parent, "mama": .parent,
        "papa": .parent, "aunt": .elder, "uncle": .elder, "daughter": .child, "son": .child,
        "sister": .child, "brother": .child, "girl": .child, "boy": .child, "niece": .child,
        "nephew": .child, "child": .child,
    ]

    /// Relatives of nearby characters whom "his wife" may mean, even if not named yet.
    func relatives(_ utterance: Utterance, _ near: [Int]) -> [Int] {
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

    /// Rank of a candidate among those a pronoun may mean, by most recent mention.
    func rank(
        of presence: Presence, _ gender: StoryCharacter.Gender, before token: Int, _ all: [Presence]
    ) -> Int {
        let own = lastTold(presence.character, before: token)
        guard own >= 0, presence.back < 100 || own > presence.last else { return 3 }
        let nearer = all.count { other in
            other.character != presence.character && other.character != narrator
                && index.genders[other.character].map { $0 == gender } != false
                && lastTold(other.character, before: token) > own
        }
        return min(nearer, 2)
    }

    func lastTold(_ character: Int, before token: Int) -> Int {
        let place = told[character].partitioningIndex { $0.token >= token }
        return place > 0 ? told[character][place - 1].token : -1
    }
}
