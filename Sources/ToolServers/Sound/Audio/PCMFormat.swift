/// The format of plain samples: signed, 16 bits, little-endian, channels interleaved.
/// Everything we record, synthesize and play uses it.
package struct PCMFormat: Sendable, Equatable {
    /// Frames a second.
    package var rate: Int
    package var channels = 1

    /// The recording format of speech: enough for every transcription model.
    package static let dictation = PCMFormat(rate: 16_000)

    package var bytesPerFrame: Int { 2 * channels }

    package func seconds(ofBytes count: Int) -> Double {
        Double(count / bytesPerFrame) / Double(rate)
    }

    /// Whole frames, rounded down.
    package func bytes(ofSeconds seconds: Double) -> Int {
        Int(seconds * Double(rate)) * bytesPerFrame
    }
}
