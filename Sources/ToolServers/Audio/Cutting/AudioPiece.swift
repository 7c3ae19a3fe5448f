/// A stretch of a recording that is sent by itself, in frames from the
/// recording's beginning; ends are exclusive.
///
/// It is sent from `start` to `end` and counts from `keepFrom` to `keepTo`:
/// neighbours overlap, so that a word at a cut is whole in one of them, and
/// what is kept covers the recording exactly once.
package struct AudioPiece: Sendable, Equatable {
    package var start: Int
    package var end: Int
    package var keepFrom: Int
    package var keepTo: Int

    package init(start: Int, end: Int, keepFrom: Int, keepTo: Int) {
        self.start = start
        self.end = end
        self.keepFrom = keepFrom
        self.keepTo = keepTo
    }

    package var frames: Int { end - start }
}
