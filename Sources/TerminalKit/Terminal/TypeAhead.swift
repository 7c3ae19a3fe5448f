/// Text typed while no prompt is open: complete messages for the next prompts, and the beginning of
/// one. Pure; questions never read it.
///
/// It handles keys that can be shown without an editor: text, pastes, Enter, deleting at the end,
/// Up for the last message. From the first other key on, keys are stored and replayed to the
/// editor.
package struct TypeAhead: Sendable, Equatable {
    /// Messages ended with Enter, in order.
    package private(set) var queued: [String] = []
    /// The text typed after them.
    package private(set) var draft = ""
    private(set) var later: [Key] = []

    package init(queued: [String] = [], draft: String = "") {
        self.queued = queued
        self.draft = draft
    }

    package var isEmpty: Bool { queued.isEmpty && !isEditing }
    /// Whether the beginning of a message has been typed.
    var isEditing: Bool { !draft.isEmpty || !later.isEmpty }

    mutating func take(_ key: Key) {
        guard later.isEmpty else {
            later.append(key)
            return
        }
        switch key {
        case .character("\n"): enter()
        case .character("\u{08}"), .character("\u{7F}"): _ = draft.popLast()
        case .character("\u{15}"): draft = ""
        case .character("\u{17}"): deleteWord()
        case .character(let scalar) where scalar.value >= 0x20: draft.unicodeScalars.append(scalar)
        case .lineBreak: draft += "\n"
        case .paste(let text): draft += text
        case .up where draft.isEmpty && !queued.isEmpty: draft = queued.removeLast()
        default: later.append(key)
        }
    }

    private mutating func enter() {
        let escapes = draft.reversed().prefix { $0 == "\\" }.count
        if escapes % 2 == 1 {
            draft.removeLast()
            draft += "\n"
            return
        }
        if draft.contains(where: { !$0.isWhitespace }) { queued.append(draft) }
        draft = ""
    }

    private mutating func deleteWord() {
        while let last = draft.last, last.isWhitespace { draft.removeLast() }
        while let last = draft.last, !last.isWhitespace { draft.removeLast() }
    }

    /// Queues a line typed at a question that was not an answer to it.
    mutating func queue(_ message: String) { queued.append(message) }

    /// The next message that was entered.
    mutating func takeMessage() -> String? { queued.isEmpty ? nil : queued.removeFirst() }

    /// The initial text of the next prompt, and the keys to replay after it.
    mutating func takeDraft() -> (text: String, keys: [Key]) {
        defer {
            draft = ""
            later = []
        }
        return (draft, later)
    }

    /// Ctrl-C: waiting messages are not sent but become one draft.
    mutating func recall() {
        guard !queued.isEmpty || !later.isEmpty else { return }
        draft = (queued + (draft.isEmpty ? [] : [draft])).joined(separator: "\n")
        queued = []
        later = later.map { $0 == .character("\n") ? .lineBreak : $0 }
    }

    /// Everything as one text, for storing it.
    var text: String { (queued + (draft.isEmpty ? [] : [draft])).joined(separator: "\n") }
}
