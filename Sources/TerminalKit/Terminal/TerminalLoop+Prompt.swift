import Base
import Glibc

/// Prompts and questions: the parts of the loop that wait for the user.
extension TerminalLoop {
    // MARK: Prompts

    func readLine(_ request: TerminalMailbox.LineRequest) -> LineResult {
        let (prompt, draft) = (request.prompt, request.draft)
        guard !isLeaving else {
            keepDraft(draft.whole)
            return .endOfInput
        }
        if !output.isAtLineStart { output.write("\n") }
        activity = .prompting
        interrupts = 0
        options.onPrompt()
        defer { activity = .idle }
        if found == nil { return readPlainInput() }
        guard let editor else {
            if !draft.isEmpty { replayed = [.paste(draft.whole)] }
            return readPlainLine(request)
        }
        if draft.resumed == nil { absorb() }
        if draft.isEmpty, let message = takeQueued(editor, prompt) { return .line(message) }
        activeMode = nil
        let result = editor.readLine(
            prompt: prompt, draft: startingDraft(draft), offersWriting: request.offersWriting,
            takesClipboard: request.takesClipboard)
        if case .writing = result { keepsKeys = true } else { replayed = [] }
        // The cursor is below the line, and libedit has left its mode.
        output.noteLineStart(true)
        if isLeaving || hasInputEnded { keepDraft(editor.abandoned) }
        if isLeaving { restoreMode() } else { setQuietMode() }
        // Read together with Enter, so that it arrived as a byte.
        if case .line = result {
            if keys.takeInterrupts() { options.onInterrupt() }
            absorb(escapeStops: true)
        } else {
            absorb()
        }
        return result
    }

    /// The next key for the open prompt; while waiting, handles signals and output, which `show`
    /// puts above the line. `beforeWaiting` is called each time there is no more input.
    func nextKey(
        beforeWaiting: () -> Void = {}, showing show: ([UInt8]) -> Void
    ) -> Key? {
        if activeMode == nil {
            var mode = termios()
            if tcgetattr(options.input, &mode) == 0 { activeMode = mode }
        }
        while true {
            if isLeaving || isAskedToClose() { return nil }
            if interrupts > 0 {
                interrupts -= 1
                return .character("\u{03}")
            }
            if !replayed.isEmpty { return replayed.removeFirst() }
            if hasInputEnded { keys.elapse(.infinity) }
            if let key = keys.next() {
                guard handle(key) else { return key }
                continue
            }
            if hasInputEnded { return nil }
            beforeWaiting()
            let events = nextEvent(for: &keys)
            if events.contains(.woken) {
                takeNews(show)
                if mailbox.takeCompletionNews() { editor?.list.refresh() }
            }
            if events.contains(.input) {
                let bytes = readInput()
                // Ctrl-C by itself ends a paste without an end mark.
                if bytes == [0x03] { keys.abandonPaste() }
                if keys.isEmpty, isBurst(bytes) { return .paste(readBurst(bytes)) }
                keys.feed(bytes)
            }
        }
    }

    /// Handles keys for the terminal, not the editor.
    private func handle(_ key: Key) -> Bool {
        switch key {
        case .character("\u{1A}"):
            suspend(isGroup: true)
            return true
        case .character("\u{1C}"):
            kill(0, SIGQUIT)
            return true
        default:
            return false
        }
    }

    /// Reads a line on a terminal without a line editor: typing is echoed, backspace and
    /// Tab work. Alt-w opens the writing tools, and Ctrl-_ undoes their changes, since
    /// nothing else here can.
    private func readPlainLine(_ request: TerminalMailbox.LineRequest) -> LineResult {
        let prompt = PromptText.plain(request.prompt)
        var line = Question(.line)
        var original = request.draft.resumed.flatMap {
            $0.replacement == nil ? nil : $0.original
        }
        output.write(prompt)
        while true {
            let key = nextKey { bytes in
                output.write("\n")
                output.write(bytes)
                if !output.isAtLineStart { output.write("\n") }
                output.write(prompt + line.echoed)
            }
            guard let key, !(key == .character("\u{04}") && line.isEmpty) else {
                output.write("\n")
                return .endOfInput
            }
            if key == .character("\u{04}") { continue }
            if key == .escape { continue }
            if key == .character("\t") {
                let completion = options.completer(line.text, "")
                if let insertion = completion.insertion {
                    for _ in completion.replacing {
                        output.write(line.take(.character("\u{7F}")).echo)
                    }
                    output.write(line.take(.paste(insertion)).echo)
                } else if completion.candidates.count > 1 {
                    let rows = completion.rows(columns: ScreenSize.of(options.output).columns)
                    output.write("\n" + (rows + [prompt]).joined(separator: "\n") + line.echoed)
                }
                continue
            }
            if key == .alt(.character("w")), request.offersWriting, !line.isEmpty {
                output.write("\n")
                return .writing(LineSelection(text: line.text))
            }
            if key == .character("\u{1F}"), let before = original {
                original = line.text
                line = Question(.line)
                output.write("\n" + prompt + line.take(.paste(before)).echo)
                continue
            }
            let typed = line.echoed
            let (echo, answer) = line.take(key)
            output.write(echo)
            switch answer {
            case .text(let text): return .line(text)
            case .no, .yes, .choice, .other, .letter: return .interrupted(typed)
            case nil: continue
            }
        }
    }

    /// Reads a line from input that is not a terminal.
    private func readPlainInput() -> LineResult {
        var line: [UInt8] = []
        while !isLeaving, !isAskedToClose() {
            if interrupts > 0 {
                interrupts = 0
                return .interrupted(String(decoding: line, as: UTF8.self))
            }
            let events = nextEvent(timeout: -1)
            if events.contains(.woken) {
                handleSignals()
                output.write(mailbox.takeBytes())
            }
            guard events.contains(.input) else { continue }
            // Byte by byte: input after the line belongs to the next reader.
            var byte: UInt8 = 0
            let count = read(options.input, &byte, 1)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            if count <= 0 || byte == 0x0A {
                if count <= 0, line.isEmpty { return .endOfInput }
                if line.last == 0x0D { line.removeLast() }
                return .line(String(decoding: line, as: UTF8.self))
            }
            line.append(byte)
        }
        return .endOfInput
    }

    // MARK: Questions

    func ask(
        _ question: String, _ mode: Question.Mode, _ id: TerminalMailbox.QuestionID
    ) -> Question.Answer {
        guard found != nil, !isLeaving, !hasInputEnded, !mailbox.isWithdrawn(id) else {
            return .no
        }
        // A stopped task must not ask more questions.
        if keepEarlierTyping() { return .no }
        activity = .asking
        defer { activity = .idle }
        interrupts = 0
        if !output.isAtLineStart { output.write("\n") }
        output.write(folded(question))
        var stops = mailbox.stops
        var line = Question(mode)
        guard passQuietTime(line, id) else {
            output.write("\n")
            return .no
        }
        // Not `keys`: earlier typing is for the next prompt.
        var fresh = KeyDecoder(patience: options.escapeTime)
        defer { keys.resume(fresh) }
        while true {
            // Stopped and continued: text typed meanwhile was for the shell. Show the question
            // again.
            if stops != mailbox.stops, !isLeaving {
                stops = mailbox.stops
                (line, fresh) = (Question(mode), KeyDecoder())
                if !output.isAtLineStart { output.write("\n") }
                output.write(folded(question))
                guard passQuietTime(line, id) else {
                    output.write("\n")
                    return .no
                }
                continue
            }
            if let key = fresh.next() {
                if key == .character("\u{1A}") {
                    suspend(isGroup: true)
                    continue
                }
                if key == .character("\u{03}") { options.onInterrupt() }
                let (echo, answer) = line.take(key)
                output.write(echo)
                if case .other(let message) = answer { queue(message) }
                if let answer { return answer }
                continue
            }
            if isLeaving || hasInputEnded || interrupts > 0 || isAskedToClose()
                || mailbox.isWithdrawn(id)
            {
                interrupts = 0
                output.write("\n")
                return .no
            }
            let events = nextEvent(for: &fresh)
            if events.contains(.woken) { handleSignals() }
            if events.contains(.input) { fresh.feed(readInput()) }
        }
    }

    /// The question wrapped between words, with room for a letter as the answer.
    private func folded(_ question: String) -> String {
        let columns = ScreenSize.of(options.output).columns
        return StyledLine(question).folded(to: max(16, columns - 2)).map(\.text)
            .joined(separator: "\n")
    }

    /// Waits while the question is read; false if it ended in a no.
    private func passQuietTime(_ line: Question, _ id: TerminalMailbox.QuestionID) -> Bool {
        let timer = options.quietTimer?() ?? -1
        defer { if timer >= 0 { close(timer) } }
        var early = EarlyTyping(after: keys, at: uptime)
        var isOver = false
        while true {
            // A key that has begun too early is waited for: see `EarlyTyping`.
            let isWhole = !early.isMidPaste && !early.isMidSequence
            let rest =
                isOver
                ? isWhole ? 0 : early.isMidPaste ? -1 : 25
                : timer >= 0 ? -1 : Int32(early.rest(at: uptime) * 1_000) + 1
            let events = nextEvent(timeout: rest, extra: isOver ? -1 : timer)
            if events.contains(.woken) { handleSignals() }
            let more = events.contains(.input) ? readInput() : []
            early.feed(more, at: uptime)
            if more.contains(0x03) { options.onInterrupt() }
            if isLeaving || hasInputEnded || interrupts > 0 || more.contains(0x03)
                || mailbox.isWithdrawn(id)
            {
                interrupts = 0
                return false
            }
            // Input that arrives together with the end of the time was typed before it.
            if isOver, events.contains(.timeout) { break }
            isOver =
                timer < 0
                ? early.rest(at: uptime) == 0 : isOver || events.contains(.extra)
        }
        if !early.isFor(line) { keys.feed(early.bytes) }
        return true
    }

    // MARK: Signals

    func handleSignals() {
        guard options.handlesSignals else { return }
        let signals = TerminalSignals.take()
        guard !signals.isEmpty else { return }
        for number in [SIGTERM, SIGHUP, SIGQUIT] where signals.contains(number) {
            erasePanel()
            if activity == .prompting, let editor {
                editor.leaveFrame()
            } else if activity == .prompting || activity == .asking || !output.isAtLineStart {
                output.write("\n")
            }
            isLeaving = true
            setPasteMode(false)
            reportFocus(false)
            restoreMode()
            options.onTerminate(number)
        }
        if isLeaving { return }
        if signals.contains(SIGINT) { takeInterrupt() }
        if signals.contains(SIGTSTP) { suspend(isGroup: false) }
        if signals.contains(SIGCONT), !signals.contains(SIGTSTP) { reapply() }
        if signals.contains(SIGWINCH), activity == .prompting { editor?.resize() }
        if signals.contains(SIGWINCH) { redrawPanel() }
    }

    /// Handles Ctrl-C. At a question it means no and also stops the task that asked; otherwise the
    /// model would continue after the refusal.
    private func takeInterrupt() {
        if activity == .released { return }
        if [.prompting, .asking, .panel].contains(activity) { interrupts += 1 }
        if ![.prompting, .panel].contains(activity) {
            options.onInterrupt()
            absorb()
            recallTypeAhead()
        }
    }

    /// Stops like the default action, with the terminal in its original mode.
    func suspend(isGroup: Bool) {
        // Another program has the terminal, and restores it before it stops.
        if activity == .released {
            signal(SIGTSTP, SIG_DFL)
            raise(SIGTSTP)
            TerminalSignals.install(SIGTSTP)
            return
        }
        mailbox.noteStop()
        var current = termios()
        let hasMode = tcgetattr(options.input, &current) == 0
        erasePanel()
        if activity == .prompting, let editor { editor.leaveFrame() } else { output.write("\n") }
        setPasteMode(false)
        reportFocus(false)
        restoreMode()
        // The other processes of the job first, unless the shell has sent them the signal.
        signal(SIGTSTP, SIG_IGN)
        if isGroup { kill(0, SIGTSTP) }
        signal(SIGTSTP, SIG_DFL)
        // To this thread, so that the signal has been handled when the call returns.
        raise(SIGTSTP)
        TerminalSignals.install(SIGTSTP)
        // In the background the next SIGCONT handles it.
        if SavedTerminal.isInBackground(options.input) { return }
        TerminalSignals.forget(SIGCONT)
        if hasMode { tcsetattr(options.input, TCSADRAIN, &current) }
        setPasteMode(true)
        reportFocus(true)
        if activity == .prompting { editor?.redraw() }
        redrawPanel()
    }

    /// Called after a stop that we did not see: the shell has changed the mode.
    private func reapply() {
        guard activity != .released, var mode = activeMode,
            !SavedTerminal.isInBackground(options.input)
        else { return }
        mailbox.noteStop()
        tcsetattr(options.input, TCSADRAIN, &mode)
        setPasteMode(true)
        reportFocus(true)
        if activity == .prompting { editor?.redraw() }
        redrawPanel()
    }
}
