import Base
import Glibc

/// The line editor: keys, units, history, completion and drawing of the line, on top of libedit's
/// buffer and key maps (`EditLine`). It is used by the terminal's single thread and must be created
/// there; it reads no bytes itself, every key comes from `nextKey`.
///
/// The caller that waits for a key draws the line (`draw`), so that a burst of keys costs one
/// drawing.
package final class LineEditor {
    package enum Keys: String, Sendable, CaseIterable { case emacs, vi }

    /// Blocks until there is a key; nil ends the line as end of input.
    var nextKey: () -> Key? = { nil }
    /// Writes all bytes to the terminal.
    var write: ([UInt8]) -> Void = { _ in }
    var complete: Completer = { _, _ in .none }
    /// The status below the line during editing, in a window of that size.
    var status: (_ columns: Int) -> StyledLine? = { _ in nil }
    /// Nil disables the list that opens while the user types.
    var lister: CompletionLister?
    /// Style of the area below the line.
    var style = Style(usesColor: false, usesUnicode: true)
    /// Lets the user choose from the history, while the line is off the screen; nil if nothing was
    /// chosen.
    var pick: (PickerRequest) -> String? = { _ in nil }

    let line: EditLine
    private let input: Int32
    let isVi: Bool
    /// The key of an Alt combination, to be sent after libedit has received its ESC.
    private var afterEscape: Key?
    /// Nil disables the history.
    private var history: (any LineHistory)?
    var walk: HistoryWalk
    var units = LineUnits()
    /// Text set aside by the user; it returns with the next prompt.
    var stash: [UInt32] = []
    /// Text discarded by Ctrl-C; on an empty line Ctrl-_ restores it.
    var discarded: [UInt32] = []
    /// The text inserted by the current command, the distance of the cursor from its end,
    /// and the replaced range.
    var inserted: [UInt32] = []
    var insertedBack = 0
    var replaced = 0..<0
    var region = LineRegion()
    /// The line lent to the writing tools.
    var suspended: Suspended?
    /// Whether Alt-w opens the writing tools.
    var offersWriting = false
    /// Whether Ctrl-V pastes from the clipboard.
    var takesClipboard = false
    var ending = Ending.entered
    /// Index of the cursor when `ending` became `pasting`.
    var placeOfPaste = 0
    var tabs = 0
    /// The list that opens while the user types.
    var list = CompletionList()
    /// The line before the current key, and that key.
    var listed: (units: [UInt32], cursor: Int)?
    var lastKey: Key?
    var undo = UndoSteps()
    /// The line after the last step in the history, until another key is pressed.
    var recalled: [UInt32]?
    /// The column kept during several steps up or down.
    var wantedColumn: Int?

    /// Text of the line when the input ended.
    private(set) var abandoned = ""
    private var prompt: [LineCell] = []
    private var isReading = false
    /// Initial edits, applied before the first key.
    private var openings: [Opening] = []
    /// The frame on the screen; nil without one.
    private var shown: LineFrame?
    /// Number of its last rows that are below the line: a list, or the status.
    private var rowsBelow = 0
    /// The first visible row of a line taller than the screen.
    private var top = 0

    /// Maximum number of lines for recall; more would only slow the start.
    package static let historyLimit = 2_000

    enum Ending { case entered, interrupted, edited, dictated, pasting, writing }

    /// Nil if the terminal cannot move its cursor up or clear: a plain line is better
    /// there.
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
        // The closures are owned by `line`, which this object owns.
        line.nextCharacter = { [unowned self] in nextCharacter() }
        line.perform = { [unowned self] in perform(number: $0) }
        bindKeys(keys)
    }

    // MARK: A line

    /// Reads one line. The prompt may contain colours (`ESC [ … m`); the line starts with
    /// the draft, followed by text set aside.
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
        // Lines added by other instances in the meantime.
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

    /// The text set aside.
    var stashedText: String { units.text(stash) }

    /// Shows a line that was entered before its prompt, and stores it.
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

    /// Draws the line, if it differs from the screen.
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

    /// Moves below the line, which stays on the screen without the area below it; `redraw` starts a
    /// new one.
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

    /// Call after a change of the window's size: the terminal has wrapped the rows again, so they
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
            // A change undone at once still counts as one.
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
        // emacs' key map never gets an ESC, after which it would wait for another key.
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

    /// The effective key: with emacs' keys, Alt with an arrow moves by a word, and with another
    /// cursor key is just that key.
    private func plain(_ key: Key) -> Key {
        guard !isVi, case .alt(let inner) = key else { return key }
        switch inner {
        case .character: return key
        case .left: return .wordLeft
        case .right: return .wordRight
        default: return inner
        }
    }

    /// Whether the line ends in a single backslash before Enter.
    private var isContinued: Bool {
        let (units, cursor) = line.content
        guard cursor == units.count else { return false }
        return units.reversed().prefix { $0 == LineUnits.backslash }.count % 2 == 1
    }
}
