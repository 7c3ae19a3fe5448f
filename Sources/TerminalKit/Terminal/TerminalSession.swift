import Base
import Glibc

/// How a prompt ended.
package enum LineResult: Sendable, Equatable {
    case line(String)
    /// Ctrl-C: the line is gone from the prompt and kept in the history.
    case interrupted(String)
    /// The user wants this draft in an editor.
    case edit(String)
    /// The user wants to go on with this draft by speaking.
    case dictate(String)
    /// The user wants what is on the clipboard, at this place of the draft.
    case paste(before: String, after: String)
    /// The user wants the writing tools for this text. The line goes on with
    /// `LineDraft(resuming:with:)`.
    case writing(LineSelection)
    /// Ctrl-D on an empty line, the end of the input, or a signal to leave.
    case endOfInput
}

/// Who has something to say in the one line below what is typed; the first of
/// them that has is shown.
package enum StatusSource: Sendable, CaseIterable {
    /// Something goes on behind the prompt: a story is played.
    case activity
    /// How the conversation stands.
    case conversation

    /// Of a small window every row and column is for what is typed.
    func fits(columns: Int, rows: Int) -> Bool {
        switch self {
        case .activity: rows > 2
        case .conversation: columns >= 60 && rows >= 10
        }
    }
}

/// The one owner of the terminal: everything that is read from it or written to
/// it goes through here, to a thread that does nothing else. Calls never block
/// the caller's thread.
///
/// What it is given to write must be safe already: foreign text passes
/// `HostileText` before.
package final class TerminalSession: Sendable {
    package struct Options: Sendable {
        /// A real terminal on both is asked for; otherwise lines are just read.
        var input: Int32 = 0
        package var output: Int32 = 1
        /// `$TERM`.
        package var term = "dumb"
        package var keys = LineEditor.Keys.emacs
        /// Seconds after which an Esc stands by itself; longer for slow lines.
        package var escapeTime = KeyDecoder.usualPatience
        /// Nil recalls nothing.
        package var history: (any LineHistory)?
        /// The text that stood unsent at the end of the last launch; asked once.
        package var takeDraft: @Sendable () -> String? = { nil }
        /// Keeps such a text for the next launch.
        package var keepDraft: @Sendable (String) -> Void = { _ in }
        package var completer: Completer = { _, _ in .none }
        /// Nil opens no list while one types.
        package var lister: CompletionLister?
        /// For what the terminal itself draws: lists to pick from.
        package var style = Style(usesColor: false, usesUnicode: true)
        /// A descriptor that becomes readable when a question may be answered;
        /// closed by the session. Nil takes 300 ms without a key.
        var quietTimer: (@Sendable () -> Int32)?
        /// The terminal is asked to report its focus: see `isFocused`.
        package var tracksFocus = false
        /// Handlers for signals are installed; false for a second session.
        var handlesSignals = true
        /// Ctrl-C or Esc while no prompt is open. Ctrl-C answers a question no as
        /// well; Esc does not reach it.
        package var onInterrupt: @Sendable () -> Void = {}
        /// A prompt opens: what `onInterrupt` was called for before is over.
        package var onPrompt: @Sendable () -> Void = {}
        /// Enter while no prompt is open.
        package var onEnter: @Sendable () -> Void = {}
        /// What is typed while no prompt is open, each time it has changed.
        package var onTyping: @Sendable (TypeAhead) -> Void = { _ in }
        /// SIGTERM, SIGHUP or SIGQUIT; the terminal is restored already, and an
        /// open prompt or question ends next. The program saves and exits. All
        /// handlers run on the terminal's thread and must not block it.
        package var onTerminate: @Sendable (_ signal: Int32) -> Void = { _ in }

        package init() {}
    }

    /// A person can be asked: input and output are a terminal.
    package let isInteractive: Bool
    let mailbox = TerminalMailbox()
    private let output: Int32

    /// Takes over the terminal; nil when no thread can be started.
    package init?(_ options: Options) {
        isInteractive = isatty(options.input) == 1 && isatty(options.output) == 1
        output = options.output
        let start = ThreadStart(options: options, mailbox: mailbox)
        var thread = pthread_t()
        let argument = Unmanaged.passRetained(start).toOpaque()
        let error = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
                // A new thread blocks what its maker blocks, and the threads
                // that run tasks block everything: a stop that this thread
                // sends to itself would never come.
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

    /// Of the window, as it is now.
    package var size: ScreenSize {
        var size = ScreenSize.of(output)
        size.stops = mailbox.stops
        return size
    }

    /// Reads one line. One at a time; a second call waits for the first. The
    /// draft stands in the line at the start.
    ///
    /// - Parameter offersWriting: the keys of the writing tools end it with
    ///   `writing`; what is typed after them is for the panel that opens next.
    ///   `takesClipboard`: Ctrl-V ends it with `paste`.
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

    /// Shows bytes, in the order of the calls; above the prompt while one is
    /// open. Returns once they are queued, or later while 64 KiB wait.
    package func write(_ bytes: [UInt8]) async {
        if await !mailbox.post(bytes) { TerminalOutput(output).write(bytes) }
    }

    package func write(_ text: String) async { await write(Array(text.utf8)) }

    /// Everything written so far is on the screen.
    func flush() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.flush(continuation)) { continuation.resume() }
        }
    }

    /// Asks, and takes only what is typed after the question was on the screen
    /// for 300 ms without a key. Whatever is not a whole yes is a no. What is
    /// written meanwhile is shown after the answer. Waits while a prompt is open.
    /// Cancelling the task withdraws the question: that is a no.
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

    /// Gives the terminal, as it was found, to another program (an editor).
    package func release() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.release(continuation)) { continuation.resume() }
        }
    }

    /// Takes it back.
    package func reclaim() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.reclaim(continuation)) { continuation.resume() }
        }
    }

    /// Why an output that is not a terminal could not be written, an `errno`; 0 for
    /// nothing. Known after `close`.
    package var outputFailure: Int32 { mailbox.outputFailure }

    /// Names the window, between two prompts; its own name comes back at the
    /// end. The title may be foreign.
    package func setTitle(_ title: String) { _ = mailbox.post(.title(title)) }

    /// One line below what is typed at a prompt, from now on: made for so many columns
    /// whenever the line is drawn, on the terminal's thread. It may be foreign. nil takes it
    /// away.
    package func setStatus(
        _ status: (@Sendable (_ columns: Int) -> StyledLine)?, of source: StatusSource = .activity
    ) {
        mailbox.setStatus(status, of: source)
    }

    /// What the lister answers has changed: an open list asks it again.
    package func refreshCompletions() { mailbox.noteCompletionNews() }

    /// Whether the window has the focus; nil where the terminal does not say.
    package var isFocused: Bool? { mailbox.isFocused }

    /// Writes what is queued, restores the terminal and ends the thread. Later
    /// writes go straight out, later prompts are at their end.
    package func close() async {
        await withCheckedContinuation { continuation in
            if !mailbox.post(.close(continuation)) { continuation.resume() }
        }
    }
}
