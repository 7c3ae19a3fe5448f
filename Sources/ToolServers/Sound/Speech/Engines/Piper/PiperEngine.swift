import AgentCore
import Base
import Synchronization

/// Speech by piper, a neural text-to-speech program, with the models of a folder. Nothing
/// leaves the machine.
///
/// Loading a model takes seconds, so each run reads line after line with one speaker at one
/// speed, and a few runs are kept. Its pitch cannot be set.
package final class PiperEngine: SpeechEngine {
    static let program = "piper"
    /// Maximum number of waiting runs, each of which takes some 200 MB.
    private static let mostWaiting = 4
    /// Seconds without output; a large model on a busy machine takes a while to load.
    private static let patience = 60.0
    /// Size of a line that the program reads at once (`AnsweringProcess`), with its
    /// newline.
    private static let lineBytes = 4_000

    package let name = program
    private let path: String
    private let folder: String
    private let variables: [String: String]
    private let models: [PiperModel]
    private struct Waiting {
        var arguments: [String]
        var process: AnsweringProcess
    }
    /// The most recently used one is last.
    private let waiting = Mutex<[Waiting]>([])

    /// - Parameter folder: the folder with the models.
    /// - Throws: `needsProgram`, `noModels`.
    package init(folder: String?, variables: [String: String]) throws(SpeechError) {
        do { path = try Subprocess.find(Self.program, in: variables) } catch {
            throw SpeechError(reason: .needsProgram([Self.program]))
        }
        self.folder = folder ?? ""
        models = folder.map(PiperModel.all) ?? []
        if models.isEmpty { throw SpeechError(reason: .noModels(folder)) }
        var variables = Subprocess.baseEnvironment(from: variables)
        // Otherwise Python decodes its input by the locale.
        variables["PYTHONUTF8"] = "1"
        self.variables = variables
    }

    package func voices() -> [SpeechVoice] { models.flatMap(\.voices) }

    package func likelyVoices() -> [SpeechVoice] { voices() }

    /// Includes the standard model, which a voice may use.
    package func version() -> String { "\(folder) \(models.first?.name ?? "")" }

    package var modelNames: [String] { models.map(\.name) }

    /// Starts the program without a model.
    ///
    /// - Throws: `SpeechError` if it does not start; `CancellationError`.
    package func check() async throws {
        do {
            let result = try await Subprocess(
                program: path, arguments: ["--help"], environment: variables,
                limits: .init(time: .seconds(20), outputBytes: 64 << 10)
            ).run()
            if !result.isSuccess { throw Self.failure(result.errorOutput) }
        } catch let error as SubprocessError {
            throw SpeechError(
                reason: .programFailed(Self.program, status: error.code, message: ""))
        }
    }

    package func synthesize(_ utterance: Utterance) async throws -> SpokenAudio {
        guard let line = EspeakText.bytes(utterance.text) else {
            throw SpeechError(reason: .nothingToSay)
        }
        let choice = utterance.voice
        let (model, arguments) = try arguments(choice)
        let format = PCMFormat(rate: model.rate)
        let rest = Mutex(Self.lines(line)[...])
        let gain = Mutex(
            SampleGain(min(1, max(0, choice.volume)) / VoiceChoice().volume, format: format))
        return SpokenAudio(format: format) { [self] in
            while let line = rest.withLock({ $0.popFirst() }) {
                let bytes = try await answer(to: line, arguments)
                let sound = gain.withLock { $0.take(bytes) }
                if !sound.isEmpty { return sound }
            }
            return nil
        }
    }

    // MARK: - One run

    private func arguments(
        _ choice: VoiceChoice
    ) throws(SpeechError) -> (PiperModel, [String]) {
        let wanted = choice.identifier
        guard
            let model = models.first(where: { model in
                wanted == nil || model.voices.contains { $0.identifier == wanted }
                    || model.name == wanted
            })
        else {
            let nearest = NearestWord.find(wanted ?? "", among: voices().map(\.identifier))
            throw SpeechError(reason: .unknownVoice(wanted ?? "", nearest: nearest))
        }
        var words = ["--model", model.path, "--output-raw"]
        if let speaker = wanted.flatMap(model.speaker) { words += ["--speaker", "\(speaker)"] }
        let speed = choice.speed
        if speed != 1 {
            let scale = (model.lengthScale / speed * 100).rounded() / 100
            words += ["--length-scale", "\(scale)"]
        }
        return (model, words)
    }

    private func answer(to line: [UInt8], _ arguments: [String]) async throws -> [UInt8] {
        let kept = waiting.withLock { waiting in
            waiting.lastIndex { $0.arguments == arguments }.map { waiting.remove(at: $0) }
        }
        do {
            let reader =
                try kept
                ?? Waiting(
                    arguments: arguments,
                    process: AnsweringProcess(
                        program: path, arguments: arguments, environment: variables,
                        // Its error output is a log.
                        isErrorOutputLog: true))
            let bytes = try await reader.process.answer(
                to: line, fillers: [[0x0A]], patience: Self.patience)
            // The removed run ends outside the lock.
            _ = waiting.withLock { waiting in
                waiting.append(reader)
                return waiting.count > Self.mostWaiting ? waiting.removeFirst() : nil
            }
            return bytes
        } catch let error as AnsweringProcess.Problem {
            guard case .ended(let complaint) = error else {
                throw SpeechError(reason: .programHangs(Self.program))
            }
            throw Self.failure(complaint)
        } catch let error as SubprocessError {
            throw SpeechError(
                reason: .programFailed(Self.program, status: error.code, message: ""))
        }
    }

    /// The last line of a Python program's error output gives the reason.
    private static func failure(_ complaint: [UInt8]) -> SpeechError {
        let said = String(decoding: complaint, as: UTF8.self).split(separator: "\n").last ?? ""
        return SpeechError(
            reason: .programFailed(program, status: 1, message: String(said.prefix(500))))
    }

    /// Divides the text between words; each line ends with a newline.
    static func lines(_ text: [UInt8]) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        var rest = text.dropLast(text.last == 0x0A ? 1 : 0)
        while rest.count >= lineBytes {
            let part = rest.prefix(lineBytes - 1)
            let end = part.lastIndex(of: 0x20) ?? part.endIndex
            lines.append(rest[..<end] + [0x0A])
            rest = rest[end...].drop { $0 == 0x20 }
        }
        return lines + [Array(rest) + [0x0A]]
    }
}
