/// The state machine of the list that opens while the user types: changes of the line and
/// keys in, actions out. Pure; matching and drawing are elsewhere.
///
/// ```
/// closed       a typed character asks for candidates; nothing else opens it
/// open, stale  the line has changed since the candidates were asked for:
///              it takes no key, so a burst of keys is only typing
/// open         its rows are on the screen: ↑ ↓ choose, Tab and Enter take,
///              Esc dismisses; without candidates it waits for other letters
/// dismissed    by Esc or a paste, until another word is typed
/// ```
struct CompletionList: Equatable {
    /// The effect of the last key on the line.
    enum Change: Equatable {
        case none
        /// One character was typed.
        case typed
        /// Text before the cursor was deleted.
        case deleted
        case pasted
        /// The cursor was moved, an entry recalled, a change undone.
        case other
    }

    enum Action: Equatable {
        /// The key is not for the list.
        case pass
        case redraw
        /// The candidate replaces the typed text.
        case accept(TabCompletion.Candidate, replacing: String)
    }

    private enum Phase: Equatable {
        case closed, open
        /// The word that begins at this index, once known.
        case dismissed(Int?)
    }

    private var phase = Phase.closed
    /// Whether the last change was typing, which may open a list for another word.
    private var mayOpen = false
    /// Whether the candidates are those of an earlier line.
    private(set) var isStale = false
    private var offer = CompletionOffer.none
    /// The start of the word they are for.
    private var word: Int?
    private(set) var selected: Int?
    /// Whether the user has chosen a row, so that Enter always takes it.
    private var hasMoved = false
    private var top = 0

    var candidates: [TabCompletion.Candidate] { phase == .open ? offer.candidates : [] }
    /// Whether it would be visible once settled.
    private var takesKeys: Bool { phase == .open && !isStale && !offer.candidates.isEmpty }

    // MARK: - The line

    mutating func note(_ change: Change) {
        guard change != .none else { return }
        mayOpen = change == .typed
        switch (phase, change) {
        case (.closed, .typed), (.closed, .pasted): isStale = true
        case (.open, .typed), (.open, .deleted), (.dismissed, _): isStale = true
        case (.open, .pasted): isStale = true
        case (.open, _): close()
        case (.closed, _): break
        }
        if change == .pasted { phase = .dismissed(nil) }
    }

    /// Candidates may have arrived: the current text is looked up again.
    mutating func refresh() { if phase == .open { isStale = true } }

    mutating func close() { self = CompletionList() }

    /// Sets the candidates for the current line; nil if it has no list.
    ///
    /// - Parameter word: start of the word before the cursor.
    mutating func settle(_ offer: CompletionOffer?, word: Int) {
        isStale = false
        if case .dismissed(let place) = phase {
            // Where no list belongs, as on an emptied line, the word has been left.
            if offer != nil, place == nil || place == word {
                phase = .dismissed(word)
                return
            }
            phase = .closed
        }
        guard let offer, phase == .open || mayOpen else { return close() }
        phase = .open
        let isSame = offer.replacing == self.offer.replacing
        // Both are set together, so the row exists.
        let before = selected.map { self.offer.candidates[$0].text }
        (self.offer, self.word) = (offer, word)
        // More candidates for the same text: keep the choice.
        if isSame, hasMoved, let before,
            let index = offer.candidates.firstIndex(where: { $0.text == before })
        {
            selected = index
            return
        }
        selected = offer.suggestsFirst && !offer.candidates.isEmpty ? 0 : nil
        (hasMoved, top) = (false, 0)
    }

    // MARK: - Keys

    /// - Parameter isVi: whether Esc also leaves insert mode.
    mutating func take(_ key: Key, isVi: Bool = false) -> Action {
        guard takesKeys else { return .pass }
        switch key {
        case .up, .character("\u{10}"): return move(by: -1)
        case .down, .character("\u{0E}"): return move(by: 1)
        case .escape, .character("\u{07}"):
            phase = .dismissed(word)
            return isVi && key == .escape ? .pass : .redraw
        case .character("\t"): return accept(selected ?? 0)
        case .character("\n"):
            // A complete word is entered.
            guard let selected, offer.candidates[selected].text != offer.replacing else {
                return .pass
            }
            return accept(selected)
        default: return .pass
        }
    }

    private mutating func move(by step: Int) -> Action {
        let count = offer.candidates.count
        selected = ((selected ?? (step > 0 ? -1 : count)) + step + count) % count
        hasMoved = true
        return .redraw
    }

    /// After a folder, completion continues with its contents.
    private mutating func accept(_ index: Int) -> Action {
        let action = Action.accept(offer.candidates[index], replacing: offer.replacing)
        let goesOn = !offer.candidates[index].isComplete
        close()
        if goesOn { (phase, isStale) = (.open, true) }
        return action
    }

    // MARK: - The rows

    /// The candidates visible in `count` rows, including the chosen one.
    mutating func window(of count: Int) -> Range<Int> {
        if let selected {
            top = min(top, selected)
            top = max(top, selected - count + 1)
        }
        top = max(0, min(top, candidates.count - count))
        return top..<min(candidates.count, top + count)
    }
}

/// The candidates at the cursor, for the list that opens while the user types.
package struct CompletionOffer: Sendable, Equatable {
    /// The end of the text before the cursor, which a candidate replaces.
    package var replacing: String
    /// The best first.
    package var candidates: [TabCompletion.Candidate]
    /// Whether Enter accepts the first candidate. False if the typed text may itself be what the
    /// user wants; then Enter enters the line unless a row was chosen.
    package var suggestsFirst: Bool

    package init(
        replacing: String, candidates: [TabCompletion.Candidate], suggestsFirst: Bool
    ) {
        self.replacing = replacing
        self.candidates = candidates
        self.suggestsFirst = suggestsFirst
    }

    static let none = CompletionOffer(replacing: "", candidates: [], suggestsFirst: false)
}

/// Called on the terminal's thread before the line is drawn, so it must answer from memory; nil if
/// there is no list. Data that has to be read first is requested elsewhere, and
/// `TerminalSession.refreshCompletions` has it called again.
package typealias CompletionLister =
    @Sendable (_ before: String, _ after: String) -> CompletionOffer?
