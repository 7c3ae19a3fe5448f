import AgentCore
import Glibc
import TerminalKit
import ToolServers

/// Recordings become words at the prompt: `/transcribe`, and a recording that
/// was dropped on the terminal.
extension Repl {
    /// The words of one recording into the line, or with `--send` to the model.
    /// Subtitles, several recordings and files of another name are the work of
    /// the command.
    func transcribe(_ words: [String]) async throws {
        let sends = words.contains("--send")
        let words = words.filter { $0 != "--send" }
        if words.first == "jobs" {
            try await runCommand("transcribe", words)
            return
        }
        // These belong to every command.
        let plain = words.filter { $0 != "--json" && $0 != "--yes" }
        let request: TranscriptionRequest
        do {
            request = try TranscriptionRequest(plain)
        } catch {
            throw plain.isEmpty
                ? UsageError("Which recording?", hint: "/transcribe FILE, or drop it here") : error
        }
        guard request.paths.count == 1, request.format == .text, request.output == nil,
            plain == words, let path = request.paths.first
        else {
            if sends {
                throw UsageError(
                    "Only the text of one recording can be sent.",
                    hint: "/transcribe --send FILE")
            }
            try await runCommand("transcribe", words)
            return
        }
        guard let done = await transcribed(mentions.expanded(path), request) else { return }
        try await take(done, sends: sends)
    }

    /// Sends a recording while the panel shows how far it is. nil when it was
    /// stopped or failed, which is shown with what is kept.
    func transcribed(
        _ path: String, _ request: TranscriptionRequest
    ) async -> TranscriptionServer.Transcribed? {
        let server = TranscriptionServer(services.voice.transcriptionDoors)
        do {
            let done = try await showingProgress {
                try await server.transcribe(path, request, $0)
            }
            if let done { return done }
        } catch {
            await show(services.diagnostics.describe(error))
        }
        if path.hasPrefix(services.paths.recordings + "/") {
            let shown = services.paths.shortened(path)
            await tell("  The recording is kept: /transcribe \"\(shown)\"", .dim)
        }
        return nil
    }

    /// Puts the words into the line, or sends them; they stay with the
    /// conversation as a file of text.
    func take(_ done: TranscriptionServer.Transcribed, sends: Bool = false) async throws {
        await tell("✓ \(done.line)", .dim)
        if let line = done.savedLine { await show([StyledLine([.init("    ")] + line.spans)]) }
        await show(done.notices.map { StyledLine("    \($0)", .dim) })
        let text = DraftedTranscript.fit(done.draft)
        if text.isEmpty {
            await tell("No words were heard in it.", .warning)
            return
        }
        let kept = queue.keep(text, of: done.name)
        let line = LineDraft("", DraftedTranscript.part(text, of: done.name))
        guard sends else {
            draft = line
            await show([
                StyledLine(
                    "    Enter sends it · " + (line.isFolded ? "Tab unfolds it · " : "")
                        + "kept as \(kept) · /attach clear forgets that", .dim)
            ])
            return
        }
        try await send(text)
        // Not sent, which was told: nothing else has the words.
        if !queue.transcripts.isEmpty { draft = line }
    }

    /// The line was thrown away; what was said in a recording was not.
    func showWaitingTranscripts() async {
        let names = queue.transcripts.map(\.name)
        guard let last = names.last else { return }
        let all = names.count > 1 ? "\(names.count) transcripts go" : "\(last) goes"
        await tell("\(all) with the next message all the same · /attach clear forgets that", .dim)
    }

    /// "transcribe talk.m4a" says no more than the command does.
    ///
    /// - Returns: false for another message, which may be anything.
    func transcribeNamed(_ message: String) async throws -> Bool {
        guard services.settings.routing != .model,
            let named = TranscriptionServer.named(in: message),
            InputFiles.isRecording(mentions.expanded(named))
        else { return false }
        guard let done = await transcribed(mentions.expanded(named), TranscriptionRequest()) else {
            return true
        }
        try await take(done)
        return true
    }

    /// A recording whose path is the whole line: nothing leaves without a yes.
    ///
    /// - Returns: false for what is no recording.
    func transcribeDropped(_ mention: FileMentions.Mention) async throws -> Bool {
        guard InputFiles.isRecording(mention.path) else { return false }
        let name = FilePath.name(mention.path)
        let answer = await terminal.ask(
            "  \(HostileText.line(name)) is a recording. Transcribe it? y or Enter for no: ",
            mode: .yes)
        guard answer == .yes else {
            await tell("Not transcribed.", .dim)
            return true
        }
        let request = TranscriptionRequest()
        guard let done = await transcribed(mention.path, request) else { return true }
        try await take(done)
        return true
    }
}
