/// Makes 16-bit samples louder or softer as they pass, in pieces of any size: an incomplete
/// frame waits for the rest. Pure.
struct SampleGain: Sendable {
    /// −1 dBFS: the maximum level after amplification.
    static let ceiling = 29_204

    /// 1 leaves the samples unchanged.
    let gain: Double
    let bytesPerFrame: Int
    private var rest: [UInt8] = []

    init(_ gain: Double, format: PCMFormat) {
        self.gain = gain
        bytesPerFrame = format.bytesPerFrame
    }

    /// Returns the complete frames received so far.
    mutating func take(_ bytes: [UInt8]) -> [UInt8] {
        var samples = rest + bytes
        let whole = samples.count / bytesPerFrame * bytesPerFrame
        rest = Array(samples[whole...])
        samples.removeLast(samples.count - whole)
        if gain != 1 { apply(&samples) }
        return samples
    }

    private func apply(_ samples: inout [UInt8]) {
        // In units of 1/4096, because 32-bit integers are fastest: a sample is below 2^15
        // and no gain above 8.
        let factor = Int32(min(8, max(0, gain)) * 4_096)
        let ceiling = Int32(Self.ceiling)
        // Strictly below: a negative sample is rounded away from zero.
        let isSafe = (Int32(SamplePeak.peak(samples)) &* factor) >> 12 < ceiling
        samples.withUnsafeMutableBytes { raw in
            // The usual case, in a loop that the compiler vectorizes.
            if isSafe {
                for place in 0..<raw.count / 2 {
                    let sample = Int16(
                        littleEndian: raw.loadUnaligned(
                            fromByteOffset: place &* 2, as: Int16.self))
                    let louder = Int16(truncatingIfNeeded: (Int32(sample) &* factor) >> 12)
                    raw.storeBytes(
                        of: louder.littleEndian, toByteOffset: place &* 2, as: Int16.self)
                }
                return
            }
            for place in 0..<raw.count / 2 {
                let sample = Int32(
                    Int16(
                        littleEndian: raw.loadUnaligned(
                            fromByteOffset: place &* 2, as: Int16.self)))
                // Samples that were louder before are not changed.
                let bound = max(ceiling, sample < 0 ? 0 &- sample : sample)
                let louder = min(bound, max(0 &- bound, (sample &* factor) >> 12))
                let louderSample = Int16(truncatingIfNeeded: louder).littleEndian
                raw.storeBytes(of: louderSample, toByteOffset: place &* 2, as: Int16.self)
            }
        }
    }
}

/// Measures the loudness of speech samples at 22,050 Hz in one channel. Pure.
struct Loudness: Sendable, Equatable {
    /// Root mean square of the parts that are not silent, weighted for the higher perceived
    /// loudness of bright sound (the first filter of ITU-R BS.1770).
    var level: Double
    var peak: Int

    /// Version of the measurement; changed together with the method.
    static let form = 2
    /// About the level of espeak-ng's own American English, to which every voice is
    /// adjusted.
    static let target = 3_300.0

    init(_ samples: [UInt8]) {
        // 20 ms of 22,050 Hz.
        let window = 441
        var (sum, loud, peak) = (0.0, 0, 0)
        var shelf = LoudnessShelf()
        samples.withUnsafeBytes { raw in
            var at = 0
            while at + 2 * window <= raw.count {
                var (energy, heard) = (0, 0.0)
                for offset in 0..<window {
                    let sample = Int(
                        Int16(
                            littleEndian: raw.loadUnaligned(
                                fromByteOffset: at + 2 * offset, as: Int16.self)))
                    energy += sample * sample
                    let weighted = shelf.next(Double(sample))
                    heard += weighted * weighted
                    peak = max(peak, abs(sample))
                }
                if Double(energy) / Double(window) > 300 * 300 {
                    sum += heard / Double(window)
                    loud += 1
                }
                at += 2 * window
            }
        }
        level = loud == 0 ? 0 : (sum / Double(loud)).squareRoot()
        self.peak = peak
    }

    /// The gain that reaches the target without clipping.
    var gain: Double {
        guard level > 0, peak > 0 else { return 1 }
        let wanted = Self.target / level
        let gain = min(wanted, Double(SampleGain.ceiling) / Double(peak), 8)
        // Rounded to whole percent, because it is stored in a file that users may read.
        return (gain * 100).rounded() / 100
    }
}

/// The high shelf of ITU-R BS.1770-5, Annex 1, its coefficients for 22,050 Hz: 4 dB more
/// above 1.7 kHz. Pure.
private struct LoudnessShelf {
    private var inputs = (0.0, 0.0)
    private var outputs = (0.0, 0.0)

    mutating func next(_ sample: Double) -> Double {
        let output =
            1.479_825 * sample - 2.170_729 * inputs.0 + 0.860_842 * inputs.1
            + 1.338_305 * outputs.0 - 0.508_245 * outputs.1
        inputs = (sample, inputs.0)
        outputs = (output, outputs.0)
        return output
    }
}

/// Keeps sound below −1 dBFS. Pure.
package enum SamplePeak {
    /// The samples, made softer as a whole if one is too loud, so that nothing is clipped.
    package static func lowered(_ bytes: [UInt8]) -> [UInt8] {
        let peak = peak(bytes)
        guard peak > SampleGain.ceiling else { return bytes }
        // In units of 1/32768; the peak becomes the ceiling.
        let factor = Int32(SampleGain.ceiling * 32_768 / peak)
        var lowered = bytes
        lowered.withUnsafeMutableBytes { raw in
            for place in 0..<raw.count / 2 {
                let sample = Int16(
                    littleEndian: raw.loadUnaligned(fromByteOffset: place &* 2, as: Int16.self))
                let softer = Int16(truncatingIfNeeded: (Int32(sample) &* factor) >> 15)
                raw.storeBytes(
                    of: softer.littleEndian, toByteOffset: place &* 2, as: Int16.self)
            }
        }
        return lowered
    }

    static func peak(_ bytes: [UInt8]) -> Int {
        bytes.withUnsafeBytes { raw in
            // Sixteen at a time, vectorized by hand: this target is built for size, and
            // every sample of hours of sound passes here. Our machines are little-endian,
            // as the samples are.
            let step = MemoryLayout<SIMD16<Int16>>.size
            var (low, high) = (SIMD16<Int16>(), SIMD16<Int16>())
            for place in 0..<raw.count / step {
                let samples = raw.loadUnaligned(
                    fromByteOffset: place &* step, as: SIMD16<Int16>.self)
                low = pointwiseMin(low, samples)
                high = pointwiseMax(high, samples)
            }
            var (lowest, highest) = (low.min(), high.max())
            for place in raw.count / step * (step / 2)..<raw.count / 2 {
                let sample = Int16(
                    littleEndian: raw.loadUnaligned(fromByteOffset: place &* 2, as: Int16.self))
                lowest = min(lowest, sample)
                highest = max(highest, sample)
            }
            return max(Int(highest), -Int(lowest))
        }
    }
}
