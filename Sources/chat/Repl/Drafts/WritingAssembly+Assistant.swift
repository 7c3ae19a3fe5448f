import AgentCore
import Base
import ChatKit
import Glibc
import Synchronization
import TerminalKit
import Texts

/// The writing tools at the terminal.
extension WritingAssembly {
    /// - Parameters:
    ///   - stop: gets the work that Ctrl-C has to stop if there is no panel.
    ///   - hasModel: if false, only proofreading is offered.
    func assistant(
        _ services: Services, _ terminal: TerminalSession, stop: TurnTask? = nil,
        hasModel: @escaping @Sendable () async -> Bool = { true }
    ) -> WritingAssistant {
        let engine = engine
        return WritingAssistant(
            refusal: { WritingEngine.refusal(of: $0)?.diagnostic.what },
            tools: {
                let tools = await engine.tools()
                let offered = await hasModel() ? tools : tools.filter(\.isProofreading)
                return offered.map {
                    WritingAssistant.Tool(name: $0.name, title: $0.title, key: $0.key)
                }
            },
            apply: { tool, text, emit in
                let wanted = try await engine.tool(named: tool.name)
                let silence = SilenceWatch(services.environment)
                let latest = Mutex(WritingAssistant.Progress())
                silence.begin { seconds in
                    var progress = latest.withLock { $0 }
                    progress.part = SilenceWatch.text(seconds)
                    emit(progress)
                }
                let work = Task {
                    let done = try await engine.apply(
                        wanted, to: text,
                        emit: Emitter { progress in
                            silence.note()
                            let shown = Self.progress(progress)
                            latest.withLock { $0 = shown }
                            emit(shown)
                        })
                    await silence.end()
                    return done
                }
                stop?.set { work.cancel() }
                defer { stop?.clear() }
                let result = try await withTaskCancellationHandler {
                    try await work.value
                } onCancel: {
                    work.cancel()
                }
                // The partial result is not offered: the draft is unchanged.
                if work.isCancelled { throw CancellationError() }
                return Self.version(result)
            },
            edit: { await Self.edit($0, services, terminal) },
            describe: { services.diagnostics.describe($0).lines })
    }

    /// Opens the menu, does the work and reviews the result, for a text outside the line.
    ///
    /// - Returns: nil if the text is unchanged; the screen shows why.
    func rewritten(
        _ text: String, _ services: Services, on terminal: TerminalSession, style: Style
    ) async -> String? {
        let screen = WritingScreen(
            assistant(services, terminal), prompt: StyledLine("  "), style: style)
        switch await screen.run(LineSelection(text: text), on: terminal) {
        case .replaced(let new): return new
        case .unchanged(let lines):
            await terminal.write(lines.flatMap { style.bytes($0.indented) })
            return nil
        }
    }

    private static func progress(_ progress: ToolProgress) -> WritingAssistant.Progress {
        WritingAssistant.Progress(part: progress.part, text: progress.text)
    }

    static func version(_ result: WritingResult) -> WritingAssistant.Version {
        let diff = TextDiff(result.original, result.text)
        let pieces = diff.pieces.map { piece -> WritingAssistant.Version.Piece in
            switch piece {
            case .same(let text): .same(text)
            case .change(let index):
                .change(old: diff.changes[index].old, new: diff.changes[index].new)
            }
        }
        return WritingAssistant.Version(
            pieces: pieces, isLocal: result.isLocal, warning: warning(result),
            facts: result.facts.changes)
    }

    /// A warning to show before any change is accepted.
    private static func warning(_ result: WritingResult) -> String? {
        if let failure = result.failure { return "It is not complete. \(failure.what)" }
        if let reason = result.leftOut.first { return "One part was left unchanged: \(reason)." }
        if result.isRewrite { return "More than a third of the words change: this is a rewrite." }
        if let facts = result.facts.sentence { return "\(facts) Each is asked about by itself." }
        return result.localReason.map { "No model was asked. \($0)" }
    }

    private static func edit(
        _ text: String, _ services: Services, _ terminal: TerminalSession
    ) async -> String? {
        let editor = ExternalEditor(
            variables: services.variables, folder: services.paths.stateFolder,
            name: "message-\(getpid()).md")
        let outcome = await terminal.lend { await editor.edit(text) }
        if !outcome.sentence.isEmpty {
            let style = services.style(isTerminal: true)
            let said = StyledLine("  The text is unchanged: \(outcome.sentence).", .warning)
            await terminal.write(style.bytes(said))
        }
        switch outcome {
        case .edited(let new): return new
        // Reviewed and not changed: keep the text as shown.
        case .unchanged: return text
        default: return nil
        }
    }
}
