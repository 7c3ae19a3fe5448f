/// Reads DEFLATE (RFC 1951): takes compressed bytes in pieces of any size, returns plain
/// ones in pieces of at most 32 KB, and keeps no more than that in memory.
///
///     block     what follows the three bits of its head
///     stored    length, its complement, bytes
///     fixed     symbols in the code of §3.2.6, up to the end of the block
///     dynamic   the two codes, then symbols
///
/// Safe for any input: it ends with a plain text or with an error.
package struct Inflate {
    private let next: () throws(ArchiveError) -> [UInt8]
    private let limit: Int
    private var input: [UInt8] = []
    private var position = 0
    private var taken = 0
    private var bits: UInt64 = 0
    private var bitCount = 0
    /// The last 32 KB of output, followed by bytes not yet passed on.
    private var output: [UInt8] = []
    private var given = 0
    /// Number of plain bytes so far.
    package private(set) var produced = 0

    /// - Parameters:
    ///   - limit: maximum number of plain bytes; more is `tooLarge`.
    ///   - next: the next piece of the compressed bytes; empty at their end.
    package init(limit: Int, next: @escaping () throws(ArchiveError) -> [UInt8]) {
        self.limit = limit
        self.next = next
        output.reserveCapacity(2 * DeflateAlphabet.window + DeflateAlphabet.longestMatch)
    }

    /// Decompresses a whole stream at once.
    ///
    /// - Throws: `damaged` also for bytes after the end of the stream.
    package static func bytes(_ compressed: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
        var rest = compressed
        var inflate = Inflate(limit: limit) { () throws(ArchiveError) in
            defer { rest = [] }
            return rest
        }
        var result: [UInt8] = []
        try inflate.run { (piece: [UInt8]) throws(ArchiveError) in result += piece }
        guard inflate.consumed == compressed.count else {
            throw ArchiveError(.damaged("extra bytes after its end"))
        }
        return result
    }

    /// Number of compressed bytes used; bytes after the end of the stream do not count.
    package var consumed: Int { taken - (input.count - position) - bitCount / 8 }

    /// Reads the stream to its end. Call it once.
    package mutating func run(
        _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try stored(sink)
            case 1:
                guard let literals = Self.fixedLiterals, let distances = Self.fixedDistances else {
                    preconditionFailure("the fixed code is a code")
                }
                try symbols(literals, distances, sink)
            case 2:
                let (literals, distances) = try codes()
                try symbols(literals, distances, sink)
            default: throw ArchiveError(.damaged("an unknown block type"))
            }
        }
        try giveOut(all: true, sink)
    }

    private static let fixedLiterals = HuffmanTable(HuffmanCode.fixedLiterals[...])
    /// The code includes the two code words that never occur, without which it is incomplete.
    private static let fixedDistances = HuffmanTable([UInt8](repeating: 5, count: 32)[...])

    // MARK: - Blocks

    private mutating func stored(
        _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let odd = bitCount % 8
        bits >>= UInt64(odd)
        bitCount -= odd
        let length = try take(16)
        guard try take(16) == ~length & 0xFFFF else {
            throw ArchiveError(.damaged("a stored block whose two lengths differ"))
        }
        var rest = length
        // Bytes that were read ahead come first.
        while rest > 0, bitCount >= 8 {
            output.append(UInt8(try take(8)))
            rest -= 1
        }
        while rest > 0 {
            if position == input.count, try !refill() { throw ArchiveError(.truncated) }
            let count = min(rest, input.count - position, DeflateAlphabet.window)
            output += input[position..<position + count]
            position += count
            rest -= count
            try giveOut(sink)
        }
        try giveOut(sink)
    }

    private mutating func symbols(
        _ literals: HuffmanTable, _ distances: HuffmanTable,
        _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        while true {
            let symbol = try symbol(literals)
            if symbol < DeflateAlphabet.endOfBlock {
                output.append(UInt8(symbol))
            } else if symbol == DeflateAlphabet.endOfBlock {
                return try giveOut(sink)
            } else {
                let place = symbol - 257
                guard place < DeflateAlphabet.lengthBase.count else {
                    throw ArchiveError(.damaged("an unknown length"))
                }
                let length =
                    Int(DeflateAlphabet.lengthBase[place])
                    + (try take(Int(DeflateAlphabet.lengthBits[place])))
                let code = try self.symbol(distances)
                guard code < DeflateAlphabet.distanceBase.count else {
                    throw ArchiveError(.damaged("an unknown distance"))
                }
                let distance =
                    Int(DeflateAlphabet.distanceBase[code])
                    + (try take(Int(DeflateAlphabet.distanceBits[code])))
                guard distance <= output.count else {
                    throw ArchiveError(.damaged("a distance that reaches back before its start"))
                }
                // Byte by byte: a copy may overlap itself.
                var source = output.count - distance
                for _ in 0..<length {
                    output.append(output[source])
                    source += 1
                }
            }
            if output.count >= 2 * DeflateAlphabet.window { try giveOut(sink) }
        }
    }

    /// Reads the two codes of a dynamic block (§3.2.7).
    private mutating func codes() throws(ArchiveError) -> (HuffmanTable, HuffmanTable) {
        let literalCount = try take(5) + 257
        let distanceCount = try take(5) + 1
        let lengthCount = try take(4) + 4
        guard literalCount <= 286, distanceCount <= 30 else {
            throw ArchiveError(.damaged("a code with too many words"))
        }
        var lengthLengths = [UInt8](repeating: 0, count: 19)
        for place in DeflateAlphabet.codeOrder.prefix(lengthCount) {
            lengthLengths[place] = UInt8(try take(3))
        }
        guard let lengthTable = HuffmanTable(lengthLengths[...]) else {
            throw ArchiveError(.damaged("an invalid code"))
        }
        var lengths: [UInt8] = []
        let total = literalCount + distanceCount
        while lengths.count < total {
            let symbol = try symbol(lengthTable)
            switch symbol {
            case 16:
                guard let last = lengths.last else {
                    throw ArchiveError(.damaged("a repeat code with nothing to repeat"))
                }
                lengths += [UInt8](repeating: last, count: 3 + (try take(2)))
            case 17: lengths += [UInt8](repeating: 0, count: 3 + (try take(3)))
            case 18: lengths += [UInt8](repeating: 0, count: 11 + (try take(7)))
            default: lengths.append(UInt8(symbol))
            }
        }
        guard lengths.count == total, lengths[DeflateAlphabet.endOfBlock] > 0,
            let literals = HuffmanTable(lengths[..<literalCount]),
            let distances = HuffmanTable(lengths[literalCount...])
        else { throw ArchiveError(.damaged("an invalid code")) }
        return (literals, distances)
    }

    // MARK: - Bits

    private mutating func refill() throws(ArchiveError) -> Bool {
        input = try next()
        position = 0
        taken += input.count
        return !input.isEmpty
    }

    /// Makes that many bits available, if the stream has them.
    private mutating func fill(_ count: Int) throws(ArchiveError) {
        while bitCount < count {
            if position == input.count, try !refill() { return }
            bits |= UInt64(input[position]) << UInt64(bitCount)
            position += 1
            bitCount += 8
        }
    }

    /// The next bits as a number, the first lowest.
    private mutating func take(_ count: Int) throws(ArchiveError) -> Int {
        if count == 0 { return 0 }
        try fill(count)
        guard bitCount >= count else { throw ArchiveError(.truncated) }
        let value = Int(bits & (1 << UInt64(count) - 1))
        bits >>= UInt64(count)
        bitCount -= count
        return value
    }

    private mutating func symbol(_ table: HuffmanTable) throws(ArchiveError) -> Int {
        try fill(table.width)
        let entry = table.entries[Int(bits & (1 << UInt64(table.width) - 1))]
        let length = Int(entry & 15)
        // At the very end, fewer bits may be left than the longest code word has.
        guard length > 0, length <= bitCount else {
            throw length > bitCount || bitCount < table.width
                ? ArchiveError(.truncated) : ArchiveError(.damaged("a word that is in no code"))
        }
        bits >>= UInt64(length)
        bitCount -= length
        return Int(entry >> 4)
    }

    // MARK: - Output

    /// Passes the new bytes on, and keeps the window that later copies may refer to.
    private mutating func giveOut(
        all: Bool = false, _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        guard all || output.count >= 2 * DeflateAlphabet.window else { return }
        let fresh = output.count - given
        guard fresh <= limit - produced else { throw ArchiveError(.tooLarge(limit)) }
        produced += fresh
        while given < output.count {
            let count = min(DeflateAlphabet.window, output.count - given)
            try sink(Array(output[given..<given + count]))
            given += count
        }
        if output.count > DeflateAlphabet.window {
            output.removeFirst(output.count - DeflateAlphabet.window)
        }
        given = output.count
    }
}
