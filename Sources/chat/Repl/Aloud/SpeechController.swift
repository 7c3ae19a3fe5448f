import AgentCore
import Base
import ChatKit
import Sound
import TerminalKit

/// Reading aloud at the prompt.
final class SpeechController: ReplController {
    let context: ReplContext
    private let commands: CapabilityCommands
    private let answers: AnswerController
    let answerVoice: AnswerVoice
    /// Whether answers are read aloud in this session.
    private var speaks: Bool

    init(_ context: ReplContext, commands: CapabilityCommands, answers: AnswerController) {
        self.context = context
        self.commands = commands
        self.answers = answers
        let (services, terminal, style) = (context.services, context.terminal, context.style)
        speaks = services.voice.settings.speaksAnswers
        answerVoice = AnswerVoice(
            voice: services.voice.voiceChoice,
            phrases: services.voice.phrases(services.voice.voiceChoice),
            environment: services.environment,
            make: { [voice = services.voice] in
                voice.speaker(try voice.speechEngine(), as: .answer)
            },
            onProblem: { [diagnostics = services.diagnostics, question = context.question] error in
                let lines =
                    error is AnswerVoice.TooLong
                    ? [StyledLine("  Too long to be read aloud to the end.", .warning)]
                    : diagnostics.describe(error).lines
                // Not inside the answer that is being written.
                if await !question.show(lines) {
                    await terminal.write(lines.flatMap { style.bytes($0) })
                }
            })
    }

    /// Reads the next answer aloud; nil if nothing does. Never through a server in a redacted
    /// conversation, whose displayed answers contain the originals.
    var listener: AnswerVoice? {
        get async {
            guard speaks else { return nil }
            return await !session.redacts || services.voice.speechHost() == nil
                ? answerVoice : nil
        }
    }

    /// `/say [TEXT]`, `/say voices`.
    func say(_ arguments: CommandArguments) async throws {
        if arguments.typed.first == "voices" {
            try await commands.run(SayCommand.noun, arguments: arguments.typed)
            return
        }
        let voice = services.voice
        let options = try SayOptions(arguments, standard: voice.voiceChoice)
        try await refuseSpeech(options.engine)
        let sentences =
            options.text.isEmpty
            ? SpokenAnswer.sentences(of: try await answers.last(), voice.phrases(options.voice))
            : SpokenSentence.sentences(ofText: options.text)
        guard !sentences.isEmpty else { throw SpeechError(reason: .nothingToSay) }
        let reading = ReadAloudSession(
            speaker: voice.speaker(try voice.speechEngine(options.engine), as: .reading),
            voice: options.voice, glyphs: VoiceGlyphs(usesUnicode: style.usesUnicode))
        await answerVoice.stop()
        do {
            let report = try await stoppable { [terminal] in
                try await reading.run(sentences, on: await terminal.openPanel())
            }
            if let first = report.problems.first {
                let count = Quantities.count(report.problems.count, "sentence")
                let why = services.diagnostics.describe(first.error).what
                await tell("\(count) could not be read: \(why)", .warning)
            }
        } catch is CancellationError {
            // Ctrl-C is the way to stop it.
        }
    }

    /// `/speak [on|off]`: for this session; the setting is `speak`.
    func change(to word: String?) async throws {
        switch word {
        case "on":
            // Report missing programs now, not with the next answer.
            _ = try services.voice.speechEngine()
            try await refuseSpeech()
            speaks = true
        case "off":
            speaks = false
            await answerVoice.stop()
        // The table accepts no other word.
        default: break
        }
        await show([
            StyledLine(
                speaks
                    ? "  Answers are read aloud; Enter or Ctrl-C stops one."
                    : "  Answers are not read aloud. /speak on reads them.", .dim)
        ])
    }

    /// - Throws: `SessionError.cannotSpeak` if the text of a redacted conversation would be sent to
    ///   a server unredacted.
    private func refuseSpeech(_ engine: VoiceSettings.Speech.Engine? = nil) async throws {
        if await session.redacts, let host = services.voice.speechHost(engine) {
            throw SessionError.cannotSpeak(host: host)
        }
    }
}
