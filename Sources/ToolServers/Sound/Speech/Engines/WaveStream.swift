/// Extracts the samples from a WAV that arrives in pieces from a program that does not know
/// its length yet: sizes in the header are ignored, the sound continues to the end. Pure;
/// files are read elsewhere.
struct WaveStream: Sendable {
    enum Problem: Error, Equatable { case notWave, notPlain }

    /// Nil until the header has been read.
    private(set) var format: PCMFormat?
    private var head: [UInt8] = []

    /// A header longer than this does not come from a speech engine.
    private static let headLimit = 64 << 10

    /// Returns the samples among these bytes.
    mutating func feed(_ bytes: [UInt8]) throws(Problem) -> [UInt8] {
        if format != nil { return bytes }
        head += bytes
        guard let start = try readHead() else {
            if head.count > Self.headLimit { throw .notWave }
            return []
        }
        defer { head = [] }
        return Array(head[start...])
    }

    /// Start of the sound; nil if more of the header is to come.
    private mutating func readHead() throws(Problem) -> Int? {
        guard head.count >= 12 else {
            let known = head.prefix(4)
            if !known.elementsEqual("RIFF".utf8.prefix(known.count)) { throw .notWave }
            return nil
        }
        guard head[0..<4].elementsEqual("RIFF".utf8), head[8..<12].elementsEqual("WAVE".utf8)
        else { throw .notWave }
        var found: PCMFormat?
        var at = 12
        while at + 8 <= head.count {
            let size = Int(number(at + 4, 4))
            let body = at + 8
            if head[at..<(at + 4)].elementsEqual("data".utf8) {
                guard let found else { throw .notWave }
                format = found
                return body
            }
            guard size <= Self.headLimit else { throw .notWave }
            if head[at..<(at + 4)].elementsEqual("fmt ".utf8) {
                guard size >= 16 else { throw .notWave }
                guard body + 16 <= head.count else { return nil }
                let (encoding, channels) = (number(body, 2), Int(number(body + 2, 2)))
                let rate = Int(number(body + 4, 4))
                // 0xFFFE: the extensible form, which players treat as plain samples.
                guard encoding == 1 || encoding == 0xFFFE, number(body + 14, 2) == 16,
                    (1...2).contains(channels), (4_000...192_000).contains(rate)
                else { throw .notPlain }
                found = PCMFormat(rate: rate, channels: channels)
            }
            // Chunks of an odd size are followed by a byte of padding.
            at = body + size + size % 2
        }
        return nil
    }

    /// A little-endian number; the caller checks that it exists.
    private func number(_ at: Int, _ count: Int) -> UInt32 {
        (0..<count).reduce(0) { $0 | UInt32(head[at + $1]) << (8 * UInt32($1)) }
    }
}
