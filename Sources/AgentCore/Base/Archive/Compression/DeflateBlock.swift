/// One block of a DEFLATE stream: literals and repetitions in the shortest of
/// the three forms (RFC 1951 §3.2.3).
struct DeflateBlock {
    private let tokens: [UInt32]
    private let ratioLimit: Int
    private var literals = [Int](repeating: 0, count: 286)
    private var distances = [Int](repeating: 0, count: 30)
    /// Bits after the words of lengths and distances.
    private var extraBits = 0

    /// - Parameters:
    ///   - tokens: a byte, or `distance << 9 | length`.
    ///   - ratioLimit: a code of its own is not used above it.
    init(tokens: [UInt32], ratioLimit: Int) {
        self.tokens = tokens
        self.ratioLimit = ratioLimit
        for token in tokens {
            guard token > 0xFF else {
                literals[Int(token)] += 1
                continue
            }
            let (length, distance) = (Self.lengthSymbol(token), Self.distanceSymbol(token))
            literals[length] += 1
            distances[distance] += 1
            extraBits += Int(DeflateAlphabet.lengthBits[length - 257])
            extraBits += Int(DeflateAlphabet.distanceBits[distance])
        }
        literals[DeflateAlphabet.endOfBlock] = 1
    }

    func write(plain: ArraySlice<UInt8>, isLast: Bool, to writer: inout BitWriter) {
        let own = OwnCode(literals: literals, distances: distances)
        let ownBits = own.bits + size(own.literals, own.distances)
        let fixedBits = size(HuffmanCode.fixedLiterals, HuffmanCode.fixedDistances)
        let storedBits = 32 + 8 * plain.count + 7
        writer.add(isLast ? 1 : 0, 1)
        if storedBits < min(ownBits, fixedBits) {
            writer.add(0, 2)
            writer.align()
            writer.add(plain.count, 16)
            writer.add(~plain.count & 0xFFFF, 16)
            writer.add(plain)
        } else if ownBits < fixedBits, plain.count * 8 <= ratioLimit * ownBits {
            writer.add(2, 2)
            own.write(to: &writer)
            write(own.literals, own.distances, to: &writer)
        } else {
            writer.add(1, 2)
            write(HuffmanCode.fixedLiterals, HuffmanCode.fixedDistances, to: &writer)
        }
    }

    private func size(_ literalLengths: [UInt8], _ distanceLengths: [UInt8]) -> Int {
        var bits = extraBits
        for (symbol, count) in literals.enumerated() { bits += count * Int(literalLengths[symbol]) }
        for (symbol, count) in distances.enumerated() {
            bits += count * Int(distanceLengths[symbol])
        }
        return bits
    }

    private func write(
        _ literalLengths: [UInt8], _ distanceLengths: [UInt8], to writer: inout BitWriter
    ) {
        let literalWords = HuffmanCode.words(literalLengths)
        let distanceWords = HuffmanCode.words(distanceLengths)
        func word(_ symbol: Int) {
            writer.add(Int(literalWords[symbol]), Int(literalLengths[symbol]))
        }
        for token in tokens {
            guard token > 0xFF else {
                word(Int(token))
                continue
            }
            let (symbol, code) = (Self.lengthSymbol(token), Self.distanceSymbol(token))
            word(symbol)
            let place = symbol - 257
            writer.add(
                Int(token & 0x1FF) - Int(DeflateAlphabet.lengthBase[place]),
                Int(DeflateAlphabet.lengthBits[place]))
            writer.add(Int(distanceWords[code]), Int(distanceLengths[code]))
            writer.add(
                Int(token >> 9) - Int(DeflateAlphabet.distanceBase[code]),
                Int(DeflateAlphabet.distanceBits[code]))
        }
        word(DeflateAlphabet.endOfBlock)
    }

    // MARK: - Symbols

    private static func lengthSymbol(_ token: UInt32) -> Int { lengthSymbols[Int(token & 0x1FF)] }

    private static let lengthSymbols: [Int] = (0...DeflateAlphabet.longestMatch).map { length in
        257 + (DeflateAlphabet.lengthBase.lastIndex { $0 <= length } ?? 0)
    }

    private static func distanceSymbol(_ token: UInt32) -> Int {
        let distance = Int(token >> 9)
        if distance <= 4 { return distance - 1 }
        // Two symbols for each power of two.
        let power = Int.bitWidth - 1 - (distance - 1).leadingZeroBitCount
        return 2 * power + ((distance - 1) >> (power - 1) & 1)
    }
}

/// The two codes of a dynamic block and how their lengths are written
/// (RFC 1951 §3.2.7).
private struct OwnCode {
    let literals: [UInt8]
    let distances: [UInt8]
    /// Symbols of the code of lengths, with their extra bits.
    private var runs: [(symbol: Int, extra: Int, bits: Int)] = []
    private let lengths: [UInt8]
    private let lengthCount: Int
    private let literalCount: Int
    private let distanceCount: Int
    /// What all of it takes.
    let bits: Int

    init(literals: [Int], distances: [Int]) {
        self.literals = HuffmanCode.lengths(frequencies: literals, limit: HuffmanCode.longest)
        self.distances = HuffmanCode.lengths(frequencies: distances, limit: HuffmanCode.longest)
        literalCount = max(257, (self.literals.lastIndex { $0 > 0 } ?? 0) + 1)
        distanceCount = (self.distances.lastIndex { $0 > 0 } ?? 0) + 1
        runs = Self.runs(
            Array(self.literals[..<literalCount] + self.distances[..<distanceCount]))
        var frequencies = [Int](repeating: 0, count: 19)
        for run in runs { frequencies[run.symbol] += 1 }
        let lengths = HuffmanCode.lengths(frequencies: frequencies, limit: 7)
        self.lengths = lengths
        lengthCount = max(
            4, (DeflateAlphabet.codeOrder.lastIndex { lengths[$0] > 0 } ?? 0) + 1)
        bits =
            14 + 3 * lengthCount + runs.reduce(0) { $0 + Int(lengths[$1.symbol]) + $1.bits }
    }

    func write(to writer: inout BitWriter) {
        writer.add(literalCount - 257, 5)
        writer.add(distanceCount - 1, 5)
        writer.add(lengthCount - 4, 4)
        for place in DeflateAlphabet.codeOrder.prefix(lengthCount) {
            writer.add(Int(lengths[place]), 3)
        }
        let words = HuffmanCode.words(lengths)
        for run in runs {
            writer.add(Int(words[run.symbol]), Int(lengths[run.symbol]))
            writer.add(run.extra, run.bits)
        }
    }

    private static func runs(_ lengths: [UInt8]) -> [(symbol: Int, extra: Int, bits: Int)] {
        var runs: [(symbol: Int, extra: Int, bits: Int)] = []
        var place = 0
        while place < lengths.count {
            let length = lengths[place]
            var count = 1
            while place + count < lengths.count, lengths[place + count] == length { count += 1 }
            place += count
            if length > 0 {
                runs.append((Int(length), 0, 0))
                count -= 1
            }
            while count > 0 {
                if length == 0, count >= 11 {
                    let part = min(count, 138)
                    runs.append((18, part - 11, 7))
                    count -= part
                } else if count >= 3 {
                    let part = min(count, length == 0 ? 10 : 6)
                    runs.append(length == 0 ? (17, part - 3, 3) : (16, part - 3, 2))
                    count -= part
                } else {
                    runs.append((Int(length), 0, 0))
                    count -= 1
                }
            }
        }
        return runs
    }
}

/// Puts numbers into bytes, the lowest bit first.
struct BitWriter {
    private var bytes: [UInt8] = []
    private var bits: UInt64 = 0
    private var count = 0

    /// - Parameter width: at most 32.
    mutating func add(_ value: Int, _ width: Int) {
        bits |= UInt64(value) << UInt64(count)
        count += width
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            count -= 8
        }
    }

    /// Whole bytes; only after `align`.
    mutating func add(_ plain: ArraySlice<UInt8>) { bytes += plain }

    /// Fills the last byte with zeros.
    mutating func align() {
        if count > 0 { add(0, 8 - count) }
    }

    /// Those that are complete.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
