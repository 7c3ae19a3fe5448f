import AgentCore

/// A message on its way from the prompt, with its answer settings. A value.
struct OutgoingMessage {
    /// The message to send, as it has been judged so far.
    let plain: PlainMessage
    /// The part typed by the user; only in it does `@` name a file.
    var typed: String
    /// The line to restore if the message is returned unsent.
    var line: String
    /// The message that this one replaces.
    var replacing: Session.Replacement?
    var settings = AnswerSettings()
    /// Whether only a model may answer it.
    var asksModel = false
    /// Stored with the message but not sent: untrusted text that it already contains.
    var kept: [Attachment] = []

    init(_ plain: PlainMessage, replacing: Session.Replacement? = nil) {
        self.plain = plain
        typed = plain.text
        line = plain.text
        self.replacing = replacing
    }
}
