import Base

/// The progress of a running tool or command, and the end of its output so far: for display while
/// it runs, not part of its result.
package struct ToolProgress: Sendable, Equatable {
    /// The activity: "Transcribing".
    package var activity: String
    /// The object of the work, such as the name of a file; untrusted text.
    package var title: String
    /// "piece 3 of 8"; empty if there is only one.
    package var part = ""
    /// 0…1; nil if it cannot be measured.
    package var fraction: Double?
    /// The current facts, the most important first; an empty one reserves its column.
    package var facts: [String] = []
    /// Whether it is waiting after a failure.
    package var isProblem = false
    /// The end of the text that has arrived so far; untrusted.
    package var text = ""
    /// Maximum number of rows of `text`, if it is shown in several.
    package var textRows = 3
    /// The consequence of stopping, appended to "Esc stops · ".
    package var hint = ""
    /// Our own lines about what was kept; shown if it ends without a result.
    package var kept: [StyledLine] = []

    package init(activity: String, title: String) {
        self.activity = activity
        self.title = title
    }
}

/// Reports the progress of a tool or command to the display. Quick, callable
/// from any thread; only the newest progress counts, so a flood costs nothing.
package struct Emitter: Sendable {
    private let send: (@Sendable (ToolProgress) -> Void)?

    package init(_ send: @escaping @Sendable (ToolProgress) -> Void) { self.send = send }

    private init() { send = nil }

    /// Discards all progress.
    package static let none = Emitter()

    package var isShown: Bool { send != nil }

    package func callAsFunction(_ progress: ToolProgress) { send?(progress) }

    /// Runs `body` and shows its progress, in order; while `show` is busy, only the newest is kept.
    /// Progress emitted after the end, or after the task was cancelled, is not shown.
    ///
    /// - Parameter show: gets nil at the end, if it was called at all.
    package static func shown<Value: Sendable>(
        by show: @escaping @Sendable (ToolProgress?) async -> Void,
        _ body: @Sendable (Emitter) async throws -> Value
    ) async rethrows -> Value {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ToolProgress.self, bufferingPolicy: .bufferingNewest(1))
        async let showing: Void = {
            var hasShown = false
            for await progress in stream {
                hasShown = true
                await show(progress)
            }
            if hasShown { await show(nil) }
        }()
        do {
            let value = try await body(Emitter { continuation.yield($0) })
            continuation.finish()
            await showing
            return value
        } catch {
            continuation.finish()
            await showing
            throw error
        }
    }
}

/// The services that a command gets from its environment: the prompt or the shell.
package struct Interaction: Sendable, Equatable {
    package var emit = Emitter.none
    /// Asks a yes-or-no question, below the warnings. The answer is no without a
    /// terminal.
    package var confirm: @Sendable (_ warning: String?, _ question: String) async -> Bool = {
        _, _ in false
    }
    /// Asks for a line, only at the terminal: piped input is not read. The answer is not stored in
    /// the input history; with `isHidden` it is not echoed, and surrounding space is removed. Nil
    /// without a user to ask, and for Ctrl-D.
    /// - Throws: `CancellationError` for Ctrl-C.
    package var ask: @Sendable (_ question: String, _ isHidden: Bool) async throws -> String? = {
        _, _ in nil
    }
    /// Shows lines at once, beside the command's output, for example the subject of a question.
    package var show: @Sendable ([StyledLine]) async -> Void = { _ in }
    /// The columns of the window that shows the output, without the last one; nil for a file.
    package var columns: Int?
    /// Whether it runs at the prompt of a chat, not in the shell.
    package var isChat = false
    /// Writes a part of a document to standard output, which may be too large to hold in memory;
    /// false once its reader has gone, nil where output is shown in another way.
    package var write: (@Sendable ([UInt8]) async -> Bool)?
    /// Opens a text in the user's editor (`$VISUAL`, `$EDITOR`) as a private file of
    /// that name, and waits until it is closed.
    package var edit: @Sendable (_ text: String, _ name: String) async -> EditedText = {
        _, _ in .failed("there is no terminal for an editor")
    }

    package init(emit: Emitter = .none) { self.emit = emit }

    /// Always equal: how progress is shown does not make two commands different.
    package static func == (one: Interaction, other: Interaction) -> Bool { true }
}

/// The result of editing in the user's editor.
package enum EditedText: Sendable, Equatable {
    /// The text without the line end that editors add after the last line; may be empty.
    case changed(String)
    case unchanged
    /// A message with the reason and the path of the text: "vim ended with 1; the text is
    /// in /home/ida/…/i12.md".
    case failed(String)
    /// A key was typed into it, so the text was not accepted; it is at `path`.
    case holdsKey(path: String)
}
