/// The text that an input line starts with: a text, and perhaps another after it, folded under a
/// name if it is long.
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
    /// The line that had left the screen goes on, as `resuming` says.
    private(set) var resumed: Resumption?

    struct Resumption: Sendable, Equatable {
        var original: String
        /// Nil where it goes on as it was.
        var replacement: String?
    }

    package init(_ text: String, _ part: Part? = nil) {
        self.text = text
        self.part = part
    }

    package init(restored text: String) {
        self.text = ""
        restored = text
    }

    /// The line whose `LineResult.writing` this was goes on: with all that could
    /// be undone, its cursor, and its region. A replacement is one step that can
    /// be undone itself.
    package init(resuming selection: LineSelection, with replacement: String? = nil) {
        text = selection.before + (replacement ?? selection.text) + selection.after
        resumed = Resumption(original: selection.whole, replacement: replacement)
    }

    /// What was pasted at a place of a line; long, it is folded as a paste is.
    package init(pasting text: String, between before: String, _ after: String) {
        self.text = before
        restored = text
        self.after = after
    }

    package init(stringLiteral text: String) { self.init(text) }

    var isEmpty: Bool { whole.isEmpty }

    /// What was written besides the line itself.
    var added: LineDraft {
        var draft = LineDraft("")
        (draft.restored, draft.after) = (restored, after)
        return draft
    }

    package var isFolded: Bool { part.map { $0.text.count > $0.foldAbove } ?? false }

    /// All of it, as it would be sent.
    var whole: String { text + (part?.text ?? "") + restored + after }
}

/// The text of a line that the writing tools are to work on, and what stands
/// around it.
package struct LineSelection: Sendable, Equatable {
    package var before: String
    package var text: String
    package var after: String

    package init(before: String = "", text: String, after: String = "") {
        self.before = before
        self.text = text
        self.after = after
    }

    package var whole: String { before + text + after }
    var isPart: Bool { !before.isEmpty || !after.isEmpty }
}
