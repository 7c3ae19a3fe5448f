/// The region of the line, and the line after the writing tools have changed it.
extension LineEditor {
    /// A line that is off the screen and will return, with its undo steps.
    struct Suspended {
        var units: [UInt32]
        var cursor: Int
        /// The range that may be replaced.
        var range: Range<Int>
        var region: LineRegion
        var undo: UndoSteps
    }

    /// An edit applied before the first key.
    enum Opening {
        /// - Parameter back: distance of the cursor from the end of the text.
        case insert([UInt32], back: Int)
        case replace(Range<Int>, [UInt32])
    }

    /// Sets the mark (Ctrl-Space).
    func setMark() {
        let (content, cursor) = line.content
        region.begin(at: cursor, in: content)
    }

    /// Suspends the line for the writing tools, with the region or the whole text.
    func suspend() {
        let (content, cursor) = line.content
        let range = region.range(in: content, cursor: cursor) ?? 0..<content.count
        undo.note((content, cursor))
        suspended = Suspended(
            units: content, cursor: cursor, range: range, region: region, undo: undo)
    }

    func selection(of suspended: Suspended) -> LineSelection {
        let (content, range) = (suspended.units, suspended.range)
        return LineSelection(
            before: units.text(content[..<range.lowerBound]), text: units.text(content[range]),
            after: units.text(content[range.upperBound...]))
    }

    /// The initial edits for a draft.
    func openings(for draft: LineDraft) -> [Opening] {
        defer { suspended = nil }
        undo = UndoSteps()
        region.clear()
        guard let resumed = draft.resumed, let suspended else {
            var content = units.units(draft)
            if content.isEmpty { swap(&content, &stash) }
            return content.isEmpty ? [] : [.insert(content, back: 0)]
        }
        undo = suspended.undo
        let count = suspended.units.count
        var openings = [Opening.insert(suspended.units, back: count - suspended.cursor)]
        if let text = resumed.replacement {
            openings.append(.replace(suspended.range, units.known(text, word: "edited")))
        } else {
            region = suspended.region
        }
        let typed = units.units(draft.added)
        return typed.isEmpty ? openings : openings + [.insert(typed, back: 0)]
    }

    /// The command that applies an initial edit.
    func open(_ opening: Opening) -> Command {
        switch opening {
        case .insert(let content, let back):
            (inserted, insertedBack) = (content, back)
            return .insert
        case .replace(let range, let content):
            (inserted, replaced) = (content, range)
            return .replace
        }
    }

    /// Replaces a range as one undo step.
    func replaceText() {
        let before = line.content
        let range = replaced.clamped(to: 0..<before.units.count)
        let after =
            before.units[..<range.lowerBound] + inserted + before.units[range.upperBound...]
        line.replace(with: Array(after), cursor: range.lowerBound + inserted.count)
        undo.noteReplacement(of: before, by: line.content)
    }
}
