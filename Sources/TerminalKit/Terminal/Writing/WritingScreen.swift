import Base

/// The writing tools on the terminal: the menu, the work, the review of the changes. It shows the
/// text in a panel in place of the line, and returns the outcome; the caller puts the text back.
package struct WritingScreen: Sendable {
    private let assistant: WritingAssistant
    private let prompt: StyledLine
    private let style: Style

    /// - Parameter prompt: the text before the draft.
    package init(_ assistant: WritingAssistant, prompt: StyledLine, style: Style) {
        self.assistant = assistant
        self.prompt = prompt
        self.style = style
    }

    /// The selection must not be on the screen when this is called, and is not when it returns.
    ///
    /// - Returns: the replacement for `selection.text`.
    package func run(
        _ selection: LineSelection, on terminal: TerminalSession
    ) async -> WritingAssistant.Outcome {
        if let refusal = assistant.refusal(selection.text) {
            return .unchanged([StyledLine(refusal, .dim)])
        }
        var state = WritingState(selection)
        (state.prompt, state.style) = (prompt, style)
        let place = PanelPlace(terminal, style)
        let runner = await PanelRunner(state, at: place)
        // Finding the tools may contact a server.
        let tools = WritingState.keyed(await assistant.tools())
        runner.update { $0.tools = tools }
        // Only Ctrl-C at a line is thrown, which leaves the text unchanged.
        let ending = try? await runner.run { effect -> Ending? in
            switch effect {
            case .review(.leave): return .over(.unchanged([]))
            case .review(.done(let text)):
                return .over(text == selection.text ? .unchanged([]) : .replaced(text))
            case .review(.edit(let text)): return .edit(text)
            case .apply(let tool):
                if runner.readsLines {
                    await place.say([StyledLine("  \(tool.title) … Ctrl-C stops.")])
                }
                return await apply(tool, to: selection.text, runner).map(Ending.over)
            }
        }
        switch ending.flatMap({ $0 }) {
        case nil: return .unchanged([])
        case .over(let outcome)?: return outcome
        case .edit(let text)?:
            return await assistant.edit(text).map { .replaced($0) } ?? .unchanged([])
        }
    }

    /// The reason for leaving the panel.
    private enum Ending {
        case over(WritingAssistant.Outcome)
        case edit(String)
    }

    /// Runs a tool on the text. Nil if there are changes for the user to decide; otherwise the
    /// outcome with which the panel ends.
    private func apply(
        _ tool: WritingAssistant.Tool, to text: String, _ runner: PanelRunner<WritingState>
    ) async -> WritingAssistant.Outcome? {
        let result = await runner.working {
            let version = try await assistant.apply(tool, text) { progress in
                runner.update { $0.note(progress) }
            }
            // A cancelled tool's partial result is not shown: the text is unchanged.
            try Task.checkCancellation()
            return version
        }
        switch result {
        case .success(let version) where version.changeCount == 0:
            let local = version.isLocal ? " (local)" : ""
            return .unchanged([StyledLine("\(tool.title)\(local): nothing to change.", .dim)])
        case .success(let version):
            runner.update { $0.show(version) }
            return nil
        case .failure(is CancellationError):
            return .unchanged([StyledLine("Stopped; the text is unchanged.", .dim)])
        case .failure(let error): return .unchanged(assistant.describe(error))
        }
    }
}
