import Base
import Synchronization

/// Runs of espeak-ng that speak line after line, one for each voice with its settings: starting a
/// run for each sentence would take longer than speaking it.
///
/// A sentence sounds as in a separate run, though not to the byte: the tremor of the voice
/// continues from the previous sentence. Silence at both ends is cut off. Text that is too long for
/// a line, or has no sound here, is left to a separate run, which also reports errors.
final class EspeakReaders: Sendable {
    typealias Sound = (format: PCMFormat, bytes: [UInt8])

    /// A run that waits for its next line.
    private struct Waiting {
        var arguments: [String]
        var process: AnsweringProcess
        var format: PCMFormat
    }

    private struct State {
        /// The most recently used one is last.
        var waiting: [Waiting] = []
        /// Whether the program seems unable to speak line by line.
        var isUnfit = false
    }

    /// Maximum bytes of a line; espeak-ng reads up to 999.
    private static let longestLine = 900
    /// Maximum waiting runs: enough voices for a chapter. Each run takes some 5 MB.
    private static let mostWaiting = 16
    private static let patience = Double(EspeakProgram.patience.components.seconds)
    /// A line without sound. Voices with an echo continue for an eighth of a second, which
    /// is not part of the next sentence: each such line gives some 10 ms of silence.
    private static let filler: [UInt8] = [0x0A]
    private static let echoFillers = [[UInt8](repeating: 0x0A, count: 32), filler]

    private let program: EspeakProgram
    private let state = Mutex(State())

    init(_ program: EspeakProgram) {
        self.program = program
    }

    /// - Parameter text: a line with its newline (`EspeakText`).
    /// - Returns: nil if the text needs a run of its own.
    /// - Throws: `CancellationError`.
    func sound(
        _ voice: EspeakVoiceName, _ choice: VoiceChoice, text: [UInt8]
    ) async throws -> Sound? {
        guard text.count <= Self.longestLine else { return nil }
        let arguments = program.arguments(voice, choice, readsOn: true)
        do {
            guard let reader = try await reader(arguments) else { return nil }
            let answer = try await reader.process.answer(
                to: text, fillers: voice.variant == nil ? [Self.filler] : Self.echoFillers,
                patience: Self.patience)
            let bytes = SpeechEnds.cut(answer, reader.format)
            // No sound for the text: the run is not used again, because its output may come
            // late.
            if bytes.isEmpty { return nil }
            keep(reader)
            return (reader.format, bytes)
        } catch is AnsweringProcess.Problem {
            return nil
        }
    }

    private func keep(_ reader: Waiting) {
        // The removed run ends outside the lock.
        _ = state.withLock { state in
            state.waiting.append(reader)
            return state.waiting.count > Self.mostWaiting ? state.waiting.removeFirst() : nil
        }
    }

    private func reader(_ arguments: [String]) async throws -> Waiting? {
        let (isUnfit, kept) = state.withLock { state in
            let place = state.waiting.lastIndex { $0.arguments == arguments }
            return (state.isUnfit, place.map { state.waiting.remove(at: $0) })
        }
        if isUnfit { return nil }
        if let kept { return kept }
        let process: AnsweringProcess
        do {
            process = try AnsweringProcess(
                program: program.path, arguments: arguments, environment: program.variables)
        } catch { return nil }
        // For an empty line it outputs a header and silence. This detects a different program, or a
        // version that buffers its output until the end.
        var wave = WaveStream()
        // No answer makes the program unfit.
        let answer = try? await process.answer(
            to: Self.filler, fillers: [Self.filler], patience: Self.patience)
        try Task.checkCancellation()
        // An answer that is not a WAV makes the program unfit as well.
        if let answer, let silence = try? wave.feed(answer), let format = wave.format,
            silence.allSatisfy({ $0 == 0 })
        {
            return Waiting(arguments: arguments, process: process, format: format)
        }
        state.withLock { $0.isUnfit = true }
        return nil
    }
}

/// Cuts silence from both ends of sound. Pure.
enum SpeechEnds {
    /// Ratio of the loudest sample to silence, 60 dB: rests of an echo, and rounding.
    private static let quiet = 1_000

    /// - Returns: whole frames; none if all is silent.
    static func cut(_ bytes: [UInt8], _ format: PCMFormat) -> [UInt8] {
        let limit = SamplePeak.peak(bytes) / quiet
        let place = bytes.withUnsafeBytes { raw -> Range<Int> in
            func isQuiet(_ at: Int) -> Bool {
                let sample = Int16(
                    littleEndian: raw.loadUnaligned(fromByteOffset: at, as: Int16.self))
                return abs(Int(sample)) <= limit
            }
            var (start, end) = (0, raw.count / 2 * 2)
            while start < end, isQuiet(start) { start += 2 }
            while end > start, isQuiet(end - 2) { end -= 2 }
            let frame = format.bytesPerFrame
            return start / frame * frame..<(end + frame - 1) / frame * frame
        }
        return Array(
            bytes[place.clamped(to: 0..<bytes.count / format.bytesPerFrame * format.bytesPerFrame)])
    }
}
