/// Finds what a mistyped word was meant to be. Pure; used for commands,
/// options, configuration names and models.
package enum NearestWord {
    /// The nearest of `candidates`, or nil when none is near: at most a third
    /// of the letters may differ, and at least one edit is always allowed.
    package static func find(_ word: String, among candidates: [String]) -> String? {
        rank(word, among: candidates, limit: 1).first
    }

    /// The near candidates, nearest first; a candidate that starts with the
    /// word counts as near.
    package static func rank(_ word: String, among candidates: [String], limit: Int) -> [String] {
        let letters = Array(word.lowercased())
        guard !letters.isEmpty else { return [] }
        var ranked: [(distance: Int, candidate: String)] = []
        for candidate in candidates {
            let other = Array(candidate.lowercased())
            let longest = max(letters.count, other.count)
            let allowed = max(1, longest / 3)
            if letters.count >= 2, other.starts(with: letters) {
                ranked.append((0, candidate))
            } else if abs(letters.count - other.count) <= allowed {
                let distance = EditDistance.between(letters, other)
                if distance <= allowed { ranked.append((distance, candidate)) }
            }
        }
        // `sort` is stable in practice but not by contract: the order of the
        // candidates breaks ties.
        let ordered = ranked.enumerated().sorted {
            ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset)
        }
        return ordered.prefix(limit).map(\.element.candidate)
    }
}
