import Base
import Glibc

/// The end of a prompt.
package enum LineResult: Sendable, Equatable {
    case line(String)
    /// Ctrl-C: the line is removed from the prompt and stored in the history.
    case interrupted(String)
    /// The user wants to edit this draft in an editor.
    case edit(String)
    /// The user wants to continue this draft by dictation.
    case dictate(String)
    /// The user wants to insert the clipboard at this position of the draft.
    case paste(before: String, after: String)
    /// The user wants the writing tools for this text. The line continues with
    /// `LineDraft(resuming:with:)`.
    case writing(LineSelection)
    /// Ctrl-D on an empty line, the end of the input, or a signal to leave.
    case endOfInput
}

/// The single owner of the terminal: all input and output goes through it to a dedicated thread.
/// Calls never block the caller's thread.
///
/// Text to write must already be safe: untrusted text has passed `HostileText`.
package final class TerminalSession: Sendable {
    package struct Options: Sendable {
        /// The descriptors. Questions need a real terminal on both; otherwise lines are just read.
        var input: Int32 = 0
        package var output: Int32 = 1
        /// `$TERM`.
        package var term = "dumb"
        package var keys = LineEditor.Keys.emacs
        /// Seconds after which an Esc is a separate key; longer for slow lines.
        package var escapeTime = KeyDecoder.usualPatience
        /// Nil disables the history.
        package var history: (any LineHistory)?
        /// The unsent text of the last launch; called once.
        package var takeDraft: @Sendable () -> String? = { nil }
        /// Stores an unsent text for the next launch.
        package var keepDraft: @Sendable (String) -> Void = { _ in }
        package var completer: Completer = { _, _ in .none }
        /// Nil disables the list that opens while the user types.
        package var lister: CompletionLister?
        /// Style of the terminal's own drawings: lists to pick from.
        package var style = Style(usesColor: false, usesUnicode: true)
        /// A descriptor that becomes readable when a question may be answered; closed by
        /// the session. Nil means 300 ms without a key.
        var quietTimer: (@Sendable () -> Int32)?
        /// Whether the terminal is asked to report its focus: see `isFocused`.
        package var tracksFocus = false
        /// Whether signal handlers are installed; false for a second session.
        var handlesSignals = true
        /// Ctrl-C or Esc while no prompt is open. Ctrl-C also answers a question with no;
        /// Esc does not reach it.
        package var onInterrupt: @Sendable () -> Void = {}
        /// A prompt opens: the task that `onInterrupt` was called for is over.
        package var onPrompt: @Sendable () -> Void = {}
        /// Enter while no prompt is open.
        package var onEnter: @Sendable () -> Void = {}
        /// Text typed while no prompt is open, after each change.
        package var onTyping: @Sendable (TypeAhead) -> Void = { _ in }
        /// SIGTERM, SIGHUP or SIGQUIT; the terminal is restored already, and an open prompt
        /// or question ends next. The program saves and exits. All handlers run on the
        /// terminal's thread and must not block it.
        package var onTerminate: @Sendable (_ signal: Int32) -> Void = { _ in }

        package init() {}
    }

    /// Whether a user can be asked: input and output are a terminal.
    package let isInteractive: Bool
    /// Whether lines are typed; otherwise they come from a file or a pipe.
    package let isTyped: Bool
    let mailbox = TerminalMailbox()
    private let output: Int32

    /// Takes over the terminal; nil if no thread can be started.
    package init?(_ options: Options) {
        isTyped = isatty(options.input) == 1
        isInteractive = isTyped && isatty(options.output) == 1
        output = options.output
        let start = ThreadStart(options: options, mailbox: mailbox)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(start).toOpaque()
        let error = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                // A new thread inherits its creator's signal mask, and the threads that run tasks
                // block all signals: a stop that this thread sends to itself would never arrive.
                var none = sigset_t()
                sigemptyset(&none)
                pthread_sigmask(SIG_SETMASK, &none, nil)
                TerminalLoop(start.options, start.mailbox).run()
                return nil
            }, argument)
        guard error == 0 else {
            Unmanaged<ThreadStart>.fromOpaque(argument).release()
            return nil
        }
        pthread_detach(thread)
    }

    private final class ThreadStart: Sendable {
        let options: Options
        let mailbox: TerminalMailbox

        init(options: Options, mailbox: TerminalMailbox) {
            self.options = options
            self.mailbox = mailbox
        }
    }

    /// The current size of the window.
    package var size: ScreenSize {
        var size = ScreenSize.of(output)
        size.stops = mailbox.stops
        return size
    }

    /// Reads one line. One at a time; a second call waits for the first. The line initially
    /// contains the draft.
    ///
    /// - Parameter offersWriting: whether the keys of the writing tools end it with `writing`; text
    ///   typed after them is for the panel that opens next. `takesClipboard`: Ctrl-V ends it with
    ///   `paste`.
    package func readLine(
        prompt: String, draft: LineDraft = "", offersWriting: Bool = false,
        takesClipboard: Bool = false
    ) async -> LineResult {
        await withCheckedContinuation { continuation in
            let line = TerminalMailbox.LineRequest(
                prompt: prompt, draft: draft, offersWriting: offersWriting,
                takesClipboard: takesClipboard)
            if !mailbox.post(.readLine(line, continuation)) {
                continuation.resume(returning: .endOfInput)
            }
        }
    }

    /// Writes bytes, in the order of the calls; above the prompt while one is open. Returns once
    /// they are queued; later if 64 KiB are waiting.
    package func write(_ bytes: [UInt8]) async {
        if await !mailbox.post(bytes) { TerminalOutput(output).write(bytes) }
    }

    package func write(_ text: String) async { await write(Array(text.utf8)) }

    /// Returns when everything written so far is on the screen.
    func flush() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.flush(continuation)) { continuation.resume() }
        }
    }

    /// Asks a question, and accepts only text typed after it was on the screen for 300 ms without a
    /// key. Anything but a complete yes means no. Output meanwhile is shown after the answer. Waits
    /// while a prompt is open. Cancelling the task withdraws the question, which means no.
    package func ask(_ question: String, mode: Question.Mode) async -> Question.Answer {
        let id = mailbox.newQuestion()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if !mailbox.post(.ask(question, mode, id, continuation)) {
                    continuation.resume(returning: .no)
                }
            }
        } onCancel: { [mailbox] in
            mailbox.withdraw(id)
        }
    }

    /// Releases the terminal, in its original mode, to another program (an editor).
    package func release() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.release(continuation)) { continuation.resume() }
        }
    }

    /// Takes the terminal back.
    package func reclaim() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.reclaim(continuation)) { continuation.resume() }
        }
    }

    /// The `errno` of the failure if output other than to a terminal could not be written; 0
    /// without a failure. Known after `close`.
    package var outputFailure: Int32 { mailbox.outputFailure }

    /// Sets the window's title, between two prompts; its own title is restored at the end.
    /// The title may be untrusted.
    package func setTitle(_ title: String) { _ = mailbox.post(.title(title)) }

    /// Sets the status line below the prompt: made for the current columns whenever the line is
    /// drawn, on the terminal's thread. It may be untrusted. Nil removes it.
    package func setStatus(_ status: (@Sendable (_ columns: Int) -> StyledLine)?) {
        mailbox.setStatus(status)
    }

    /// The lister's answer has changed: an open list calls it again.
    package func refreshCompletions() { mailbox.noteCompletionNews() }

    /// Whether the window has the focus; nil if the terminal does not report it.
    package var isFocused: Bool? { mailbox.isFocused }

    /// Writes queued output, restores the terminal and ends the thread. Later writes go directly to
    /// the output; later prompts report its end.
    package func close() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.close(continuation)) { continuation.resume() }
        }
    }
}
