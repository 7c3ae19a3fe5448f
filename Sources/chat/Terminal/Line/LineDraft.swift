/// What stands in the line at the start, to be edited: a text and behind it,
/// perhaps, another that is folded where it is long, under a name of its own.
struct LineDraft: Sendable, Equatable, ExpressibleByStringLiteral {
    struct Part: Sendable, Equatable {
        var text: String
        /// What it is, for its fold: `transcript of meeting.m4a, 5,204 words`.
        var label: String
        /// Shorter ones are plain text.
        var foldAbove: Int
    }

    var text: String
    var part: Part?
    /// What was written before and not sent, or pasted meanwhile; folded as a
    /// paste is.
    var restored = ""
    /// Typed meanwhile.
    var after = ""

    init(_ text: String, _ part: Part? = nil) {
        self.text = text
        self.part = part
    }

    init(restored text: String) {
        self.text = ""
        restored = text
    }

    init(stringLiteral text: String) { self.init(text) }

    var isEmpty: Bool { whole.isEmpty }

    var isFolded: Bool { part.map { $0.text.count > $0.foldAbove } ?? false }

    /// All of it, as it would be sent.
    var whole: String { text + (part?.text ?? "") + restored + after }
}
