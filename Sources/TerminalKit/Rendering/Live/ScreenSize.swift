import Glibc

/// The columns and rows of a window, never zero.
package struct ScreenSize: Sendable, Equatable {
    package var columns: Int
    package var rows: Int
    /// Number of times the program was stopped and continued: the cursor is at the start of a row
    /// below the drawn text after that.
    var stops = 0

    package init(columns: Int = 80, rows: Int = 24) {
        // A terminal of unknown size reports 0; a table needs a few columns.
        self.columns = columns > 0 ? max(2, columns) : 80
        self.rows = rows > 0 ? max(2, rows) : 24
    }

    /// The size of the terminal behind a descriptor.
    package static func of(_ descriptor: Int32) -> ScreenSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return ScreenSize() }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
