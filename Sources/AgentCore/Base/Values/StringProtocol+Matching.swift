// The standard library has these in a module of its own, with its regular
// expressions: 1.4 MB of the program for a search. `Package.swift` leaves that
// module out, so that none of it comes back unnoticed.

extension Collection where Element: Equatable {
    /// Where one string first begins and ends in another.
    ///
    /// Of a text it compares characters, so "é" is found however it is composed
    /// and "e" is not found in it. For much text compare the `utf8` of both.
    package func firstRange(of other: some Collection<Element>) -> Range<Index>? {
        guard let first = other.first else { return startIndex..<startIndex }
        let others = other.dropFirst()
        var rest = self[...]
        while let start = rest.firstIndex(of: first) {
            var end = index(after: start)
            var isHere = true
            for element in others {
                guard end < endIndex, self[end] == element else {
                    isHere = false
                    break
                }
                formIndex(after: &end)
            }
            if isHere { return start..<end }
            rest = self[index(after: start)...]
        }
        return nil
    }
}

extension StringProtocol {
    // A literal of one character stays a character.
    @_disfavoredOverload
    package func contains(_ other: some StringProtocol) -> Bool {
        firstRange(of: other) != nil
    }

    /// - Parameter part: not empty.
    package func replacing(_ part: String, with replacement: String) -> String {
        precondition(!part.isEmpty)
        var result = ""
        var rest = self[...]
        while let range = rest.firstRange(of: part) {
            result += rest[..<range.lowerBound]
            result += replacement
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
