import Sound
import StoryKit

/// Makes the sound of a story's lines, two at a time, and hands it on in their order:
/// never more than a few lines are in memory.
///
/// All of it has the format of the first sound, and no sample is louder than −1 dBFS.
struct StoryRenderer: Sendable {
    /// What is known when all was handed on. Times are frames.
    struct Rendered: Sendable, Equatable {
        /// A line that was heard, without the silence after it.
        struct Cue: Sendable, Equatable {
            var line: Int
            var frames: Range<Int>
        }

        /// Nil where nothing of it has a sound.
        var format: PCMFormat?
        var cues: [Cue] = []
        var frames = 0
        /// Silence among them, in frames and as it is wanted, in seconds.
        var silentFrames = 0
        var silence = 0.0
        /// Lines that the engine failed at, and why it did so first.
        var failures = 0
        var firstFailure: SpeechError?

        func seconds(_ frame: Int) -> Double {
            Double(frame) / Double(format?.rate ?? 1)
        }
    }

    private enum Made: Sendable {
        case sound([UInt8], PCMFormat)
        /// A line of dashes has no sound, and that is not a fault.
        case nothing
        case failed(SpeechError)
    }

    /// The machine has other things to do.
    private static let atOnce = 2
    /// Lines that may be ready before it is their turn: a long one holds up short ones.
    private static let ahead = 8
    /// After so many failures in a row there will be no sound.
    private static let mostFailures = 3

    let engine: any SpeechEngine
    let voices: StoryVoices

    /// - Parameters:
    ///   - sink: nil to know the times alone. It is begun and written to; ending it is
    ///     the caller's.
    ///   - onLine: how many lines are done, and how much sound there is.
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
                            bytes, format, line: done, pause: script.lines[done].pause, sink,
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
                // Mostly all of it is one piece, which is not copied.
                if bytes.isEmpty { bytes = piece } else { bytes += piece }
            }
            bytes.removeLast(bytes.count % audio.format.bytesPerFrame)
            return bytes.isEmpty ? .nothing : .sound(SamplePeak.lowered(bytes), audio.format)
        } catch let error as SpeechError {
            switch error.reason {
            case .nothingToSay: return .nothing
            // The next line would not be spoken either.
            case .unknownVoice, .needsProgram, .noModels, .noKey, .badAddress: throw error
            // A machine that is busy for a moment is not a reason to leave a sentence out.
            case .programHangs where !isAgain: return try await make(line, isAgain: true)
            default: return .failed(error)
            }
        }
    }

    private func place(
        _ bytes: [UInt8], _ format: PCMFormat, line: Int, pause: Double,
        _ sink: (any AudioSink)?, _ rendered: inout Rendered
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
        // A pause may end within a sample: the next one has the rest.
        rendered.silence += pause
        let silence =
            Int((rendered.silence * Double(target.rate)).rounded()) - rendered.silentFrames
        rendered.cues.append(
            Rendered.Cue(line: line, frames: rendered.frames..<(rendered.frames + frames)))
        rendered.frames += frames + silence
        rendered.silentFrames += silence
        guard let sink else { return }
        // Behind it, not at its end: that would copy it.
        try await sink.write(sound)
        if silence > 0 {
            try await sink.write([UInt8](repeating: 0, count: silence * target.bytesPerFrame))
        }
    }
}
