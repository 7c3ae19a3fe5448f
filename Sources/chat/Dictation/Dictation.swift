import AgentCore
import Base
import ChatKit
import Sound
import TerminalKit

/// Turns speech into text: a recording, then its transcription, each with its screen. A
/// recording is deleted only after its transcript has arrived, or when the user cancels it.
struct Dictation: Sendable {
    struct Dependencies: Sendable {
        /// Records into a folder. Reports missing programs before anything is shown.
        var record: @Sendable (_ folder: String) throws -> RecordingScreen.Record
        /// Runs the transcription command with its arguments.
        var transcribe: @Sendable (_ arguments: [String], Interaction) async throws -> CommandOutput
        /// The error as a sentence.
        var describe: @Sendable (any Error) -> [StyledLine]
    }

    enum Outcome: Sendable {
        /// The transcript in the requested format; `said` is its plain text.
        case words(CommandOutput, said: String, kept: String?)
        case recorded(Recording)
        /// Nothing was kept.
        case cancelled
        /// There is no transcript; the reason and the next steps have been shown.
        case kept(path: String, any Error)
    }

    /// No speech was heard in the recording, so it was not sent.
    struct NothingHeard: Error, Sendable {}

    var dependencies: Dependencies
    var screen: DictationScreen
    var files: DictationFiles
    /// Maximum length in seconds.
    var cap: Double
    var environment: Environment
    /// The command for transcribing a recording later: `/transcribe`, `chat transcribe`.
    var transcribeCommand: String

    /// - Parameter onStart: gets the screen, which can end the recording from elsewhere.
    /// - Throws: if there is no recording, or it could not be saved at the requested path.
    func run(
        _ options: RecordOptions, onStart: (RecordingScreen) -> Void = { _ in }
    ) async throws -> Outcome {
        if let output = options.output { try await files.check(output) }
        let place = try await files.begin(environment.uuid())
        let outcome: Outcome
        do {
            outcome = try await run(options, in: place, onStart)
        } catch let error as CancellationError {
            // The task was cancelled: the partial recording is kept, and a notice says so.
            guard let path = await files.end(place).last else { throw error }
            await screen.say(explain(error, path))
            return .kept(path: path, error)
        } catch {
            if let path = await files.end(place).last {
                await screen.say([StyledLine("  The recording is kept: \(path)", .dim)])
            }
            throw error
        }
        await files.end(place)
        return outcome
    }

    private func run(
        _ options: RecordOptions, in place: DictationFiles.RecordingFolder,
        _ onStart: (RecordingScreen) -> Void
    ) async throws -> Outcome {
        let limit = min(cap, options.limit ?? cap)
        let recorder = RecordingScreen(limit: limit, glyphs: screen.glyphs)
        let record = try dependencies.record(place.folder)
        onStart(recorder)
        let panel = await screen.openPanel()
        let most = VoiceGlyphs.clock(limit)
        var plain: (@Sendable () async -> Void)?
        if panel == nil, let wait = screen.waitForEnter {
            plain = { await wait("  Recording; Enter stops, Ctrl-C cancels (\(most) at most). ") }
        } else if panel == nil {
            await screen.say([
                StyledLine("  Recording, \(most) at most; \(screen.plainEnd) ends it.", .dim)
            ])
        }
        var recording: Recording
        do {
            guard let made = try await recorder.run(on: panel, plain, record)
            else {
                return .cancelled
            }
            recording = made
        } catch let error as RecordingError {
            guard let file = error.file, file.hasSuffix(".wav") else { throw error }
            // The recorder crashed: keep its partial recording.
            let path = try await files.keep(file, as: options.output)
            await screen.say(explain(error, path))
            return .kept(path: path, error)
        }
        if !options.transcribes || options.output != nil {
            recording.path = try await files.keep(recording.path, as: options.output)
            if !options.transcribes { return .recorded(recording) }
        }
        return try await transcribe(recording, options)
    }

    private func transcribe(
        _ recording: Recording, _ options: RecordOptions
    ) async throws -> Outcome {
        let isKept = options.output != nil
        let error: any Error
        do {
            if recording.wasSilent { throw NothingHeard() }
            let title = "\(VoiceGlyphs.clock(recording.duration)) of speech"
            let words = options.transcribing(recording.path)
            let done = try await screen.progress().run(isChat: false) {
                [dependencies] interaction in
                var titled = interaction
                titled.emit = Emitter { progress in
                    var progress = progress
                    progress.title = title
                    interaction.emit(progress)
                }
                return try await dependencies.transcribe(words, titled)
            }
            let said = done.json?["text"]?.stringValue ?? ""
            if DictatedWords.fit(said).isEmpty { throw NothingHeard() }
            if isKept { return .words(done, said: said, kept: recording.path) }
            if options.keeps {
                return .words(done, said: said, kept: try await files.keep(recording.path))
            }
            await files.remove(recording.path)
            return .words(done, said: said, kept: nil)
        } catch let failure {
            error = failure
        }
        let path =
            // If it cannot be moved, it stays and is found at the next launch.
            isKept ? recording.path : (try? await files.keep(recording.path)) ?? recording.path
        await screen.say(explain(error, path))
        return .kept(path: path, error)
    }

    private func explain(_ error: any Error, _ path: String) -> [StyledLine] {
        var lines: [StyledLine]
        switch error {
        case is CancellationError: lines = [StyledLine("  Stopped. The recording is kept:", .dim)]
        case is NothingHeard:
            lines = [StyledLine("  No words were heard. The recording is kept:", .warning)]
        case is RecordingError:
            // Only the first line: there was a microphone.
            lines =
                dependencies.describe(error).prefix(1) + [
                    StyledLine("  What was recorded is kept:", .dim)
                ]
        default:
            lines = dependencies.describe(error) + [StyledLine("  The recording is kept:", .dim)]
        }
        lines.append(StyledLine("    \(transcribeCommand) \(ShellTokenizer.quoted(path))"))
        return lines
    }
}

/// Shows a dictation: below the conversation, on stderr, or nowhere.
struct DictationScreen: Sendable {
    /// Nil without a cursor.
    var openPanel: @Sendable () async -> TerminalPanel?
    /// The screen for the upload: it shows the progress, and asks.
    var progress: @Sendable () -> ProgressScreen
    /// Shows lines to the user; on stderr in the shell.
    var say: @Sendable ([StyledLine]) async -> Void
    var glyphs: VoiceGlyphs
    /// The key that ends a recording without a panel: "Ctrl-C".
    var plainEnd: String
    /// Shows the text, if lines can be read without a panel, and returns when the recording should
    /// end; not before if it was cancelled otherwise.
    var waitForEnter: (@Sendable (_ words: String) async -> Void)?
}

/// Prepares dictated text for the input line. Pure.
enum DictatedWords {
    /// The draft with the text appended after a space. The text has no effect of its own: no
    /// control characters, no line breaks, and no beginning that would make it a command.
    static func added(_ said: String, to draft: String) -> String {
        var words = fit(said)
        let isFirst = draft.allSatisfy(\.isWhitespace)
        while isFirst, let first = words.first, first == "/" || first == "~" || first == " " {
            words.removeFirst()
        }
        guard !words.isEmpty else { return draft }
        guard let last = draft.last, !last.isWhitespace else { return draft + words }
        return draft + " " + words
    }

    /// One line of printable text.
    static func fit(_ said: String) -> String {
        said.split(whereSeparator: \.isWhitespace).map { word in
            String(
                String.UnicodeScalarView(
                    word.unicodeScalars.filter {
                        $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value)
                    }))
        }.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
