import Base
import Glibc

/// The number of columns available for lines.
package enum WindowWidth {
    /// The width of the terminal behind a descriptor; nil for another kind of file.
    package static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
        return Int(size.ws_col)
    }

    /// Arranges pieces in lines that fit, as many as possible in each; a piece that is too wide
    /// gets its own line.
    package static func lines(
        _ pieces: [some StringProtocol], joinedBy joint: String = " ", width: Int
    ) -> [String] {
        var lines: [String] = []
        for piece in pieces {
            guard let last = lines.last,
                DisplayWidth.of(last) + DisplayWidth.of(joint) + DisplayWidth.of(String(piece))
                    <= width
            else {
                lines.append(String(piece))
                continue
            }
            lines[lines.count - 1] = last + joint + piece
        }
        return lines
    }
}
