import AgentCore
import Base
import Library
import Planner
import Routines
import Stories
import Texts
import ToolServers
import Transcription

/// Blocks actions if a setting they depend on is invalid. An invalid protective setting
/// blocks everything that sends, writes or lets a model act; one about appearance blocks
/// nothing.
extension Settings {
    package enum Use {
        /// A message, or text generation.
        case message
        case ringing
        case command(noun: String, verb: String)
        /// A command of the prompt only that changes or sends something.
        case change
    }

    /// Settings used only for display and keys.
    private static let looks: Set = [
        "keys", "escape_ms", "markdown", "wrap", "clipboard", "notify", "title",
        "complete_while_typing", "today", "theme", "speak",
    ]
    private static let sound: Set = ["transcription", "recording", "speech", "voice_presets"]
    /// Settings without which the program might send or write something the user has
    /// forbidden.
    private static let guarding =
        Set(["tools", "redact", "web", "calendars", "provider", "allow_http"])
        .union(ProviderName.named.map(\.rawValue))
    private static let planner: Set = [
        "calendars", "default_list", "default_calendar", "locale", "hours", "alerts",
    ]

    private static let readers: [String: Set<String>] = [
        RemindersServer.noun: planner, CalendarServer.noun: planner,
        CalendarServer.todayNoun: planner, AlertsCommand.noun: planner,
        RoutineServer.noun: planner.union(["tools", "prices", "allow_http"]),
        UndoServer.noun: ["calendars"], BackupCommand.backupNoun: ["calendars"],
        BackupCommand.restoreNoun: ["calendars"],
        TranscriptionServer.noun: ["transcription", "allow_http"],
        RecordOptions.noun: ["transcription", "recording", "allow_http"],
        SayOptions.noun: ["speech", "voice_presets", "allow_http"],
        StoryServer.noun: ["speech", "voice_presets", "allow_http"],
        PromptServer.noun: ["roles"], MemoryServer.noun: ["memory"],
        KeysCommand.noun: guarding, ProgramNoun.models.rawValue: guarding.union(["model"]),
        ProgramNoun.usage.rawValue: ["prices", "budget"], ProgramNoun.sent.rawValue: ["prices"],
        ProgramNoun.tools.rawValue: ["tools", "mcp"], ProgramNoun.mcp.rawValue: ["mcp"],
    ]

    /// Nouns and verbs that neither write nor send.
    private static let looking: Set = [
        CalendarServer.todayNoun, RedactCommand.noun, ProgramNoun.usage.rawValue,
        ProgramNoun.sent.rawValue, ProgramNoun.models.rawValue, ProgramNoun.doctor.rawValue,
    ]
    private static let lookingVerbs: Set = [
        "list", "show", "search", "parse", "lists", "agenda", "month", "free", "calendars",
        "status", "history", "jobs", "voices", "cast", "segments", "log", "resources", "prompts",
    ]

    /// The reason why this use is refused; nil if every setting it needs is valid.
    package func refusal(of use: Use) -> ConfigurationError? {
        if let error { return error }
        let isStopped: (String) -> Bool
        switch use {
        case .message: isStopped = { !Self.looks.contains($0) && !Self.sound.contains($0) }
        case .ringing: isStopped = Self.planner.contains
        case .change: isStopped = Self.guarding.contains
        case .command(ProgramNoun.mcp.rawValue, "serve"): return refusal(of: .message)
        case .command(let noun, let verb):
            let changes = !Self.looking.contains(noun) && !Self.lookingVerbs.contains(verb)
            let read = Self.readers[noun] ?? []
            isStopped = { read.contains($0) || changes && Self.guarding.contains($0) }
        }
        return broken.first { isStopped($0.part) }?.error
    }
}
