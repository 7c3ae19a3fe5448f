import AgentCore
import ToolServers

/// Speaking at the prompt: what is said comes to the end of what stands in the
/// line, to be read over and sent.
extension Repl {
    /// `/record`.
    func record(_ words: [String]) async throws {
        if words.first == "list" {
            try await run("record", words: words)
            return
        }
        try await dictate(RecordOptions(words), into: "")
    }

    /// Alt-r: the draft is kept, whatever happens.
    func dictate(_ text: String) async {
        do {
            try await dictate(RecordOptions([]), into: text)
        } catch {
            await show(services.diagnostics.describe(error))
        }
    }

    private func dictate(_ options: RecordOptions, into text: String) async throws {
        draft = LineDraft(text)
        let open: @Sendable () async -> TerminalPanel? = { [terminal] in
            await terminal.openPanel()
        }
        let say: @Sendable ([StyledLine]) async -> Void = { [terminal, style] lines in
            await terminal.write(lines.flatMap { style.bytes($0) })
        }
        let dictation = services.dictation(
            DictationScreen(
                openPanel: open, upload: .terminal(open: open, say: say), say: say,
                glyphs: VoiceGlyphs(usesUnicode: style.usesUnicode), plainEnd: "Ctrl-C"),
            transcribeCommand: "/transcribe")
        switch try await stoppable({ try await dictation.run(options) }) {
        case .words(let done, let kept):
            let all = DictatedWords.added(done.transcript.text, to: text)
            draft = LineDraft(
                text, DraftedTranscript.dictated(String(all.dropFirst(text.count))))
            queue.heard(DictatedWords.fit(done.transcript.text))
            if let kept { await show([StyledLine("  The recording: \(kept)", .dim)]) }
        case .recorded(let recording):
            await show([
                StyledLine(
                    "  \(VoiceGlyphs.clock(recording.duration)) recorded: \(recording.path)", .dim)
            ])
        case .cancelled: await show([StyledLine("  Nothing was kept.", .dim)])
        case .kept: break
        }
    }

    /// One line for each recording that a killed program has left.
    func showRescued() async {
        for path in await DictationFiles(services.paths.recordings).rescue() {
            await show([
                StyledLine(
                    "  A recording was not transcribed: /transcribe \(Dictation.quoted(path))",
                    .warning)
            ])
        }
    }
}
