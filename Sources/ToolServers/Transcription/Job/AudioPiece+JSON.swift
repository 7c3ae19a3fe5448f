import Base
import Sound

/// A piece as stored in a line of the journal: `[start, end, keepFrom, keepTo]`.
extension AudioPiece {
    var json: JSONValue {
        .array([start, end, keepFrom, keepTo].map { JSONValue($0) })
    }

    /// More than a day at any sample rate; prevents overflow, whatever is on disk.
    private static let mostFrames = 1 << 40

    /// - Returns: nil if it is not a piece of any recording.
    init?(json: JSONValue) {
        guard let start = json[0]?.integerValue, let end = json[1]?.integerValue,
            let keepFrom = json[2]?.integerValue, let keepTo = json[3]?.integerValue,
            0 <= start, start <= keepFrom, keepFrom <= keepTo, keepTo <= end, start < end,
            end <= Self.mostFrames
        else { return nil }
        self.init(start: start, end: end, keepFrom: keepFrom, keepTo: keepTo)
    }
}
