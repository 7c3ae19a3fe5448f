import Base
import Glibc

/// The line editor: keys, units, history, completion and the picture of the
/// line on the screen, over the buffer and key maps of libedit (`EditLine`).
/// It is used by the terminal's one thread and must be created there; it reads
/// no byte by itself, every key comes from `nextKey`.
///
/// The caller that waits for a key draws the line (`draw`), so that a burst of
/// keys costs one drawing.
package final class LineEditor {
    package enum Keys: String, Sendable, CaseIterable { case emacs, vi }

    /// Blocks until the user does something; nil ends the line as end of input.
    var nextKey: () -> Key? = { nil }
    /// Writes to the terminal, all of it.
    var write: ([UInt8]) -> Void = { _ in }
    var complete: Completer = { _, _ in .none }
    /// What stands below the line while it is edited, in a window of that size.
    var status: (_ columns: Int, _ rows: Int) -> StyledLine? = { _, _ in nil }
    /// Nil opens no list while one types.
    var lister: CompletionLister?
    /// Of what stands below the line.
    var style = Style(usesColor: false, usesUnicode: true)
    /// Lets the user pick one of the history, in place of the line, which is
    /// off the screen meanwhile; nil if none was taken.
    var pick: (PickerRequest) -> String? = { _ in nil }

    let line: EditLine
    private let input: Int32
    let isVi: Bool
    /// libedit has got the ESC of a key with Alt, and the key comes next.
    private var afterEscape: Key?
    /// Nil recalls nothing.
    private var history: (any LineHistory)?
    var walk: HistoryWalk
    var units = LineUnits()
    /// Put aside by the user; comes back with the next prompt.
    var stash: [UInt32] = []
    /// Thrown away by Ctrl-C; on an empty line Ctrl-_ brings it back.
    var discarded: [UInt32] = []
    /// What the command that is performed inserts, how far before its end the
    /// cursor goes, and what it takes the place of.
    var inserted: [UInt32] = []
    var insertedBack = 0
    var replaced = 0..<0
    var region = LineRegion()
    /// The line that the writing tools have.
    var suspended: Suspended?
    /// Alt-w does something.
    var offersWriting = false
    /// Ctrl-V does something.
    var takesClipboard = false
    var ending = Ending.entered
    /// Where the cursor was when `ending` became `pasting`.
    var placeOfPaste = 0
    var tabs = 0
    /// The list that opens while one types.
    var list = CompletionList()
    /// The line before the key that is looked at, and that key.
    var listed: (units: [UInt32], cursor: Int)?
    var lastKey: Key?
    var undo = UndoSteps()
    /// The state after the last step in the history, while nothing else is done.
    var recalled: [UInt32]?
    /// Keeps the column of several steps up or down.
    var wantedColumn: Int?

    /// What stood in the line when the input ended.
    private(set) var abandoned = ""
    private var prompt: [LineCell] = []
    private var isReading = false
    /// To be in the line before its first key.
    private var openings: [Opening] = []
    /// What is on the screen; nil when nothing is.
    private var shown: LineFrame?
    /// So many of its last rows are below the line: a list, or the status.
    private var rowsBelow = 0
    /// The first row that is seen of a line that is taller than the screen.
    private var top = 0

    /// Lines that are offered for recall; more would only slow the start.
    package static let historyLimit = 2_000

    enum Ending { case entered, interrupted, edited, dictated, pasting, writing }

    /// Nil where the terminal cannot move its cursor up or clear: a plain line
    /// is better there.
    init?(input: Int32, output: Int32, term: String, keys: Keys, history: (any LineHistory)?) {
        let limit = Self.historyLimit
        guard
            let line = EditLine(
                input: input, output: output, term: term, isVi: keys == .vi, historyLimit: limit)
        else { return nil }
        self.line = line
        self.input = input
        isVi = keys == .vi
        self.history = history
        walk = HistoryWalk(limit: limit)
        _ = self.history?.refresh()
        for text in self.history?.texts ?? [] { remember(text) }
        // The closures are owned by `line`, which this owns.
        line.nextCharacter = { [unowned self] in nextCharacter() }
        line.perform = { [unowned self] in perform(number: $0) }
        bindKeys(keys)
    }

    // MARK: A line

    /// Reads one line. The prompt may hold colours (`ESC [ … m`); the draft
    /// stands in the line at the start, before what was put aside.
    func readLine(
        prompt text: String, draft: LineDraft = "", offersWriting: Bool = false,
        takesClipboard: Bool = false
    ) -> LineResult {
        prompt = PromptText(text).cells
        self.offersWriting = offersWriting
        self.takesClipboard = takesClipboard
        openings = openings(for: draft)
        (ending, abandoned) = (.entered, "")
        (tabs, top) = (0, 0)
        list.close()
        (listed, lastKey) = (nil, nil)
        (shown, recalled, wantedColumn) = (nil, nil, nil)
        // What other instances have added meanwhile.
        if let texts = history?.refresh() == true ? history?.texts : nil {
            walk.replace(with: texts)
        }
        walk.restart()
        isReading = true
        let entered = line.read()
        let content = entered ?? line.content.units
        let place = min(placeOfPaste, content.count)
        region.clear()
        isReading = false
        draw(content, cursor: content.count, isEntered: entered != nil && ending == .entered)
        if [.edited, .dictated, .pasting, .writing].contains(ending) {
            if let shown { write(shown.clearing()) }
        } else {
            leaveFrame()
        }
        shown = nil
        let text = units.text(content)
        switch ending {
        case .edited: return .edit(text)
        case .dictated: return .dictate(text)
        case .pasting:
            return .paste(
                before: units.text(content[..<place]), after: units.text(content[place...]))
        case .writing:
            // Set together with the ending.
            return .writing(suspended.map(selection) ?? LineSelection(text: text))
        case .interrupted:
            if !content.isEmpty { discarded = content }
            return .interrupted(text)
        case .entered:
            guard entered != nil else {
                abandoned = text
                return .endOfInput
            }
            keep(text, content)
            return .line(text)
        }
    }

    /// What was put aside.
    var stashedText: String { units.text(stash) }

    /// Shows a line that was entered before its prompt, and keeps it.
    func accept(_ text: String, prompt: String) {
        self.prompt = PromptText(prompt).cells
        let content = units.known(text, word: "queued")
        (shown, top) = (nil, 0)
        draw(content, cursor: content.count, isEntered: true)
        leaveFrame()
        shown = nil
        keep(text, content)
    }

    private func keep(_ text: String, _ content: [UInt32]) {
        if history?.append(text) == true { remember(text, content) }
    }

    private func remember(_ text: String, _ content: [UInt32]? = nil) {
        walk.add(text, units: content)
        line.addHistory(content ?? units.known(text, word: "recalled"))
    }

    // MARK: The screen

    /// Draws what stands in the line, if that is not what is seen.
    func draw() {
        guard isReading else { return }
        let (units, cursor) = line.content
        draw(units, cursor: cursor)
    }

    private func draw(_ content: [UInt32], cursor: Int, isEntered: Bool = false) {
        let size = window
        let layout = layout(content, cursor: cursor, columns: size.columns)
        let below =
            isReading
            ? linesBelow(content, cursor, size, free: size.rows - layout.rowCount) : []
        let height = min(layout.rowCount, size.rows - below.count)
        top = min(max(top, layout.cursor.row - height + 1), layout.cursor.row)
        top = min(top, layout.rowCount - height)
        var rows = layout.rows(
            top..<(top + height), marked: region.range(in: content, cursor: cursor),
            isEntered: isEntered && style.usesColor, from: &units)
        rowsBelow = below.count
        rows += below
        let frame = LineFrame(
            rows: rows,
            cursor: .init(row: layout.cursor.row - top, column: layout.cursor.column),
            columns: layout.columns)
        let bytes = frame.update(from: shown ?? .empty(columns: layout.columns))
        shown = frame
        if !bytes.isEmpty { write(bytes) }
    }

    func layout(_ content: [UInt32], cursor: Int, columns: Int) -> LineLayout {
        LineLayout(
            columns: columns, prompt: prompt, units: content, cursor: cursor, from: &units)
    }

    /// Prints above the line being typed and draws the line again.
    func printAbove(_ bytes: [UInt8]) {
        var out = shown?.clearing() ?? []
        out += bytes
        if let last = bytes.last, last != 0x0A { out.append(0x0A) }
        shown = nil
        write(out)
        draw()
    }

    /// Draws the line again, from the cursor's row.
    func redraw() {
        if isReading { write([0x0D] + LineFrame.eraseFromHere) }
        shown = nil
        draw()
    }

    /// Takes the line off the screen and lets the user search the history.
    func pickFromHistory(_ query: String) -> String? {
        guard let history else { return nil }
        let texts = history.texts
        if let shown { write(shown.clearing()) }
        shown = nil
        let index = pick(history.request(query: query)).flatMap { Int($0) }
        return index.flatMap { texts.indices.contains($0) ? texts[$0] : nil }
    }

    func clearScreen() {
        write(Array("\u{1B}[H\u{1B}[2J".utf8))
        shown = nil
    }

    /// Below the line, which stays on the screen, without what is below it; `redraw`
    /// begins a new one.
    func leaveFrame() {
        if let shown {
            var line = shown
            line.rows.removeLast(rowsBelow)
            write(line.update(from: shown) + line.leaving)
        } else {
            write([0x0D, 0x0A])
        }
        shown = nil
    }

    /// After the window changed: the terminal has folded the rows again, so they
    /// are counted with the new width.
    func resize() {
        guard isReading, shown != nil else { return }
        let size = window
        let (content, cursor) = line.content
        let place = layout(content, cursor: cursor, columns: size.columns).cursor
        write(shown?.clearing(from: min(place.row - min(top, place.row), size.rows - 1)) ?? [])
        redraw()
    }

    private var window: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(input, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (
            size.ws_col < 2 ? 80 : Int(size.ws_col), size.ws_row < 1 ? 24 : Int(size.ws_row)
        )
    }

    var columns: Int { window.columns }

    // MARK: Keys for libedit

    private func nextCharacter() -> UInt32? {
        if !openings.isEmpty { return UInt32(open(openings.removeFirst()).rawValue) }
        var next = afterEscape
        if next == nil {
            let content = line.content
            undo.note(content)
            // A change that was undone at once is one all the same.
            _ = region.range(in: content.units, cursor: content.cursor)
            noteForList(content)
            switch keyPastList() {
            case .key(let key): next = key
            case .command(let command): return UInt32(command.rawValue)
            }
        }
        afterEscape = nil
        guard let key = next.map(plain) else { return nil }
        let command: Command
        switch key {
        // Never an ESC to emacs' keys: it would wait for a key to go with.
        case .escape where isVi:
            region.clear()
            return LineUnits.escape
        case .escape: command = .unmark
        case .pageUp, .pageDown: command = .ignore
        case .alt(let key):
            afterEscape = key
            return LineUnits.escape
        case .character("\n"):
            tabs = 0
            guard isContinued else { return LineUnits.newline }
            command = .continueLine
        case .character("\u{00}"): command = .mark
        case .character(let scalar):
            if scalar != "\t" { tabs = 0 }
            if scalar.value < 0x80 { return scalar.value }
            let typed = units.typed(scalar, after: line.previous)
            guard typed.replaces else { return typed.unit }
            inserted = [typed.unit]
            command = .join
        case .paste(let text):
            inserted = LineUnits.isLong(text) ? [units.fold(text)] : units.units(text)
            command = .insert
        case .left: command = .left
        case .right: command = .right
        case .up: command = .up
        case .down: command = .down
        case .home: command = .home
        case .end: command = .end
        case .delete: command = .delete
        case .wordLeft: command = .wordLeft
        case .wordRight: command = .wordRight
        case .lineBreak: command = .lineBreak
        }
        return UInt32(command.rawValue)
    }

    /// To emacs' keys a cursor key with Alt is the key, or a move by a word.
    private func plain(_ key: Key) -> Key {
        guard !isVi, case .alt(let inner) = key else { return key }
        switch inner {
        case .character: return key
        case .left: return .wordLeft
        case .right: return .wordRight
        default: return inner
        }
    }

    /// A single backslash before Enter at the end of the line.
    private var isContinued: Bool {
        let (units, cursor) = line.content
        guard cursor == units.count else { return false }
        return units.reversed().prefix { $0 == LineUnits.backslash }.count % 2 == 1
    }
}
