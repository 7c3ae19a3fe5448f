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

    /// Bytes that draw nothing and leave the cursor where it is.
    private func writeUnseen(_ bytes: [UInt8]) {
        let wasAtLineStart = output.isAtLineStart
        output.write(bytes)
        output.noteLineStart(wasAtLineStart)
    }
}
