/// Changes the rate and the channels of arriving sound, by linear interpolation between the
/// samples.
///
/// For speech whose voice, and so its format, changes within a file. It is not a filter: a
/// lower rate causes aliasing.
package struct LinearResampler {
    private let source: PCMFormat
    private let target: PCMFormat
    /// The last frame of the previous block, from which interpolation continues.
    private var last: [Int]?
    /// Position of the next frame after `last` (or the first frame), in source frames times
    /// the target's rate: whole numbers, so that an hour ends exactly.
    private var position = 0

    package init(from source: PCMFormat, to target: PCMFormat) {
        self.source = source
        self.target = target
    }

    /// Converts whole frames to whole frames. Blocks may be cut anywhere.
    package mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        if source == target { return bytes }
        let count = bytes.count / source.bytesPerFrame
        guard count > 0 else { return [] }
        // Frame 0 is the last one of the previous block, if any.
        let offset = last == nil ? 0 : 1
        var result: [UInt8] = []
        result.reserveCapacity((count * target.rate / source.rate + 2) * target.bytesPerFrame)
        while position < (count + offset - 1) * target.rate {
            let index = position / target.rate
            let part = position % target.rate
            for channel in 0..<target.channels {
                let from = sample(index - offset, channel, bytes)
                let to = sample(index + 1 - offset, channel, bytes)
                append(from + (to - from) * part / target.rate, &result)
            }
            position += source.rate
        }
        position -= (count + offset - 1) * target.rate
        last = (0..<target.channels).map { sample(count - 1, $0, bytes) }
        return result
    }

    /// The frames from the last one on, which has no next one to interpolate with.
    package mutating func finish() -> [UInt8] {
        guard let last, source != target else { return [] }
        var result: [UInt8] = []
        while position < target.rate {
            for value in last { append(value, &result) }
            position += source.rate
        }
        self.last = nil
        position = 0
        return result
    }

    /// The sample of a target channel; -1 is the frame of the previous block.
    private func sample(_ frame: Int, _ channel: Int, _ bytes: [UInt8]) -> Int {
        if frame < 0 { return last?[channel] ?? 0 }
        func value(_ channel: Int) -> Int {
            let place = frame * source.bytesPerFrame + 2 * channel
            return Int(Int16(bitPattern: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
        }
        if source.channels == target.channels { return value(channel) }
        if source.channels == 1 { return value(0) }
        return (0..<source.channels).reduce(0) { $0 + value($1) } / source.channels
    }

    private func append(_ value: Int, _ result: inout [UInt8]) {
        let bits = UInt16(bitPattern: Int16(clamping: value))
        result.append(UInt8(truncatingIfNeeded: bits))
        result.append(UInt8(truncatingIfNeeded: bits >> 8))
    }
}
