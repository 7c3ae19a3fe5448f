import AgentCore
import Base
import ChatKit
import Persistence
import Texts

/// What the model learns about the user besides the conversation: the notes that are
/// remembered, as a part of a message, and the user's own instructions, in the system
/// text.
extension Session {
    /// The setting may have changed since the prompt opened; for one answer only the
    /// command line counts.
    var tellsMemory: Bool {
        options.kind == .repl ? services.settings.memory : options.usesMemory
    }

    /// The message with the notes that it has to carry, if any.
    ///
    /// A redacted conversation tells no model who the user is, so it carries no notes.
    /// - Returns: also whether text by others is in them.
    func noted(
        _ message: Message, after past: [Turn]
    ) async throws -> (message: Message, hasForeignText: Bool) {
        guard tellsMemory, !redacts else { return (message, false) }
        let items = try await services.memory.notes()
        let notes = items.map { UserNotes.Note(id: "\($0.id)", text: ForeignText.cleaned($0.body)) }
        guard let part = UserNotes.part(notes, after: past) else { return (message, false) }
        var message = message
        message.parts.insert(.text(part), at: 0)
        return (message, items.contains(where: \.hasForeignText))
    }

    /// The system text of the conversation and the user's own instructions. These are
    /// read when the conversation is opened, and stay as they were until another is, so
    /// that prompt caches hit. Words said with `--system` stand alone.
    func instructedSystem(_ observe: Agent.Observer) async -> String {
        if preferences.system != nil, preferences.role == nil { return system }
        if let instructions { return instructions.added(to: system) }
        let read = await InstructionsFile(services.paths).read()
        instructions = read
        if let problem = read.problem { await observe(.notice(problem)) }
        return read.added(to: system)
    }
}
