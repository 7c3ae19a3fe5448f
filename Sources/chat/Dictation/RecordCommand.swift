import AgentCore
import Base
import ChatKit
import FoundationEssentials
import Glibc
import Sound
import TerminalKit
import Transcription

/// `record` in the shell: records a file and prints its transcript. `list` shows the kept
/// recordings.
package struct RecordCommand: Sendable {
    static let noun = RecordOptions.noun
    let services: Services

    var command: Command {
        var start = RecordOptions.table
        start.run = { try await self.start(RecordOptions($0)) }
        return Command(
            name: Self.noun, summary: "speak instead of typing", takesWordsWithoutVerb: true,
            verbs: [
                start,
                Verb(
                    "list", "the recordings that are kept", json: "path bytes seconds changed"
                ) { _ in try await list() },
            ])
    }

    // MARK: - Recording

    private func start(_ options: RecordOptions) async throws -> CommandOutput {
        let shell = ShellPanel(services: services)
        let dictation = services.dictation(screen(shell), transcribeCommand: "chat transcribe")
        return try Self.output(
            try await shell.run {
                try await dictation.run(options) { recording in shell.onEnd { recording.end() } }
            })
    }

    /// Plain lines on stderr without a panel.
    private func screen(_ shell: ShellPanel) -> DictationScreen {
        let style = services.style(isTerminal: isatty(2) == 1)
        let glyphs = VoiceGlyphs(usesUnicode: style.usesUnicode)
        return DictationScreen(
            openPanel: { await shell.openPanel() },
            progress: {
                shell.terminal.map { ProgressScreen($0, style) }
                    ?? ProgressScreen(services.progressLine, glyphs)
            },
            say: { lines in
                let bytes = lines.flatMap { style.bytes($0) }
                if let terminal = shell.terminal {
                    await terminal.write(bytes)
                } else {
                    await StandardOutput(descriptor: 2).write(bytes)
                }
            }, glyphs: glyphs, plainEnd: "Ctrl-C")
    }

    static func output(_ outcome: Dictation.Outcome) throws -> CommandOutput {
        switch outcome {
        case .cancelled: throw CancellationError()
        case .recorded(let recording):
            var output = CommandOutput(
                lines: [StyledLine(recording.path)],
                json: .object(
                    JSONObject([
                        .init("path", .string(recording.path)),
                        .init("seconds", seconds(recording.duration)),
                    ])))
            if recording.wasSilent { output.notices = ["No speech was heard in it."] }
            return output
        case .words(let done, let said, let kept):
            var json = JSONObject([.init("text", .string(said.trimmingSpace()))])
            let text = done.document.map { String(decoding: $0, as: UTF8.self) } ?? ""
            if let kept { json["recording"] = .string(kept) }
            return CommandOutput(
                lines: text.split(separator: "\n", omittingEmptySubsequences: false)
                    .reversed().drop(while: \.isEmpty).reversed().map { StyledLine(String($0)) },
                json: .object(json),
                notices: done.notices + (kept.map { ["The recording: \($0)"] } ?? []))
        case .kept(_, let error):
            if error is CancellationError { throw CancellationError() }
            return CommandOutput(outcome: .failure)
        }
    }

    /// Rounded to milliseconds, the precision of a recording.
    private static func seconds(_ seconds: Double) -> JSONValue {
        .number("\((seconds * 1_000).rounded() / 1_000)")
    }

    // MARK: - List

    private func list() async throws -> CommandOutput {
        // Recordings of killed programs count as kept.
        let files = DictationFiles(services.paths.recordings)
        _ = await files.rescue()
        let items = try await files.list()
        guard !items.isEmpty else {
            return CommandOutput(
                lines: [StyledLine("No recordings are kept.", .dim)], json: .array([]))
        }
        let now = services.environment.now()
        let rows: [[StyledLine.Span]] = items.map { item in
            let age = Quantities.ago(Date(timeIntervalSince1970: Double(item.changed)), now: now)
            return [
                .init(age, .dim), .init(item.seconds.map(VoiceGlyphs.clock) ?? "?"),
                .init(TranscriptionMeter.size(item.bytes), .dim), .init(item.path),
            ]
        }
        return CommandOutput(
            lines: StyledLine.table(rows, columns: 3, alignsRight: [1, 2]),
            json: .array(
                items.map { item in
                    .object(
                        JSONObject([
                            .init("path", .string(item.path)),
                            .init("bytes", .integer(Int64(item.bytes))),
                            .init("seconds", item.seconds.map(Self.seconds) ?? .null),
                            .init("changed", .integer(Int64(item.changed))),
                        ]))
                }))
    }
}

extension Services {
    /// Assembles a dictation: everything but its screen.
    func dictation(_ screen: DictationScreen, transcribeCommand: String) -> Dictation {
        let files = DictationFiles(paths.recordings)
        let diagnostics = diagnostics
        return Dictation(
            dependencies: Dictation.Dependencies(
                record: { [voice, variables, environment] folder in
                    let recorder = Recorder(
                        settings: voice.settings.recording, variables: variables, folder: folder,
                        environment: environment)
                    try recorder.check()
                    return { onLevel, stop in
                        try await voice.sound.holding(.recording) {
                            try await recorder.record(onLevel: onLevel, until: stop)
                        }
                    }
                },
                transcribe: { [command = voice.transcription.command] in
                    try await command.run($0, $1)
                },
                describe: { diagnostics.describe($0).lines }),
            screen: screen, files: files, cap: Double(voice.settings.recording.capInMinutes) * 60,
            environment: environment, transcribeCommand: transcribeCommand)
    }
}
