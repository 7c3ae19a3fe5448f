/// Reads the clauses that claim an act without naming it: a thing is somewhere, or different
/// from now on.
extension ActClaimReader {
    mutating func readState(_ clause: Range<Int>, _ frame: Frame) {
        let all = clause.map { word($0) }
        let isWill = all.contains { ["will", "'ll", "wird", "werden"].contains($0) }
        if frame.actor == .us || frame.isModal && !isWill
            || all.contains(where: { $0.has(.already) })
        {
            return
        }
        let isNow = all.indices.contains { index in
            ["now", "jetzt", "nun", "sofort", "back", "longer", "mehr"].contains(all[index])
                && (index > 0 || frame.isBe && !isWill)
        }
        let isPlaced = zip(all.indices, all).contains { index, word in
            word.has(.places) && all[max(0, index - 3)..<index].contains { $0.has(.placeBefore) }
        }
        let isPredicate = all.indices.dropFirst(all.firstIndex { $0.has(.be) } ?? all.count)
            .contains {
                all[$0].has(.predicates)
                    && ($0 == all.count - 1 || all[$0 + 1].has(.placeBefore) && all[$0 + 1] != "of"
                        || all[$0 + 1].has(.and)
                        || ["for", "für", "bis", "until", "jetzt", "now"].contains(all[$0 + 1]))
            }
        guard
            frame.isModal
                ? isNow : isNow && all.count > 2 || isPlaced && frame.isBe || isPredicate,
            isOurs(clause) || isPlaced || all[0].isAuxiliary
        else { return }
        let isAway = all.contains { Self.away.contains($0) }
        let isAdded =
            isPlaced && !isAway && !all.contains { ["aus", "longer", "mehr"].contains($0) }
        claims.append(
            ActClaim(
                verb: isAdded ? .add : .other,
                isState: !isNow && !isPredicate && !isAway && all.last != "steht",
                words: tokens[clause]))
    }
}
