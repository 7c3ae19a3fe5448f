/// The differences of two sequences by the greedy algorithm of Myers ("An O(ND)
/// Difference Algorithm and Its Variations", 1986). Pure.
///
/// If the two have little in common the search ends early and everything
/// between their equal ends counts as replaced: this limits time and memory.
enum SequenceDiff {
    /// A range that differs; either side may be empty.
    struct Change: Equatable {
        var old: Range<Int>
        var new: Range<Int>
    }

    /// Maximum number of insertions and deletions searched: about 8 MB.
    static let limit = 2_000

    /// The changes, ascending and not overlapping.
    static func changes<Element: Hashable>(
        from old: [Element], to new: [Element], limit: Int = limit
    ) -> [Change] {
        var start = 0
        while start < old.count, start < new.count, old[start] == new[start] { start += 1 }
        var (oldEnd, newEnd) = (old.count, new.count)
        while oldEnd > start, newEnd > start, old[oldEnd - 1] == new[newEnd - 1] {
            oldEnd -= 1
            newEnd -= 1
        }
        if oldEnd == start, newEnd == start { return [] }
        // Numbers compare faster than strings.
        var numbers: [Element: Int32] = [:]
        func number(_ element: Element) -> Int32 {
            if let known = numbers[element] { return known }
            let next = Int32(numbers.count)
            numbers[element] = next
            return next
        }
        let (one, two) = (old[start..<oldEnd].map(number), new[start..<newEnd].map(number))
        let found =
            shortest(one, two, limit: limit)
            ?? [Change(old: 0..<one.count, new: 0..<two.count)]
        return found.map {
            Change(
                old: $0.old.lowerBound + start..<$0.old.upperBound + start,
                new: $0.new.lowerBound + start..<$0.new.upperBound + start)
        }
    }

    /// - Returns: nil if more than `limit` edits would be needed.
    private static func shortest(_ old: [Int32], _ new: [Int32], limit: Int) -> [Change]? {
        if old.isEmpty || new.isEmpty {
            return [Change(old: 0..<old.count, new: 0..<new.count)]
        }
        let most = min(limit, old.count + new.count)
        // The furthest position in `old` on each diagonal, and a copy of the
        // changed part for each number of edits, to walk back.
        var furthest = [Int32](repeating: 0, count: 2 * most + 3)
        let middle = most + 1
        var trace: [[Int32]] = []
        for edits in 0...most {
            trace.append(Array(furthest[middle - edits - 1...middle + edits + 1]))
            for diagonal in stride(from: -edits, through: edits, by: 2) {
                let goesDown =
                    diagonal == -edits
                    || diagonal != edits
                        && furthest[middle + diagonal - 1] < furthest[middle + diagonal + 1]
                var x = Int(
                    goesDown
                        ? furthest[middle + diagonal + 1] : furthest[middle + diagonal - 1] + 1)
                var y = x - diagonal
                while x < old.count, y < new.count, y >= 0, old[x] == new[y] {
                    x += 1
                    y += 1
                }
                furthest[middle + diagonal] = Int32(x)
                if x >= old.count, y >= new.count {
                    return walk(back: trace, to: (old.count, new.count))
                }
            }
        }
        return nil
    }

    private static func walk(back trace: [[Int32]], to end: (Int, Int)) -> [Change] {
        var (x, y) = end
        var changes: [Change] = []
        for edits in stride(from: trace.count - 1, to: 0, by: -1) {
            let row = trace[edits]
            func at(_ diagonal: Int) -> Int { Int(row[diagonal + edits + 1]) }
            let diagonal = x - y
            let goesDown =
                diagonal == -edits
                || diagonal != edits && at(diagonal - 1) < at(diagonal + 1)
            let before = goesDown ? diagonal + 1 : diagonal - 1
            let (fromX, fromY) = (at(before), at(before) - before)
            let (toX, toY) = goesDown ? (fromX, fromY + 1) : (fromX + 1, fromY)
            if var last = changes.last, last.old.lowerBound == toX, last.new.lowerBound == toY {
                last.old = fromX..<last.old.upperBound
                last.new = fromY..<last.new.upperBound
                changes[changes.count - 1] = last
            } else {
                changes.append(Change(old: fromX..<toX, new: fromY..<toY))
            }
            (x, y) = (fromX, fromY)
        }
        return changes.reversed()
    }
}
