import AgentCore
import Base
import ChatKit
import Glibc
import Sound
import TerminalKit

/// `chat say`: reads a text, a file or standard input aloud or into a WAV file; `chat say voices`
/// lists the voices.
package struct SayCommand: Sendable {
    static let noun = SayOptions.noun
    let services: Services

    var command: Command {
        var aloud = SayOptions.table
        aloud.run = { try await say(SayOptions($0, standard: services.voice.voiceChoice)) }
        return Command(
            name: Self.noun, summary: "read a text aloud", takesWordsWithoutVerb: true,
            verbs: [
                aloud,
                Verb(
                    "voices", "the voices there are", [.init("LANGUAGE", isOptional: true)],
                    options: [SayOptions.engine], json: "id name language gender"
                ) { try await voices($0) },
            ])
    }

    // MARK: - Reading

    private func say(_ options: SayOptions) async throws -> CommandOutput {
        let sentences = try await sentences(options)
        guard !sentences.isEmpty else { throw SpeechError(reason: .nothingToSay) }
        let engine = try services.voice.speechEngine(options.engine)
        if let output = options.output {
            return try await write(sentences, options, engine, to: output)
        }
        let shell = ShellPanel(services: services)
        let style = services.style(isTerminal: isatty(1) == 1 || isatty(2) == 1)
        let reading = ReadAloudSession(
            speaker: services.voice.speaker(engine, as: .reading), voice: options.voice,
            glyphs: VoiceGlyphs(usesUnicode: style.usesUnicode))
        return output(
            engine,
            try await shell.run { try await reading.run(sentences, on: await shell.openPanel()) })
    }

    private func write(
        _ sentences: [SpokenSentence], _ options: SayOptions, _ engine: any SpeechEngine,
        to path: String
    ) async throws -> CommandOutput {
        var status = stat()
        if stat(path, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw UsageError(
                    "\(path) is not a file that can be replaced.",
                    hint: "Without --output it is read aloud.")
            }
            if !options.replaces {
                throw UsageError("\(path) already exists.", hint: "--force replaces it.")
            }
        }
        let speaker = Speaker(
            engine: engine,
            sink: WaveFileSink(path: path, environment: services.environment))
        let task = Task {
            try await speaker.speak(sentences.map { $0.utterance(options.voice) })
        }
        EndSignals.call { task.cancel() }
        var output = output(engine, try await task.value)
        output.lines = [StyledLine(path)]
        return output
    }

    private func output(
        _ engine: any SpeechEngine, _ report: Speaker.Report
    ) -> CommandOutput {
        var output = CommandOutput()
        if let notice = services.voice.ending(engine) { output.notices.append(notice) }
        if let first = report.problems.first {
            let count = Quantities.count(report.problems.count, "sentence")
            output.notices += [
                "\(count) could not be read: \(services.diagnostics.describe(first.error).what)"
            ]
            output.outcome = .degraded
        }
        return output
    }

    // MARK: - Input

    private func sentences(_ options: SayOptions) async throws -> [SpokenSentence] {
        let (file, text) = (options.file, options.text)
        if file == nil, text.isEmpty, isatty(0) == 1 {
            throw UsageError("There is nothing to say.", hint: "chat say \"Good morning\"")
        }
        let loaded = try await QueueExecutor.run("say-input") {
            () throws(AttachmentFailure) -> FileKind in
            if let file { return try InputFiles.load(file).kind }
            return .text(
                text.isEmpty ? try InputFiles.read(0, path: "standard input") : Array(text.utf8))
        }
        guard case .text(let bytes) = loaded else {
            throw UsageError("\(file ?? "") is not a text.")
        }
        try Self.check(bytes.count)
        let said = String(decoding: bytes, as: UTF8.self)
        let isMarkdown = [".md", ".markdown"].contains { file?.lowercased().hasSuffix($0) == true }
        return isMarkdown
            ? SpokenAnswer.sentences(of: said, services.voice.phrases(options.voice))
            : SpokenSentence.sentences(ofText: said)
    }

    /// All sentences are known before the first is heard.
    static func check(_ bytes: Int) throws(UsageError) {
        let limit = InputFiles.textLimitInBytes
        if bytes <= limit { return }
        throw UsageError(
            "At most \(Quantities.bytes(limit)) of text are read aloud at once.",
            hint: "A book is a story: chat story import FILE")
    }

    // MARK: - Voices

    private func voices(_ arguments: CommandArguments) async throws -> CommandOutput {
        let engine = try services.voice.speechEngine(arguments.choice("--engine"))
        let emit = arguments.interaction.emit
        var voices = try await engine.voices(for: nil) { emit($0.progress(engine.name)) }
        if let language = arguments.plain.first?.lowercased() {
            voices = voices.filter {
                $0.language.hasPrefix(language) || $0.name.lowercased().contains(language)
            }
        }
        return SayVoices.output(voices, of: engine.name)
    }
}

/// Voices as lines and as JSON. Pure.
enum SayVoices {
    static func output(_ voices: [SpeechVoice], of engine: String) -> CommandOutput {
        let rows: [[StyledLine.Span]] = voices.map { voice in
            // Servers may name their voices arbitrarily.
            let name = voice.name == voice.identifier ? "" : voice.name
            return [
                .init(HostileText.line(voice.identifier)),
                .init(voice.gender?.rawValue ?? "", .dim), .init(HostileText.line(name), .dim),
            ]
        }
        return CommandOutput(
            lines: rows.isEmpty
                ? [StyledLine("\(engine) lists no voices like that.", .dim)]
                : StyledLine.table(rows, columns: 2),
            json: .array(
                voices.map { voice in
                    .compact([
                        "id": .string(voice.identifier), "name": .string(voice.name),
                        "language": .string(voice.language),
                        "gender": voice.gender.map { .string($0.rawValue) },
                    ])
                }))
    }
}
