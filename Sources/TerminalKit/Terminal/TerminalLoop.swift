import Base
import Glibc

/// The main loop of the terminal's thread: one poll over the keyboard, the mailbox and the
/// screen, and one prompt or question at a time. It decides the meaning of signals; it does
/// not look at the text written.
///
/// ```
/// idle              also while an answer streams: no echo, no line mode, ISIG,
///                   NOFLSH; typing is kept, Ctrl-C and Esc go to `onInterrupt`
/// prompting         libedit's mode; output goes above the line
/// asking            as idle; output waits, earlier typing is not an answer
/// panel             as idle; output goes above the drawing, keys to its owner
/// released          as found; nothing is read
/// ```
final class TerminalLoop {
    let options: TerminalSession.Options
    let mailbox: TerminalMailbox
    let output: TerminalOutput
    var found: termios?
    var editor: LineEditor?
    /// Input that is not a whole key yet, or not handled yet.
    var keys: KeyDecoder
    /// Whole keys for the next prompts.
    var typeAhead = TypeAhead()
    /// Keys of the type-ahead for the editor of the open prompt.
    var replayed: [Key] = []
    /// Whether typing is for the panel that opens next.
    var keepsKeys = false
    /// Whether the draft of the last launch was loaded.
    var hasTakenDraft = false
    /// Whether the type-ahead contains recalled messages.
    var isRecalled = false
    /// Text already stored for the next launch.
    var unsent = ""
    var hasInputEnded = false
    var isLeaving = false
    /// Number of Ctrl-C for the open prompt or question.
    var interrupts = 0
    var activity = Activity.idle
    var panel: PanelOnScreen?
    /// The mode that a continued process has to set again.
    var activeMode: termios?
    /// Whether we set the window's title, with its own on the terminal's stack.
    var hasTitle = false
    var focus = FocusFilter()
    private var requests: [TerminalMailbox.Request] = []
    private var outgoing: [UInt8] = []
    private var isClosed = false
    private var nextFrame = 0.0
    /// Time at which the input was last read or found empty.
    private var lookedAt = 0.0
    private var closing: [CheckedContinuation<Void, Never>] = []

    enum Activity { case idle, prompting, asking, panel, released }

    /// Bytes that arrive within this time are written at once.
    private static let frame = 0.005

    init(_ options: TerminalSession.Options, _ mailbox: TerminalMailbox) {
        self.options = options
        self.mailbox = mailbox
        output = TerminalOutput(options.output)
        keys = KeyDecoder(patience: options.escapeTime)
    }

    func run() {
        setUp()
        while !isClosed {
            fetch()
            serve()
            if !isClosed { wait() }
        }
        tearDown()
    }

    private func setUp() {
        if options.handlesSignals {
            TerminalSignals.install(waking: mailbox.waker)
            output.mayWait = { !TerminalSignals.isEnding }
        }
        guard isatty(options.input) == 1, isatty(options.output) == 1 else { return }
        found = SavedTerminal.save(options.input)
        if setlocale(LC_CTYPE, "") == nil || !isUTF8Locale { setlocale(LC_CTYPE, "C.UTF-8") }
        setQuietMode()
        editor = makeEditor()
        // libedit has set its own mode in the meantime.
        setQuietMode()
        takeCookedInput()
        setPasteMode(true)
        reportFocus(true)
    }

    /// Takes input typed before our mode was set: Enter was converted to a line feed, which
    /// is Ctrl-J from now on.
    private func takeCookedInput() {
        guard let found, found.c_iflag & tcflag_t(ICRNL) != 0 else { return }
        var count: Int32 = 0
        guard ioctl(options.input, UInt(FIONREAD), &count) == 0, count > 0 else { return }
        keys.feedCooked(readInput())
    }

    private var isUTF8Locale: Bool {
        guard let name = nl_langinfo(nl_item(CODESET)) else { return false }
        return strcmp(name, "UTF-8") == 0
    }

    private func makeEditor() -> LineEditor? {
        guard options.term != "dumb", !options.term.isEmpty else { return nil }
        let editor = LineEditor(
            input: options.input, output: options.output, term: options.term,
            keys: options.keys, history: options.history)
        editor?.complete = options.completer
        // The editor is owned by this loop and used only by this thread.
        editor?.nextKey = { [unowned self] in
            nextKey(beforeWaiting: { self.editor?.draw() }) { self.editor?.printAbove($0) }
        }
        editor?.pick = { [unowned self] request in
            output.noteLineStart(true)
            return pick(request)
        }
        editor?.status = { [unowned self] in mailbox.status(columns: $0) }
        editor?.lister = options.lister
        editor?.style = options.style
        editor?.write = { [unowned self] in if !isLeaving { output.write($0) } }
        return editor
    }

    private func tearDown() {
        absorb()
        keepDraft(editor?.stashedText ?? "")
        setPasteMode(false)
        reportFocus(false)
        giveTitleBack()
        editor = nil
        restoreMode()
        if found != nil { SavedTerminal.forget() }
        if options.handlesSignals { TerminalSignals.remove() }
        let rest = mailbox.close()
        output.write(rest.bytes)
        // A closed terminal is not an output error: the program was hung up.
        if found == nil { mailbox.noteOutputFailure(output.failure) }
        for request in requests + rest.requests { refuse(request) }
        for continuation in closing { continuation.resume() }
    }

    // MARK: Modes

    /// No echo and no line mode, so that typing during an answer is neither shown nor
    /// edited by the kernel; Ctrl-C is a signal and loses no typing.
    func setQuietMode() {
        guard var mode = found, !SavedTerminal.isInBackground(options.input) else { return }
        mode.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | IEXTEN)
        mode.c_lflag |= tcflag_t(ISIG | NOFLSH)
        // Enter is CR, so that a paste keeps its own line ends. Ctrl-S is a key: a stopped
        // screen would stop the thread as well.
        mode.c_iflag &= ~tcflag_t(ICRNL | IXON)
        mode.c_cc.6 = 1  // VMIN
        mode.c_cc.5 = 0  // VTIME
        tcsetattr(options.input, TCSANOW, &mode)
        activeMode = mode
    }

    func restoreMode() {
        guard var found, !SavedTerminal.isInBackground(options.input) else { return }
        tcsetattr(options.input, TCSADRAIN, &found)
    }

    /// Brackets pastes, even while nothing is read yet.
    func setPasteMode(_ isOn: Bool) {
        guard editor != nil, !SavedTerminal.isInBackground(options.input) else { return }
        let wasAtLineStart = output.isAtLineStart
        output.write(isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
        output.noteLineStart(wasAtLineStart)
        SavedTerminal.notePasteMode(isOn)
    }

    // MARK: The poll

    enum Event { case input, woken, timeout, extra }

    /// Waits for one event and reads nothing. `extra` is an additional descriptor. A caller that
    /// asks for `woken` must handle it: otherwise a signal taken from the pipe would wait for the
    /// next one.
    func nextEvent(
        timeout: Int32, readsInput: Bool = true, isWoken: Bool = true,
        waitsForScreen: Bool = false, extra: Int32 = -1
    ) -> Set<Event> {
        // poll skips a descriptor of -1.
        let input = readsInput && !hasInputEnded ? options.input : -1
        var polled = [
            pollfd(fd: input, events: Int16(POLLIN), revents: 0),
            pollfd(fd: isWoken ? mailbox.wake : -1, events: Int16(POLLIN), revents: 0),
            pollfd(fd: extra, events: Int16(POLLIN), revents: 0),
            pollfd(
                fd: waitsForScreen ? output.descriptor : -1, events: Int16(POLLOUT), revents: 0),
        ]
        let count = poll(&polled, nfds_t(polled.count), timeout)
        if count == 0 { return [.timeout] }
        guard count > 0 else { return [] }
        var events: Set<Event> = []
        // Four entries, as written above.
        if polled[0].revents != 0 { events.insert(.input) }
        if polled[1].revents != 0 {
            mailbox.acknowledge()
            events.insert(.woken)
        }
        if polled[2].revents != 0 { events.insert(.extra) }
        return events
    }

    /// The next event, as from `nextEvent`, but waiting for the rest of a key only as long as
    /// allowed.
    func nextEvent(
        for keys: inout KeyDecoder, timeout: Int32 = -1, readsInput: Bool = true,
        isWoken: Bool = true, waitsForScreen: Bool = false
    ) -> Set<Event> {
        // No rest: no editor takes the keys.
        let rest = keys.rest.flatMap { $0 > 0 ? Int32($0 * 1_000) + 1 : nil }
        let events = nextEvent(
            timeout: rest.map { timeout < 0 ? $0 : min($0, timeout) } ?? timeout,
            readsInput: readsInput, isWoken: isWoken, waitsForScreen: waitsForScreen)
        // Includes time spent elsewhere: input from that time would be available now.
        if !events.contains(.input) {
            let now = uptime
            keys.elapse(now - lookedAt)
            lookedAt = now
        }
        return events
    }

    /// Reads the typed bytes; empty at the end of the input.
    func readInput() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        let count = read(options.input, &buffer, buffer.count)
        lookedAt = uptime
        if count > 0 {
            let typed = Array(buffer[..<count])
            guard options.tracksFocus else { return typed }
            let kept = focus.pass(typed)
            mailbox.noteFocus(focus.isFocused)
            return kept
        }
        // EIO: the terminal is gone.
        if count == 0 || (errno != EINTR && errno != EAGAIN) { hasInputEnded = true }
        return []
    }

    var uptime: Double { Environment.systemUptime() }

    // MARK: Idle

    private func fetch() {
        handleSignals()
        requests += mailbox.takeRequests()
        guard outgoing.isEmpty, activity != .released else { return }
        if !requests.isEmpty || uptime >= nextFrame { outgoing = mailbox.takeBytes() }
    }

    private func serve() {
        if !outgoing.isEmpty {
            if requests.isEmpty {
                let done = output.writeSome(outgoing[...])
                outgoing.removeFirst(done)
            } else {
                drain()
            }
            nextFrame = uptime + Self.frame
        }
        while !isClosed, outgoing.isEmpty, !requests.isEmpty {
            perform(requests.removeFirst())
        }
    }

    private func wait() {
        let isPaced = outgoing.isEmpty && activity != .released && mailbox.hasBytes
        let pause = isPaced ? max(0, Int32((nextFrame - uptime) * 1_000) + 1) : -1
        let readsInput = activity != .released && found != nil
        let events = nextEvent(
            for: &keys, timeout: pause, readsInput: readsInput, waitsForScreen: !outgoing.isEmpty)
        let bytes = events.contains(.input) ? readInput() : []
        // Typed while the mode was changing: Ctrl-C came as a byte.
        if bytes.contains(0x03) { options.onInterrupt() }
        keys.feed(bytes.lazy.filter { $0 != 0x03 })
        absorb(escapeStops: true)
        if bytes.contains(0x03) { recallTypeAhead() }
    }

    /// Writes everything that is queued to the screen.
    func drain() {
        output.write(outgoing)
        outgoing = []
        output.write(mailbox.takeBytes())
    }

    private func perform(_ request: TerminalMailbox.Request) {
        switch request {
        case .readLine(let line, let continuation):
            drain()
            // A continued line gets them itself, one by one.
            if line.draft.resumed == nil { releaseKeys() }
            keepsKeys = false
            continuation.resume(returning: readLine(line))
        case .ask(let question, let mode, let id, let continuation):
            drain()
            releaseKeys()
            let answer = ask(question, mode, id)
            // A remaining Esc was for the question.
            keys.elapse(.infinity)
            absorb()
            continuation.resume(returning: answer)
        case .panel(let panelMailbox, let continuation):
            drain()
            runPanel(panelMailbox) { continuation.resume(returning: $0) }
        case .release(let continuation):
            drain()
            releaseKeys()
            setPasteMode(false)
            reportFocus(false)
            restoreMode()
            activity = .released
            continuation.resume()
        case .reclaim(let continuation):
            activity = .idle
            setQuietMode()
            takeCookedInput()
            setPasteMode(true)
            reportFocus(true)
            continuation.resume()
        case .flush(let continuation):
            drain()
            continuation.resume()
        case .title(let title):
            drain()
            setTitle(title)
        case .close(let continuation):
            drain()
            isClosed = true
            closing.append(continuation)
        }
    }

    private func refuse(_ request: TerminalMailbox.Request) {
        switch request {
        case .readLine(_, let continuation): continuation.resume(returning: .endOfInput)
        case .ask(_, _, _, let continuation): continuation.resume(returning: .no)
        case .panel(_, let continuation): continuation.resume(returning: false)
        case .title: break
        case .release(let continuation), .reclaim(let continuation), .flush(let continuation),
            .close(let continuation):
            continuation.resume()
        }
    }

    /// Handles news for the screen: signals, bytes to show, and flushes.
    func takeNews(_ print: (_ bytes: [UInt8]) -> Void) {
        handleSignals()
        // A flush requested before the bytes are taken is done after them.
        let flushes = takeFlushes()
        let bytes = mailbox.takeBytes()
        if !output.ring(bytes) { print(bytes) }
        for flush in flushes { flush.resume() }
    }

    /// Takes the requested flushes out of the queue.
    private func takeFlushes() -> [CheckedContinuation<Void, Never>] {
        requests += mailbox.takeRequests()
        var flushes: [CheckedContinuation<Void, Never>] = []
        requests.removeAll {
            guard case .flush(let continuation) = $0 else { return false }
            flushes.append(continuation)
            return true
        }
        return flushes
    }

    /// Whether a request cannot wait for the end of a prompt.
    func isAskedToClose() -> Bool {
        requests += mailbox.takeRequests()
        return requests.contains {
            if case .close = $0 { true } else { false }
        }
    }
}
