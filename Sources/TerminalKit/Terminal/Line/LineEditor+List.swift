import Base

/// The area below the line: the list that opens while the user types, or else the status.
/// `CompletionList` decides which keys are the list's.
extension LineEditor {
    enum KeyPastList {
        case key(Key?)
        /// The list has handled the key, and wants this command performed.
        case command(Command)
    }

    /// Reports the effect of the last key to the list.
    func noteForList(_ content: (units: [UInt32], cursor: Int)) {
        guard lister != nil else { return }
        if let listed, let lastKey {
            list.note(Self.change(from: listed, to: content, by: lastKey))
        }
        listed = content
    }

    /// The next key that is not for the list.
    func keyPastList() -> KeyPastList {
        while let key = nextKey() {
            lastKey = key
            switch list.take(key, isVi: isVi) {
            case .pass: return .key(key)
            case .redraw: tabs = 0
            case .accept(let candidate, let replacing):
                tabs = 0
                return .command(accept(candidate, replacing: replacing))
            }
        }
        return .key(nil)
    }

    private func accept(
        _ candidate: TabCompletion.Candidate, replacing: String
    ) -> Command {
        let (content, cursor) = line.content
        // Do not add a second space.
        let hasSpace = content.indices.contains(cursor) && content[cursor] == LineUnits.space
        let text = candidate.text + (candidate.isComplete && !hasSpace ? " " : "")
        let count = units.units(replacing).count
        (inserted, replaced) = (units.units(text), max(0, cursor - count)..<cursor)
        // The list already knows the change.
        listed = nil
        return .replace
    }

    // MARK: - Below the line

    /// - Parameter free: number of rows left by the line; below 1 if it is taller than the
    ///   window.
    func linesBelow(
        _ content: [UInt32], _ cursor: Int, _ size: (columns: Int, rows: Int), free: Int
    ) -> [LineLayout.Row] {
        settleList(content, cursor, size)
        let lines =
            list.candidates.isEmpty
            ? []
            : CompletionListView(
                &list, columns: size.columns, rows: max(Self.leastBelow, free), style
            ).lines
        if !lines.isEmpty { return lines.map { row($0, size.columns) } }
        guard size.rows > 2, let status = status(size.columns) else { return [] }
        let line = row(status, size.columns)
        return line.cells.isEmpty ? [] : [line]
    }

    /// Minimum number of rows for a list below a tall line; a window with a list has at least ten.
    private static let leastBelow = 4

    private func settleList(
        _ content: [UInt32], _ cursor: Int, _ size: (columns: Int, rows: Int)
    ) {
        guard let lister else { return }
        guard CompletionListView.fits(columns: size.columns, rows: size.rows) else {
            return list.close()
        }
        guard list.isStale else { return }
        var word = cursor
        while word > 0, !isSpace(content[word - 1]) { word -= 1 }
        list.settle(
            lister(units.text(content[..<cursor]), units.text(content[cursor...])), word: word)
    }

    /// The last column stays free: a terminal would wrap there.
    private func row(_ line: StyledLine, _ columns: Int) -> LineLayout.Row {
        let cells = PromptText(style.text(style.cut(line, to: columns - 1))).cells
        return LineLayout.Row(
            cells: cells, width: cells.reduce(0) { $0 + $1.width }, isStyled: true)
    }

    // MARK: - Effects of a key

    typealias Content = (units: [UInt32], cursor: Int)

    static func change(from old: Content, to new: Content, by key: Key) -> CompletionList.Change {
        if old.units == new.units { return old.cursor == new.cursor ? .none : .other }
        if case .paste = key { return .pasted }
        let grown = new.units.count - old.units.count
        let moved = new.cursor - old.cursor
        if grown == moved, grown < 0,
            old.units[..<new.cursor].elementsEqual(new.units[..<new.cursor]),
            old.units[old.cursor...].elementsEqual(new.units[new.cursor...])
        {
            return .deleted
        }
        // vi's commands are characters too; only inserted text counts.
        guard case .character(let scalar) = key, scalar.value >= 0x20, grown == moved,
            // A combining mark joins the character before it.
            grown == 1 || grown == 0 && new.cursor > 0,
            old.units[old.cursor...].elementsEqual(new.units[new.cursor...]),
            old.units[..<(new.cursor - 1)].elementsEqual(new.units[..<(new.cursor - 1)])
        else { return .other }
        return .typed
    }
}
