/// Finds parts of collections and texts. The standard library does so in the module of regular
/// expressions, which would make the program 1.4 MB larger and is left out by `Package.swift`.
extension Collection where Element: Equatable {
    /// The range of the first occurrence of another collection.
    ///
    /// In a string it compares characters, so "é" is found in any composition and "e" is
    /// not found in it. For long texts compare the `utf8` of both.
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

extension String {
    /// The same for two strings, and many times faster where bytes decide: between characters of
    /// ASCII nothing combines but the two bytes of a line end.
    @_disfavoredOverload
    package func contains(_ other: String) -> Bool {
        let byBytes: Bool?? = utf8.withContiguousStorageIfAvailable { text in
            other.utf8.withContiguousStorageIfAvailable { Self.holds(text, $0) } ?? nil
        }
        return (byBytes ?? nil) ?? (firstRange(of: other) != nil)
    }

    /// Nil where only characters tell.
    static func holds(
        _ text: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool? {
        guard part.allSatisfy({ $0 < 0x80 && $0 != 0x0A && $0 != 0x0D }) else { return nil }
        guard let range = text.firstRange(of: part) else {
            return text.allSatisfy { $0 < 0x80 } ? false : nil
        }
        let around = [range.lowerBound - 1, range.upperBound].filter(text.indices.contains)
        return around.allSatisfy { text[$0] < 0x80 } ? true : nil
    }
}

extension StringProtocol {
    // So that a literal of one character is a `Character`.
    @_disfavoredOverload
    package func contains(_ other: some StringProtocol) -> Bool {
        firstRange(of: other) != nil
    }

    /// Signs of ASCII are found by bytes, also before a combining mark: others who read the text,
    /// such as a shell or SQLite, see them there too.
    /// - Parameter part: not empty.
    package func replacing(_ part: String, with replacement: String) -> String {
        precondition(!part.isEmpty)
        let isPlain = part.utf8.allSatisfy { $0 < 0x80 && $0 != 0x0A && $0 != 0x0D }
        var result = ""
        var rest = self[...]
        while let range = isPlain
            ? rest.utf8.firstRange(of: part.utf8) : rest.firstRange(of: part)
        {
            result += rest[..<range.lowerBound]
            result += replacement
            rest = rest[range.upperBound...]
        }
        return result + rest
    }
}
