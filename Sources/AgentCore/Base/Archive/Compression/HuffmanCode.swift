/// Canonical Huffman codes as in DEFLATE (RFC 1951 §3.2.2): a code is defined only by the
/// lengths of its words.
enum HuffmanCode {
    /// Maximum length of a code word (§3.2.7).
    static let longest = 15

    /// The lengths of the fixed code (§3.2.6); 286 and 287 never occur in data.
    static let fixedLiterals = (0..<288).map { symbol -> UInt8 in
        switch symbol {
        case ..<144: 8
        case ..<256: 9
        case ..<280: 7
        default: 8
        }
    }
    static let fixedDistances = [UInt8](repeating: 5, count: 30)

    /// The code words with their first bit lowest, as they are written to the stream.
    static func words(_ lengths: [UInt8]) -> [UInt16] {
        var counts = [Int](repeating: 0, count: longest + 1)
        for length in lengths where length > 0 { counts[Int(length)] += 1 }
        var next = [Int](repeating: 0, count: longest + 1)
        for length in 1...longest {
            next[length] = (next[length - 1] + (length > 1 ? counts[length - 1] : 0)) << 1
        }
        return lengths.map { length in
            guard length > 0 else { return 0 }
            defer { next[Int(length)] += 1 }
            return reversed(next[Int(length)], length)
        }
    }

    static func reversed(_ word: Int, _ length: UInt8) -> UInt16 {
        var (rest, result) = (word, UInt16(0))
        for _ in 0..<length {
            result = result << 1 | UInt16(rest & 1)
            rest >>= 1
        }
        return result
    }
}

/// The table for reading a code: a symbol for each beginning of the stream.
struct HuffmanTable {
    /// Symbol and length (`symbol << 4 | length`) for each value of the next `width` bits; 0 if no
    /// code word begins with them.
    let entries: [UInt16]
    let width: Int

    /// Nil if the lengths are not a code: too many words, or too few (only a single word of
    /// one bit is allowed, §3.2.7).
    init?(_ lengths: ArraySlice<UInt8>) {
        let width = Int(lengths.max() ?? 0)
        guard width > 0 else {
            // No words: valid if nothing is ever read with it.
            entries = [0, 0]
            self.width = 1
            return
        }
        let sum = lengths.reduce(0) { $1 == 0 ? $0 : $0 + 1 << (width - Int($1)) }
        let isAlone = width == 1 && sum == 1
        guard sum == 1 << width || isAlone else { return nil }
        var entries = [UInt16](repeating: 0, count: 1 << width)
        for (symbol, word) in HuffmanCode.words(Array(lengths)).enumerated() {
            let length = Int(lengths[lengths.startIndex + symbol])
            if length == 0 { continue }
            for place in stride(from: Int(word), to: entries.count, by: 1 << length) {
                entries[place] = UInt16(symbol << 4 | length)
            }
        }
        self.entries = entries
        self.width = width
    }
}

/// The alphabets of lengths and distances (RFC 1951 §3.2.5).
enum DeflateAlphabet {
    /// The shortest length of each symbol, by `symbol - 257`; `lengthBits` has the number of
    /// extra bits.
    static let lengthBase: [UInt16] = [
        3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115,
        131, 163, 195, 227, 258,
    ]
    static let lengthBits: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
    ]
    static let distanceBase: [UInt16] = [
        1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537,
        2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577,
    ]
    static let distanceBits: [UInt8] = [
        0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12,
        13, 13,
    ]
    /// The order of the code length code's lengths (§3.2.7).
    static let codeOrder = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]
    static let endOfBlock = 256
    static let window = 32 << 10
    static let longestMatch = 258
}
