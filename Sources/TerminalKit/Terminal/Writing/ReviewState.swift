/// The state machine for reviewing the changes of a text one by one: keys in, actions out.
/// Pure.
///
/// ```
/// y n      this change, or not; then to the next undecided one
/// a r      all that are not decided, or none of them; ends it. A change of a fact is
///          decided by itself: `a` goes to it
/// ← →      another change, without deciding
/// u        takes the last decision back
/// e        the text, with all that is not rejected, in an editor
/// q Esc Ctrl-C   leave; the text stays as it was
/// ```
struct ReviewState: Sendable, Equatable {
    enum Effect: Equatable, Sendable {
        case leave
        case done(String)
        case edit(String)
    }

    let version: WritingAssistant.Version
    /// One for each change; nil if undecided.
    private(set) var decisions: [Bool?]
    /// The change that a key decides on.
    private(set) var current = 0
    private var decided: [Int] = []

    init(_ version: WritingAssistant.Version) {
        self.version = version
        decisions = Array(repeating: nil, count: version.changeCount)
    }

    var hasDecided: Bool { !decided.isEmpty }

    /// Both sides of the change that the next key decides.
    var currentChange: (old: String, new: String)? {
        var index = 0
        for case .change(let old, let new) in version.pieces {
            if index == current { return (old, new) }
            index += 1
        }
        return nil
    }

    /// - Parameter rest: whether undecided changes are made as well.
    func text(rest: Bool) -> String {
        var index = 0
        return version.pieces.reduce(into: "") { text, piece in
            switch piece {
            case .same(let same): text += same
            case .change(let old, let new):
                text += decisions[index] ?? (rest && !version.facts.contains(index)) ? new : old
                index += 1
            }
        }
    }

    /// The text with exactly these changes made.
    func text(accepting numbers: Set<Int>) -> String {
        var state = self
        for index in decisions.indices { state.decisions[index] = numbers.contains(index) }
        return state.text(rest: false)
    }

    mutating func take(_ key: PanelKey) -> Effect? {
        switch key {
        case .character("y"): return decide(true)
        case .character("n"): return decide(false)
        case .character("a"): return acceptRest()
        case .character("r"): return .done(text(rest: false))
        case .character("e"): return .edit(text(rest: true))
        case .character("u"):
            if let last = decided.popLast() { (decisions[last], current) = (nil, last) }
        case .right, .down: current = min(current + 1, decisions.count - 1)
        case .left, .up: current = max(current - 1, 0)
        case .character("q"), .escape, .interrupt: return .leave
        default: break
        }
        return nil
    }

    private mutating func acceptRest() -> Effect? {
        let rest = decisions.indices.filter { decisions[$0] == nil }
        guard let fact = rest.first(where: version.facts.contains) else {
            return .done(text(rest: true))
        }
        for index in rest where !version.facts.contains(index) {
            decisions[index] = true
            decided.append(index)
        }
        current = fact
        return nil
    }

    private mutating func decide(_ isAccepted: Bool) -> Effect? {
        decisions[current] = isAccepted
        decided.removeAll { $0 == current }
        decided.append(current)
        // The next one, or else an earlier one that was skipped.
        let order =
            Array(decisions.indices[(current + 1)...]) + Array(decisions.indices[..<current])
        guard let next = order.first(where: { decisions[$0] == nil }) else {
            return .done(text(rest: false))
        }
        current = next
        return nil
    }
}
