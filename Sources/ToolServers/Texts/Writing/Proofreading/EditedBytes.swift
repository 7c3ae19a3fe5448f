/// The bytes of a text that is corrected in several rounds, and the combined
/// effect of the corrections on the original text. Pure.
struct EditedBytes: Sendable {
    private(set) var bytes: [UInt8]
    private(set) var isProtected: [Bool]
    /// The original position of each byte; -1 for an inserted one.
    private var origin: [Int]
    /// The original range of these bytes.
    private let whole: Range<Int>
    /// The original range changed by each correction.
    private var made: [(range: Range<Int>, rule: String)] = []

    /// - Parameter whole: the position of these bytes in their text.
    init(_ bytes: [UInt8], isProtected: [Bool] = [], at start: Int = 0) {
        self.bytes = bytes
        self.isProtected =
            isProtected.isEmpty ? Array(repeating: false, count: bytes.count) : isProtected
        origin = Array(start..<start + bytes.count)
        whole = start..<start + bytes.count
    }

    var isChanged: Bool { !made.isEmpty }

    /// Applies the corrections that touch no protected byte and change something.
    /// - Parameter corrections: ascending and not overlapping, in the current bytes.
    /// - Returns: the number applied.
    mutating func apply(_ corrections: [Correction]) -> Int {
        let some = corrections.filter { correction in
            let range = correction.range
            return range.lowerBound >= 0 && range.upperBound <= bytes.count
                && !isProtected[range].contains(true)
                && !bytes[range].elementsEqual(correction.replacement.utf8)
        }
        guard !some.isEmpty else { return 0 }
        made += some.reversed().map { (original($0.range), $0.rule) }
        // In one pass: a text may be one paragraph with a thousand corrections.
        let old = self
        bytes.removeAll(keepingCapacity: true)
        isProtected.removeAll(keepingCapacity: true)
        origin.removeAll(keepingCapacity: true)
        var end = 0
        func keep(_ range: Range<Int>) {
            bytes += old.bytes[range]
            isProtected += old.isProtected[range]
            origin += old.origin[range]
        }
        for correction in some {
            keep(end..<correction.range.lowerBound)
            let count = correction.replacement.utf8.count
            bytes += correction.replacement.utf8
            isProtected += repeatElement(false, count: count)
            origin += repeatElement(-1, count: count)
            end = correction.range.upperBound
        }
        keep(end..<old.bytes.count)
        return some.count
    }

    /// The original range of these bytes, or of those around them.
    func original(_ range: Range<Int>) -> Range<Int> {
        let before = origin[..<range.lowerBound].last { $0 >= 0 }
        let after = origin[range.upperBound...].first { $0 >= 0 }
        let start = before.map { $0 + 1 } ?? whole.lowerBound
        return start..<max(start, after ?? whole.upperBound)
    }

    /// All changes, in the original text, ascending and not overlapping.
    var corrections: [Correction] {
        guard isChanged else { return [] }
        var found: [Correction] = []
        var rules = Rules(made)
        var index = 0
        var place = whole.lowerBound
        while index <= bytes.count {
            // The inserted bytes here, and where the text continues.
            let start = index
            while index < bytes.count, origin[index] < 0 { index += 1 }
            let next = index < bytes.count ? origin[index] : whole.upperBound
            if next > place || index > start {
                let range = place..<next
                found.append(
                    Correction(
                        range: range,
                        replacement: String(decoding: bytes[start..<index], as: UTF8.self),
                        rule: rules.rule(for: range)))
            }
            if index == bytes.count { break }
            place = next + 1
            index += 1
        }
        return found
    }

    /// The rule that first changed a range, for ascending ranges: each is
    /// compared with its neighbours only.
    private struct Rules {
        private var made: [(range: Range<Int>, rule: String, order: Int)]
        private var first = 0

        init(_ made: [(range: Range<Int>, rule: String)]) {
            self.made = made.enumerated().map { ($1.range, $1.rule, $0) }
            self.made.sort { $0.range.lowerBound < $1.range.lowerBound }
        }

        mutating func rule(for range: Range<Int>) -> String {
            while first < made.count, made[first].range.upperBound < range.lowerBound { first += 1 }
            return made[first...].prefix { $0.range.lowerBound <= range.upperBound }
                .filter { range.lowerBound <= $0.range.upperBound }
                .min { $0.order < $1.order }?.rule ?? ""
        }
    }
}
