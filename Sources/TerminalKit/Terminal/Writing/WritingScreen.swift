import Base

/// The writing tools on the terminal: the menu, the work, the review of the
/// changes. It shows the text where it stood, in a panel, and says what became
/// of it; who had the text puts it back. On a terminal without a cursor it asks
/// for letters and Enter (`WritingPrompt`).
package struct WritingScreen: Sendable {
    private let assistant: WritingAssistant
    private let prompt: StyledLine
    private let style: Style

    /// - Parameter prompt: what stands before the text.
    package init(_ assistant: WritingAssistant, prompt: StyledLine, style: Style) {
        self.assistant = assistant
        self.prompt = prompt
        self.style = style
    }

    /// Nothing of the selection is on the screen when it is called, nor when it
    /// returns.
    ///
    /// - Returns: what `selection.text` is replaced with.
    package func run(
        _ selection: LineSelection, on terminal: TerminalSession
    ) async -> WritingAssistant.Outcome {
        if let refusal = assistant.refusal(selection.text) {
            return .unchanged([StyledLine(refusal, .dim)])
        }
        guard let panel = await terminal.openPanel() else {
            let tools = WritingState.keyed(await assistant.tools())
            return await WritingPrompt(assistant: assistant, style: style)
                .run(selection, tools, on: terminal)
        }
        // Finding out which there are may take a look at a server.
        var state = WritingState(selection, tools: [])
        show(state, panel)
        state = WritingState(selection, tools: WritingState.keyed(await assistant.tools()))
        let outcome = await run(&state, panel)
        await panel.close()
        guard case .edit(let text) = outcome else { return outcome.final }
        let edited = await assistant.edit(text)
        return edited.map { .replaced($0) } ?? .unchanged([])
    }

    /// Where the panel is left for.
    private enum Ending {
        case over(WritingAssistant.Outcome)
        case edit(String)

        var final: WritingAssistant.Outcome {
            switch self {
            case .over(let outcome): outcome
            case .edit: .unchanged([])
            }
        }
    }

    private func run(_ state: inout WritingState, _ panel: TerminalPanel) async -> Ending {
        show(state, panel)
        while let key = await panel.nextKey() {
            switch state.take(key) {
            case .none, .cancel: break
            case .draw: show(state, panel)
            case .leave: return .over(.unchanged([]))
            case .done(let text):
                return .over(text == state.selection.text ? .unchanged([]) : .replaced(text))
            case .edit(let text): return .edit(text)
            case .apply(let tool):
                show(state, panel)
                switch await apply(tool, state, panel) {
                case .success(let version) where version.changeCount == 0:
                    return .over(.unchanged(Self.nothing(tool, version)))
                case .success(let version):
                    state.show(version)
                    show(state, panel)
                case .failure(let error): return .over(.unchanged(Self.words(error, assistant)))
                }
            }
        }
        return .over(.unchanged([]))
    }

    private func show(_ state: WritingState, _ panel: TerminalPanel) {
        panel.show(fitting: { [prompt, style] in
            WritingView(state, prompt: prompt, size: $0, style: style).lines
        })
    }

    /// Esc, Ctrl-C and the end of the panel cancel it.
    private func apply(
        _ tool: WritingAssistant.Tool, _ state: WritingState, _ panel: TerminalPanel
    ) async -> Result<WritingAssistant.Version, any Error> {
        let text = state.selection.text
        let work = Task { [assistant] in
            try await assistant.apply(tool, text) { progress in
                var state = state
                state.note(progress)
                show(state, panel)
            }
        }
        let watch = Task {
            var state = state
            while let key = await panel.nextKey() {
                if state.take(key) == .cancel { break }
            }
            // Also when nothing is on the screen any more.
            if !Task.isCancelled { work.cancel() }
        }
        let result = await withTaskCancellationHandler {
            await work.result
        } onCancel: {
            work.cancel()
        }
        watch.cancel()
        await watch.value
        // What a stopped tool has done by then is not shown: the text is as it was.
        return work.isCancelled ? .failure(CancellationError()) : result
    }

    // MARK: What is said

    static func nothing(
        _ tool: WritingAssistant.Tool, _ version: WritingAssistant.Version
    ) -> [StyledLine] {
        [StyledLine("\(tool.title)\(version.isLocal ? " (local)" : ""): nothing to change.", .dim)]
    }

    static func words(_ error: any Error, _ assistant: WritingAssistant) -> [StyledLine] {
        if error is CancellationError {
            return [StyledLine("Stopped; the text is unchanged.", .dim)]
        }
        return assistant.describe(error)
    }
}
