import Base
import Synchronization

/// Measures a whole WAV file once, in reads of half a megabyte, on a thread of its own.
package struct LoudnessReader: Sendable {
    private let audio: AudioFile

    package init(_ audio: AudioFile) {
        self.audio = audio
    }

    /// - Parameter onProgress: seconds measured and the total; called about a hundred times
    ///   from another thread.
    /// - Throws: `AudioError` (`notAccepted` if it is not a WAV that we can divide,
    ///   `tooLong`, `file` if it changed meanwhile), `CancellationError`.
    package func map(
        onProgress: @escaping @Sendable (_ done: Double, _ all: Double) -> Void = { _, _ in }
    ) async throws -> LoudnessMap {
        guard let wave = audio.wave, wave.isCuttable else {
            throw AudioError(reason: .notAccepted(audio.kind), path: audio.path)
        }
        guard wave.duration <= Double(AudioCuts.longestSeconds) else {
            throw AudioError(reason: .tooLong(wave.duration), path: audio.path)
        }
        try Task.checkCancellation()
        let isCancelled = Flag()
        return try await withTaskCancellationHandler {
            try await QueueExecutor.run("loudness") {
                try read(wave, isCancelled, onProgress)
            }
        } onCancel: {
            isCancelled.set()
        }
    }

    private func read(
        _ wave: WaveHeader, _ isCancelled: Flag, _ onProgress: (Double, Double) -> Void
    ) throws -> LoudnessMap {
        var meter = LoudnessMeter(wave)
        let all = wave.frames * wave.bytesPerFrame
        let step = max(1, all / 100)
        var (done, told) = (0, 0)
        do {
            while done < all {
                if isCancelled.isSet { throw CancellationError() }
                let bytes = try audio.file.read(
                    at: wave.dataOffset + done, count: min(meter.bytesPerRead, all - done))
                guard bytes.count == min(meter.bytesPerRead, all - done) else {
                    throw OpenFile.Failure(reason: .changed, path: audio.path)
                }
                meter.add(bytes)
                done += bytes.count
                if done - told >= step || done == all {
                    told = done
                    onProgress(wave.duration * Double(done) / Double(all), wave.duration)
                }
            }
            try audio.file.checkUnchanged()
        } catch let failure as OpenFile.Failure {
            throw AudioError(reason: .file(failure.reason), path: audio.path)
        }
        return LoudnessMap(rate: wave.format.rate, frames: wave.frames, levels: meter.levels)
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)

        var isSet: Bool { value.load(ordering: .relaxed) }

        func set() { value.store(true, ordering: .relaxed) }
    }
}
