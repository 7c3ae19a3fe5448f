import Glibc

/// The panel's part of the loop: draws the latest picture below the existing text, passes keys to
/// its owner, and restores the screen.
extension TerminalLoop {
    /// Seconds between two pictures.
    private static let panelFrame = 1.0 / 30

    /// Lets the user choose an entry of the history while the prompt is open; its line is off the
    /// screen meanwhile, and keys typed after the choice are for that line.
    func pick(_ request: PickerRequest) -> String? {
        let panelMailbox = PanelMailbox(wake: { [mailbox] in mailbox.wakeUp() })
        let runner = PanelRunner(PickerState(request), on: TerminalPanel(panelMailbox))
        let before = activity
        keepsKeys = true
        runPanel(panelMailbox) { isOpen in
            // It ends with the panel, which this thread waits for.
            if isOpen { Task { try? await runner.run { _ in true } } }
        }
        (activity, keepsKeys, interrupts) = (before, false, 0)
        return runner.screen.picked
    }

    /// Runs until the owner closes the panel, or nothing more can be shown.
    /// - Parameter opened: called once; false if nothing can be shown.
    func runPanel(_ panelMailbox: PanelMailbox, opened: (_ isOpen: Bool) -> Void) {
        guard found != nil, editor != nil, !isLeaving, !hasInputEnded else {
            opened(false)
            return
        }
        let isExpected = keepsKeys
        if !isExpected { keepEarlierTyping() }
        if !output.isAtLineStart { output.write("\n") }
        activity = .panel
        interrupts = 0
        panel = PanelOnScreen(mailbox: panelMailbox)
        opened(true)
        var keys = KeyDecoder(patience: options.escapeTime)
        if isExpected {
            swap(&keys, &self.keys)
            for key in replayed { if let key = PanelKey(key) { panelMailbox.deliver(key) } }
            (keepsKeys, replayed) = (false, [])
            deliver(&keys, to: panelMailbox)
        }
        while !panelMailbox.isClosing, !isLeaving, !hasInputEnded, !isAskedToClose() {
            step(panelMailbox, &keys)
        }
        deliverInterrupts(to: panelMailbox)
        passTyping(of: panelMailbox)
        erasePanel()
        panel = nil
        activity = .idle
        self.keys.resume(keys)
        // Pressed too late for this owner: pass it to the task that runs now.
        let rest = panelMailbox.finish {
            options.onInterrupt()
            recallTypeAhead()
        }
        // A panel of the prompt: text typed after its last key is for the line that returns.
        if isExpected { (keepsKeys, replayed) = (true, rest.compactMap(\.key)) }
    }

    private func step(_ panelMailbox: PanelMailbox, _ keys: inout KeyDecoder) {
        let pause = (panel?.nextFrame ?? 0) - uptime
        if panelMailbox.hasNews, pause <= 0 { drawPanel() }
        let rest = panelMailbox.hasNews ? max(0, Int32(pause * 1_000) + 1) : -1
        let events = nextEvent(for: &keys, timeout: rest)
        if events.contains(.woken) {
            takeNews(printAbovePanel)
        }
        if events.contains(.input) { take(readInput(), &keys) }
        deliver(&keys, to: panelMailbox)
        deliverInterrupts(to: panelMailbox)
    }

    private func deliver(_ keys: inout KeyDecoder, to panelMailbox: PanelMailbox) {
        while let key = keys.next() {
            if passTyping(of: panelMailbox), !isForOwner(key) {
                typeAhead.take(key)
                options.onTyping(typeAhead)
            } else if key == .character("\u{1A}") {
                suspend(isGroup: true)
            } else if let key = PanelKey(key) {
                panelMailbox.deliver(key)
            }
        }
    }

    /// - Returns: whether the next keys, and those not fetched yet, are for the next prompt.
    @discardableResult
    private func passTyping(of panelMailbox: PanelMailbox) -> Bool {
        let (isOn, early) = panelMailbox.takePassed()
        for key in early.compactMap(\.key) { typeAhead.take(key) }
        if !early.isEmpty { options.onTyping(typeAhead) }
        return isOn
    }

    /// Whether the panel gets a key even while typing is passed on: Ctrl-C, and Esc unless it
    /// belongs to a text being edited with vi's keys, as during an answer.
    private func isForOwner(_ key: Key) -> Bool {
        switch key {
        case .character("\u{03}"): true
        case .escape: options.keys != .vi || !typeAhead.isEditing
        default: false
        }
    }

    private func deliverInterrupts(to panelMailbox: PanelMailbox) {
        while interrupts > 0 {
            interrupts -= 1
            if passTyping(of: panelMailbox) { recallTypeAhead() }
            panelMailbox.deliver(.interrupt)
        }
    }

    // MARK: Keys

    /// The rest of a paste that began earlier belongs to that paste.
    private func take(_ bytes: [UInt8], _ panelKeys: inout KeyDecoder) {
        guard keys.isMidPaste else {
            panelKeys.feed(bytes)
            return
        }
        // Ctrl-C by itself ends a paste without an end mark.
        if bytes == [0x03] {
            keys.abandonPaste()
            panelKeys.feed(bytes)
            return
        }
        keys.feed(bytes)
        guard let paste = keys.next() else { return }
        typeAhead.take(paste)
        options.onTyping(typeAhead)
        panelKeys.feed(keys.takeRest())
    }

    // MARK: The screen

    private func drawPanel() {
        guard var panel else { return }
        let size = ScreenSize.of(options.output)
        // The last column stays free: a terminal would wrap there.
        let width = max(1, size.columns - 1)
        let picture = panel.mailbox.takePicture()?(size) ?? (lines: [], cursor: (row: 0, column: 0))
        let shown = picture.lines.prefix(max(1, size.rows - 1))
            .map { options.style.cut($0, to: width) }
        let bytes = panel.area.draw(
            shown, row: picture.cursor.row, column: picture.cursor.column, options.style)
        panel.nextFrame = uptime + Self.panelFrame
        self.panel = panel
        guard !bytes.isEmpty else { return }
        output.write(bytes)
        // Its cursor is at the start of its first row.
        output.noteLineStart(true)
    }

    private func printAbovePanel(_ bytes: [UInt8]) {
        erasePanel()
        output.write(bytes)
        if isLeaving { return }
        if !output.isAtLineStart { output.write("\n") }
        drawPanel()
    }

    /// Erases the panel; the cursor is then where the panel began.
    func erasePanel() {
        guard activity == .panel, !isLeaving else { return }
        let columns = ScreenSize.of(options.output).columns
        guard let bytes = panel?.area.erase(columns: columns), !bytes.isEmpty else { return }
        output.write(bytes)
        output.noteLineStart(true)
    }

    /// Redraws after a change of the window or another program's output.
    func redrawPanel() {
        erasePanel()
        if activity == .panel { drawPanel() }
    }
}

/// A panel that is open.
struct PanelOnScreen {
    let mailbox: PanelMailbox
    var area = ScreenArea()
    /// Time of the next picture, on the clock of `uptime`.
    var nextFrame = 0.0
}
