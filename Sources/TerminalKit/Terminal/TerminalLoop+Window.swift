import Base

/// The window around the terminal: its title, and whether it has the focus.
extension TerminalLoop {
    func setTitle(_ title: String) {
        guard editor != nil, !SavedTerminal.isInBackground(options.input) else { return }
        if !hasTitle { writeUnseen(WindowTitle.keep) }
        hasTitle = true
        writeUnseen(WindowTitle.bytes(title))
    }

    func giveTitleBack() {
        guard hasTitle else { return }
        hasTitle = false
        writeUnseen(WindowTitle.giveBack)
    }

    /// Asks the terminal to report its focus, or to stop it.
    func reportFocus(_ isOn: Bool) {
        guard options.tracksFocus, editor != nil else { return }
        writeUnseen(isOn ? FocusFilter.on : FocusFilter.off)
        SavedTerminal.noteFocusReports(isOn)
    }

    /// Writes bytes that draw nothing and leave the cursor where it is.
    private func writeUnseen(_ bytes: [UInt8]) {
        let wasAtLineStart = output.isAtLineStart
        output.write(bytes)
        output.noteLineStart(wasAtLineStart)
    }
}

/// The sequences that set the title of the terminal's window, and restore it. Pure.
///
///     OSC 2 ; text ST     the title (xterm and everything since)
///     CSI 22 ; 2 t        keeps the title on a stack, CSI 23 ; 2 t takes it back
///
/// A terminal without a stack keeps our last title, which does no harm.
enum WindowTitle {
    static let keep = Array("\u{1B}[22;2t".utf8)
    static let giveBack = Array("\u{1B}[23;2t".utf8)

    /// `text` may be untrusted.
    static func bytes(_ text: String) -> [UInt8] {
        let clean = DisplayWidth.cut(HostileText.line(text), to: 80)
        return Array("\u{1B}]2;\(clean)\u{1B}\\".utf8)
    }
}
