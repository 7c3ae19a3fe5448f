import AgentCore

/// A message on its way from the prompt, and how it is to be answered. A value.
struct OutgoingMessage {
    /// What is sent.
    var text: String
    /// What the user wrote of it: only there `@` names a file.
    var typed: String
    /// The line that says it again, for when it comes back.
    var line: String
    /// What it is sent instead of.
    var replacing: Session.Replacement?
    var settings = AnswerSettings()
    /// Only a model answers it.
    var asksModel = false
    /// Kept with it and not sent: the text by others that it contains.
    var kept: [Attachment] = []

    init(_ text: String, replacing: Session.Replacement? = nil) {
        self.text = text
        typed = text
        line = text
        self.replacing = replacing
    }
}
