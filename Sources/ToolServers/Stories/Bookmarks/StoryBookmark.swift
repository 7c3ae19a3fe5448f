import Base
import StoryKit

/// A bookmark in a story: a place with a note, stored with the surrounding words so that it is
/// found again after the text has changed. Pure.
package struct StoryBookmark: Sendable, Equatable {
    /// The byte offset where it was set.
    package var at: Int
    package var note: String
    /// The words after it, and the words before it.
    var line: String
    var before: String

    private static let lineBytes = 80
    private static let beforeBytes = 60
    /// Minimum bytes of the text; a shorter one would match almost anywhere.
    private static let leastBytes = 16

    /// - Parameter at: at most the length of the text.
    init(at: Int, note: String, in bytes: [UInt8]) {
        self.at = at
        self.note = note
        func words(_ range: Range<Int>) -> String {
            String(decoding: bytes[bytes.whole(range)], as: UTF8.self)
        }
        line = words(at..<at + Self.lineBytes)
        before = words(max(0, at - Self.beforeBytes)..<at)
    }

    // MARK: - In a text

    /// The bookmark's current place; nil if none of its words are left.
    func place(in bytes: [UInt8]) -> Int? {
        let (line, before) = (Array(line.utf8), Array(before.utf8))
        if at <= bytes.count, bytes[at...].starts(with: line),
            !line.isEmpty || at == bytes.count
        {
            return at
        }
        // All of the words first, then fewer and fewer.
        var length = Self.lineBytes
        while length >= Self.leastBytes {
            if let found = nearest(line.prefix(length), in: bytes, isWanted: length) {
                return found
            }
            let suffix = before.suffix(length)
            if let found = nearest(suffix, in: bytes, isWanted: length) {
                return found + suffix.count
            }
            length /= 2
        }
        return nil
    }

    private func nearest(
        _ words: ArraySlice<UInt8>, in bytes: [UInt8], isWanted length: Int
    ) -> Int? {
        // Shorter matches were already looked for, except of the whole text.
        guard words.count >= Self.leastBytes else { return nil }
        var best: Int?
        var rest = bytes[...]
        while let found = rest.firstRange(of: words) {
            let start = found.lowerBound
            if best.map({ abs(start - at) < abs($0 - at) }) ?? true { best = start }
            // Later matches are only farther away.
            if start > at { break }
            rest = bytes[(start + 1)...]
        }
        return best
    }

    // MARK: - JSON

    init?(_ json: JSONValue) {
        guard let at = json["at"]?.integerValue, at >= 0 else { return nil }
        self.at = at
        note = json["note"]?.stringValue ?? ""
        line = json["line"]?.stringValue ?? ""
        before = json["before"]?.stringValue ?? ""
    }

    var json: JSONValue {
        [
            "at": JSONValue(at), "note": .string(note), "line": .string(line),
            "before": .string(before),
        ]
    }
}
