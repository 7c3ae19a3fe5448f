import Glibc

/// Measures loudness, peaks, clipping and silence of arriving samples, in windows of 50 ms.
/// It uses no clock: time is counted in samples.
package struct LevelMeter {
    /// The lowest level of 16-bit samples.
    static let quietest = -96.0

    /// Rate in dB a second at which the loudness bar falls.
    private static let loudnessFall = 40.0
    private static let peakFall = 15.0
    private static let window = 0.05
    /// Number of consecutive samples at full scale that count as clipping; a single one may be
    /// chance.
    private static let clippedSamples = 3
    /// Level above the background, in dB, below which sound is silence, within limits: speech into
    /// the quietest microphone is louder than −50 dB, and nothing above −25 dB is background.
    private static let aboveBackground = 8.0
    private static let silenceBounds = -50.0 ... -25.0
    /// The background is the quietest window of the last three seconds, because no one
    /// speaks that long without a pause.
    private static let backgroundWindows = 60
    private static let mutedAfter = 2.0

    private let samplesPerWindow: Int
    private var current = Window()
    private var background: [Double] = []
    private var lowest: Int16?
    private var highest: Int16 = 0
    private var windows = 0
    private var clippedAt: Int?
    private var loudWindows = 0
    private var lastLoud: Int?
    private(set) var level = RecordingLevel()

    private struct Window {
        var count = 0
        var squares: Int64 = 0
        var peak: Int32 = 0
        /// Number of consecutive samples at full scale so far; continues into the next window.
        var fullScale = 0
        var hasClipped = false
    }

    init(_ format: PCMFormat) {
        samplesPerWindow = max(1, Int(Double(format.rate) * Self.window) * format.channels)
    }

    /// - Parameter samples: whole frames, little-endian.
    mutating func add(_ samples: ArraySlice<UInt8>) {
        samples.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 1 < bytes.count {
                let room = samplesPerWindow - current.count
                let end = min(bytes.count & ~1, offset + 2 * room)
                measure(bytes, from: offset, to: end)
                offset = end
                if current.count >= samplesPerWindow { finishWindow() }
            }
        }
    }

    /// Keeps its sums in locals, because this loop over single samples is all the work.
    private mutating func measure(_ bytes: UnsafeRawBufferPointer, from: Int, to: Int) {
        var squares: Int64 = 0
        var low = lowest ?? .max
        var high = lowest == nil ? .min : highest
        var row = current.fullScale
        var peak = current.peak
        var offset = from
        while offset < to {
            let sample = Int16(
                littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))
            let size = abs(Int32(sample))
            squares &+= Int64(size &* size)
            if sample < low { low = sample }
            if sample > high { high = sample }
            if size > peak { peak = size }
            if size >= 32_767 {
                row &+= 1
                if row == Self.clippedSamples { current.hasClipped = true }
            } else {
                row = 0
            }
            offset &+= 2
        }
        current.squares += squares
        current.count += (to - from) / 2
        current.fullScale = row
        current.peak = peak
        if to > from {
            lowest = low
            highest = high
        }
    }

    private mutating func finishWindow() {
        windows += 1
        let mean = Double(current.squares) / Double(max(1, current.count))
        let loudness = Self.decibels(mean.squareRoot())
        let peak = Self.decibels(Double(current.peak))
        level.elapsed = Double(windows) * Self.window
        level.loudness = max(loudness, level.loudness - Self.loudnessFall * Self.window)
        level.peak = max(peak, level.peak - Self.peakFall * Self.window)
        if current.hasClipped { clippedAt = windows }
        level.isClipping = clippedAt.map { windows - $0 < Int(1 / Self.window) } ?? false

        background.append(loudness)
        if background.count > Self.backgroundWindows { background.removeFirst() }
        let floor = background.min() ?? Self.quietest
        let threshold = min(
            max(floor + Self.aboveBackground, Self.silenceBounds.lowerBound),
            Self.silenceBounds.upperBound)
        if loudness > threshold {
            loudWindows += 1
            lastLoud = windows
        }
        // A click is not speech.
        if loudWindows >= 2 { level.hasHeard = true }
        level.silence = Double(windows - (lastLoud ?? 0)) * Self.window
        let isFlat = lowest.map { Int(highest) - Int($0) <= 1 } ?? true
        level.isMuted = isFlat && level.elapsed >= Self.mutedAfter
        current = Window(fullScale: current.fullScale)
    }

    private static func decibels(_ amplitude: Double) -> Double {
        amplitude <= 0 ? quietest : max(quietest, min(0, 20 * log10(amplitude / 32_768)))
    }
}

/// The state of a recording, shown to the user 20 times a second.
package struct RecordingLevel: Sendable, Equatable {
    /// Seconds of sound in the file.
    package var elapsed = 0.0
    /// Loudness and peak in dB below full scale (0 … −96). They rise at once and fall
    /// slowly, for the eye.
    package var loudness = LevelMeter.quietest
    package var peak = LevelMeter.quietest
    /// Whether peaks were cut off within the last second.
    package var isClipping = false
    /// Seconds since the last sound above the background.
    package var silence = 0.0
    /// Whether any sound above the background was heard.
    package var hasHeard = false
    /// Whether all samples are the same, for two seconds and since the start: the
    /// microphone is muted or unplugged.
    package var isMuted = false
    /// Whether the running recorder has sent nothing for two seconds.
    package var isStalled = false
}
