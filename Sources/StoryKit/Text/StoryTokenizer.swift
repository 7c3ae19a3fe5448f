/// Divides a story into words and punctuation, working on bytes.
struct StoryTokenizer {
    private(set) var tokens: [StoryToken] = []
    private(set) var vocabulary: StoryVocabulary
    private var startsSentence = true
    private var folded: [UInt8] = []
    private let splitsPronouns: Bool

    /// - Parameter splitsPronouns: make two words of "répondit-elle" and "demanda-t-il".
    init(_ bytes: [UInt8], words: StoryWords, splitsPronouns: Bool = false) {
        self.splitsPronouns = splitsPronouns
        vocabulary = words.vocabulary
        tokens.reserveCapacity(bytes.count / 5)
        bytes.withUnsafeBufferPointer { run($0) }
    }

    private mutating func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        var index = 0
        var newlines = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x0A {
                newlines += 1
                if newlines == 2 { startsSentence = true }
            }
            if byte <= 0x20 || byte == UInt8(ascii: "_") {
                index += 1
                continue
            }
            newlines = 0
            let length = Self.letter(at: index, in: bytes)
            if length > 0 {
                index = word(from: index, in: bytes)
            } else {
                index = punctuation(from: index, in: bytes)
            }
        }
    }

    /// Reads the word that starts here and returns its end.
    private mutating func word(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var index = start
        var capitals = 0
        var letters = 0
        folded.removeAll(keepingCapacity: true)
        scan: while index < bytes.count {
            let length = Self.letter(at: index, in: bytes)
            if length > 0 {
                letters += 1
                if fold(index, length, in: bytes) { capitals += 1 }
                index += length
                continue
            }
            // An apostrophe or a hyphen between two letters belongs to the word, and "'s"
            // at its end is a word of its own.
            let joint = Self.joint(at: index, in: bytes)
            guard joint > 0, Self.letter(at: index + joint, in: bytes) > 0 else { break }
            if splitsPronouns, let skipped = Self.pronoun(after: index, in: bytes) {
                append(start..<index, flags(start, capitals, letters, in: bytes))
                return index + skipped
            }
            if bytes[index] != UInt8(ascii: "-") {
                // "l'aubergiste", "d'un": an article or a preposition of its own; not "d'Artagnan".
                if splitsPronouns, !Self.isCapital(at: index + joint, in: bytes),
                    folded == [UInt8(ascii: "l")] || folded == [UInt8(ascii: "d")]
                {
                    folded.append(UInt8(ascii: "'"))
                    append(start..<(index + joint), flags(start, capitals, letters, in: bytes))
                    return index + joint
                }
                let after = index + joint
                if bytes[after] | 0x20 == UInt8(ascii: "s"),
                    Self.letter(at: after + 1, in: bytes) == 0
                {
                    break scan
                }
                folded.append(UInt8(ascii: "'"))
            } else {
                folded.append(UInt8(ascii: "-"))
            }
            index += joint
        }
        append(start..<index, flags(start, capitals, letters, in: bytes))
        // The possessive.
        let joint = Self.joint(at: index, in: bytes)
        if joint > 0, index + joint < bytes.count, bytes[index] != UInt8(ascii: "-"),
            bytes[index + joint] | 0x20 == UInt8(ascii: "s"),
            Self.letter(at: index + joint + 1, in: bytes) == 0
        {
            folded = [UInt8(ascii: "'"), UInt8(ascii: "s")]
            append(index..<(index + joint + 1), [])
            return index + joint + 1
        }
        return index
    }

    private mutating func flags(
        _ start: Int, _ capitals: Int, _ letters: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> StoryToken.Flags {
        var flags: StoryToken.Flags = []
        if startsSentence { flags.insert(.startsSentence) }
        startsSentence = false
        // "d'Artagnan" is a name.
        let joint = Self.joint(at: start + 1, in: bytes)
        if capitals > 0,
            Self.isCapital(at: start, in: bytes)
                || joint > 0 && Self.isCapital(at: start + 1 + joint, in: bytes)
        {
            flags.insert(.capitalized)
        }
        if capitals == letters, letters > 1 { flags.insert(.allCapitals) }
        return flags
    }

    private static let pronouns = ["il", "elle", "ils", "elles", "je"].flatMap { pronoun in
        ["-", "-t-"].map { (sign: Array($0.utf8), word: Array(pronoun.utf8)) }
    }

    /// Number of bytes that join the following subject to its verb; nil if none follows.
    private static func pronoun(
        after index: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        pronouns.first { sign, word in
            let joined = sign + word
            return bytes[index...].starts(with: joined)
                && letter(at: index + joined.count, in: bytes) == 0
                && joint(at: index + joined.count, in: bytes) == 0
        }?.sign.count
    }

    private mutating func punctuation(
        from start: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var end = start + 1
        let byte = bytes[start]
        if byte >= 0xC0 {
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
        } else if byte == UInt8(ascii: "-") {
            while end < bytes.count, bytes[end] == byte { end += 1 }
        }
        // A space that is not ASCII.
        if end - start == 2, byte == 0xC2, bytes[start + 1] == 0xA0 { return end }
        folded.removeAll(keepingCapacity: true)
        folded.append(contentsOf: bytes[start..<end])
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "?"): startsSentence = true
        case UInt8(ascii: "."): startsSentence = !endsAbbreviation()
        case 0xE2 where end - start == 3 && bytes[start + 1] == 0x80:
            // An opening mark begins a sentence, as an ellipsis may.
            if [0x9C, 0x98, 0x9E, 0xA6].contains(bytes[start + 2]) { startsSentence = true }
        case UInt8(ascii: "\""), UInt8(ascii: ":"): startsSentence = true
        default: break
        }
        append(start..<end, .punctuation)
        return end
    }

    /// Whether the period here belongs to "Mr." or to an initial.
    private func endsAbbreviation() -> Bool {
        guard let last = tokens.last, last.isWord else { return false }
        if vocabulary.classes(of: last.word).contains(.abbreviation) { return true }
        return last.end - last.start == 1 && last.isCapitalized
            && vocabulary.text(of: last.word) != "i"
    }

    private mutating func append(_ range: Range<Int>, _ flags: StoryToken.Flags) {
        let id = vocabulary.add(folded)
        tokens.append(
            StoryToken(
                start: Int32(range.lowerBound), end: Int32(range.upperBound), word: id,
                flags: flags))
    }

    /// Appends the letter in lowercase; returns whether it was a capital.
    private mutating func fold(
        _ index: Int, _ length: Int, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        let isCapital = Self.isCapital(at: index, in: bytes)
        guard isCapital else {
            folded.append(contentsOf: bytes[index..<(index + length)])
            return false
        }
        switch bytes[index] {
        case 0xC3: folded.append(contentsOf: [0xC3, bytes[index + 1] + 0x20])
        // Cyrillic А–П, Р–Я, Ё.
        case 0xD0 where bytes[index + 1] == 0x81: folded.append(contentsOf: [0xD1, 0x91])
        case 0xD0 where bytes[index + 1] < 0xA0:
            folded.append(contentsOf: [0xD0, bytes[index + 1] + 0x20])
        case 0xD0: folded.append(contentsOf: [0xD1, bytes[index + 1] - 0x20])
        case 0xC4, 0xC5: folded.append(contentsOf: [bytes[index], bytes[index + 1] + 1])
        default: folded.append(bytes[index] | 0x20)
        }
        return true
    }

    private static func isCapital(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let next = index + 1 < bytes.count ? bytes[index + 1] : 0
        return switch bytes[index] {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case 0xC3: (0x80...0x9E).contains(next) && next != 0x97
        case 0xD0: next == 0x81 || (0x90...0xAF).contains(next)
        // Latin Extended-A, where capitals usually have even code points.
        case 0xC4: next & 1 == 0 && next < 0xB8
        case 0xC5: (0x8A...0xB6).contains(next) && next & 1 == 0
        default: false
        }
    }

    /// The length of the letter or digit here, or 0.
    private static func letter(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard index < bytes.count else { return 0 }
        switch bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            return 1
        case 0x80...0xBF, 0xC0...0xC1, 0xC2, 0..<0x80: return 0
        case 0xC3...0xDF: return index + 1 < bytes.count ? 2 : 0
        // General punctuation, arrows, signs; ideographic punctuation.
        case 0xE2: return 0
        case 0xE3 where index + 1 < bytes.count && bytes[index + 1] == 0x80: return 0
        case 0xE0...0xEF: return index + 2 < bytes.count ? 3 : 0
        default: return 0
        }
    }

    /// The length of the apostrophe or hyphen here, or 0.
    private static func joint(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
        guard index < bytes.count else { return 0 }
        switch bytes[index] {
        case UInt8(ascii: "'"), UInt8(ascii: "-"): return 1
        case 0xE2
        where index + 2 < bytes.count && bytes[index + 1] == 0x80
            && bytes[index + 2] == 0x99:
            return 3
        default: return 0
        }
    }

    /// Marks the tokens of quotations and returns the token range of each span.
    mutating func assign(to spans: [StorySpan]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        ranges.reserveCapacity(spans.count)
        var token = 0
        for span in spans {
            let first = token
            while token < tokens.count, tokens[token].start < span.range.upperBound {
                if span.kind == .quotation { tokens[token].flags.insert(.inQuotation) }
                token += 1
            }
            ranges.append(first..<token)
        }
        return ranges
    }
}
