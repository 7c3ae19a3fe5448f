/// Where libedit puts each character of an input line: which row the cursor is
/// on, and which row is the last. Needed to clear a line of several rows before
/// something is printed above it. Draws nothing.
///
/// It follows libedit's own rules, not those of Unicode: a zero-width character
/// takes one column there, a wide one that does not fit moves to the next row,
/// and what is not printable is written as `^X` or `\U+XXXX`.
struct LineLayout {
    private let columns: Int
    private let widthOf: (UInt32) -> Int
    private(set) var row = 0
    private(set) var column = 0

    /// `widthOf` is the C library's wcwidth, which libedit asks.
    init(columns: Int, widthOf: @escaping (UInt32) -> Int) {
        self.widthOf = widthOf
        // libedit takes 80 where the terminal reports less than 2.
        self.columns = columns < 2 ? 80 : columns
    }

    mutating func add(_ scalar: UInt32) {
        switch scalar {
        case 0x0A:
            row += 1
            column = 0
        case 0x09:
            repeat { put(1) } while column & 7 != 0
        default:
            let width = widthOf(scalar)
            if width >= 0 {
                put(width)
            } else {
                let drawn = scalar < 0x20 || scalar == 0x7F ? 2 : scalar > 0xFFFF ? 8 : 7
                for _ in 0..<drawn { put(1) }
            }
        }
    }

    private mutating func put(_ width: Int) {
        while column + width > columns { put(1) }
        column += max(width, 1)
        if column >= columns {
            row += 1
            column = 0
        }
    }
}
