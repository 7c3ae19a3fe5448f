import Glibc

/// Writes bytes to the terminal: completely, despite EINTR and EAGAIN, and discards them silently
/// once nothing can be written. Used only by the terminal's thread.
///
/// It opens the terminal a second time as non-blocking, so that a stopped screen (Ctrl-S) does not
/// stop the thread. The given descriptor is shared with the shell and keeps its mode.
final class TerminalOutput {
    let descriptor: Int32
    private let ownsDescriptor: Bool
    /// Called while the terminal accepts no bytes; false drops the rest.
    var mayWait: () -> Bool = { true }
    /// The `errno` after which nothing more is written; 0 for none.
    private(set) var failure: Int32 = 0
    /// Whether the last byte was a line feed, or nothing was written.
    private(set) var isAtLineStart = true

    init(_ output: Int32) {
        var name = [CChar](repeating: 0, count: 256)
        if isatty(output) == 1, ttyname_r(output, &name, name.count) == 0 {
            let own = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if own >= 0 {
                descriptor = own
                ownsDescriptor = true
                return
            }
        }
        descriptor = output
        ownsDescriptor = false
    }

    deinit { if ownsDescriptor { close(descriptor) } }

    /// Writes as much as possible without waiting; returns the number of bytes done.
    func writeSome(_ bytes: ArraySlice<UInt8>) -> Int {
        guard failure == 0 else { return bytes.count }
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 {
            // `count` bytes of the slice were written, so its end is in it.
            isAtLineStart = bytes[bytes.startIndex + count - 1] == 0x0A
            return count
        }
        switch errno {
        case EINTR, EAGAIN: return 0
        case let code:
            failure = code
            return bytes.count
        }
    }

    /// Writes everything, waiting for the terminal if necessary.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(writeSome(rest))
            if rest.isEmpty { return }
            var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            if poll(&wait, 1, 250) == 0, !mayWait() { return }
        }
    }

    func write(_ text: String) { write(Array(text.utf8)) }

    private func write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
        Glibc.write(descriptor, bytes, count)
    }

    /// Rings the bell if the bytes contain nothing else, so that a picture can stay on the screen.
    /// - Returns: false for anything visible.
    func ring(_ bytes: [UInt8]) -> Bool {
        guard bytes.allSatisfy({ $0 == 0x07 }) else { return false }
        let wasAtLineStart = isAtLineStart
        write(bytes)
        noteLineStart(wasAtLineStart)
        return true
    }

    /// Records where other output (libedit's, the terminal's echo) has ended, which is not visible
    /// here.
    func noteLineStart(_ isAtStart: Bool) { isAtLineStart = isAtStart }
}
