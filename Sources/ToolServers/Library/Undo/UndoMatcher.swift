import Base

/// Finds the steps that a number, an id, an item, a file or a title refers to. Pure.
///
/// Of several steps on one subject it chooses the newest: the older ones cannot be undone before
/// it. It never chooses between different subjects.
enum UndoMatcher {
    /// - Parameters:
    ///   - query: empty for the first.
    ///   - steps: in the order of the list.
    ///   - folder: base of relative paths.
    ///   - file: the actual path, if the query refers to a file through links.
    /// - Returns: indexes in `steps`: none, the only match, or the candidates.
    static func match(
        _ query: String, in steps: [UndoStep], folder: String = "/", file: String? = nil
    ) -> [Int] {
        if query.isEmpty { return Array(steps.indices.prefix(1)) }
        if let index = steps.firstIndex(where: { $0.id == query }) { return [index] }
        if let number = Int(query), steps.indices.contains(number - 1) { return [number - 1] }
        let wanted = SearchText.folded(query)
        if let index = steps.firstIndex(where: { $0.names.contains(wanted) }) { return [index] }
        let files = files(query, in: steps, folder: folder, file: file)
        if !files.isEmpty { return files }
        if wanted.isEmpty { return [] }
        let tests: [(UndoStep) -> Bool] = [
            { SearchText.folded($0.subject) == wanted },
            { SearchText.folded($0.title) == wanted },
            { SearchText.folded("\($0.verb) \($0.title)") == wanted },
            { SearchText.folded("\($0.verb) \($0.kind) \($0.title)") == wanted },
            { SearchText.folded($0.title).contains(wanted) },
            { wanted.utf8.count >= 4 && SearchText.folded($0.subject).hasPrefix(wanted) },
        ]
        for test in tests {
            let found = newest(steps.indices.filter { test(steps[$0]) }, in: steps)
            if !found.isEmpty { return found }
        }
        return []
    }

    /// Matches the path, absolute or relative to the folder, else the end of a path
    /// that starts with the name of a folder or file.
    private static func files(
        _ query: String, in steps: [UndoStep], folder: String, file: String?
    ) -> [Int] {
        let path = FilePath.tidy(query.hasPrefix("/") ? query : "\(folder)/\(query)")
        let whole = steps.indices.filter { index in
            steps[index].paths.contains { $0 == path || $0 == file }
        }
        if let first = whole.first { return [first] }
        // "x" may be a title; a file name has a dot.
        guard query.contains("."), !query.hasPrefix("/"), !query.contains(" ") else { return [] }
        let end = "/" + (query.hasPrefix("./") ? String(query.dropFirst(2)) : query)
        return newest(
            steps.indices.filter { index in steps[index].paths.contains { $0.hasSuffix(end) } },
            in: steps)
    }

    private static func newest(_ found: [Int], in steps: [UndoStep]) -> [Int] {
        var subjects: Set<String> = []
        return found.filter { subjects.insert(steps[$0].subject).inserted }
    }
}
