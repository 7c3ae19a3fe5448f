import AgentCore
import Glibc
import ToolServers

/// What voice shows and asks in the shell.
extension VoiceParts {
    /// `chat transcribe` with a line that shows how far it is, and a question
    /// before anything is sent twice. The first Ctrl-C ends it in order.
    func transcribeCommand(
        _ command: Command, confirm: @escaping @Sendable (String) async -> Bool
    ) -> Command {
        let screen = TranscriptionScreen(
            UploadView(title: "", glyphs: VoiceGlyphs(usesUnicode: usesUnicode)), shellPlace,
            environment: environment,
            ask: { line, question in
                FileDescriptorText.write(line.text + "\n", to: 2)
                return await confirm(question)
            })
        var doors = transcriptionDoors
        doors.onProgress = { screen.observe($0, of: $1) }
        doors.mayRetry = { error, _ in
            let what = HostileText.line(ErrorDescriber().describe(error).what)
            return await screen.confirms(
                StyledLine(what), "It may have been paid for. Send it again?")
        }
        guard let shown = TranscriptionServer(doors).commands.first else { return command }
        return shown.around { verb, words in
            // A listing needs neither.
            if verb.name == "jobs" { return try await verb.run(words) }
            let task = Task { try await screen.run { try await verb.run(words) } }
            let signals = StopSignals { task.cancel() }
            defer { signals.end() }
            do {
                return try await task.value
            } catch {
                // What is not sent again although it failed.
                if let kept = screen.progress.keptPieces {
                    FileDescriptorText.write("\(kept) The same command goes on.\n", to: 2)
                }
                throw error
            }
        }
    }

    private var usesUnicode: Bool { Style(isTerminal: true, variables: variables).usesUnicode }

    /// stderr, where it is a terminal with a cursor.
    var shellPlace: TranscriptionScreen.Place {
        let term = variables["TERM"] ?? ""
        guard isatty(2) == 1, !term.isEmpty, term != "dumb" else { return .nowhere }
        return .line(
            columns: { WindowWidth.columns(of: 2) ?? 80 },
            write: { FileDescriptorText.write($0, to: 2) })
    }
}
