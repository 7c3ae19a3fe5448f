/// The part of an input line between the mark and the cursor. Pure.
///
/// Its end moves with the cursor. Any change of the text removes it, so it never covers text that
/// was not marked.
struct LineRegion: Equatable {
    private var mark: Int?
    private var marked: [UInt32] = []

    /// Sets the mark here; the region ends at the cursor.
    mutating func begin(at cursor: Int, in units: [UInt32]) {
        (mark, marked) = (cursor, units)
    }

    mutating func clear() { (mark, marked) = (nil, []) }

    /// The region between mark and cursor, never empty; nil without a mark, or once the text
    /// has changed.
    mutating func range(in units: [UInt32], cursor: Int) -> Range<Int>? {
        guard let mark else { return nil }
        guard units == marked else {
            clear()
            return nil
        }
        return mark == cursor ? nil : min(mark, cursor)..<max(mark, cursor)
    }
}
