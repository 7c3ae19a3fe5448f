import Base
import Sound

/// A piece as stored in a line of the journal: `[start, end]`.
extension AudioPiece {
    var json: JSONValue { .array([JSONValue(start), JSONValue(end)]) }

    /// Maximum number of frames, more than a day at any sample rate; prevents overflow, whatever is
    /// on disk.
    private static let mostFrames = 1 << 40

    /// - Returns: nil if it is not a piece of any recording. Four numbers are one of an
    ///   earlier version, whose pieces overlap: its job starts over.
    init?(json: JSONValue) {
        guard json.arrayValue?.count == 2, let start = json[0]?.integerValue,
            let end = json[1]?.integerValue, 0 <= start, start < end, end <= Self.mostFrames
        else { return nil }
        self.init(start: start, end: end)
    }
}
