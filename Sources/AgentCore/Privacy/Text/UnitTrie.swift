/// Finds many phrases in one walk over a text: it stores the letters and digits of each;
/// the gaps between them are left to the caller. Pure.
struct UnitTrie<Payload: Sendable>: Sendable {
    /// Each node has the unit that leads to it, its first child, and the next child of its
    /// parent, 0 for none. Few have more than three children, so none is hashed.
    private var units: [UInt32] = [0]
    private var children: [Int32] = [0]
    private var siblings: [Int32] = [0]
    /// The root's children by ASCII: most walks end with the first unit.
    private var roots = [Int32](repeating: 0, count: 128)
    private var payloads: [[Payload]] = [[]]

    var isEmpty: Bool { payloads.count == 1 }

    mutating func insert(_ phrase: [UInt32], _ payload: Payload) {
        guard !phrase.isEmpty else { return }
        var node: Int32 = 0
        for unit in phrase {
            if let next = next(node, unit) {
                node = next
                continue
            }
            let next = Int32(payloads.count)
            payloads.append([])
            units.append(unit)
            siblings.append(children[Int(node)])
            children.append(0)
            children[Int(node)] = next
            if node == 0, unit < 128 { roots[Int(unit)] = next }
            node = next
        }
        payloads[Int(node)].append(payload)
    }

    /// The next node; the walk begins at the root, which is node 0.
    func next(_ node: Int32, _ unit: UInt32) -> Int32? {
        if node == 0, unit < 128 {
            let next = roots[Int(unit)]
            return next == 0 ? nil : next
        }
        var child = children[Int(node)]
        while child != 0 {
            if units[Int(child)] == unit { return child }
            child = siblings[Int(child)]
        }
        return nil
    }

    func payloads(_ node: Int32) -> [Payload] { payloads[Int(node)] }
}

extension ScannedText {
    /// The gap between two letters of a phrase.
    enum Gap: Sendable {
        case none
        /// A gap that a reader does not take for the end of a word: markup, an apostrophe, the
        /// hyphen at the end of a line.
        case soft
        /// Blanks, points, commas, hyphens, a new line.
        case separator
    }

    /// The next letter or digit, if the gap before it is so small that both can belong to
    /// one phrase.
    func nextInPhrase(_ index: Int) -> (index: Int, gap: Gap)? {
        var next = index + 1
        guard next < count else { return nil }
        if isWord(next) { return (next, .none) }
        var signs = 0
        var newlines = 0
        var hyphenAtEnd = false
        var isSoft = true
        while next < count, !isWord(next) {
            switch units[next] {
            case 0x0A:
                newlines += 1
                if newlines > 2 { return nil }
                if !hyphenAtEnd { isSoft = false }
                next = skippingSpace(next + 1)
                continue
            case 0x2D: hyphenAtEnd = true
            case 0x2A, 0x5F, 0x7E, 0x60, 0x27: break
            case 0x3C:
                // A tag of HTML.
                if let close = (next + 1..<min(next + 40, count)).first(where: {
                    units[$0] == 0x3E
                }) {
                    next = close + 1
                    continue
                }
                isSoft = false
            default: isSoft = false
            }
            signs += 1
            if signs > 6 { return nil }
            next += 1
        }
        guard next < count else { return nil }
        // A hyphen inside a line parts words.
        if hyphenAtEnd, newlines == 0 { isSoft = false }
        return (next, isSoft ? .soft : .separator)
    }

    /// The letters and digits of a phrase, folded as texts are.
    static func compact(_ phrase: String) -> [UInt32] {
        let scanned = ScannedText(phrase)
        var units: [UInt32] = []
        for index in 0..<scanned.count where scanned.isWord(index) {
            units.append(scanned.units[index])
        }
        return units
    }
}
