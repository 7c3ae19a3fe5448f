/// Measures the loudness of samples window by window. Pure; its input is whole windows,
/// except the last.
///
/// The loops use pointers and wrapping arithmetic, because they process hundreds of
/// millions of samples, also in an unoptimized build.
struct LoudnessMeter {
    private let wave: WaveHeader
    private let bytesPerWindow: Int
    private(set) var levels: [UInt16] = []

    init(_ wave: WaveHeader) {
        self.wave = wave
        bytesPerWindow =
            LoudnessMap.framesPerWindow(rate: wave.format.rate) * wave.bytesPerFrame
        levels.reserveCapacity(wave.dataBytes / bytesPerWindow + 1)
    }

    /// Bytes to read at once: whole windows, about half a megabyte.
    var bytesPerRead: Int { max(1, (512 << 10) / bytesPerWindow) * bytesPerWindow }

    mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var at = 0
            while at < bytes.count {
                let count = min(bytesPerWindow, bytes.count - at)
                levels.append(level(base + at, count))
                at += count
            }
        }
    }

    private func level(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> UInt16 {
        let size = wave.bits / 8
        let samples = count / size
        guard samples > 0 else { return 0 }
        let sums =
            switch (wave.encoding, wave.bits) {
            case (.integer, 8): Self.sums8(bytes, samples)
            case (.integer, 16) where UInt(bitPattern: bytes) % 2 == 0:
                // The bytes are aligned and hold `samples` 16-bit values.
                bytes.withMemoryRebound(to: Int16.self, capacity: samples) {
                    Self.sums16($0, samples)
                }
            case (.integer, _): Self.sums(bytes, samples, size: size)
            case (_, 32): Self.sumsOfFloats(bytes, samples)
            default: Self.sumsOfDoubles(bytes, samples)
            }
        // Subtract the mean: many microphones add a constant offset, which is inaudible and
        // would hide the pauses.
        let mean = sums.values / Double(samples)
        let variance = sums.squares / Double(samples) - mean * mean
        // Samples that are not numbers count as loud, so that no cut is made there.
        guard variance.isFinite else { return 65_535 }
        return UInt16(min(max(0, variance).squareRoot(), 65_535))
    }

    private typealias Sums = (values: Double, squares: Double)

    // Each adds the samples and their squares, scaled as if 16-bit. Samples are assembled
    // from bytes, so that neither alignment nor the machine's byte order matters; every
    // index read is below samples × size.

    /// Unsigned, around 128.
    private static func sums8(_ bytes: UnsafePointer<UInt8>, _ samples: Int) -> Sums {
        var (sum, squares, index) = (0, 0, 0)
        while index < samples {
            let value = (Int(bytes[index]) &- 128) &* 256
            sum = sum &+ value
            squares = squares &+ value &* value
            index = index &+ 1
        }
        return (Double(sum), Double(squares))
    }

    /// 16-bit samples, the usual ones, in a loop that the compiler vectorizes.
    private static func sums16(_ words: UnsafePointer<Int16>, _ samples: Int) -> Sums {
        var (sum, squares, index) = (0, 0, 0)
        while index < samples {
            let value = Int32(Int16(littleEndian: words[index]))
            sum = sum &+ Int(value)
            // At most 2^30.
            squares = squares &+ Int(value &* value)
            index = index &+ 1
        }
        return (Double(sum), Double(squares))
    }

    /// Uses the upper two bytes of 16, 24 or 32 bits.
    private static func sums(
        _ bytes: UnsafePointer<UInt8>, _ samples: Int, size: Int
    ) -> Sums {
        var (sum, squares) = (0, 0)
        var high = size &- 1
        let end = samples &* size
        while high < end {
            let value = Int(Int8(bitPattern: bytes[high])) &* 256 &+ Int(bytes[high &- 1])
            sum = sum &+ value
            squares = squares &+ value &* value
            high = high &+ size
        }
        return (Double(sum), Double(squares))
    }

    private static func sumsOfFloats(_ bytes: UnsafePointer<UInt8>, _ samples: Int) -> Sums {
        var (sum, squares) = (0.0, 0.0)
        var at = 0
        let end = samples &* 4
        while at < end {
            let value = Double(Float(bitPattern: word(bytes, at)))
            sum = sum + value
            squares = squares + value * value
            at = at &+ 4
        }
        return (sum * 32_768, squares * 1_073_741_824)
    }

    /// Uses the upper half, which has 20 bits of the mantissa.
    private static func sumsOfDoubles(_ bytes: UnsafePointer<UInt8>, _ samples: Int) -> Sums {
        var (sum, squares) = (0.0, 0.0)
        var at = 4
        let end = samples &* 8
        while at < end {
            let value = Double(bitPattern: UInt64(word(bytes, at)) &<< 32)
            sum = sum + value
            squares = squares + value * value
            at = at &+ 8
        }
        return (sum * 32_768, squares * 1_073_741_824)
    }

    private static func word(_ bytes: UnsafePointer<UInt8>, _ at: Int) -> UInt32 {
        UInt32(bytes[at]) | UInt32(bytes[at &+ 1]) &<< 8 | UInt32(bytes[at &+ 2]) &<< 16
            | UInt32(bytes[at &+ 3]) &<< 24
    }
}

/// The loudness of a recording 50 times a second, used to find its pauses. A day takes 9
/// MB.
package struct LoudnessMap: Sendable, Equatable {
    package static let windowsPerSecond = 50

    /// Frames a second.
    package let rate: Int
    /// Number of frames of the recording.
    package let frames: Int
    package let framesPerWindow: Int
    /// Root mean square of each window over all channels, around its mean; 32,768 is the
    /// loudest possible square wave. The last window may be short.
    package let levels: [UInt16]

    package init(rate: Int, frames: Int, levels: [UInt16]) {
        self.rate = rate
        self.frames = frames
        self.levels = levels
        framesPerWindow = Self.framesPerWindow(rate: rate)
    }

    package static func framesPerWindow(rate: Int) -> Int { max(1, rate / windowsPerSecond) }
}
