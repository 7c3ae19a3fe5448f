/// Reads the clauses that claim an act without naming it: a thing is somewhere, or different
/// from now on.
extension ActClaimReader {
    mutating func readState(_ clause: Range<Int>, _ frame: Frame) {
        let all = clause.map { word($0) }
        guard frame.actor != .us, !all.contains(where: { $0.has(.already) }) else { return }
        let isNew = { (word: Word) in
            ["now", "jetzt", "nun", "sofort", "back", "longer", "mehr"].contains(word)
        }
        if frame.actor == .other, !frame.isYou || !frame.isBe && !all.contains(where: isNew) {
            return
        }
        let isWill = all.contains { ["will", "'ll", "wird", "werden"].contains($0) }
        if frame.isModal, !isWill { return }
        let now = all.indices.contains { isNew(all[$0]) && ($0 > 0 || frame.isBe && !isWill) }
        let isPlaced = all.indices.contains { index in
            all[index].has(.places) && index > 0
                && all[max(0, index - 3)..<index].contains { $0.has(.placeBefore) }
        }
        let predicate = all.indices.dropFirst(all.firstIndex { $0.has(.be) } ?? all.count).first {
            all[$0].has(.predicates) && (all[$0] != "way" || $0 > 1 && all[$0 - 2] == "on")
                && ($0 == all.count - 1 || all[$0 + 1].has(.afterPredicate))
                || all[$0].text.hasSuffix("ing") && isTheirs(all[$0]) && $0 > 0
                    && all[$0 - 1].has(.be)
        }
        let isPredicate = predicate != nil
        // "Der Wecker steht auf 7 Uhr."
        let stands = zip(all, all.dropFirst()).contains {
            ["steht", "stehen"].contains($0) && ["auf", "für"].contains($1)
        }
        guard
            frame.isModal
                ? now : now && all.count > 2 || isPlaced && frame.isBe || isPredicate || stands
        else { return }
        let isUnderWay = predicate.map {
            ["läuft", "running", "unterwegs", "way"].contains(all[$0])
        }
        guard
            isOurs(clause) || isPlaced || isUnderWay ?? false
                || word(clause.lowerBound).isAuxiliary
        else { return }
        let isChange =
            now || isPredicate || ["steht", "stehen"].contains(all.last ?? "")
            || all.contains { Self.away.contains($0) }
        let isAdded =
            isPlaced
            && !all.contains { (Self.away + ["aus", "longer", "mehr"]).contains($0) }
        let isOut =
            all.contains { $0.subject == .other || $0 == "bescheid" }
            && predicate.map { ["out", "raus", "way", "unterwegs", "bescheid"].contains(all[$0]) }
                ?? false
        claims.append(
            ActClaim(
                verb: isOut ? .send : isAdded ? .add : .other, isState: !isChange,
                words: tokens[clause]))
    }
}
