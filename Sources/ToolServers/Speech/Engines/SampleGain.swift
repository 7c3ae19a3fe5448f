/// Makes 16-bit samples louder or softer as they pass, whatever the pieces: a
/// frame cut in two waits for its rest. Pure.
struct SampleGain: Sendable {
    /// −1 dBFS: nothing is made louder than that.
    static let ceiling = 29_204

    /// 1 leaves the samples as they are.
    let gain: Double
    let bytesPerFrame: Int
    private var rest: [UInt8] = []

    init(_ gain: Double, format: PCMFormat) {
        self.gain = gain
        bytesPerFrame = format.bytesPerFrame
    }

    /// Whole frames of what has come.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        var samples = rest + bytes
        let whole = samples.count / bytesPerFrame * bytesPerFrame
        rest = Array(samples[whole...])
        samples.removeLast(samples.count - whole)
        if gain != 1 { apply(&samples) }
        return samples
    }

    private func apply(_ samples: inout [UInt8]) {
        // In 1/65536, for whole numbers are quicker.
        let factor = Int(gain * 65_536)
        samples.withUnsafeMutableBytes { raw in
            var at = 0
            while at + 1 < raw.count {
                let sample = Int(
                    Int16(littleEndian: raw.loadUnaligned(fromByteOffset: at, as: Int16.self)))
                // What was louder already stays.
                let bound = max(Self.ceiling, abs(sample))
                let louder = min(bound, max(-bound, (sample * factor) >> 16))
                let clipped = Int16(truncatingIfNeeded: min(32_767, max(-32_768, louder)))
                raw.storeBytes(of: clipped.littleEndian, toByteOffset: at, as: Int16.self)
                at += 2
            }
        }
    }
}

/// How loud samples of speech are. Pure.
struct Loudness: Sendable, Equatable {
    /// Root of the mean square of the stretches that are no silence.
    var level: Double
    var peak: Int

    /// espeak-ng's own American English; every voice is brought there.
    static let target = 3_000.0

    init(_ samples: [UInt8]) {
        // 20 ms of 22,050 Hz.
        let window = 441
        var (sum, loud, peak) = (0.0, 0, 0)
        samples.withUnsafeBytes { raw in
            var at = 0
            while at + 2 * window <= raw.count {
                var energy = 0
                for offset in 0..<window {
                    let sample = Int(
                        Int16(
                            littleEndian: raw.loadUnaligned(
                                fromByteOffset: at + 2 * offset, as: Int16.self)))
                    energy += sample * sample
                    peak = max(peak, abs(sample))
                }
                let mean = Double(energy) / Double(window)
                if mean > 300 * 300 {
                    sum += mean
                    loud += 1
                }
                at += 2 * window
            }
        }
        level = loud == 0 ? 0 : (sum / Double(loud)).squareRoot()
        self.peak = peak
    }

    /// What brings it to the target without clipping.
    var gain: Double {
        guard level > 0, peak > 0 else { return 1 }
        let wanted = Self.target / level
        let gain = min(wanted, Double(SampleGain.ceiling) / Double(peak), 8)
        // Whole per cent: it is kept in a file that people may read.
        return (gain * 100).rounded() / 100
    }
}
