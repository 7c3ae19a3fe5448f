import AgentCore

/// A message on its way from the prompt, with its answer settings. A value.
struct OutgoingMessage {
    /// The text to send.
    var text: String
    /// The part that the user typed: only there does `@` name a file.
    var typed: String
    /// The line to restore if the message comes back.
    var line: String
    /// The message that this one replaces.
    var replacing: Session.Replacement?
    var settings = AnswerSettings()
    /// Whether only a model may answer it.
    var asksModel = false
    /// Stored with the message and not sent: the untrusted text that it contains.
    var kept: [Attachment] = []

    init(_ text: String, replacing: Session.Replacement? = nil) {
        self.text = text
        typed = text
        line = text
        self.replacing = replacing
    }
}
