import Base
import Glibc

/// Splits a stream of bytes into messages, each on a line of its own (revision 2026-07-28,
/// "stdio"). Pure; a push parser that keeps at most one unfinished line.
///
/// Only LF ends a line: a CR may occur between the tokens of a JSON text (RFC 8259 §2), where
/// `LineSplitter`, which is for event streams, would split it.
package struct MessageLines: Sendable {
    package enum Line: Sendable, Equatable {
        /// A line without its end; never empty.
        case message([UInt8])
        /// A line above the limit; it was dropped up to its end.
        case tooLong(limit: Int)
    }

    private let limit: Int
    private var rest: [UInt8] = []
    private var isDropping = false

    /// - Parameter limit: maximum bytes of a line without its end.
    package init(limit: Int) { self.limit = limit }

    /// The lines that end in this chunk, and a line that has just become too long.
    package mutating func push(_ chunk: UnsafeRawBufferPointer) -> [Line] {
        guard let base = chunk.baseAddress else { return [] }
        var lines: [Line] = []
        var start = 0
        while start < chunk.count {
            // In bounds: `start` is below the count.
            let found = memchr(base + start, 0x0A, chunk.count - start)
            let end = found.map { UnsafeRawPointer($0) - base } ?? chunk.count
            let piece = UnsafeRawBufferPointer(rebasing: chunk[start..<end])
            if !isDropping {
                if rest.count + piece.count > limit {
                    rest = []
                    isDropping = true
                    lines.append(.tooLong(limit: limit))
                } else {
                    rest += piece
                }
            }
            if found != nil, let line = finish() { lines.append(line) }
            start = end + 1
        }
        return lines
    }

    package mutating func push(_ bytes: [UInt8]) -> [Line] { bytes.withUnsafeBytes { push($0) } }

    /// The line so far: at its end, or at the end of the stream. Nil for an empty one.
    package mutating func finish() -> Line? {
        defer {
            rest = []
            isDropping = false
        }
        if rest.last == 0x0D { rest.removeLast() }
        return rest.isEmpty ? nil : .message(rest)
    }
}
