/// Whether a sentence of an answer says that nothing was done.
extension ActClaimText.Sentence {
    /// Whether it leaves the act open: it asks, offers, refuses, reports a failure, tells the user
    /// what to do, or says that it was so before.
    ///
    /// - Parameters:
    ///   - hasLookedUp: whether the answer can know what was so before.
    ///   - isEchoed: whether a word of a negation is the user's own: "no nuts".
    func leavesOpen(hasLookedUp: Bool, isEchoed: (ActClaimWords.Word) -> Bool) -> Bool {
        if isQuestion { return !tokens.contains { $0.word?.has(.closers) ?? false } }
        let clauses = tokens.split { $0 == .comma || $0 == .gap }.map { $0.compactMap(\.word) }
        return clauses.enumerated().contains { position, all in
            let isClosing = all.contains { $0.has(.closers) }
            let isPersonal = all.contains { $0.has(.me) || ["you", "du", "man"].contains($0) }
            let agrees = all.contains { $0.has(.agreeing) }
            // "You won't forget it", "…: no nuts".
            let isHarmless =
                all.contains { $0.text.hasPrefix("forget") || $0.text.hasPrefix("verg") }
                || all.contains(where: isEchoed)
                || position > 0
                    && !all.contains { $0.isAuxiliary || $0.has(.me) || $0.verb != nil }
            return all.indices.contains { index in
                let (before, word) = (index > 0 ? all[index - 1] : "", all[index])
                let next = index + 1 < all.count ? all[index + 1] : ""
                if word.has(.conditions) { return !isClosing && (index + position == 0 || agrees) }
                if word.has(.not) || word.text.hasSuffix("n't") {
                    return !isHarmless && !next.has(.harmless) && !["you", "du"].contains(before)
                        && !(word != "nichts" && (next == "mehr" || all.last == "mehr"))
                }
                if word.has(.already), hasLookedUp, before != "nur" { return true }
                if word.has(.open) { return !before.text.contains(where: \.isNumber) }
                if word.has(.possible) { return !isClosing && isPersonal }
                return ["has", "have"].contains(word) && next == "to"
                    || index == 0
                        && (word.has(.instructions) && next != "you"
                            || !hasCheckMark && word.has(.orders) && word.verb == nil
                                && next.has(.articles)
                            || isFirstLine && word.has(.shown))
            }
        }
    }
}
