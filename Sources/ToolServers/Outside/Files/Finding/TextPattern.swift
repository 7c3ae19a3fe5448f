/// A text to search for in lines: literally, or with `*` for anything in between and `|`
/// between alternatives. Pure; it takes linear time, whatever the pattern.
package struct TextPattern: Sendable, Equatable {
    /// The alternatives: pieces that occur in this order in one line.
    private let alternatives: [[[UInt8]]]
    private let ignoresCase: Bool

    /// Maximum bytes of a pattern.
    package static let limitInBytes = 1_024
    private static let alternativeLimit = 20

    /// Nil for a pattern that is empty, too long or of several lines.
    ///
    /// - Parameter ignoresCase: nil depends on the pattern: lower case matches both.
    package init?(_ text: String, hasWildcards: Bool, ignoresCase: Bool?) {
        guard !text.isEmpty, text.utf8.count <= Self.limitInBytes,
            !text.contains(where: \.isNewline)
        else { return nil }
        let words = hasWildcards ? text.split(separator: "|").map(String.init) : [text]
        let folds = ignoresCase ?? (text == text.lowercased())
        self.ignoresCase = folds
        var alternatives: [[[UInt8]]] = []
        for word in words {
            for form in folds ? Self.forms(of: word) : [word] {
                let pieces = hasWildcards ? form.split(separator: "*").map(String.init) : [form]
                let bytes = pieces.map { piece in
                    piece.utf8.map { folds ? Self.lower($0) : $0 }
                }
                if !bytes.isEmpty, !alternatives.contains(bytes) { alternatives.append(bytes) }
            }
        }
        guard !alternatives.isEmpty, words.count <= Self.alternativeLimit else { return nil }
        self.alternatives = alternatives
    }

    /// Bytes are compared without a Unicode table: a word with letters beyond ASCII is
    /// searched in each of its common spellings.
    private static func forms(of word: String) -> [String] {
        if word.utf8.allSatisfy({ $0 < 0x80 }) { return [word] }
        let lower = word.lowercased()
        let capital = lower.prefix(1).uppercased() + lower.dropFirst()
        return [word, lower, word.uppercased(), capital]
    }

    /// Finds the matching lines, in order.
    ///
    /// - Parameter each: gets the number of the line, from 1, and its range in the bytes
    ///   without the line break; false ends the search.
    package func lines(
        in bytes: [UInt8], _ each: (_ number: Int, _ range: Range<Int>) -> Bool
    ) {
        bytes.withUnsafeBufferPointer { buffer in
            var (position, counted, number) = (0, 0, 1)
            /// The next start of each alternative; nil if there is no further one.
            var next = alternatives.map { first($0, in: buffer, from: 0, to: buffer.count) }
            while position < buffer.count {
                for index in next.indices {
                    guard let found = next[index], found < position else { continue }
                    next[index] = first(
                        alternatives[index], in: buffer, from: position, to: buffer.count)
                }
                guard let (index, start) = nearest(next) else { return }
                let lineStart = lineStart(buffer, start, after: position)
                let lineEnd = lineEnd(buffer, start)
                if holds(alternatives[index], in: buffer, from: start, to: lineEnd) {
                    while counted < lineStart {
                        if buffer[counted] == 0x0A { number += 1 }
                        counted += 1
                    }
                    let isCRLF = lineEnd > lineStart && buffer[lineEnd - 1] == 0x0D
                    if !each(number, lineStart..<(isCRLF ? lineEnd - 1 : lineEnd)) { return }
                    position = lineEnd + 1
                } else {
                    // Its beginning is in the line, the rest is not.
                    next[index] = first(
                        alternatives[index], in: buffer, from: lineEnd, to: buffer.count)
                }
            }
        }
    }

    private func nearest(_ next: [Int?]) -> (index: Int, start: Int)? {
        var nearest: (index: Int, start: Int)?
        for (index, start) in next.enumerated() {
            guard let start, start < nearest?.start ?? .max else { continue }
            nearest = (index, start)
        }
        return nearest
    }

    private func lineStart(
        _ buffer: UnsafeBufferPointer<UInt8>, _ place: Int, after: Int
    ) -> Int {
        var start = place
        while start > after, buffer[start - 1] != 0x0A { start -= 1 }
        return start
    }

    private func lineEnd(_ buffer: UnsafeBufferPointer<UInt8>, _ place: Int) -> Int {
        var end = place
        while end < buffer.count, buffer[end] != 0x0A { end += 1 }
        return end
    }

    private func holds(
        _ pieces: [[UInt8]], in buffer: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Bool {
        var place = start
        for piece in pieces {
            guard let found = find(piece, in: buffer, from: place, to: end) else { return false }
            place = found + piece.count
        }
        return true
    }

    private func first(
        _ pieces: [[UInt8]], in buffer: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        // An alternative has at least one piece.
        find(pieces[0], in: buffer, from: start, to: end)
    }

    private func find(
        _ piece: [UInt8], in buffer: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int
    ) -> Int? {
        guard let head = piece.first, end - start >= piece.count else { return nil }
        let upper = ignoresCase && head &- 0x61 < 26 ? head - 0x20 : head
        var place = start
        let last = end - piece.count
        outer: while place <= last {
            let byte = buffer[place]
            if byte == head || byte == upper {
                for offset in 1..<piece.count
                where (ignoresCase ? Self.lower(buffer[place + offset]) : buffer[place + offset])
                    != piece[offset]
                {
                    place += 1
                    continue outer
                }
                return place
            }
            place += 1
        }
        return nil
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
}
