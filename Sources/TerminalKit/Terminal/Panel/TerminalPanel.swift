import Base

/// A few lines below the existing text that the program redraws repeatedly (a meter, a bar, a
/// playing story) while it gets the keys. Open until it is closed or dropped; the screen is then as
/// it was before.
///
/// One at a time; prompts and questions wait until it is closed.
package final class TerminalPanel: Sendable {
    private let mailbox: PanelMailbox

    init(_ mailbox: PanelMailbox) { self.mailbox = mailbox }

    deinit { mailbox.requestClose() }

    /// Replaces the lines. The latest call wins, at about thirty pictures a second; an
    /// unchanged one costs nothing. Lines that do not fit the window are cut.
    func show(_ lines: [StyledLine]) { show { _ in lines } }

    /// Shows a picture made for the window's width when it is drawn, and again when that
    /// changes. `picture` runs on the terminal's thread: quick and pure.
    package func show(_ picture: @escaping @Sendable (_ columns: Int) -> [StyledLine]) {
        mailbox.show { (picture($0.columns), (0, 0)) }
    }

    /// Shows a screen, which also depends on the height: one row of the window stays free, and a
    /// taller screen is cut.
    func show(_ screen: some PanelScreen) {
        mailbox.show { (screen.lines(on: $0), screen.cursor(on: $0)) }
    }

    /// The next key; nil when the panel is closing, at the end of the input, when the program has
    /// to end, and when the task is cancelled. One caller at a time.
    package func nextKey() async -> PanelKey? { await mailbox.nextKey() }

    /// Keeps typing for the next prompt, for a panel that only displays; `nextKey` then gets only
    /// Esc and Ctrl-C.
    package func passTyping(_ isOn: Bool) { mailbox.passTyping(isOn) }

    /// Acts as if the key had been typed.
    func press(_ key: PanelKey) { mailbox.deliver(key) }

    /// Returns when its lines have been removed.
    package func close() async { await mailbox.close() }
}

extension TerminalSession {
    /// Opens a panel; nil if the terminal cannot move its cursor: print plain lines instead. Waits
    /// while a prompt or a question is open. Earlier typing is not for the panel, but kept for the
    /// next prompt.
    package func openPanel() async -> TerminalPanel? {
        let panel = PanelMailbox(wake: { [mailbox] in mailbox.wakeUp() })
        let isOpen = await withCheckedContinuation { continuation in
            if !mailbox.post(.panel(panel, continuation)) { continuation.resume(returning: false) }
        }
        return isOpen ? TerminalPanel(panel) : nil
    }
}
