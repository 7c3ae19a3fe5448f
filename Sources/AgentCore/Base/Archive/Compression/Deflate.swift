/// Writes DEFLATE (RFC 1951): takes plain bytes in pieces of any size and returns compressed ones.
///
/// Repetitions are looked for in the 32 KB before them (LZ77, hash chains); each block is in the
/// fixed code, or stored where that is shorter. Codes of its own would make a text a sixth
/// smaller and this type twice as long. It keeps two blocks in memory.
package struct Deflate {
    /// What a stored block can hold.
    private static let blockLimit = 65_535
    /// More candidates cost time and give little.
    private static let chainLimit = 48

    /// The window, then what is not compressed yet.
    private var bytes: [UInt8] = []
    /// Where the latter begins.
    private var start = 0
    /// The number in the whole text of the first of `bytes`.
    private var base = 0
    /// The last place (in the whole text, plus 1) of each hash.
    private var heads: [Int]
    /// The place before, by place in the window.
    private var chain: [Int]
    private var writer = BitWriter()

    /// - Parameter size: of the whole text, where it is known: a short one needs
    ///   small tables only.
    package init(size: Int = 32 << 10) {
        // As many places as the text has bytes, and no more than the window.
        let bits = min(15, max(6, Int.bitWidth - max(0, size - 1).leadingZeroBitCount))
        heads = [Int](repeating: 0, count: 1 << bits)
        chain = [Int](repeating: 0, count: 1 << bits)
    }

    package static func bytes(_ plain: [UInt8]) -> [UInt8] {
        var deflate = Deflate(size: plain.count)
        return deflate.add(plain) + deflate.finish()
    }

    /// - Returns: what is ready of the compressed bytes.
    package mutating func add(_ plain: [UInt8]) -> [UInt8] {
        bytes += plain
        // One byte more than a block, so that the last is written by `finish`.
        while bytes.count - start > Self.blockLimit { block(Self.blockLimit, isLast: false) }
        return writer.takeBytes()
    }

    /// - Returns: the rest. Nothing may follow.
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
        // Locals: the arrays are looked at for every byte.
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

/// The words of the fixed code.
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

/// Looks for the longest repetition of what comes next.
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

    /// Makes a place one that later ones can refer to.
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
            // Older than the window: its link has been written over.
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

/// Puts numbers into bytes, the lowest bit first.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var bits: UInt64 = 0
    private var waiting = 0

    /// How many bytes are complete.
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

    /// Those that are complete.
    mutating func takeBytes() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }
}
