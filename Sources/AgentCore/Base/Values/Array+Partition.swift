/// Binary search.
extension Array {
    /// The first index whose element fits, in an array whose fitting elements come last.
    package func partitioningIndex(_ fits: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if fits(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
