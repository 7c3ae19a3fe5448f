import Base
import Glibc

/// How many columns lines may take.
package enum WindowWidth {
    /// Of the terminal behind a descriptor; nil for another kind of file.
    package static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 1 else { return nil }
        return Int(size.ws_col)
    }

    /// Pieces in lines that fit, with as many in each as have room; a piece
    /// that is too wide is a line of its own.
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
