import Sound
import Synchronization

/// The audio functions of a job: finding where to cut a recording, and
/// converting one that we cannot cut ourselves.
struct TranscriptionSound: Sendable {
    typealias Progress = @Sendable (TranscriptionProgress) -> Void

    /// The pieces of a WAV, none larger than the limit in bytes.
    var pieces:
        @Sendable (AudioFile, _ limitInBytes: Int, @escaping Progress) async throws -> [AudioPiece]
    /// Two halves of a piece that was too large; nil if it is too short.
    var halves: @Sendable (AudioPiece, AudioFile) async throws -> [AudioPiece]?
    /// Writes any recording as a WAV that can be cut.
    var wave: @Sendable (AudioFile, _ path: String, @escaping Progress) async throws -> AudioFile

    /// - Parameter variables: environment variables for the converting program.
    static func system(variables: [String: String], limitInBytes: Int) -> TranscriptionSound {
        let heard = HeardRecording()
        return TranscriptionSound(
            pieces: { file, limit, onProgress in
                let map = try await heard.map(of: file) { done, all in
                    onProgress(.preparing(done: done, of: all))
                }
                // The reader only accepts files that have it.
                let bytesPerFrame = file.wave?.bytesPerFrame ?? 1
                return AudioCuts(map, bytesPerFrame: bytesPerFrame, limitInBytes: limit).pieces
            },
            halves: { piece, file in
                AudioCuts.halves(of: piece, in: try await heard.map(of: file) { _, _ in })
            },
            wave: { file, path, onProgress in
                let converter = AudioConverter(variables: variables, limitInBytes: limitInBytes)
                return try await converter.wave(of: file, into: path) { done, all in
                    onProgress(.preparing(done: done, of: all ?? done))
                }
            })
    }
}

/// The last analysed recording and its loudness: with a server that accepts
/// little, a long one is halved hundreds of times.
private final class HeardRecording: Sendable {
    private let state = Mutex<(file: AudioFile, map: LoudnessMap)?>(nil)

    func map(
        of file: AudioFile, _ onProgress: @escaping @Sendable (Double, Double) -> Void
    ) async throws -> LoudnessMap {
        let known = state.withLock { $0 }
        if let known, known.file === file { return known.map }
        let map = try await LoudnessReader(file).map(onProgress: onProgress)
        state.withLock { $0 = (file, map) }
        return map
    }
}
