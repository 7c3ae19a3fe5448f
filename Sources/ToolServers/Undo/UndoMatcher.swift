import AgentCore

/// Finds the step that a number, an id, a file or a title means. Pure.
///
/// Of several steps of one item the newest is meant: the older ones cannot be
/// undone before it. Steps of several items are never chosen among.
struct UndoMatcher {
    enum Match: Equatable {
        case none
        case one(CalendarStore.PastStep)
        case several([CalendarStore.PastStep])
    }

    /// The newest first, as listed.
    private let steps: [CalendarStore.PastStep]

    init(_ steps: [CalendarStore.PastStep]) { self.steps = steps }

    /// An empty query means the newest.
    func match(_ query: String) -> Match {
        if query.isEmpty { return steps.first.map { .one($0) } ?? .none }
        if let step = steps.first(where: { $0.step.id == query }) { return .one(step) }
        if let number = Int(query), steps.indices.contains(number - 1) {
            return .one(steps[number - 1])
        }
        if let step = steps.first(where: { $0.paths.contains { Self.is($0, query) } }) {
            return .one(step)
        }
        let wanted = SearchText.folded(query)
        if wanted.isEmpty { return .none }
        let tests: [(CalendarStore.Step) -> Bool] = [
            { SearchText.folded($0.uid) == wanted },
            { SearchText.folded($0.title) == wanted },
            { SearchText.folded("\($0.verb) \($0.title)") == wanted },
            { SearchText.folded($0.title).contains(wanted) },
            { wanted.utf8.count >= 4 && SearchText.folded($0.uid).hasPrefix(wanted) },
        ]
        for test in tests {
            let found = newestOfEach(steps.filter { test($0.step) })
            if found.count == 1 { return .one(found[0]) }
            if !found.isEmpty { return .several(found) }
        }
        return .none
    }

    private func newestOfEach(_ found: [CalendarStore.PastStep]) -> [CalendarStore.PastStep] {
        var uids: Set<String> = []
        return found.filter { uids.insert($0.step.uid).inserted }
    }

    /// A whole path, or the end of one that starts with a folder's or the
    /// file's name.
    private static func `is`(_ path: String, _ query: String) -> Bool {
        guard query.hasSuffix(".ics") else { return false }
        let wanted = query.hasPrefix("./") ? String(query.dropFirst(2)) : query
        return path == wanted || (!wanted.hasPrefix("/") && path.hasSuffix("/" + wanted))
    }
}
