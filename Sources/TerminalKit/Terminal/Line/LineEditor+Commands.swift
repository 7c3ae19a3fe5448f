/// Keys that libedit does not have, or that it handles by code points.
extension LineEditor {
    /// libedit gets the number as if it was typed; C1 controls never are.
    enum Command: UInt8, CaseIterable {
        case insert = 0x80
        case join, left, right, up, down, home, end, delete, wordLeft, wordRight, lineBreak
        case continueLine, deletePrevious, deleteWord, deleteNextWord, complete
        case interrupt, endOfInput, undo, stash, edit, dictate, unfold, clearScreen, searchHistory
        case ignore, mark, unmark, write, replace, paste
    }

    func bindKeys(_ keys: Keys) {
        for command in Command.allCases { line.bindNumber(command.rawValue) }
        func bind(_ key: String, _ command: Command, everywhere: Bool = true) {
            line.bind(key, number: command.rawValue, everywhere: everywhere)
        }
        // Moves that libedit handles well by itself.
        for (command, name) in [
            (Command.home, "ed-move-to-beg"), (.end, "ed-move-to-end"),
            (.left, "ed-prev-char"), (.right, "ed-next-char"),
        ] {
            line.bind("\\" + String(command.rawValue, radix: 8), name, everywhere: true)
        }
        bind("^C", .interrupt)
        bind("^D", .endOfInput)
        bind("^L", .clearScreen)
        bind("^P", .up)
        bind("^N", .down)
        bind("^_", .undo)
        bind("^X^E", .edit)
        bind("^X^R", .dictate)
        bind("^V", .paste)
        bind("^X^S", .stash)
        bind("^X^O", .unfold)
        bind("^X^U", .undo)
        bind("^X^W", .write)
        bind("^G", .unmark)
        bind("^R", .searchHistory)
        line.bind("^S", "em-inc-search-next", everywhere: true)
        // libedit's own command line reads beyond its words after an open quote.
        for key in keys == .emacs ? ["^[x", "^[X"] : [] {
            line.bind(key, "ed-unassigned", everywhere: false)
        }
        if keys == .vi { line.bindInCommandMode(":", number: Command.ignore.rawValue) }
        // Only in insert mode: the key has another meaning in vi's command map.
        line.bind("^H", "ed-delete-prev-char", everywhere: false)
        line.bind("^?", "ed-delete-prev-char", everywhere: false)
        bind("^I", .complete, everywhere: false)
        bind("^W", .deleteWord, everywhere: false)
        line.bind("^U", "vi-kill-line-prev", everywhere: false)
        switch keys {
        case .emacs:
            line.bind("^B", "ed-prev-char", everywhere: false)
            line.bind("^F", "ed-next-char", everywhere: false)
            for (key, command) in [
                ("b", Command.wordLeft), ("f", .wordRight), ("d", .deleteNextWord),
                ("^?", .deleteWord), ("^H", .deleteWord), ("e", .edit), ("s", .stash),
                ("r", .dictate), ("w", .write),
                ("p", .up), ("n", .down),
            ] {
                bind("^[\(key)", command)
            }
        case .vi:
            line.bindInCommandMode("v", number: Command.edit.rawValue)
            line.bindInCommandMode("k", number: Command.up.rawValue)
            line.bindInCommandMode("j", number: Command.down.rawValue)
        }
    }

    func perform(number: UInt8) -> EditLine.Effect {
        guard let command = Command(rawValue: number) else { return .nothing }
        tabs = command == .complete ? tabs + 1 : 0
        if command != .up, command != .down { (recalled, wantedColumn) = (nil, nil) }
        switch command {
        case .insert:
            line.insert(inserted)
            line.move(by: -insertedBack)
            insertedBack = 0
        case .replace: replaceText()
        case .mark: setMark()
        case .unmark: region.clear()
        case .write:
            guard offersWriting, !line.content.units.isEmpty else { return .nothing }
            suspend()
            ending = .writing
            line.pushEnter()
            return .nothing
        case .join:
            line.deletePrevious(1)
            line.insert(inserted)
        case .lineBreak: line.insert([LineUnits.newline])
        case .continueLine:
            line.deletePrevious(1)
            line.insert([LineUnits.newline])
        case .left: line.move(by: -1)
        case .right: line.move(by: 1)
        case .home, .end, .ignore: return .nothing
        case .up: goUp()
        case .down: goDown()
        case .delete: line.deleteNext(1)
        case .deletePrevious: line.deletePrevious(1)
        case .wordLeft: line.move(by: -wordBefore(isWide: false))
        case .wordRight: line.move(by: wordAfter)
        case .deleteWord: line.deletePrevious(wordBefore(isWide: true))
        case .deleteNextWord: line.deleteNext(wordAfter)
        case .complete: return completeWord()
        case .interrupt:
            ending = .interrupted
            line.pushEnter()
            return .nothing
        case .endOfInput:
            if line.content.units.isEmpty { return .endOfInput }
            line.deleteNext(1)
        case .undo:
            guard let step = undo.back(from: line.content) else {
                guard line.content.units.isEmpty, !discarded.isEmpty else { return .nothing }
                line.replace(with: discarded, cursor: discarded.count)
                discarded = []
                break
            }
            line.replace(with: step.units, cursor: step.cursor)
        case .stash:
            let content = line.content.units
            line.replace(with: stash, cursor: stash.count)
            stash = content
        case .edit:
            ending = .edited
            line.pushEnter()
            return .nothing
        case .dictate:
            ending = .dictated
            line.pushEnter()
            return .nothing
        case .paste:
            guard takesClipboard else { return .nothing }
            placeOfPaste = line.content.cursor
            ending = .pasting
            line.pushEnter()
            return .nothing
        case .unfold: return unfold()
        case .clearScreen: clearScreen()
        case .searchHistory:
            guard let chosen = pickFromHistory(units.text(line.content.units)) else { break }
            recall(units.known(chosen, word: "recalled"))
        }
        return .changed
    }

    // MARK: Rows and history

    private func goUp() {
        let (content, cursor) = line.content
        let layout = layout(content, cursor: cursor, columns: columns)
        if layout.cursor.row > 0, recalled != content {
            go(to: layout.cursor.row - 1, in: layout, from: cursor)
        } else if let entry = walk.older(than: content, &units) {
            recall(entry)
        }
    }

    private func goDown() {
        let (content, cursor) = line.content
        let layout = layout(content, cursor: cursor, columns: columns)
        if layout.cursor.row + 1 < layout.rowCount {
            go(to: layout.cursor.row + 1, in: layout, from: cursor)
        } else if let entry = walk.newer(than: content, &units) {
            recall(entry)
        }
    }

    private func go(to row: Int, in layout: LineLayout, from cursor: Int) {
        let column = wantedColumn ?? layout.cursor.column
        wantedColumn = column
        line.move(by: layout.index(row: row, column: column, from: &units) - cursor)
    }

    private func recall(_ entry: [UInt32]) {
        line.replace(with: entry, cursor: entry.count)
        (recalled, wantedColumn) = (entry, nil)
    }

    // MARK: Words

    /// Number of units from the cursor back to the start of a word. A wide word ends only
    /// at spaces; a folded paste is a word by itself.
    private func wordBefore(isWide: Bool) -> Int {
        let (content, cursor) = line.content
        var at = cursor
        func isPart(_ unit: UInt32) -> Bool { isWide ? !isSpace(unit) : units.isWord(unit) }
        while at > 0, !isPart(content[at - 1]), !units.isFold(content[at - 1]) { at -= 1 }
        if at > 0, units.isFold(content[at - 1]) { return cursor - at + 1 }
        while at > 0, isPart(content[at - 1]), !units.isFold(content[at - 1]) { at -= 1 }
        return cursor - at
    }

    /// Number of units from the cursor to the end of a word.
    private var wordAfter: Int {
        let (content, cursor) = line.content
        var at = cursor
        while at < content.count, !units.isWord(content[at]), !units.isFold(content[at]) { at += 1 }
        if at < content.count, units.isFold(content[at]) { return at - cursor + 1 }
        while at < content.count, units.isWord(content[at]) { at += 1 }
        return at - cursor
    }

    func isSpace(_ unit: UInt32) -> Bool {
        [LineUnits.space, LineUnits.tab, LineUnits.newline].contains(unit)
    }

    // MARK: Folds and completion

    /// Unfolds the fold beside the cursor, or else all of them.
    private func unfold() -> EditLine.Effect {
        let (content, cursor) = line.content
        let beside = [cursor - 1, cursor].filter { content.indices.contains($0) }
            .first { units.isFold(content[$0]) }
        let chosen = beside.map { [$0] } ?? content.indices.filter { units.isFold(content[$0]) }
        guard !chosen.isEmpty else { return .nothing }
        var whole: [UInt32] = []
        var place = cursor
        for (at, unit) in content.enumerated() {
            if chosen.contains(at), let text = units.unfolded(unit) {
                whole += text
                if at < cursor { place += text.count - 1 }
            } else {
                whole.append(unit)
            }
        }
        line.replace(with: whole, cursor: place)
        return .changed
    }

    private func completeWord() -> EditLine.Effect {
        let (content, cursor) = line.content
        if cursor > 0, units.isFold(content[cursor - 1]) { return unfold() }
        let completion = complete(
            units.text(content[..<cursor]), units.text(content[cursor...]))
        if let insertion = completion.insertion {
            line.deletePrevious(units.units(completion.replacing).count)
            line.insert(units.units(insertion))
            tabs = 0
            return .changed
        }
        if tabs > 1, completion.candidates.count > 1 {
            let rows = completion.rows(columns: columns)
            printAbove(Array(rows.joined(separator: "\n").utf8))
        }
        return .nothing
    }
}
