import CEditline
import Glibc

/// The line editor: libedit with keys, history, completion and prompt of ours.
/// The only file that knows libedit. It is used by the terminal's one thread and
/// must be created there; it reads no byte by itself, every key comes from
/// `nextKey`.
final class LineEditor {
    enum Keys: String, Sendable { case emacs, vi }

    /// Blocks until the user does something; nil ends the line as end of input.
    var nextKey: () -> Key? = { nil }
    /// Writes to the terminal, all of it.
    var write: ([UInt8]) -> Void = { _ in }
    var complete: Completer = { _, _ in .none }

    private let el: OpaquePointer
    private let list: OpaquePointer
    private let files: [UnsafeMutablePointer<FILE>]
    private let input: Int32
    private var history: InputHistory
    /// Null-terminated, as libedit reads it; replaced between two lines only.
    private var prompt = UnsafeMutablePointer<wchar_t>.allocate(capacity: 1)
    private var promptText: [UInt32] = []
    private var paste = ""
    private var isInterrupted = false
    private var tabs = 0

    /// Nil where the terminal cannot move its cursor up or clear: a plain line
    /// is better there.
    init?(input: Int32, output: Int32, term: String, keys: Keys, history: InputHistory) {
        var files: [UnsafeMutablePointer<FILE>] = []
        for (descriptor, mode) in [(dup(input), "r"), (dup(output), "w")] {
            guard descriptor >= 0, let file = fdopen(descriptor, mode) else { return nil }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            files.append(file)
        }
        // libedit's own complaints would land in the middle of the screen.
        guard let errors = fopen("/dev/null", "we") else { return nil }
        files.append(errors)
        guard let el = el_init("chat", files[0], files[1], errors),
            let list = history_winit()
        else { return nil }
        chat_el_set_signal(el, 0)
        chat_el_set_terminal(el, term)
        guard chat_el_capability(el, "up") != nil, chat_el_capability(el, "ce") != nil else {
            chat_el_set_edit_mode(el, 0)
            el_end(el)
            history_wend(list)
            files.forEach { fclose($0) }
            return nil
        }
        self.el = el
        self.list = list
        self.files = files
        self.input = input
        self.history = history
        prompt.initialize(to: 0)

        chat_el_set_client_data(el, Unmanaged.passUnretained(self).toOpaque())
        chat_el_set_editor(el, keys.rawValue)
        chat_history_set_size(list, Int32(InputHistory.loadLimit))
        chat_el_set_history(el, list)
        for entry in self.history.load() { remember(entry) }
        setModes()
        setCallbacks()
        bindKeys(keys)
    }

    deinit {
        // Or it would set a mode and throw away what was typed.
        chat_el_set_edit_mode(el, 0)
        el_end(el)
        history_wend(list)
        files.forEach { fclose($0) }
        prompt.deallocate()
    }

    // MARK: A line

    /// Reads one line. The prompt may hold colours (`ESC [ … m`).
    func readLine(prompt text: String) -> LineResult {
        setPrompt(text)
        isInterrupted = false
        tabs = 0
        var count: Int32 = 0
        // libedit would do it after the prompt is drawn, and a Ctrl-C typed in
        // between would be a signal.
        chat_el_prepare(el)
        let start = el_wgets(el, &count)
        guard let start, count > 0 else {
            let line = content()
            leaveLine(line)
            if isInterrupted { return interrupted(line.before + line.after) }
            return .endOfInput
        }
        var line = Self.string(UnsafeBufferPointer(start: start, count: Int(count)))
        if line.hasSuffix("\n") { line.removeLast() }
        if isInterrupted { return interrupted(line) }
        keep(line)
        return .line(line)
    }

    private func interrupted(_ line: String) -> LineResult {
        keep(line)
        return .interrupted(hadText: !line.isEmpty)
    }

    private func keep(_ line: String) {
        if history.append(line) { remember(line) }
    }

    private func remember(_ entry: String) {
        _ = Self.wide(entry).withUnsafeBufferPointer {
            chat_history_enter(list, $0.baseAddress)
        }
    }

    // MARK: The screen

    /// Prints above the line being typed and draws the line again.
    func printAbove(_ bytes: [UInt8]) {
        var out = clearing()
        out += bytes
        if let last = bytes.last, last != 0x0A { out.append(0x0A) }
        write(out)
        chat_el_refresh(el)
    }

    /// Draws the line again, from the cursor's row, which must be empty.
    func redraw() { chat_el_refresh(el) }

    /// After the window changed: the terminal has folded the rows anew, so they
    /// are counted with the new width.
    func resize() {
        write(clearing())
        el_resize(el)
        chat_el_refresh(el)
    }

    /// Bytes that go to the first row of the input and clear all of it.
    private func clearing() -> [UInt8] {
        let rows = cursorLayout().row
        return Array(("\r" + (rows > 0 ? "\u{1B}[\(rows)A" : "") + "\u{1B}[J").utf8)
    }

    private var window: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(input, UInt(TIOCGWINSZ), &size) == 0 else { return (80, 24) }
        return (
            size.ws_col < 2 ? 80 : Int(size.ws_col), size.ws_row < 1 ? 24 : Int(size.ws_row)
        )
    }

    var columns: Int { window.columns }

    private func cursorLayout() -> (row: Int, below: Int) {
        let size = window
        var layout = LineLayout(columns: size.columns, widthOf: Self.width)
        for scalar in promptText { layout.add(scalar) }
        let line = scalars()
        for scalar in line.before { layout.add(scalar) }
        var row = layout.row
        // libedit shows the cursor where a wide character will really stand.
        if let next = line.after.first, Self.width(next) > 1,
            layout.column + 2 > size.columns
        {
            row += 1
        }
        for scalar in line.after { layout.add(scalar) }
        // libedit draws at most a screenful and lets the first rows go.
        let last = min(layout.row, size.rows - 1)
        return (min(row, last), max(0, layout.row - row))
    }

    private static func width(_ scalar: UInt32) -> Int {
        Int(chat_wcwidth(wchar_t(truncatingIfNeeded: scalar)))
    }

    /// To the row below the line, when libedit has not done it.
    private func leaveLine(_ line: (before: String, after: String)) {
        let below = line.after.isEmpty ? 0 : min(cursorLayout().below, window.rows)
        write(Array(repeating: 0x0A, count: below + 1))
    }

    // MARK: What stands in the line

    private func scalars() -> (before: [UInt32], after: [UInt32]) {
        guard let info = el_wline(el)?.pointee, let start = info.buffer,
            let cursor = info.cursor, let end = info.lastchar
        else { return ([], []) }
        let all = UnsafeBufferPointer(start: start, count: end - start)
        let split = cursor - start
        return (
            all[..<split].map { UInt32(bitPattern: $0) },
            all[split...].map { UInt32(bitPattern: $0) }
        )
    }

    private func content() -> (before: String, after: String) {
        let line = scalars()
        return (Self.string(line.before), Self.string(line.after))
    }

    private static func string(_ wide: UnsafeBufferPointer<wchar_t>) -> String {
        string(wide.map { UInt32(bitPattern: $0) })
    }

    /// Without C1 controls: ours stand for keys and mean nothing in a text.
    private static func string(_ values: [UInt32]) -> String {
        var text = ""
        for case let scalar? in values.map(Unicode.Scalar.init)
        where !(0x80...0x9F).contains(scalar.value) && scalar.value != 0 {
            text.unicodeScalars.append(scalar)
        }
        return text
    }

    /// Null-terminated.
    private static func wide(_ text: String) -> [wchar_t] {
        text.unicodeScalars.map { wchar_t(bitPattern: $0.value) } + [0]
    }

    private func insert(_ text: String) {
        _ = Self.wide(text).withUnsafeBufferPointer { el_winsertstr(el, $0.baseAddress) }
    }

    // MARK: Commands bound to keys

    private enum Command: UInt8, CaseIterable {
        case paste = 0x80
        case left, right, up, down, home, end, delete, wordLeft, wordRight, lineBreak
        case deletePrevious, complete, interrupt, endOfInput

        var name: String { "chat-\(self)" }
    }

    /// libedit's answers: nothing to draw, draw, leave with end of input.
    private static let (nothing, refresh, endOfFile) = (
        UInt8(CC_NORM), UInt8(CC_REFRESH), UInt8(CC_EOF)
    )

    private func perform(_ command: Command) -> UInt8 {
        tabs = command == .complete ? tabs + 1 : 0
        switch command {
        case .paste: insert(paste)
        case .lineBreak: insert("\n")
        case .left: el_cursor(el, -Int32(previousLength))
        case .right: el_cursor(el, Int32(nextLength))
        case .deletePrevious: el_deletestr(el, Int32(previousLength))
        case .delete: deleteNext()
        case .complete: return completeWord()
        case .interrupt:
            isInterrupted = true
            // Enter moves below the line and ends it in every mode.
            el_wpush(el, [0x0A, 0])
            return Self.nothing
        case .endOfInput:
            let line = content()
            if line.before.isEmpty, line.after.isEmpty { return Self.endOfFile }
            deleteNext()
        case .up, .down, .home, .end, .wordLeft, .wordRight: return Self.nothing
        }
        return Self.refresh
    }

    /// Code points of the character before the cursor: an emoji sequence is one
    /// character for the user and several for libedit.
    private var previousLength: Int { content().before.last?.unicodeScalars.count ?? 0 }
    private var nextLength: Int { content().after.first?.unicodeScalars.count ?? 0 }

    private func deleteNext() {
        let length = Int32(nextLength)
        el_cursor(el, length)
        el_deletestr(el, length)
    }

    private func completeWord() -> UInt8 {
        let line = content()
        let completion = complete(line.before, line.after)
        if let insertion = completion.insertion {
            el_deletestr(el, Int32(completion.replacing.unicodeScalars.count))
            insert(insertion)
            tabs = 0
            return Self.refresh
        }
        if tabs > 1, completion.candidates.count > 1 {
            let rows = completion.rows(columns: columns)
            printAbove(Array(rows.joined(separator: "\n").utf8))
        }
        return Self.nothing
    }

    // MARK: Set-up

    private func setModes() {
        // While a line is read, Ctrl-C, Ctrl-Z and Ctrl-S are keys, in order
        // with what was typed before them. Between lines nothing is echoed and
        // typing is kept.
        for flag in ["-isig", "-ixon", "-iexten", "-icrnl", "-inlcr"] {
            chat_el_set_mode(el, "-d", flag)
        }
        for flag in ["-echo", "-icanon", "-iexten", "-icrnl", "-ixon", "+noflsh"] {
            chat_el_set_mode(el, "-x", flag)
        }
    }

    private static func editor(_ el: OpaquePointer?) -> LineEditor? {
        guard let el, let data = chat_el_client_data(el) else { return nil }
        return Unmanaged<LineEditor>.fromOpaque(data).takeUnretainedValue()
    }

    private func setCallbacks() {
        chat_el_set_reader(el) { el, character in
            guard let editor = LineEditor.editor(el), let character else { return -1 }
            return editor.read(into: character)
        }
        chat_el_set_prompt(
            el, { LineEditor.editor($0)?.prompt }, wchar_t(PromptText.marker))
    }

    private func read(into character: UnsafeMutablePointer<wchar_t>) -> Int32 {
        guard let key = nextKey() else { return 0 }
        let command: Command
        switch key {
        case .character(let scalar):
            if scalar != "\t" { tabs = 0 }
            character.pointee = wchar_t(bitPattern: scalar.value)
            return 1
        case .paste(let text):
            paste = text
            command = .paste
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
        character.pointee = wchar_t(command.rawValue)
        return 1
    }

    private func bindKeys(_ keys: Keys) {
        func bind(_ key: String, _ name: String) {
            chat_el_bind(el, key, name)
            if keys == .vi { chat_el_bind_alternate(el, key, name) }
        }
        addCommands()
        for command in Command.allCases {
            bind("\\" + String(command.rawValue, radix: 8), command.name)
        }
        // Moves that libedit does well by itself.
        for (command, name) in [
            (Command.up, "ed-prev-history"), (.down, "ed-next-history"),
            (.home, "ed-move-to-beg"), (.end, "ed-move-to-end"),
            (.wordLeft, "ed-prev-word"), (.wordRight, "em-next-word"),
        ] {
            bind("\\" + String(command.rawValue, radix: 8), name)
        }
        bind("^C", Command.interrupt.name)
        bind("^D", Command.endOfInput.name)
        bind("^R", "em-inc-search-prev")
        bind("^S", "em-inc-search-next")
        // Only where text is typed: vi's command map has its own meanings.
        chat_el_bind(el, "^H", Command.deletePrevious.name)
        chat_el_bind(el, "^?", Command.deletePrevious.name)
        chat_el_bind(el, "^I", Command.complete.name)
        chat_el_bind(el, "^W", "ed-delete-prev-word")
        chat_el_bind(el, "^U", "vi-kill-line-prev")
        if keys == .emacs {
            chat_el_bind(el, "^B", Command.left.name)
            chat_el_bind(el, "^F", Command.right.name)
        }
    }

    /// One C function per command, since libedit passes no context but the key.
    private func addCommands() {
        let functions: [(Command, chat_el_command)] = [
            (.paste, { el, _ in LineEditor.run(.paste, el) }),
            (.left, { el, _ in LineEditor.run(.left, el) }),
            (.right, { el, _ in LineEditor.run(.right, el) }),
            (.delete, { el, _ in LineEditor.run(.delete, el) }),
            (.lineBreak, { el, _ in LineEditor.run(.lineBreak, el) }),
            (.deletePrevious, { el, _ in LineEditor.run(.deletePrevious, el) }),
            (.complete, { el, _ in LineEditor.run(.complete, el) }),
            (.interrupt, { el, _ in LineEditor.run(.interrupt, el) }),
            (.endOfInput, { el, _ in LineEditor.run(.endOfInput, el) }),
        ]
        for (command, function) in functions {
            chat_el_add_command(el, command.name, command.name, function)
        }
    }

    private static func run(_ command: Command, _ el: OpaquePointer?) -> UInt8 {
        editor(el)?.perform(command) ?? UInt8(CC_ERROR)
    }

    private func setPrompt(_ text: String) {
        let encoded = PromptText(text)
        promptText = encoded.visible
        let wide = encoded.marked.map { wchar_t(bitPattern: $0) } + [0]
        let fresh = UnsafeMutablePointer<wchar_t>.allocate(capacity: wide.count)
        fresh.initialize(from: wide, count: wide.count)
        prompt.deallocate()
        prompt = fresh
    }
}
