import Base

/// A few lines below what is on the screen that the program draws again and
/// again (a meter, a bar, what is playing) while the keys go to it. Open until
/// it is closed or dropped; then the screen is as it was.
///
/// One at a time; prompts and questions wait until it is closed.
package final class TerminalPanel: Sendable {
    private let mailbox: PanelMailbox

    init(_ mailbox: PanelMailbox) { self.mailbox = mailbox }

    deinit { mailbox.requestClose() }

    /// In place of what is there. The latest wins, at about thirty pictures a
    /// second; one that looks the same costs nothing. What does not fit the
    /// window is cut.
    func show(_ lines: [StyledLine]) { mailbox.show { _ in lines } }

    /// Made for the width the window has when it is drawn, and made again when
    /// that changes. `picture` runs on the terminal's thread: quick and pure.
    package func show(_ picture: @escaping @Sendable (_ columns: Int) -> [StyledLine]) {
        mailbox.show { picture($0.columns) }
    }

    /// The same for what uses the height as well: one row of the window stays
    /// free, and what is longer is cut.
    package func show(fitting picture: @escaping @Sendable (ScreenSize) -> [StyledLine]) {
        mailbox.show(picture)
    }

    /// Nil when it is closing, at the end of the input, when the program was
    /// told to end, and when the task is cancelled. One caller at a time.
    package func nextKey() async -> PanelKey? { await mailbox.nextKey() }

    /// While it only shows something: what is typed is kept for the next prompt, and
    /// `nextKey` gets Esc and Ctrl-C alone.
    package func passTyping(_ isOn: Bool) { mailbox.passTyping(isOn) }

    /// As if it had been typed.
    func press(_ key: PanelKey) { mailbox.deliver(key) }

    /// Returns when the lines are gone.
    package func close() async { await mailbox.close() }
}

extension TerminalSession {
    /// Nil where there is no cursor to move: print plain lines instead. Waits
    /// while a prompt or a question is open. What was typed before is not for
    /// the panel, and stays for the next prompt.
    package func openPanel() async -> TerminalPanel? {
        let panel = PanelMailbox(wake: { [mailbox] in mailbox.wakeUp() })
        let isOpen = await withCheckedContinuation { continuation in
            if !mailbox.post(.panel(panel, continuation)) { continuation.resume(returning: false) }
        }
        return isOpen ? TerminalPanel(panel) : nil
    }
}
