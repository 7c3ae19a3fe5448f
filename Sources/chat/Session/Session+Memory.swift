import AgentCore
import Base
import ChatKit
import Persistence
import Texts

/// The user's data that the model gets in addition to the conversation: remembered notes as a part
/// of a message, and the user's instructions in the system text.
extension Session {
    /// Read each time, since the setting may have changed while the prompt is open; a single answer
    /// follows only the command line.
    var tellsMemory: Bool {
        options.kind == .repl ? services.settings.memory : options.usesMemory
    }

    /// The notes for the model; nil if it gets none, as in a redacted conversation, which hides the
    /// user's identity from it.
    func notes() async throws -> [LibraryItem]? {
        tellsMemory && !redacts ? try await services.memory.notes() : nil
    }

    /// The conversation's system text and the user's instructions. They are read only when the
    /// conversation is opened, so that prompt caches hit. The text of `--system` is used alone.
    func instructedSystem(_ observe: Agent.Observer) async -> String {
        if preferences.system != nil, preferences.role == nil { return system }
        if let instructions { return instructions.added(to: system) }
        let read = await InstructionsFile(services.paths).read()
        instructions = read
        if let problem = read.problem { await observe(.notice(problem)) }
        return read.added(to: system)
    }
}
