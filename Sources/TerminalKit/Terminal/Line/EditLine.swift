import CEditline
import Glibc

/// Wraps libedit: the line's buffer, key maps, kill ring and vi commands. The only file that uses
/// it. It is used by the terminal's single thread and must be created there.
///
/// libedit draws nothing here: it counts code points as columns, does not know folded text, and
/// would draw the line in its own way. `LineEditor` draws the buffer before it waits for a key.
/// libedit determines the window size itself at the start of a line; given another in the middle of
/// one, it reads past its rows.
final class EditLine {
    /// The effect of our own command on libedit.
    enum Effect { case nothing, changed, endOfInput }

    /// The next character of the buffer's alphabet, or a command's number; nil ends the
    /// line as end of input.
    var nextCharacter: () -> UInt32? = { nil }
    /// Performs our own command, by its number.
    var perform: (UInt8) -> Effect = { _ in .nothing }

    private let el: OpaquePointer
    private let list: OpaquePointer
    private let files: [UnsafeMutablePointer<FILE>]
    private let emptyPrompt = UnsafeMutablePointer<wchar_t>.allocate(capacity: 1)
    private let isVi: Bool
    /// Whether our size has been set since the line began.
    private var hasSize = false

    /// Nil if the terminal cannot move its cursor up or clear: a plain line is better
    /// there.
    init?(input: Int32, output: Int32, term: String, isVi: Bool, historyLimit: Int) {
        var files: [UnsafeMutablePointer<FILE>] = []
        let copy = dup(input)
        guard copy >= 0, let reading = fdopen(copy, "r") else { return nil }
        _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
        files.append(reading)
        for _ in 0..<2 {
            guard let nowhere = fopen("/dev/null", "we") else { return nil }
            files.append(nowhere)
        }
        guard
            // The terminal's descriptors: libedit sets its modes there.
            let el = el_init_fd(
                "chat", files[0], files[1], files[2], copy, output, fileno(files[2])),
            let list = history_winit()
        else { return nil }
        chat_el_set_signal(el, 0)
        chat_el_set_terminal(el, term)
        guard chat_el_capability(el, "up") != nil, chat_el_capability(el, "ce") != nil else {
            chat_el_set_edit_mode(el, 0)
            el_end(el)
            history_wend(list)
            for file in files { fclose(file) }
            return nil
        }
        self.el = el
        self.list = list
        self.files = files
        self.isVi = isVi
        emptyPrompt.initialize(to: 0)
        chat_el_set_client_data(el, Unmanaged.passUnretained(self).toOpaque())
        chat_el_set_editor(el, isVi ? "vi" : "emacs")
        // Used only by vi's own search and repetition.
        chat_history_set_size(list, Int32(historyLimit))
        chat_el_set_history(el, list)
        setModes()
        setCallbacks()
        chat_el_add_command(el, Self.command, "a command of chat") { el, key in
            guard let line = EditLine.of(el) else { return UInt8(CC_ERROR) }
            return switch line.perform(UInt8(truncatingIfNeeded: key)) {
            case .nothing: UInt8(CC_NORM)
            case .changed: UInt8(CC_REFRESH)
            case .endOfInput: UInt8(CC_EOF)
            }
        }
    }

    deinit {
        // Otherwise it would set its own mode and discard typed input.
        chat_el_set_edit_mode(el, 0)
        el_end(el)
        history_wend(list)
        for file in files { fclose(file) }
        emptyPrompt.deallocate()
    }

    // MARK: A line

    /// Reads one line, without its end; nil at the end of the input.
    func read() -> [UInt32]? {
        var count: Int32 = 0
        // libedit would do it only after its first drawing, and a Ctrl-C typed before that would be
        // a signal.
        chat_el_prepare(el)
        hasSize = false
        guard let start = el_wgets(el, &count), count > 0 else { return nil }
        var units = UnsafeBufferPointer(start: start, count: Int(count))
            .map { UInt32(bitPattern: $0) }
        if units.last == LineUnits.newline { units.removeLast() }
        return units
    }

    /// Ends the line like Enter, in every mode.
    func pushEnter() { el_wpush(el, [0x0A, 0]) }

    func addHistory(_ units: [UInt32]) {
        _ = Self.wide(units).withUnsafeBufferPointer { chat_history_enter(list, $0.baseAddress) }
    }

    // MARK: The buffer

    /// The contents of the line, and the index of the cursor.
    var content: (units: [UInt32], cursor: Int) {
        guard let info = el_wline(el)?.pointee, let start = info.buffer,
            let cursor = info.cursor, let end = info.lastchar
        else { return ([], 0) }
        // Some vi commands leave the cursor before the first character.
        if cursor < start { move(by: start - cursor) }
        let all = UnsafeBufferPointer(start: start, count: end - start)
        return (all.map { UInt32(bitPattern: $0) }, max(0, cursor - start))
    }

    /// The unit before the cursor.
    var previous: UInt32? {
        guard let info = el_wline(el)?.pointee, let start = info.buffer,
            let cursor = info.cursor, cursor > start
        else { return nil }
        return UInt32(bitPattern: (cursor - 1).pointee)
    }

    func insert(_ units: [UInt32]) {
        _ = Self.wide(units).withUnsafeBufferPointer { el_winsertstr(el, $0.baseAddress) }
    }

    func move(by count: Int) { el_cursor(el, Int32(clamping: count)) }

    func deletePrevious(_ count: Int) {
        if count > 0 { el_deletestr(el, Int32(clamping: count)) }
    }

    func deleteNext(_ count: Int) {
        let (units, cursor) = content
        let length = min(count, units.count - cursor)
        move(by: length)
        deletePrevious(length)
    }

    func replace(with units: [UInt32], cursor: Int) {
        move(by: Int(Int32.max))
        deletePrevious(content.cursor)
        insert(units)
        move(by: cursor - units.count)
    }

    // MARK: Keys

    private static let command = "chat-command"

    /// Binds the byte that libedit gets for one of our commands.
    func bindNumber(_ number: UInt8) {
        let key = "\\" + String(number, radix: 8)
        bind(key, Self.command, everywhere: true)
    }

    /// Binds a key to a command of libedit, or one of ours.
    func bind(_ key: String, _ name: String, everywhere: Bool) {
        chat_el_bind(el, key, name)
        if everywhere, isVi { chat_el_bind_alternate(el, key, name) }
    }

    /// Binds a key or a sequence of keys to one of our own commands.
    func bind(_ key: String, number: UInt8, everywhere: Bool) {
        let text = "\\" + String(number, radix: 8)
        chat_el_bind_text(el, key, text)
        if everywhere, isVi { chat_el_bind_text_alternate(el, key, text) }
    }

    /// Binds a key only in vi's command mode.
    func bindInCommandMode(_ key: String, number: UInt8) {
        guard isVi else { return }
        chat_el_bind_text_alternate(el, key, "\\" + String(number, radix: 8))
    }

    // MARK: Set-up

    private func setModes() {
        // While a line is read, Ctrl-C, Ctrl-Z and Ctrl-S are keys, in order with earlier typing.
        // Between lines there is no echo and typing is kept.
        for flag in ["-isig", "-ixon", "-iexten", "-icrnl", "-inlcr"] {
            chat_el_set_mode(el, "-d", flag)
        }
        for flag in ["-echo", "-icanon", "-iexten", "-icrnl", "-ixon", "+noflsh"] {
            chat_el_set_mode(el, "-x", flag)
        }
    }

    private func setCallbacks() {
        chat_el_set_reader(el) { el, character in
            guard let line = EditLine.of(el), let character else { return -1 }
            line.setSize()
            guard let next = line.nextCharacter() else { return 0 }
            character.pointee = wchar_t(bitPattern: next)
            return 1
        }
        chat_el_set_prompt(el) { EditLine.of($0)?.emptyPrompt }
    }

    /// libedit keeps its own hidden drawing of the line, and writes past its last row if a
    /// character wraps in a text taller than the window. So it gets a size in which nothing wraps,
    /// with few rows. Each `el_wgets` starts with the real size again; therefore this is set here.
    private func setSize() {
        if hasSize { return }
        hasSize = true
        chat_el_set_size(el, "4", "16000")
    }

    private static func of(_ el: OpaquePointer?) -> EditLine? {
        guard let el, let data = chat_el_client_data(el) else { return nil }
        return Unmanaged<EditLine>.fromOpaque(data).takeUnretainedValue()
    }

    /// Null-terminated.
    private static func wide(_ units: [UInt32]) -> [wchar_t] {
        units.map { wchar_t(bitPattern: $0) } + [0]
    }
}
