import Sound
import StoryKit

/// Makes the sound of a story's lines, two at a time, and writes it in order: only a few
/// lines are in memory at once.
///
/// All of it has the format of the first sound, and no sample is louder than −1 dBFS.
struct StoryRenderer: Sendable {
    /// The finished render. Times are frames.
    struct Rendered: Sendable, Equatable {
        /// A spoken line, without the silence after it.
        struct Cue: Sendable, Equatable {
            var line: Int
            var frames: Range<Int>
        }

        /// Nil if there was no sound.
        var format: PCMFormat?
        var cues: [Cue] = []
        var frames = 0
        /// Silence included, in frames, and as requested, in seconds.
        var silentFrames = 0
        var silence = 0.0
        /// Number of lines that the engine failed at, and the first error.
        var failures = 0
        var firstFailure: SpeechError?

        func seconds(_ frame: Int) -> Double {
            Double(frame) / Double(format?.rate ?? 1)
        }
    }

    private enum Made: Sendable {
        case sound([UInt8], PCMFormat)
        /// No sound and no error, as for a line of dashes.
        case nothing
        case failed(SpeechError)
    }

    /// Maximum lines in parallel, to leave the machine room for other work.
    private static let atOnce = 2
    /// Maximum lines ahead of the next one to write: a long line holds up short ones.
    private static let ahead = 8
    /// Number of consecutive failures after which rendering stops.
    private static let mostFailures = 3

    let engine: any SpeechEngine
    let voices: StoryVoices

    /// - Parameters:
    ///   - sink: nil to get only the times. It is begun and written to here; the caller
    ///     ends it.
    ///   - onLine: called with the lines done and the seconds of sound.
    /// - Throws: `SpeechError`, `CancellationError`.
    func render(
        _ script: StoryScript, into sink: (any AudioSink)?,
        onLine: (_ count: Int, _ seconds: Double) -> Void = { _, _ in }
    ) async throws -> Rendered {
        var rendered = Rendered()
        var inARow = 0
        try await withThrowingTaskGroup(of: (Int, Made).self) { group in
            var ready: [Int: Made] = [:]
            var (next, running, done) = (0, 0, 0)
            while done < script.lines.count {
                while running < Self.atOnce, next < script.lines.count, next < done + Self.ahead {
                    let (index, line) = (next, script.lines[next])
                    group.addTask { (index, try await make(line)) }
                    next += 1
                    running += 1
                }
                guard let (index, made) = try await group.next() else { break }
                running -= 1
                ready[index] = made
                while let made = ready.removeValue(forKey: done) {
                    switch made {
                    case .sound(let bytes, let format):
                        inARow = 0
                        try await place(
                            bytes, format, line: done, pause: script.lines[done].pause, into: sink,
                            &rendered)
                    case .nothing: break
                    case .failed(let error):
                        inARow += 1
                        rendered.failures += 1
                        rendered.firstFailure = rendered.firstFailure ?? error
                        if inARow == Self.mostFailures { throw error }
                    }
                    done += 1
                    onLine(done, rendered.seconds(rendered.frames))
                }
            }
        }
        if rendered.cues.isEmpty {
            throw rendered.firstFailure ?? SpeechError(reason: .nothingToSay)
        }
        return rendered
    }

    private func make(_ line: StoryScript.Line, isAgain: Bool = false) async throws -> Made {
        do {
            let audio = try await engine.synthesize(line.utterance(voices))
            var bytes: [UInt8] = []
            while let piece = try await audio.next() {
                // Usually there is one piece, which is not copied.
                if bytes.isEmpty { bytes = piece } else { bytes += piece }
            }
            bytes.removeLast(bytes.count % audio.format.bytesPerFrame)
            return bytes.isEmpty ? .nothing : .sound(SamplePeak.lowered(bytes), audio.format)
        } catch let error as SpeechError {
            switch error.reason {
            case .nothingToSay: return .nothing
            // The next line would fail in the same way.
            case .unknownVoice, .needsProgram, .noModels, .noKey, .badAddress: throw error
            // Retry once: the machine may have been busy for a moment.
            case .programHangs where !isAgain: return try await make(line, isAgain: true)
            default: return .failed(error)
            }
        }
    }

    private func place(
        _ bytes: [UInt8], _ format: PCMFormat, line: Int, pause: Double,
        into sink: (any AudioSink)?, _ rendered: inout Rendered
    ) async throws {
        let target = rendered.format ?? format
        if rendered.format == nil {
            rendered.format = format
            try await sink?.begin(format)
        }
        var sound = bytes
        if format != target {
            var resampler = LinearResampler(from: format, to: target)
            sound = resampler.convert(bytes)
            sound += resampler.finish()
        }
        let frames = sound.count / target.bytesPerFrame
        // A pause may end within a sample; the remainder goes to the next one.
        rendered.silence += pause
        let silence =
            Int((rendered.silence * Double(target.rate)).rounded()) - rendered.silentFrames
        rendered.cues.append(
            Rendered.Cue(line: line, frames: rendered.frames..<(rendered.frames + frames)))
        rendered.frames += frames + silence
        rendered.silentFrames += silence
        guard let sink else { return }
        // Written separately: appending would copy the sound.
        try await sink.write(sound)
        if silence > 0 {
            try await sink.write([UInt8](repeating: 0, count: silence * target.bytesPerFrame))
        }
    }
}
