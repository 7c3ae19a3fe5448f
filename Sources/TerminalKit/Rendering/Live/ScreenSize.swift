import Glibc

/// How many columns and rows a window has; never none.
package struct ScreenSize: Sendable, Equatable {
    package var columns: Int
    package var rows: Int
    /// How often the program was stopped and continued: the cursor is then at
    /// the start of a row, and what was drawn is above it.
    var stops = 0

    package init(columns: Int = 80, rows: Int = 24) {
        // A terminal without a size says 0; a table needs a few columns.
        self.columns = columns > 0 ? max(2, columns) : 80
        self.rows = rows > 0 ? max(2, rows) : 24
    }

    /// Of the terminal behind a descriptor.
    package static func of(_ descriptor: Int32) -> ScreenSize {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return ScreenSize() }
        return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}
