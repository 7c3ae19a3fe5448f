import Glibc

/// Measures the pitch and brightness of a voice, from 16-bit samples of one channel. Pure.
package struct VoiceMeasure: Sendable, Equatable {
    /// Median fundamental frequency of the voiced parts in Hz; nil if there are too few of
    /// them, as in whispering.
    package var pitch: Double?
    /// Centre of gravity of the spectrum in Hz, over everything but silence.
    package var centroid: Double?

    /// Level below which a part is silence.
    private static let silence = 300.0
    private static let voices = 60.0...420.0

    package init(_ bytes: [UInt8], rate: Int) {
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map { at in
            Float(Int16(truncatingIfNeeded: Int(bytes[at]) | Int(bytes[at + 1]) << 8))
        }
        pitch = Self.pitch(samples, rate: rate)
        centroid = Self.centroid(samples, rate: rate)
    }

    // MARK: - Pitch

    /// The pitch by normalised autocorrelation of every fourth sample, which is enough for voices.
    private static func pitch(_ samples: [Float], rate: Int) -> Double? {
        let low = (0..<samples.count / 4).map { place -> Float in
            let four = samples[place * 4..<place * 4 + 4]
            return four.reduce(0, +) / 4
        }
        let rate = Double(rate) / 4
        let window = Int(rate * 0.04)
        let (shortest, longest) = (
            Int(rate / voices.upperBound), Int(rate / voices.lowerBound)
        )
        guard shortest > 1 else { return nil }
        // Sum of squares up to each sample.
        var energy: [Double] = [0]
        energy.reserveCapacity(low.count + 1)
        for sample in low { energy.append((energy.last ?? 0) + Double(sample * sample)) }
        var found: [Double] = []
        low.withUnsafeBufferPointer { low in
            var at = 0
            while at + window + longest + 1 < low.count {
                defer { at += window }
                let own = energy[at + window] - energy[at]
                if own < silence * silence * Double(window) { continue }
                // One more on both sides, to detect peaks.
                let likeness = (shortest - 1...longest + 1).map { lag -> Float in
                    var sum: Float = 0
                    for place in at..<at + window { sum += low[place] * low[place + lag] }
                    let other = energy[at + lag + window] - energy[at + lag]
                    return sum / Float(max(1, own * other).squareRoot())
                }
                if let lag = period(likeness, shortest: shortest) { found.append(rate / lag) }
            }
        }
        guard found.count >= 10 else { return nil }
        return found.sorted()[found.count / 2]
    }

    /// The first peak that is nearly the highest, because later ones are its multiples;
    /// interpolated with a parabola between samples.
    private static func period(_ likeness: [Float], shortest: Int) -> Double? {
        let best = likeness.dropFirst().dropLast().max() ?? 0
        guard best >= 0.6 else { return nil }
        for place in likeness.indices.dropFirst().dropLast() {
            let (before, own, after) = (
                likeness[place - 1], likeness[place], likeness[place + 1]
            )
            guard own >= before, own >= after, own >= best * 0.9 else { continue }
            let bend = before - 2 * own + after
            let off = bend == 0 ? 0 : 0.5 * (before - after) / bend
            return Double(shortest - 1 + place) + Double(off)
        }
        return nil
    }

    // MARK: - Brightness

    private static func centroid(_ samples: [Float], rate: Int) -> Double? {
        let size = 512
        let transform = FourierTransform(size)
        let hann = (0..<size).map { place in
            Float(0.5 - 0.5 * cos(2 * Double.pi * Double(place) / Double(size - 1)))
        }
        var (sum, weight) = (0.0, 0.0)
        for start in stride(from: 0, through: samples.count - size, by: size) {
            let piece = samples[start..<start + size]
            let energy = piece.reduce(0) { $0 + $1 * $1 } / Float(size)
            if energy < Float(silence * silence) { continue }
            let spectrum = transform.magnitudes(zip(piece, hann).map { $0 * $1 })
            for (bin, magnitude) in spectrum.enumerated() {
                sum += Double(bin) * Double(rate) / Double(size) * Double(magnitude)
                weight += Double(magnitude)
            }
        }
        return weight > 0 ? sum / weight : nil
    }
}

/// The spectrum of a block of sound (Cooley and Tukey, radix 2). Pure.
struct FourierTransform: Sendable {
    private let size: Int
    /// Cosines of the unit circle.
    private let cosines: [Float]
    private let sines: [Float]
    private let order: [Int]

    /// - Parameter size: a power of two.
    init(_ size: Int) {
        self.size = size
        let angles = (0..<size / 2).map { -2 * Double.pi * Double($0) / Double(size) }
        cosines = angles.map { Float(cos($0)) }
        sines = angles.map { Float(sin($0)) }
        let bits = size.trailingZeroBitCount
        order = (0..<size).map { index in
            (0..<bits).reduce(0) { $0 << 1 | (index >> $1) & 1 }
        }
    }

    /// Magnitudes of the frequencies from 0 to half the rate.
    func magnitudes(_ samples: [Float]) -> [Float] {
        var real = order.map { samples[$0] }
        var imaginary = [Float](repeating: 0, count: size)
        var half = 1
        while half < size {
            let step = size / (2 * half)
            for start in stride(from: 0, to: size, by: 2 * half) {
                for place in 0..<half {
                    let (low, high) = (start + place, start + place + half)
                    let (cosine, sine) = (cosines[place * step], sines[place * step])
                    let x = real[high] * cosine - imaginary[high] * sine
                    let y = real[high] * sine + imaginary[high] * cosine
                    (real[high], imaginary[high]) = (real[low] - x, imaginary[low] - y)
                    (real[low], imaginary[low]) = (real[low] + x, imaginary[low] + y)
                }
            }
            half *= 2
        }
        return (0...size / 2).map { hypot(real[$0], imaginary[$0]) }
    }
}
