import AgentCore

/// Finds the steps that a number, an id, a file or a title means. Pure.
///
/// Of several steps of one item the newest is meant: the older ones cannot be
/// undone before it. Steps of several items are never chosen among.
enum UndoMatcher {
    /// - Parameters:
    ///   - query: empty for the newest.
    ///   - steps: the newest first, as listed.
    /// - Returns: none, the one that is meant, or those that may be.
    static func match(
        _ query: String, in steps: [CalendarStore.PastStep]
    ) -> [CalendarStore.PastStep] {
        if query.isEmpty { return Array(steps.prefix(1)) }
        if let step = steps.first(where: { $0.step.id == query }) { return [step] }
        if let number = Int(query), steps.indices.contains(number - 1) {
            return [steps[number - 1]]
        }
        if let step = steps.first(where: { $0.paths.contains { Self.is($0, query) } }) {
            return [step]
        }
        let wanted = SearchText.folded(query)
        if wanted.isEmpty { return [] }
        let tests: [(CalendarStore.Step) -> Bool] = [
            { SearchText.folded($0.uid) == wanted },
            { SearchText.folded($0.title) == wanted },
            { SearchText.folded("\($0.verb) \($0.title)") == wanted },
            { SearchText.folded($0.title).contains(wanted) },
            { wanted.utf8.count >= 4 && SearchText.folded($0.uid).hasPrefix(wanted) },
        ]
        for test in tests {
            var uids: Set<String> = []
            let found = steps.filter { test($0.step) && uids.insert($0.step.uid).inserted }
            if !found.isEmpty { return found }
        }
        return []
    }

    /// A whole path, or the end of one that starts with a folder's or the
    /// file's name.
    private static func `is`(_ path: String, _ query: String) -> Bool {
        guard query.hasSuffix(".ics") else { return false }
        let wanted = query.hasPrefix("./") ? String(query.dropFirst(2)) : query
        return path == wanted || (!wanted.hasPrefix("/") && path.hasSuffix("/" + wanted))
    }
}
