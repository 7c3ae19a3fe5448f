import AgentCore

/// A piece as it is sent: a header of 44 bytes and the file's own samples, read
/// while they leave. No sample is copied or changed.
package struct PieceAudio: Sendable {
    /// Nil where the file is no WAV that we cut up.
    package static func slices(_ piece: AudioPiece, of audio: AudioFile) -> [BodySlice]? {
        guard let wave = audio.wave, wave.isCuttable, piece.start >= 0, piece.start <= piece.end,
            piece.end <= wave.frames
        else { return nil }
        let count = piece.frames * wave.bytesPerFrame
        return [
            .bytes(wave.bytes(dataBytes: count)),
            .file(
                audio.file, offset: wave.dataOffset + piece.start * wave.bytesPerFrame, count: count
            ),
        ]
    }

    /// Seconds from the recording's beginning.
    package static func seconds(_ frame: Int, _ wave: WaveHeader) -> Double {
        Double(frame) / Double(wave.format.rate)
    }
}
