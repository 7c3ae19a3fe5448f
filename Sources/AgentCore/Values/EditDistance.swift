/// How many typing errors lie between two words: letters added, left out,
/// changed, or swapped with their neighbour (optimal string alignment). What
/// is still near is for the caller to say.
package enum EditDistance {
    package static func between<Letter: Equatable>(_ left: [Letter], _ right: [Letter]) -> Int {
        if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
        var twoBefore: [Int] = []
        var before = Array(0...right.count)
        for row in 1...left.count {
            var current = [row]
            current.reserveCapacity(right.count + 1)
            for column in 1...right.count {
                // Every row has `right.count + 1` entries, and `row`, `column`
                // start at 1.
                let change = left[row - 1] == right[column - 1] ? 0 : 1
                var best = min(
                    before[column] + 1, current[column - 1] + 1, before[column - 1] + change)
                if row > 1, column > 1, left[row - 1] == right[column - 2],
                    left[row - 2] == right[column - 1]
                {
                    best = min(best, twoBefore[column - 2] + 1)
                }
                current.append(best)
            }
            twoBefore = before
            before = current
        }
        return before[right.count]
    }
}
