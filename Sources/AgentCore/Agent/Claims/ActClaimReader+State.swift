/// Reads the clauses that claim an act without naming it: a thing is somewhere, or different
/// from now on.
extension ActClaimReader {
    mutating func readState(_ clause: Range<Int>, _ frame: Frame) {
        let all = clause.map { word($0) }
        guard frame.actor != .us, !all.contains(where: { $0.has(.already) }) else { return }
        let isNew = { (word: Word) in
            ["now", "jetzt", "nun", "sofort", "back", "longer", "mehr"].contains(word)
        }
        let isWill = all.contains { ["will", "'ll", "wird", "werden"].contains($0) }
        let now = all.indices.contains { isNew(all[$0]) && ($0 > 0 || frame.isBe && !isWill) }
        let isPlaced = all.indices.contains { index in
            all[index].has(.places) && index > 0
                && all[max(0, index - 3)..<index].contains { $0.has(.placeBefore) }
        }
        let predicate = all.indices.dropFirst(all.firstIndex { $0.has(.be) } ?? all.count).first {
            all[$0].has(.predicates) && (all[$0] != "way" || $0 > 1 && all[$0 - 2] == "on")
                && ($0 == all.count - 1 || all[$0 + 1].has(.afterPredicate))
        }
        // "Der Wecker steht auf 7 Uhr."
        let stands = zip(all, all.dropFirst()).contains {
            ["steht", "stehen"].contains($0) && ["auf", "für"].contains($1)
        }
        guard now && all.count > 2 || isPlaced && frame.isBe || predicate != nil || stands
        else { return }
        let isUnderWay = predicate.map {
            ["läuft", "running", "unterwegs", "way"].contains(all[$0])
        }
        guard
            isOurs(clause) || isPlaced || isUnderWay ?? false
                || word(clause.lowerBound).isAuxiliary
        else { return }
        claims.append(
            ActClaim(verb: .other, isState: !now && predicate == nil, words: tokens[clause]))
    }
}
