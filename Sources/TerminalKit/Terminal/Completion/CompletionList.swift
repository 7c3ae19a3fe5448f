/// The list that opens while one types: changes of the line and keys in, what
/// to do out. Pure; which words fit and how they look is decided elsewhere.
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
    /// What the last key has done to the line.
    enum Change: Equatable {
        case none
        /// One character was typed.
        case typed
        /// Something before the cursor was deleted.
        case deleted
        case pasted
        /// The cursor was moved, an entry recalled, a change taken back.
        case other
    }

    enum Action: Equatable {
        /// The key is not for the list.
        case pass
        case redraw
        /// The candidate takes the place of what is typed.
        case accept(TabCompletion.Candidate, replacing: String)
    }

    private enum Phase: Equatable {
        case closed, open
        /// The word that begins there, once that is known.
        case dismissed(Int?)
    }

    private var phase = Phase.closed
    /// The last change was typing, which opens a list for another word.
    private var mayOpen = false
    /// The candidates are those of an earlier line.
    private(set) var isStale = false
    private var offer = CompletionOffer.none
    /// Where the word begins that they are for.
    private var word: Int?
    private(set) var selected: Int?
    /// The user has chosen a row, so Enter takes it in any case.
    private var hasMoved = false
    private var top = 0

    var candidates: [TabCompletion.Candidate] { phase == .open ? offer.candidates : [] }
    /// It would be seen, once it is settled.
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

    /// Candidates may have come: what stands there is asked for again.
    mutating func refresh() { if phase == .open { isStale = true } }

    mutating func close() { self = CompletionList() }

    /// What fits the line now; nil where no list belongs.
    ///
    /// - Parameter word: where the word before the cursor begins.
    mutating func settle(_ offer: CompletionOffer?, word: Int) {
        isStale = false
        if case .dismissed(let place) = phase {
            if place == nil || place == word {
                phase = .dismissed(word)
                return
            }
            phase = .closed
        }
        guard let offer, phase == .open || mayOpen else { return close() }
        phase = .open
        let isSame = offer.replacing == self.offer.replacing
        // Set together, so the row is there.
        let before = selected.map { self.offer.candidates[$0].text }
        (self.offer, self.word) = (offer, word)
        // More has arrived for the same letters: the choice stays.
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

    /// - Parameter isVi: Esc ends typing there, too.
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
            // What is there already is entered.
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

    /// A folder is gone on with: what is in it is offered next.
    private mutating func accept(_ index: Int) -> Action {
        let action = Action.accept(offer.candidates[index], replacing: offer.replacing)
        let goesOn = !offer.candidates[index].isComplete
        close()
        if goesOn { (phase, isStale) = (.open, true) }
        return action
    }

    // MARK: - The rows

    /// The candidates that are seen where `count` have room; the chosen one is.
    mutating func window(of count: Int) -> Range<Int> {
        if let selected {
            top = min(top, selected)
            top = max(top, selected - count + 1)
        }
        top = max(0, min(top, candidates.count - count))
        return top..<min(candidates.count, top + count)
    }
}

/// What may stand at the cursor, for the list that opens while one types.
package struct CompletionOffer: Sendable, Equatable {
    /// The end of the text before the cursor, whose place a candidate takes.
    package var replacing: String
    /// The best first.
    package var candidates: [TabCompletion.Candidate]
    /// Enter takes the first. False where what is typed may well be meant as
    /// it stands; then Enter enters the line until a row is chosen.
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

/// Asked on the terminal's thread before the line is drawn, so it answers from
/// memory; nil where no list belongs. What has to be read first is asked for
/// elsewhere, and `TerminalSession.refreshCompletions` has it asked again.
package typealias CompletionLister =
    @Sendable (_ before: String, _ after: String) -> CompletionOffer?
