import Glibc
import Synchronization

/// The terminal's original settings, restored on every exit: normal end, `exit()`, a
/// signal, a crash. There is one per process, because a signal handler can only reach
/// globals. It changes no mode by itself.
enum SavedTerminal {
    /// Written once per session before `isArmed` is set, and read by handlers only after that; the
    /// memory is never freed, so a handler cannot race with its end.
    nonisolated(unsafe) private static let saved = UnsafeMutablePointer<termios>.allocate(
        capacity: 1)
    private static let descriptor = Atomic<Int32>(-1)
    private static let hasPasteMode = Atomic<Bool>(false)
    private static let hasFocusReports = Atomic<Bool>(false)
    private static let isRegistered = Atomic<Bool>(false)

    /// Saves the settings of the terminal at `input`; nil without a terminal.
    static func save(_ input: Int32) -> termios? {
        var settings = termios()
        guard tcgetattr(input, &settings) == 0 else { return nil }
        saved.initialize(to: settings)
        descriptor.store(input, ordering: .releasing)
        if !isRegistered.exchange(true, ordering: .relaxed) {
            atexit { SavedTerminal.restore() }
        }
        return settings
    }

    /// Records whether bracketed paste has to be switched off on exit.
    static func notePasteMode(_ isOn: Bool) { hasPasteMode.store(isOn, ordering: .relaxed) }

    /// Records whether focus reports have to be switched off on exit.
    static func noteFocusReports(_ isOn: Bool) {
        hasFocusReports.store(isOn, ordering: .relaxed)
    }

    /// Restores everything. Calls only functions allowed in a signal handler.
    static func restore() {
        let input = descriptor.load(ordering: .acquiring)
        guard input >= 0, !isInBackground(input) else { return }
        if hasPasteMode.exchange(false, ordering: .relaxed) {
            withUnsafeBytes(of: pasteOff) { _ = write(input, $0.baseAddress, $0.count) }
        }
        if hasFocusReports.exchange(false, ordering: .relaxed) {
            withUnsafeBytes(of: focusOff) { _ = write(input, $0.baseAddress, $0.count) }
        }
        tcsetattr(input, TCSANOW, saved)
    }

    /// Whether another job has the terminal: changing its settings would stop us (SIGTTOU),
    /// and they are that job's.
    static func isInBackground(_ input: Int32) -> Bool {
        let group = tcgetpgrp(input)
        return group >= 0 && group != getpgrp()
    }

    /// Called when the session has ended and has restored the terminal itself.
    static func forget() { descriptor.store(-1, ordering: .releasing) }

    /// ESC [ ? 2004 l as a tuple: a handler must not allocate.
    private static var pasteOff: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
        (0x1B, 0x5B, 0x3F, 0x32, 0x30, 0x30, 0x34, 0x6C)
    }

    /// ESC [ ? 1004 l as a tuple.
    private static var focusOff: (UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8) {
        (0x1B, 0x5B, 0x3F, 0x31, 0x30, 0x30, 0x34, 0x6C)
    }
}
