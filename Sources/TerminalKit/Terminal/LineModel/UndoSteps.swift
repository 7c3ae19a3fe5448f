/// The line before each change, for undo. Pure. Consecutive letters are one change.
struct UndoSteps {
    typealias State = (units: [UInt32], cursor: Int)

    private var steps: [State] = []
    private var last: State = ([], 0)
    private var isTyping = false

    /// Maximum number of steps and units; a very long line has no undo.
    private static let (stepLimit, unitLimit) = (200, 20_000)

    /// Records the line before the next key.
    mutating func note(_ state: State) {
        guard state.units.count <= Self.unitLimit else {
            self = UndoSteps()
            return
        }
        defer { last = state }
        guard state.units != last.units else {
            if state.cursor != last.cursor { isTyping = false }
            return
        }
        let isLetter =
            state.units.count == last.units.count + 1 && state.cursor == last.cursor + 1
            && state.units[last.cursor] > LineUnits.space
        if !(isLetter && isTyping) {
            steps.append(last)
            if steps.count > Self.stepLimit { steps.removeFirst() }
        }
        isTyping = isLetter
    }

    /// Records a change that is always a separate step.
    mutating func noteReplacement(of old: State, by new: State) {
        note(old)
        steps.append(old)
        if steps.count > Self.stepLimit { steps.removeFirst() }
        (last, isTyping) = (new, false)
    }

    /// The line before the last change.
    mutating func back(from state: State) -> State? {
        note(state)
        guard let step = steps.popLast() else { return nil }
        last = step
        isTyping = false
        return step
    }
}
