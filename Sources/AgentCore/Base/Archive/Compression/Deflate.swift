/// Writes DEFLATE (RFC 1951): takes plain bytes in pieces of any size and returns compressed ones.
///
/// Repetitions are searched for in the preceding 32 KB (LZ77, hash chains); each block uses the
/// fixed code, or is stored if that is shorter. Dynamic codes would make a text a sixth smaller and
/// this type twice as long. It keeps two blocks in memory.
package struct Deflate {
    /// Maximum size of a stored block.
    private static let blockLimit = 65_535
    /// Maximum number of candidates: more cost time and gain little.
    private static let chainLimit = 48

    /// The window, then the bytes not compressed yet.
    private var bytes: [UInt8] = []
    /// The index of the first byte not compressed yet.
    private var start = 0
    /// The position of the first of `bytes` in the whole text.
    private var base = 0
    /// The latest position (in the whole text, plus 1) of each hash.
    private var heads: [Int]
    /// The previous position, by position in the window.
    private var chain: [Int]
    private var writer = BitWriter()

    /// - Parameter size: the size of the whole text, if known: a short one needs only small
    ///   tables.
    package init(size: Int = 32 << 10) {
        // As many positions as the text has bytes, and at most the window.
        let bits = min(15, max(6, Int.bitWidth - max(0, size - 1).leadingZeroBitCount))
        heads = [Int](repeating: 0, count: 1 << bits)
        chain = [Int](repeating: 0, count: 1 << bits)
    }

    package static func bytes(_ plain: [UInt8]) -> [UInt8] {
        var deflate = Deflate(size: plain.count)
        return deflate.add(plain) + deflate.finish()
    }

    /// - Returns: the compressed bytes that are ready.
    package mutating func add(_ plain: [UInt8]) -> [UInt8] {
        bytes += plain
        // Keep a byte more than a block, so that the last block is written by `finish`.
        while bytes.count - start > Self.blockLimit { block(Self.blockLimit, isLast: false) }
        return writer.takeBytes()
    }

    /// - Returns: the rest. Call nothing afterwards.
    package mutating func finish() -> [UInt8] {
        block(bytes.count - start, isLast: true)
        writer.align()
        return writer.takeBytes()
    }

    private mutating func block(_ count: Int, isLast: Bool) {
        var coded = writer
        code(count, isLast: isLast, to: &coded)
        if coded.count > writer.count + 5 + count {
            writer.add(isLast ? 1 : 0, 3)
            writer.align()
            writer.add(count, 16)
            writer.add(~count & 0xFFFF, 16)
            writer.add(bytes[start..<start + count])
        } else {
            writer = coded
        }
        start += count
        let old = start - DeflateAlphabet.window
        if old > 0 {
            bytes.removeFirst(old)
            base += old
            start -= old
        }
    }

    /// A block in the fixed code (§3.2.6).
    private mutating func code(_ count: Int, isLast: Bool, to writer: inout BitWriter) {
        let end = start + count
        writer.add((isLast ? 1 : 0) | 1 << 1, 3)
        // Locals, since the arrays are read for every byte.
        let (base, start) = (base, start)
        bytes.withUnsafeBufferPointer { bytes in
            heads.withUnsafeMutableBufferPointer { heads in
                chain.withUnsafeMutableBufferPointer { chain in
                    let search = MatchSearch(bytes: bytes, base: base, end: end)
                    var place = start
                    while place < end {
                        let found = search.find(
                            at: place, heads: heads, chain: chain, chainLimit: Self.chainLimit)
                        if found.length >= 3 {
                            FixedCode.add(found.length, at: found.distance, to: &writer)
                        } else {
                            FixedCode.add(Int(bytes[place]), to: &writer)
                        }
                        for _ in 0..<max(1, found.length) {
                            search.note(place, heads: heads, chain: chain)
                            place += 1
                        }
                    }
                }
            }
        }
        FixedCode.add(DeflateAlphabet.endOfBlock, to: &writer)
    }
}

/// The code words of DEFLATE's fixed code.
private enum FixedCode {
    private static let literals = HuffmanCode.words(HuffmanCode.fixedLiterals)
    private static let distances = HuffmanCode.words(HuffmanCode.fixedDistances)
    private static let lengthSymbols = (0...DeflateAlphabet.longestMatch).map { length in
        DeflateAlphabet.lengthBase.lastIndex { $0 <= length } ?? 0
    }

    static func add(_ symbol: Int, to writer: inout BitWriter) {
        writer.add(Int(literals[symbol]), Int(HuffmanCode.fixedLiterals[symbol]))
    }

    static func add(_ length: Int, at distance: Int, to writer: inout BitWriter) {
        let symbol = lengthSymbols[length]
        add(257 + symbol, to: &writer)
        writer.add(
            length - Int(DeflateAlphabet.lengthBase[symbol]),
            Int(DeflateAlphabet.lengthBits[symbol]))
        // Two symbols for each power of two.
        let power = Int.bitWidth - 1 - max(distance - 1, 1).leadingZeroBitCount
        let code =
            distance <= 4 ? distance - 1 : 2 * power + ((distance - 1) >> (power - 1) & 1)
        writer.add(Int(distances[code]), 5)
        writer.add(
            distance - Int(DeflateAlphabet.distanceBase[code]),
            Int(DeflateAlphabet.distanceBits[code]))
    }
}

/// Searches the longest repetition of the next bytes.
private struct MatchSearch {
    typealias Places = UnsafeMutableBufferPointer<Int>

    let bytes: UnsafeBufferPointer<UInt8>
    let base: Int
    let end: Int

    private func hash(_ place: Int, _ heads: Places) -> Int {
        let word =
            UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
        return Int((word &* 0x9E37_79B1) >> UInt32(32 - heads.count.trailingZeroBitCount))
    }

    /// Records a position, so that later ones can refer to it.
    func note(_ place: Int, heads: Places, chain: Places) {
        guard place + 2 < end else { return }
        let hash = hash(place, heads)
        chain[(base + place) & (chain.count - 1)] = heads[hash]
        heads[hash] = base + place + 1
    }

    func find(
        at place: Int, heads: Places, chain: Places, chainLimit: Int
    ) -> (length: Int, distance: Int) {
        let limit = min(DeflateAlphabet.longestMatch, end - place)
        guard limit >= 3 else { return (0, 0) }
        var best = (length: 2, distance: 0)
        var candidate = heads[hash(place, heads)] - 1
        var rest = chainLimit
        while candidate >= 0, rest > 0 {
            let distance = base + place - candidate
            // Outside the window: its link has been overwritten.
            guard distance <= DeflateAlphabet.window, candidate >= base else { break }
            let other = candidate - base
            if bytes[other + best.length - 1] == bytes[place + best.length - 1],
                best.length == limit || bytes[other + best.length] == bytes[place + best.length]
            {
                var length = 0
                while length < limit, bytes[other + length] == bytes[place + length] {
                    length += 1
                }
                if length > best.length {
                    best = (length, distance)
                    if length == limit { break }
                }
            }
            let earlier = chain[candidate & (chain.count - 1)] - 1
            guard earlier < candidate else { break }
            candidate = earlier
            rest -= 1
        }
        return best.distance == 0 ? (0, 0) : best
    }
}

/// Writes numbers into bytes, the lowest bit first.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var bits: UInt64 = 0
    private var waiting = 0

    /// The number of complete bytes.
    var count: Int { bytes.count }

    /// - Parameter width: at most 32.
    mutating func add(_ value: Int, _ width: Int) {
        bits |= UInt64(value) << UInt64(waiting)
        waiting += width
        while waiting >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: bits))
            bits >>= 8
            waiting -= 8
        }
    }

    /// Whole bytes; only after `align`.
    mutating func add(_ plain: ArraySlice<UInt8>) { bytes += plain }

    /// Fills the last byte with zeros.
    mutating func align() {
        if waiting > 0 { add(0, 8 - waiting) }
    }

    /// Removes and returns the complete bytes.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
