/// The bytes of a text while corrections are made in it one round after the
/// other, and what all of them come to in the text as it was. Pure.
struct EditedBytes: Sendable {
    private(set) var bytes: [UInt8]
    private(set) var isProtected: [Bool]
    /// For each byte where it was; -1 for one that was put in.
    private var origin: [Int]
    /// Where the first byte was, and where the last one ended.
    private let whole: Range<Int>
    /// What each correction touched of the text as it was.
    private var made: [(range: Range<Int>, rule: String)] = []

    /// - Parameter whole: where these bytes stand in their text.
    init(_ bytes: [UInt8], isProtected: [Bool] = [], at start: Int = 0) {
        self.bytes = bytes
        self.isProtected =
            isProtected.isEmpty ? Array(repeating: false, count: bytes.count) : isProtected
        origin = Array(start..<start + bytes.count)
        whole = start..<start + bytes.count
    }

    var isChanged: Bool { !made.isEmpty }

    /// Makes those corrections that touch no protected byte and change something.
    /// - Parameter corrections: ascending and apart, in the bytes as they are now.
    /// - Returns: how many were made.
    mutating func apply(_ corrections: [Correction]) -> Int {
        var count = 0
        for correction in corrections.reversed() {
            let range = correction.range
            guard range.lowerBound >= 0, range.upperBound <= bytes.count,
                !isProtected[range].contains(true),
                !bytes[range].elementsEqual(correction.replacement.utf8)
            else { continue }
            made.append((original(range), correction.rule))
            let new = Array(correction.replacement.utf8)
            bytes.replaceSubrange(range, with: new)
            isProtected.replaceSubrange(range, with: Array(repeating: false, count: new.count))
            origin.replaceSubrange(range, with: Array(repeating: -1, count: new.count))
            count += 1
        }
        return count
    }

    /// Where these bytes, or what is around them, stood in the text as it was.
    func original(_ range: Range<Int>) -> Range<Int> {
        let before = origin[..<range.lowerBound].last { $0 >= 0 }
        let after = origin[range.upperBound...].first { $0 >= 0 }
        let start = before.map { $0 + 1 } ?? whole.lowerBound
        return start..<max(start, after ?? whole.upperBound)
    }

    /// All that was changed, in the text as it was, ascending and apart.
    var corrections: [Correction] {
        guard isChanged else { return [] }
        var found: [Correction] = []
        var index = 0
        var place = whole.lowerBound
        while index <= bytes.count {
            // What was put in here, and where the text goes on.
            let start = index
            while index < bytes.count, origin[index] < 0 { index += 1 }
            let next = index < bytes.count ? origin[index] : whole.upperBound
            if next > place || index > start {
                let range = place..<next
                found.append(
                    Correction(
                        range: range,
                        replacement: String(decoding: bytes[start..<index], as: UTF8.self),
                        rule: rule(for: range)))
            }
            if index == bytes.count { break }
            place = next + 1
            index += 1
        }
        return found
    }

    private func rule(for range: Range<Int>) -> String {
        made.first {
            $0.range.lowerBound <= range.upperBound && range.lowerBound <= $0.range.upperBound
        }?
        .rule ?? ""
    }
}
