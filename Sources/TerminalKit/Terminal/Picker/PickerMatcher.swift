import Base
import Glibc

/// Finds the items that match a query: those whose title contains all of its words, then those that
/// contain them elsewhere, then those whose title contains its letters in order. Ignores case and
/// accents. Pure.
struct PickerMatcher: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var title: [CChar]
        /// Title and search text.
        var whole: [CChar]
    }

    private let entries: [Entry]
    /// The last query and its hits, for a longer query.
    private var lastQuery: [UInt8] = []
    private var lastHits: [Int]
    /// Items searched so far.
    private(set) var scanned = 0

    /// Folds all texts once; a later search scans bytes.
    init(_ items: [PickerItem]) {
        entries = items.map { item in
            let title = SearchText.folded(item.title)
            let more = SearchText.folded("\(item.searchText) \(item.snippet ?? "")")
            return Entry(title: Self.bytes(title), whole: Self.bytes(title + " " + more))
        }
        lastHits = Array(entries.indices)
    }

    /// Indices of the matches, the best kind first; each kind in the given order.
    mutating func hits(for query: String) -> [Int] {
        let folded = Array(SearchText.folded(query).utf8)
        let parts = folded.split(separator: 0x20)
        guard !parts.isEmpty else { return Array(entries.indices) }
        let words = parts.map { $0.map { CChar(bitPattern: $0) } + [0] }
        let letters = parts.joined().map { CChar(bitPattern: $0) }
        let candidates = folded.starts(with: lastQuery) ? lastHits.sorted() : Array(entries.indices)
        var kinds: [[Int]] = [[], [], []]
        scanned += candidates.count
        for index in candidates {
            let entry = entries[index]
            if words.allSatisfy({ Self.contains(entry.title, $0) }) {
                kinds[0].append(index)
            } else if words.allSatisfy({ Self.contains(entry.whole, $0) }) {
                kinds[1].append(index)
            } else if Self.holdsInOrder(entry.title, letters) {
                kinds[2].append(index)
            }
        }
        (lastQuery, lastHits) = (folded, Array(kinds.joined()))
        return lastHits
    }

    private static func bytes(_ text: String) -> [CChar] {
        text.utf8.map { CChar(bitPattern: $0) } + [0]
    }

    /// Both end with a zero byte, and contain no other: a folded text has no control characters.
    private static func contains(_ text: [CChar], _ word: [CChar]) -> Bool {
        text.withUnsafeBufferPointer { text in
            word.withUnsafeBufferPointer { word in
                guard let text = text.baseAddress, let word = word.baseAddress else {
                    return false
                }
                return strstr(text, word) != nil
            }
        }
    }

    private static func holdsInOrder(_ text: [CChar], _ letters: [CChar]) -> Bool {
        var wanted = letters[...]
        for byte in text where byte == wanted.first {
            wanted = wanted.dropFirst()
            if wanted.isEmpty { return true }
        }
        return false
    }

    // MARK: Marks

    /// The positions of the matching characters in a shown text.
    static func marks(in text: String, for query: String) -> Set<Int> {
        let words = SearchText.folded(query).split(separator: " ").map { Array($0.unicodeScalars) }
        guard !words.isEmpty else { return [] }
        // One folded character may have several scalars ("ß"), or none.
        var scalars: [Unicode.Scalar] = []
        var owners: [Int] = []
        for (position, character) in text.enumerated() {
            let folded = character.isWhitespace ? " " : SearchText.folded(String(character))
            for scalar in folded.unicodeScalars {
                scalars.append(scalar)
                owners.append(position)
            }
        }
        var marked: Set<Int> = []
        var isWhole = true
        for word in words {
            var start = 0
            var isFound = false
            while start + word.count <= scalars.count {
                if scalars[start..<(start + word.count)].elementsEqual(word) {
                    marked.formUnion(owners[start..<(start + word.count)])
                    start += word.count
                    isFound = true
                } else {
                    start += 1
                }
            }
            if !isFound { isWhole = false }
        }
        if isWhole || !marked.isEmpty { return marked }
        var wanted = words.joined()[...]
        for (index, scalar) in scalars.enumerated() where scalar == wanted.first {
            marked.insert(owners[index])
            wanted = wanted.dropFirst()
        }
        return wanted.isEmpty ? marked : []
    }
}
