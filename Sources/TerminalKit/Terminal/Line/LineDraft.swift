/// What stands in the line at the start, to be edited: a text and behind it,
/// perhaps, another that is folded where it is long, under a name of its own.
package struct LineDraft: Sendable, Equatable, ExpressibleByStringLiteral {
    package struct Part: Sendable, Equatable {
        var text: String
        /// What it is, for its fold: `transcript of meeting.m4a, 5,204 words`.
        var label: String
        /// Shorter ones are plain text.
        var foldAbove: Int

        package init(text: String, label: String, foldAbove: Int) {
            self.text = text
            self.label = label
            self.foldAbove = foldAbove
        }
    }

    var text: String
    var part: Part?
    /// What was written before and not sent, or pasted meanwhile; folded as a
    /// paste is.
    var restored = ""
    /// Typed meanwhile.
    var after = ""

    package init(_ text: String, _ part: Part? = nil) {
        self.text = text
        self.part = part
    }

    package init(restored text: String) {
        self.text = ""
        restored = text
    }

    package init(stringLiteral text: String) { self.init(text) }

    var isEmpty: Bool { whole.isEmpty }

    package var isFolded: Bool { part.map { $0.text.count > $0.foldAbove } ?? false }

    /// All of it, as it would be sent.
    var whole: String { text + (part?.text ?? "") + restored + after }
}
