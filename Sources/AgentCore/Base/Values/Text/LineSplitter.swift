import Glibc

/// Cuts a stream of bytes into lines that end with LF, CRLF or a lone CR,
/// however the stream is cut into chunks.
///
/// ```
///            LF                line ends
///            CR                line ends at once; a following LF is swallowed,
///                              also when it is the first byte of the next chunk
///            anything else     part of the line (U+2028, NEL, VT, FF too)
/// ```
///
/// A line that lies whole in a chunk is handed out as a range of it, without a
/// copy. What the lines mean is not its concern, nor is the end of the stream:
/// an unterminated rest stays in `rest`.
package struct LineSplitter: Sendable {
    package enum Line: Equatable {
        /// Indices in the given chunk.
        case inChunk(Range<Int>)
        /// A line that began in an earlier chunk.
        case assembled([UInt8])
    }

    /// The line would be longer than the limit.
    package struct TooLong: Error, Equatable {
        package var limit: Int
    }

    /// The position up to which one chunk has been read. The positions of the next LF and CR are
    /// stored, so that a chunk is searched only once for each.
    package struct Cursor {
        fileprivate var position = 0
        fileprivate var lineFeed = -1
        fileprivate var carriageReturn = -1

        package init() {}
    }

    /// The beginning of a line whose end has not arrived.
    package private(set) var rest: [UInt8] = []
    private var swallowsLineFeed = false
    private let limit: Int

    package init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    /// The next line that ends in `chunk`, or nil at the end of the chunk. Start each chunk with a
    /// new cursor.
    package mutating func next(
        in chunk: UnsafeBufferPointer<UInt8>, at cursor: inout Cursor
    ) throws(TooLong) -> Line? {
        guard cursor.position < chunk.count else { return nil }
        if swallowsLineFeed {
            swallowsLineFeed = false
            if chunk[cursor.position] == 0x0A { cursor.position += 1 }
        }
        let start = cursor.position
        if cursor.lineFeed < start { cursor.lineFeed = Self.find(0x0A, in: chunk, from: start) }
        if cursor.carriageReturn < start {
            cursor.carriageReturn = Self.find(0x0D, in: chunk, from: start)
        }
        let end = min(cursor.lineFeed, cursor.carriageReturn)
        if rest.count + end - start > limit { throw TooLong(limit: limit) }
        if end == chunk.count {
            rest.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[start..<end]))
            cursor.position = end
            return nil
        }
        swallowsLineFeed = end == cursor.carriageReturn
        cursor.position = end + 1
        if rest.isEmpty { return .inChunk(start..<end) }
        rest.append(contentsOf: UnsafeBufferPointer(rebasing: chunk[start..<end]))
        defer { rest = [] }
        return .assembled(rest)
    }

    /// The index of the first `byte` at or after `start`, or the chunk's end.
    private static func find(
        _ byte: Int32, in chunk: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Int {
        guard start < chunk.count, let base = chunk.baseAddress else { return chunk.count }
        guard let found = memchr(base + start, byte, chunk.count - start) else {
            return chunk.count
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
