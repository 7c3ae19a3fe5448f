import AgentCore
import TerminalKit

/// What the model gets of a long conversation.
extension Repl {
    /// `/compact [what matters]`
    func compact(_ words: [String]) async throws {
        let focus = words.isEmpty ? nil : words.joined(separator: " ")
        let (session, terminal, style) = (session, terminal, style)
        let report = try await stoppable {
            try await session.compact(focus: focus) { event in
                switch event {
                case .compaction(let event):
                    await terminal.write(style.bytes(CompactionText.line(event)))
                case .retrying(let error, let attempt, let of, let delay):
                    let line =
                        "  ! \(Diagnostic.cause(error, saysWait: false)). Trying again in "
                        + "\(Quantities.seconds(delay)), attempt \(attempt) of \(of) · Ctrl-C stops"
                    await terminal.write(style.bytes(StyledLine(line, .warning)))
                default: break
                }
            }
        }
        await show([CompactionText.line(.finished(report))])
    }
}
