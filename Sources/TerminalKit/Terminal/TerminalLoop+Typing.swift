import Glibc

/// Typing while no prompt is open, its use by the next prompt, and how unsent text survives the end
/// of the program.
extension TerminalLoop {
    /// Moves whole keys from the decoder to the type-ahead. A terminal without a line editor gets
    /// them unchanged.
    ///
    /// - Parameter escapeStops: whether Esc acts like Ctrl-C; otherwise it has no effect. With vi's
    ///   keys it belongs to the text, if there is one.
    /// - Returns: whether an Esc has stopped something.
    @discardableResult
    func absorb(escapeStops: Bool = false) -> Bool {
        guard editor != nil, activity != .asking, !keepsKeys else { return false }
        let before = typeAhead
        var isStopped = false
        while let key = keys.next() {
            if key == .escape, options.keys != .vi || !typeAhead.isEditing {
                guard escapeStops else { continue }
                isStopped = true
                options.onInterrupt()
                recallTypeAhead()
                continue
            }
            typeAhead.take(key)
            if key == .character("\n") { options.onEnter() }
        }
        if typeAhead != before { options.onTyping(typeAhead) }
        return isStopped
    }

    /// Releases keys kept for a panel that did not open.
    func releaseKeys() {
        guard keepsKeys else { return }
        keepsKeys = false
        for key in replayed { typeAhead.take(key) }
        replayed = []
        absorb()
    }

    /// Keeps everything typed so far for the next prompt. Ctrl-C in it, which came as a
    /// byte while the mode was changing, and Esc stop the running task.
    ///
    /// - Returns: whether they have.
    @discardableResult
    func keepEarlierTyping() -> Bool {
        var isStopped = false
        while !hasInputEnded {
            let events = nextEvent(for: &keys, timeout: keys.rest == nil ? 0 : -1, isWoken: false)
            if events.contains(.input) { keys.feed(readInput()) }
            if keys.takeInterrupts() {
                options.onInterrupt()
                isStopped = true
            }
            if absorb(escapeStops: true) { isStopped = true }
            if !events.contains(.input), keys.rest ?? 0 == 0 { break }
        }
        return isStopped
    }

    /// Ctrl-C: waiting messages are not sent.
    func recallTypeAhead() {
        let before = typeAhead
        typeAhead.recall()
        guard typeAhead != before else { return }
        isRecalled = true
        options.onTyping(typeAhead)
    }

    /// Queues a line typed at a question that was not an answer: it is the next message, after text
    /// typed before the question.
    func queue(_ message: String) {
        guard editor != nil else {
            replayed += [.paste(message), .character("\n")]
            return
        }
        activity = .idle
        absorb()
        typeAhead.queue(message)
        options.onTyping(typeAhead)
    }

    /// A message that was entered before its prompt, shown at it.
    func takeQueued(_ editor: LineEditor, _ prompt: String) -> String? {
        guard let message = typeAhead.takeMessage() else { return nil }
        editor.accept(message, prompt: prompt)
        output.noteLineStart(true)
        options.onTyping(typeAhead)
        return message
    }

    /// The initial text of a prompt: the caller's draft or that of the last launch, and text typed
    /// in the meantime.
    func startingDraft(_ draft: LineDraft) -> LineDraft {
        var draft = draft
        if !hasTakenDraft {
            hasTakenDraft = true
            if let kept = options.takeDraft() {
                draft.restored += (draft.isEmpty ? "" : "\n") + kept
            }
        }
        let typed = typeAhead.takeDraft()
        replayed += typed.keys
        if !typed.text.isEmpty || !typed.keys.isEmpty { options.onTyping(typeAhead) }
        // A paste is folded in the line, so it is folded here too.
        if isRecalled || typed.text.contains("\n") {
            draft.restored += typed.text
        } else {
            draft.after += typed.text
        }
        isRecalled = false
        return draft
    }

    /// Stores a text that will not be sent. If the program has to end, text typed after it is
    /// stored as well.
    func keepDraft(_ text: String) {
        var parts = [unsent, text]
        if isLeaving || hasInputEnded {
            parts.append(typeAhead.text)
            typeAhead = TypeAhead()
        }
        parts.removeAll(where: \.isEmpty)
        let all = parts.joined(separator: "\n")
        guard all != unsent else { return }
        unsent = all
        options.keepDraft(unsent)
    }

    // MARK: Pastes without marks

    func isBurst(_ bytes: [UInt8]) -> Bool { editor != nil && PasteBurst.isPaste(bytes) }

    /// The complete paste: bytes that follow without a pause belong to it. Its last line end sends
    /// nothing and is dropped.
    func readBurst(_ first: [UInt8]) -> String {
        var bytes = first
        while !hasInputEnded, bytes.count < Self.burstLimit,
            nextEvent(timeout: Self.burstPause, isWoken: false).contains(.input)
        {
            bytes += readInput()
        }
        var text = KeyDecoder.cleanPaste(bytes[...])
        if text.last == "\n" { text.removeLast() }
        return text
    }

    /// Milliseconds without a byte that end a burst.
    private static let burstPause: Int32 = 25
    private static let burstLimit = 16 << 20
}

/// Distinguishes an unmarked paste from typing: not every terminal brackets pastes, and tmux does
/// so only on request. Pure.
///
/// A user cannot type two line ends with text after them within one read at a waiting prompt;
/// type-ahead, from before the prompt, is not checked.
enum PasteBurst {
    /// Line ends inside the bytes, with text after the last of them.
    static let interiorLines = 2

    /// Whether the bytes of one read are a paste. A key that is an escape sequence or a
    /// control character is not pasted.
    static func isPaste(_ bytes: [UInt8]) -> Bool {
        var ends = 0
        var pending = 0
        var isAfterReturn = false
        for byte in bytes {
            switch byte {
            case 0x0A where isAfterReturn: break
            case 0x0D, 0x0A: pending += 1
            case 0x09, 0x20...0x7E, 0x80...:
                ends += pending
                pending = 0
            default: return false
            }
            isAfterReturn = byte == 0x0D
        }
        return ends >= interiorLines
    }
}
