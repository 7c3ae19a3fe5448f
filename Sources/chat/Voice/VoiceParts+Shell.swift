import AgentCore
import Glibc
import ToolServers

/// What voice shows and asks in the shell.
extension VoiceParts {
    /// `chat transcribe` with a line that shows how far it is, and a question
    /// before anything is sent twice.
    func transcribeCommand(
        _ command: Command, confirm: @escaping @Sendable (String) async -> Bool
    ) -> Command {
        let line = TranscriptionLine(
            environment: environment,
            usesUnicode: Style(isTerminal: true, variables: variables).usesUnicode,
            columns: WindowWidth.columns(of: 2) ?? 80, isTerminal: isatty(2) == 1,
            write: { FileDescriptorText.write($0, to: 2) })
        var doors = transcriptionDoors
        doors.onProgress = { line.observe($0, $1) }
        doors.mayRetry = { error, _ in
            line.clear()
            let what = HostileText.line(ErrorDescriber().describe(error).what)
            return await confirm("\(what) It may have been paid for. Send it again?")
        }
        guard var shown = TranscriptionServer(doors).commands.first else { return command }
        let run = shown.run
        shown.run = { invocation in try await line.run { try await run(invocation) } }
        return shown
    }
}
