import Base
import TestSupport

/// Texts that take every path of DEFLATE.
enum ArchiveSamples {
    static let text = Array(
        String(
            repeating: "It was the best of times, it was the worst of times; 田中さん 👩‍👩‍👧‍👦\r\n", count: 40
        )
        .utf8)

    static let all: [[UInt8]] = {
        var random = SplitMix(seed: 14)
        let noise = (0..<70_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        var samples: [[UInt8]] = [
            [], [0], [0, 0, 0], Array("aaaaaaaaaaab".utf8), Array(0...255), text, noise,
            [UInt8](repeating: 0, count: 200_000),
        ]
        // Repetitions at every distance, words of very different frequency.
        samples.append(mixed(150_000, &random))
        samples.append((0..<50_000).map { UInt8(truncatingIfNeeded: ($0 * $0) >> 7) })
        // What comes again exactly as far back as can be referred to, and one further.
        let far = Array(noise[..<32_768])
        samples.append(far + far)
        samples.append(far + [1] + far)
        return samples
    }()

    /// Of words that are made up of a few letters, with copies of what was before.
    static func mixed(_ count: Int, _ random: inout SplitMix) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if bytes.count > 10, !random.once(in: 3) {
                let length = Int.random(in: 3...300, using: &random)
                let distance = Int.random(in: 1...min(bytes.count, 40_000), using: &random)
                let start = bytes.count - distance
                for place in 0..<length { bytes.append(bytes[start + place % distance]) }
            } else {
                let skew = Int.random(in: 0...255, using: &random)
                bytes.append(UInt8(skew * skew / 256))
            }
        }
        return Array(bytes[..<count])
    }

    static func inflated(
        _ bytes: [UInt8], pieces: [Int] = [], limit: Int = 1 << 24
    ) throws(ArchiveError) -> (plain: [UInt8], consumed: Int) {
        var cuts = pieces
        var rest = bytes[...]
        var inflate = Inflate(limit: limit) {
            let piece = cuts.isEmpty ? rest : rest.prefix(cuts.removeFirst())
            rest = rest.dropFirst(piece.count)
            return Array(piece)
        }
        var plain: [UInt8] = []
        try inflate.run { (piece: [UInt8]) throws(ArchiveError) in plain += piece }
        return (plain, inflate.consumed)
    }
}
