/// Splits the bytes of a block into items: first at white space, then separates
/// the marks around each piece from its core, and classifies the core. Pure.
struct PassageCutter {
    private let bytes: [UInt8]
    private let isProtected: [Bool]
    private var scalars: [Unicode.Scalar] = []
    /// The start of each scalar, and the end.
    private var offsets: [Int] = []
    private var found: [Passage.Item] = []
    private var gap = Passage.Gap.none

    init(_ bytes: [UInt8], _ isProtected: [Bool]) {
        self.bytes = bytes
        self.isProtected = isProtected
        scalars.reserveCapacity(bytes.count)
        offsets.reserveCapacity(bytes.count + 1)
        var offset = 0
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            scalars.append(scalar)
            offsets.append(offset)
            offset += UTF8.width(scalar)
        }
        offsets.append(offset)
        found.reserveCapacity(bytes.count / 5)
    }

    mutating func items() -> [Passage.Item] {
        var index = 0
        while index < scalars.count {
            let start = index
            while index < scalars.count, isSpace(scalars[index]) { index += 1 }
            if index > start { gap = kind(ofGap: start..<index) }
            let piece = index
            while index < scalars.count, !isSpace(scalars[index]) { index += 1 }
            if index > piece { cut(piece..<index) }
        }
        return found
    }

    // MARK: - Gaps

    private func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? scalar.value == 0x20 || (0x09...0x0D).contains(scalar.value)
            : scalar.properties.isWhitespace
    }

    private func kind(ofGap range: Range<Int>) -> Passage.Gap {
        var breaks = 0
        var spaces = 0
        for index in range {
            switch scalars[index] {
            case " ": spaces += 1
            case "\n": breaks += 1
            case "\r" where index + 1 < scalars.count && scalars[index + 1] == "\n": break
            default: return .other
            }
        }
        if breaks > 0 { return breaks == 1 ? .line : .other }
        return spaces == 1 ? .space : .spaces
    }

    // MARK: - Pieces

    private mutating func add(
        _ kind: Passage.Kind, _ range: Range<Int>, capitalised: Bool = false, capitals: Bool = false
    ) {
        let place = offsets[range.lowerBound]..<offsets[range.upperBound]
        found.append(
            Passage.Item(
                kind: kind, range: place,
                text: kind == .word ? folded(place) : String(decoding: bytes[place], as: UTF8.self),
                gap: gap, isCapitalised: capitalised, isAllCapitals: capitals))
        gap = .none
    }

    private func folded(_ place: Range<Int>) -> String {
        if bytes[place].allSatisfy({ $0 < 0x80 }) {
            return String(
                decoding: bytes[place].lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: bytes[place], as: UTF8.self).lowercased().unicodeScalars {
            text.append(scalar == "’" ? "'" : scalar)
        }
        return String(text)
    }

    private mutating func cut(_ piece: Range<Int>) {
        if !isProtected.isEmpty, piece.contains(where: { isProtected[offsets[$0]] }) {
            cutAroundProtected(piece)
            return
        }
        var low = piece.lowerBound
        var high = piece.upperBound
        while low < high, Self.opening.contains(scalars[low]) {
            low = addMark(low, in: piece)
        }
        while high > low, Self.closing.contains(scalars[high - 1]) { high -= 1 }
        if low < high {
            if let kind = classify(low..<high) {
                addCore(low..<high, kind)
            } else {
                addParts(low..<high)
            }
        }
        low = high
        while low < piece.upperBound { low = addMark(low, in: piece) }
    }

    /// Equal marks in a row are one item.
    private mutating func addMark(_ start: Int, in piece: Range<Int>) -> Int {
        var end = start + 1
        while end < piece.upperBound, scalars[end] == scalars[start] { end += 1 }
        add(.mark, start..<end)
        return end
    }

    private static let opening: Set<Unicode.Scalar> = [
        "\"", "'", "(", "[", "“", "‘", "„", "«", "*", "¿", "¡", "—", "–", "•",
    ]
    private static let closing: Set<Unicode.Scalar> = [
        "\"", "'", ")", "]", "”", "’", "“", "»", "*", ".", ",", ";", ":", "!", "?", "…", "—", "–",
    ]

    /// Text that touches a protected span belongs to it, unless it is a mark.
    private mutating func cutAroundProtected(_ piece: Range<Int>) {
        var index = piece.lowerBound
        while index < piece.upperBound {
            let start = index
            let flag = isProtected[offsets[index]]
            while index < piece.upperBound, isProtected[offsets[index]] == flag { index += 1 }
            if flag {
                add(.opaque, start..<index)
            } else if scalars[start..<index].allSatisfy({
                Self.opening.contains($0) || Self.closing.contains($0)
            }) {
                var low = start
                while low < index { low = addMark(low, in: start..<index) }
            } else {
                add(.technical, start..<index)
            }
        }
    }

    // MARK: - Cores

    /// The kind of a run without blanks; nil if it may be words with dashes between
    /// them.
    private func classify(_ range: Range<Int>) -> Passage.Kind? {
        let first = scalars[range.lowerBound]
        if Self.isDigit(first) || Self.currency.contains(first) && range.count > 1 {
            return isNumber(range) ? .number : .technical
        }
        if first == "-" || first == "+" {
            return scalars[range].allSatisfy { $0 == "-" || $0 == "+" } ? .mark : .technical
        }
        var hasDash = false
        var isWord = isLetter(first)
        for index in range {
            let scalar = scalars[index]
            if isLetter(scalar) { continue }
            let isInside = index > range.lowerBound && index + 1 < range.upperBound
            if scalar == "'" || scalar == "’" || scalar == "-" || scalar == "\u{2011}" {
                if !isInside { return .technical }
                if scalar == "-", scalars[index - 1] == "-" { hasDash = true }
            } else if isInside, scalar == "—" || scalar == "–" || scalar == "…" {
                hasDash = true
            } else {
                isWord = false
            }
        }
        if hasDash, isWord { return nil }
        return isWord && !isMixedCase(range) ? .word : .technical
    }

    /// "camelCase", "iPhone", "McKay", "SELinux": names, in any case.
    private func isMixedCase(_ range: Range<Int>) -> Bool {
        var small = 0
        var capitals = 0
        for index in range {
            let scalar = scalars[index]
            if scalar == "-" || scalar == "'" || scalar == "’" {
                (small, capitals) = (0, 0)
            } else if isCapital(scalar) {
                if small > 0 { return true }
                capitals += 1
            } else if isLetter(scalar) {
                if capitals > 1 { return true }
                small += 1
            }
        }
        return false
    }

    /// "3", "3,000.50", "50%", "$5", "3rd", "11-year-old".
    private func isNumber(_ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        if !Self.isDigit(scalars[index]) { index += 1 }
        let digits = index
        while index < range.upperBound,
            Self.isDigit(scalars[index])
                || [".", ",", ":", "%", "/", "–"].contains(scalars[index])
        {
            index += 1
        }
        guard index > digits else { return false }
        let rest = scalars[index..<range.upperBound]
        if rest.isEmpty { return true }
        if rest.first == "-" { return rest.allSatisfy { $0 == "-" || isLetter($0) } }
        return ["st", "nd", "rd", "th", "s", "am", "pm"].contains {
            $0.unicodeScalars.elementsEqual(rest)
        }
    }

    private mutating func addCore(_ range: Range<Int>, _ kind: Passage.Kind) {
        let capitals = kind == .word && scalars[range].allSatisfy { !isLetter($0) || isCapital($0) }
        add(
            kind, range, capitalised: isCapital(scalars[range.lowerBound]),
            capitals: capitals && range.count > 1)
    }

    /// Words joined by dashes or dots without spaces: each is an item.
    private mutating func addParts(_ range: Range<Int>) {
        var start = range.lowerBound
        var index = start
        func isDash(_ index: Int) -> Bool {
            switch scalars[index] {
            case "—", "–", "…": true
            case "-":
                index + 1 < range.upperBound && scalars[index + 1] == "-"
                    || index > range.lowerBound && scalars[index - 1] == "-"
            default: false
            }
        }
        while index < range.upperBound {
            if isDash(index) {
                if start < index { addPart(start..<index) }
                let dash = index
                while index < range.upperBound, isDash(index) { index += 1 }
                add(.mark, dash..<index)
                start = index
            } else {
                index += 1
            }
        }
        if start < index { addPart(start..<index) }
    }

    private mutating func addPart(_ range: Range<Int>) {
        addCore(range, classify(range) ?? .technical)
    }

    // MARK: - Scalars

    private static let currency: Set<Unicode.Scalar> = ["$", "€", "£", "#"]

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar.value &- 0x30 < 10 }

    private func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII
            ? (scalar.value | 0x20) &- 0x61 < 26
            : scalar.properties.isAlphabetic || scalar.properties.isGraphemeExtend
    }

    private func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar.value &- 0x41 < 26 : scalar.properties.isUppercase
    }
}
