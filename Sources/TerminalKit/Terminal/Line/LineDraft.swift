/// The initial contents of an input line: a text, and optionally a second one, folded under a label
/// if it is long.
package struct LineDraft: Sendable, Equatable, ExpressibleByStringLiteral {
    package struct Part: Sendable, Equatable {
        var text: String
        /// The label of its fold: `transcript of meeting.m4a, 5,204 words`.
        var label: String
        /// Length above which it is folded.
        var foldAbove: Int

        package init(text: String, label: String, foldAbove: Int) {
            self.text = text
            self.label = label
            self.foldAbove = foldAbove
        }
    }

    var text: String
    var part: Part?
    /// Text that was typed earlier and not sent, or pasted in the meantime; folded like a paste.
    var restored = ""
    /// Text typed meanwhile.
    var after = ""
    /// The suspended line to continue, see `resuming`.
    private(set) var resumed: Resumption?

    struct Resumption: Sendable, Equatable {
        var original: String
        /// Nil to continue unchanged.
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

    /// Continues the line of a `LineResult.writing`: with its undo steps, cursor and
    /// region. A replacement is one undo step.
    package init(resuming selection: LineSelection, with replacement: String? = nil) {
        text = selection.before + (replacement ?? selection.text) + selection.after
        resumed = Resumption(original: selection.whole, replacement: replacement)
    }

    /// Inserts pasted text at a position of a line; a long one is folded like a paste.
    package init(pasting text: String, between before: String, _ after: String) {
        self.text = before
        restored = text
        self.after = after
    }

    package init(stringLiteral text: String) { self.init(text) }

    var isEmpty: Bool { whole.isEmpty }

    /// The text besides the line itself.
    var added: LineDraft {
        var draft = LineDraft("")
        (draft.restored, draft.after) = (restored, after)
        return draft
    }

    package var isFolded: Bool { part.map { $0.text.count > $0.foldAbove } ?? false }

    /// The complete text, as it would be sent.
    var whole: String { text + (part?.text ?? "") + restored + after }
}

/// The text for the writing tools, with the parts of the line around it.
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
