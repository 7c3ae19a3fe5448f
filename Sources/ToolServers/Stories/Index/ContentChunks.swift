/// Divides a sequence of pieces into parts by their content, so that a change in one piece
/// moves only the cuts next to it and the other parts stay the same. Content-defined
/// chunking, after the low-bandwidth file system (Muthitacharoen and others, SOSP 2001).
/// Pure.
enum ContentChunks {
    struct Piece: Sendable, Equatable {
        var size: Int
        /// A checksum of its content.
        var mark: UInt32
    }

    /// One in this many pieces ends a part that is large enough.
    private static let chance: UInt32 = 8

    /// Ranges of `least` to `most`, larger if a single piece is; the last may have up to
    /// `least` more.
    static func ranges(of pieces: [Piece], least: Int, most: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var (start, size) = (0, 0)
        for (index, piece) in pieces.enumerated() {
            if index > start, size + piece.size > most {
                ranges.append(start..<index)
                (start, size) = (index, 0)
            }
            size += piece.size
            if size >= least, piece.mark % chance == 0 {
                ranges.append(start..<index + 1)
                (start, size) = (index + 1, 0)
            }
        }
        guard start < pieces.count else { return ranges }
        // A remainder that is too small for a part of its own joins the previous one.
        if size < least, let last = ranges.popLast() { start = last.lowerBound }
        ranges.append(start..<pieces.count)
        return ranges
    }
}
