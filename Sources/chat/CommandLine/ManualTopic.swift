/// A page of the manual, as `docs/manual/index.md` lists it, for finding one by a word.
/// The tests compare the two.
struct ManualTopic: Equatable {
    /// Of the file, without its ending.
    var file: String
    var title: String
    var summary: String

    private init(_ file: String, _ title: String, _ summary: String) {
        self.file = file
        self.title = title
        self.summary = summary
    }

    static let all: [ManualTopic] = [
        .init("command-line", "Command line", "options, one-shot answers for scripts, exit codes"),
        .init("conversations", "Conversations", "resuming, searching, forking, what is saved"),
        .init("editing", "Writing at the prompt", "keys, pastes, drafts, your editor"),
        .init("history", "Input history", "Up, Ctrl-R, what is saved"),
        .init(
            "completion", "Completion",
            "lists while you type, Tab at the prompt and in the shell, man"),
        .init(
            "display", "How an answer looks", "formatting, thinking, status line, colours, copying"),
        .init("markdown", "Markdown", "how each element is shown"),
        .init(
            "writing", "Writing tools", "proofreading and rewriting files, items, notes, answers"),
        .init("attachments", "Attachments", "files and images sent with a message"),
        .init(
            "files", "Folders", "what the model may read by itself, and what it never reads"),
        .init(
            "export-import", "Export and import",
            "conversations as files, including those of other programs"),
        .init("voice", "Voice", "transcribing recordings, dictation, reading answers aloud"),
        .init("ideas", "Ideas", "one after the other; keep the good ones"),
        .init("letters", "Letters", "cover letters that never tell a model who you are"),
        .init("resumes", "Résumés and job adverts", "what is read of them, and what never leaves"),
        .init("stories", "Stories", "texts with chapters, for listening to"),
        .init(
            "library", "Library",
            "ideas, drafts, transcripts and other texts, with revisions and a trash"),
        .init(
            "memory", "Memory", "notes about you for every conversation, and your own instructions"),
        .init("profile", "Profile", "who you are, for letters and never for a model"),
        .init("keys", "Keys", "connecting OpenAI, Claude or a server of your own"),
        .init("models", "Models", "choosing one, effort, thinking, roles"),
        .init("prompts", "Prompts", "saved texts for a model, with places for arguments"),
        .init(
            "redaction", "Redaction", "keeping personal data out of what is sent, and out of a text"
        ),
        .init("costs", "Costs", "tokens and money, prices, a budget, prompt caches"),
        .init(
            "long-conversations", "Long conversations", "summaries, and what the model still knows"),
        .init("trouble", "Trouble", "retries, another provider, stopping"),
        .init(
            "reminders", "Reminders", "in your own words, by the model, in the shell, and as files"),
        .init("calendar", "Calendar", "events, the agenda, free time, in words and as files"),
        .init("dates", "Dates in plain words", "what is understood, and how"),
        .init("alerts", "Alerts", "in the chat, on the desktop, without the chat open"),
        .init("undo", "Undo", "taking back changes, even in a later launch"),
        .init("sync", "Sharing", "phones and other programs, with vdirsyncer"),
        .init("time-zones", "Time zones", "which one is used, and what those in files mean"),
        .init("configuration", "Configuration", "files, settings, environment"),
        .init(
            "mcp", "Other programs (MCP)",
            "your reminders, calendar and library in other assistants"),
        .init("mcp-servers", "External tool servers", "their tools for your models"),
        .init("backup", "Backup", "everything in one file, and restoring it"),
        .init("web", "The web", "pages that a model fetches, and its vendor's search"),
        .init("tools", "Tools", "what a model may do, your rules for it, and what it did"),
        .init("safety", "Safety", "what needs your approval, what is never done"),
        .init("where-everything-went", "Where everything went", "each requirement and its place"),
    ]
}
