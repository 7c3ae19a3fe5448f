import Glibc

/// How many columns lines may take.
enum WindowWidth {
    /// Of the terminal behind a descriptor; nil where it is none.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
        return Int(size.ws_col)
    }
}
