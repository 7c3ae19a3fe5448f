import Base

/// The loop of ideas: one is written, the user decides, the next is written.
/// Pure: keys and pieces of text in, actions out.
///
/// ```
///            text            finished
///  writing ───────► writing ──────────► ready ──┬─ s, d ──► deciding ─ settled ─► writing
///     │  ▲                                ▲     ├─ e c r w y ► away ── returned ─► ready
///     │  └─ d (cancelled, asked again)    │     └─ u ─────► undoing ─ settled ─► ready
///     ├─ failed ─► failed ── d ─► writing │
///     └─ s (what there is; cancelled) ─► deciding
/// ```
///
/// A cancelled answer may still send text: each request has a number, and text
/// for another request than the current one is ignored.
package struct IdeaLoop: Sendable, Equatable {
    package enum Key: Character, Sendable, CaseIterable {
        case save = "s"
        case discard = "d"
        case edit = "e"
        case converse = "c"
        case remind = "r"
        case write = "w"
        case undo = "u"
        case prompt = "p"
        case tone = "t"
        case copy = "y"
        case help = "?"
        case quit = "q"
    }

    package enum Event: Sendable, Equatable {
        case began
        case key(Key)
        /// The next piece of an answer.
        case text(String, of: Int)
        /// The complete answer.
        case finished(String, of: Int)
        /// The request failed after this much text.
        case failed(String, of: Int)
        /// Saving, discarding or taking back succeeded.
        case settled
        /// The decision failed.
        case unsettled
        /// The user has returned from the editor, a question, another screen.
        case returned(Return)
    }

    package enum Return: Sendable, Equatable {
        /// The idea is unchanged.
        case unchanged
        /// The user has edited the idea; save this text.
        case edited(String)
        /// The prompt or the tone has changed.
        case newRequest
        /// The user has left the loop.
        case left
    }

    package enum Action: Sendable, Equatable {
        /// Request an idea; the answer has this number.
        case generate(Int)
        /// Stop the current answer.
        case cancel(Int)
        /// `settled` or `unsettled` follows, here and for the next two.
        case save(Idea, number: Int, isEdited: Bool)
        case discard(Idea)
        case takeBack(Decision)
        /// `returned` follows, here and for the next two.
        case open(Key, Idea, number: Int)
        case ask(Key)
        case leave
    }

    /// A decision about an idea.
    package struct Decision: Sendable, Equatable {
        package var idea: Idea
        package var number: Int
        package var isSaved: Bool
    }

    /// The message above the keys.
    package enum Note: Sendable, Equatable {
        case saved, discarded, takenBack
        case nothingToSave, nothingToUndo, nothingYet
        /// The key works once the idea is complete.
        case stillWriting(Key)
    }

    package enum Phase: Sendable, Equatable {
        case writing(Int, String)
        case ready(Idea, number: Int)
        /// Failed after this much text, which can still be saved.
        case failed(Idea, number: Int)
        case deciding(Decision)
        case undoing(Decision)
        case away
        case over
    }

    package private(set) var phase = Phase.away
    package private(set) var note: Note?
    package private(set) var showsHelp = false
    /// The newest last.
    private var decisions: [Decision] = []
    /// Ideas that were on the screen when an earlier one was taken back.
    private var waiting: [(idea: Idea, number: Int)] = []
    /// The phase that `away` returns to; nil requests a new idea.
    private var left: Phase?
    private var number = 0

    /// Maximum number of decisions that can be taken back.
    private static let memory = 100

    package init() {}

    package static func == (one: IdeaLoop, other: IdeaLoop) -> Bool {
        one.phase == other.phase && one.note == other.note && one.number == other.number
            && one.showsHelp == other.showsHelp && one.decisions == other.decisions
    }

    /// The text of the current idea so far.
    package var text: String {
        switch phase {
        case .writing(_, let text): text
        case .ready(let idea, _), .failed(let idea, _): idea.text
        case .deciding(let decision), .undoing(let decision): decision.idea.text
        case .away:
            switch left {
            case .ready(let idea, _), .failed(let idea, _): idea.text
            default: ""
            }
        case .over: ""
        }
    }

    /// The number of the complete idea, if there is one.
    package var presentNumber: Int? {
        switch phase {
        case .ready(_, let number): number
        case .writing, .failed, .deciding, .undoing, .away, .over: nil
        }
    }

    // MARK: - Events

    package mutating func take(_ event: Event) -> [Action] {
        if phase == .over { return [] }
        switch event {
        case .began: return next()
        case .key(let key): return take(key)
        case .text(let piece, let of):
            guard case .writing(of, let text) = phase else { return [] }
            // White space before the first word is not part of the idea.
            let piece = text.isEmpty ? String(piece.drop(while: \.isWhitespace)) : piece
            phase = .writing(of, text + piece)
        case .finished(let text, let of):
            guard case .writing(of, _) = phase else { return [] }
            phase = .ready(Idea(text), number: of)
        case .failed(let text, let of):
            guard case .writing(of, _) = phase else { return [] }
            phase = .failed(Idea(text, isPartial: true), number: of)
            // No complete idea will follow.
            if case .stillWriting? = note { note = nil }
        case .settled: return settled()
        case .unsettled: unsettled()
        case .returned(let what): return returned(what)
        }
        return []
    }

    private mutating func take(_ key: Key) -> [Action] {
        switch phase {
        // Nothing is requested twice.
        case .deciding, .undoing, .away, .over: return []
        case .writing, .ready, .failed: break
        }
        let wasHelp = showsHelp
        (note, showsHelp) = (nil, false)
        switch key {
        case .help: showsHelp = !wasHelp
        case .save: return decide(isSaved: true)
        case .discard: return decide(isSaved: false)
        case .undo: return undo()
        case .prompt, .tone:
            let stopped = stop()
            left = phase
            if case .writing = phase { left = nil }
            phase = .away
            return stopped + [.ask(key)]
        case .edit, .converse, .remind, .write, .copy:
            guard case .ready(let idea, let number) = phase else {
                if case .writing = phase { note = .stillWriting(key) } else { note = .nothingYet }
                return []
            }
            left = phase
            phase = .away
            return [.open(key, idea, number: number)]
        case .quit:
            let stopped = stop()
            phase = .over
            return stopped + [.leave]
        }
        return []
    }

    // MARK: - Decisions

    private mutating func decide(isSaved: Bool) -> [Action] {
        let stopped = stop()
        let idea: Idea
        let number: Int
        switch phase {
        case .writing(let present, let text):
            (idea, number) = (Idea(text.trimmingSpace(), isPartial: true), present)
        case .ready(let ready, let present), .failed(let ready, let present):
            (idea, number) = (ready, present)
        case .deciding, .undoing, .away, .over: return []
        }
        if idea.text.isEmpty {
            guard isSaved else { return stopped + next() }
            // Writing continues: there is nothing to lose yet.
            note = .nothingToSave
            return []
        }
        phase = .deciding(Decision(idea: idea, number: number, isSaved: isSaved))
        return stopped + [
            isSaved ? .save(idea, number: number, isEdited: false) : .discard(idea)
        ]
    }

    private mutating func undo() -> [Action] {
        guard let last = decisions.popLast() else {
            note = .nothingToUndo
            return []
        }
        let stopped = stop()
        // A complete idea is not requested again.
        if case .ready(let idea, let number) = phase { waiting.append((idea, number)) }
        phase = .undoing(last)
        return stopped + [.takeBack(last)]
    }

    private mutating func settled() -> [Action] {
        switch phase {
        case .deciding(let decision):
            decisions.append(decision)
            decisions.removeFirst(max(0, decisions.count - Self.memory))
            let actions = next()
            note = decision.isSaved ? .saved : .discarded
            return actions
        case .undoing(let decision):
            phase = .ready(decision.idea, number: decision.number)
            note = .takenBack
        case .writing, .ready, .failed, .away, .over: break
        }
        return []
    }

    private mutating func unsettled() {
        switch phase {
        case .deciding(let decision):
            phase = .ready(decision.idea, number: decision.number)
        case .undoing(let decision):
            // The idea can still be seen and decided on.
            phase = .ready(decision.idea, number: decision.number)
        case .writing, .ready, .failed, .away, .over: break
        }
    }

    private mutating func returned(_ what: Return) -> [Action] {
        guard phase == .away else { return [] }
        switch (what, left) {
        case (.left, _):
            phase = .over
            return [.leave]
        case (.edited(let text), .ready(_, let number)?):
            let idea = Idea(text)
            phase = .deciding(Decision(idea: idea, number: number, isSaved: true))
            return [.save(idea, number: number, isEdited: true)]
        case (.unchanged, let before?), (.edited, let before?):
            phase = before
            return []
        case (.newRequest, .ready(let idea, let number)?):
            // It belonged to another request; it can be taken back.
            phase = .deciding(Decision(idea: idea, number: number, isSaved: false))
            return [.discard(idea)]
        case (.newRequest, _): return next()
        case (.unchanged, nil), (.edited, nil): return next()
        }
    }

    // MARK: - Requests

    /// A waiting idea, or a new one.
    private mutating func next() -> [Action] {
        left = nil
        if let before = waiting.popLast() {
            phase = .ready(before.idea, number: before.number)
            return []
        }
        number += 1
        phase = .writing(number, "")
        return [.generate(number)]
    }

    /// Cancels an answer in progress. Other phases have nothing to stop.
    private func stop() -> [Action] {
        guard case .writing(let number, _) = phase else { return [] }
        return [.cancel(number)]
    }
}
