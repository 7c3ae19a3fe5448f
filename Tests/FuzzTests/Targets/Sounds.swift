import Base

@testable import Sound

extension FuzzTarget {
    /// The header of a WAV file and its loudness: inside of the file, and the same samples of a
    /// stream however it arrives.
    static let sounds = FuzzTarget("sounds") { bytes in
        if let wave = try? WaveHeader.read(bytes, fileBytes: bytes.count) {
            try demand(wave.dataOffset + wave.dataBytes <= bytes.count, "beyond the file")
            try demand(wave.duration.isFinite && wave.duration >= 0, "a length that is none")
            if wave.isCuttable {
                var meter = LoudnessMeter(wave)
                meter.add(Array(bytes[wave.dataOffset...].prefix(wave.dataBytes)))
                let window =
                    LoudnessMap.framesPerWindow(rate: wave.format.rate) * wave.bytesPerFrame
                try demand(
                    meter.levels.count == (wave.dataBytes + window - 1) / window, "windows missing")
            }
        }
        func samples(_ pieces: [[UInt8]]) -> [UInt8]? {
            var (stream, samples) = (WaveStream(), [UInt8]())
            for piece in pieces {
                guard let more = try? stream.feed(piece) else { return nil }
                samples += more
            }
            return samples
        }
        if let whole = samples([bytes]) {
            try demand(samples(bytes.map { [$0] }) == whole, "depends on the cut")
        }
    }
}
