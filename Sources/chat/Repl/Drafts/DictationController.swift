import AgentCore
import Base
import ChatKit
import Sound
import Synchronization
import TerminalKit

/// Dictation at the prompt: appends the transcript to the line, for the user to review and send.
struct DictationController: ReplController {
    let context: ReplContext
    let commands: CapabilityCommands

    /// `/record`.
    func record(_ arguments: CommandArguments) async throws {
        if arguments.plain == ["list"] {
            try await commands.run(RecordCommand.noun, arguments: arguments.typed)
            return
        }
        try await dictate(RecordOptions(arguments), into: "")
    }

    /// Alt-r: dictates. The draft is kept whatever happens.
    func dictate(_ text: String) async {
        do {
            try await dictate(RecordOptions([]), into: text)
        } catch {
            await show(services.diagnostics.describe(error))
        }
    }

    private func dictate(_ options: RecordOptions, into text: String) async throws {
        next.draft = LineDraft(text)
        let open: @Sendable () async -> TerminalPanel? = { [terminal] in
            await terminal.openPanel()
        }
        let say: @Sendable ([StyledLine]) async -> Void = { [terminal, style] lines in
            await terminal.write(lines.flatMap { style.bytes($0) })
        }
        var screen = DictationScreen(
            openPanel: open,
            progress: { [terminal, style, environment = services.environment] in
                ProgressScreen(terminal, style, silence: SilenceWatch(environment))
            },
            say: say,
            glyphs: VoiceGlyphs(usesUnicode: style.usesUnicode), plainEnd: "Ctrl-C")
        if terminal.isInteractive {
            screen.waitForEnter = { [terminal] words in
                _ = await terminal.ask(words, mode: .line)
            }
        }
        let dictation = services.dictation(screen, transcribeCommand: "/transcribe")
        switch try await dictate(with: dictation, options) {
        case .words(_, let said, let kept):
            let all = DictatedWords.added(said, to: text)
            next.draft = LineDraft(
                text, DraftedTranscript.dictated(String(all.dropFirst(text.count))))
            next.queue.heard(DictatedWords.fit(said))
            if let kept { await show([StyledLine("  The recording: \(kept)", .dim)]) }
        case .recorded(let recording):
            // The whole path: it is copied from here, and its name contains a space.
            let length = VoiceGlyphs.clock(recording.duration)
            await show([StyledLine("  \(length) recorded: \(recording.path)", .dim)])
        case .cancelled: await tell("Nothing was kept.", .dim)
        case .kept: break
        }
    }

    /// Ctrl-C cancels the recording, and stops the transcription after it.
    private func dictate(
        with dictation: Dictation, _ options: RecordOptions
    ) async throws -> Dictation.Outcome {
        let recording = CurrentRecording()
        let task = Task {
            try await dictation.run(options) { screen in recording.value.withLock { $0 = screen } }
        }
        turnTask.set {
            let isCancelled = recording.value.withLock { $0 }?.cancel() ?? false
            if !isCancelled { task.cancel() }
        } onEnd: {
            task.cancel()
        }
        defer { turnTask.clear() }
        return try await task.value
    }

    /// Shows a line for each recording left by a killed program.
    func showRescued() async {
        for path in await DictationFiles(services.paths.recordings).rescue() {
            let command = "/transcribe \(ShellTokenizer.quoted(path))"
            await show([StyledLine("  A recording was not transcribed: \(command)", .warning)])
        }
    }
}

/// Set when the recording starts, read from the terminal's thread.
private final class CurrentRecording: Sendable {
    let value = Mutex<RecordingScreen?>(nil)
}
