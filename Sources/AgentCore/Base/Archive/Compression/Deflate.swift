/// Writes DEFLATE (RFC 1951): takes plain bytes in pieces of any size and returns compressed ones.
///
/// Repetitions are looked for in the 32 KB before them (LZ77, hash chains, one
/// byte of patience); each block is stored, in the fixed code or in one of its
/// own, whichever is shortest. It keeps two blocks in memory.
package struct Deflate {
    /// A literal byte, or a repetition: `distance << 9 | length`.
    private typealias Token = UInt32

    /// What a stored block can hold.
    private static let blockLimit = 65_535
    /// More candidates cost time and give little.
    private static let chainLimit = 48
    /// Good enough to take at once.
    private static let niceLength = 96
    /// Beyond it readers take an archive for a bomb. The fixed code stays below
    /// (13 bits for 258 bytes), so it is used instead.
    private static let ratioLimit = 150

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
        let tokens = tokens(count)
        DeflateBlock(tokens: tokens, ratioLimit: Self.ratioLimit)
            .write(plain: bytes[start..<start + count], isLast: isLast, to: &writer)
        start += count
        let old = start - DeflateAlphabet.window
        if old > 0 {
            bytes.removeFirst(old)
            base += old
            start -= old
        }
    }

    // MARK: - Repetitions

    private mutating func tokens(_ count: Int) -> [UInt32] {
        let end = start + count
        var tokens: [Token] = []
        tokens.reserveCapacity(count / 3)
        // Locals: the arrays are looked at for every byte.
        let (base, start) = (base, start)
        bytes.withUnsafeBufferPointer { bytes in
            heads.withUnsafeMutableBufferPointer { heads in
                chain.withUnsafeMutableBufferPointer { chain in
                    let search = MatchSearch(bytes: bytes, base: base, end: end)
                    var place = start
                    var waiting: (length: Int, distance: Int)?
                    while place < end {
                        let found = search.find(
                            at: place, heads: heads, chain: chain, chainLimit: Self.chainLimit)
                        search.note(place, heads: heads, chain: chain)
                        if let held = waiting {
                            if found.length > held.length {
                                // A byte later there is more to have.
                                tokens.append(Token(bytes[place - 1]))
                                waiting = found
                                place += 1
                                continue
                            }
                            tokens.append(Token(held.distance << 9 | held.length))
                            let after = place - 1 + held.length
                            place += 1
                            while place < after {
                                search.note(place, heads: heads, chain: chain)
                                place += 1
                            }
                            waiting = nil
                        } else if found.length >= Self.niceLength {
                            tokens.append(Token(found.distance << 9 | found.length))
                            let after = place + found.length
                            place += 1
                            while place < after {
                                search.note(place, heads: heads, chain: chain)
                                place += 1
                            }
                        } else if found.length >= 3 {
                            waiting = found
                            place += 1
                        } else {
                            tokens.append(Token(bytes[place]))
                            place += 1
                        }
                    }
                }
            }
        }
        return tokens
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
