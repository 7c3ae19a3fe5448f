/// The formatted text of one paragraph, heading or cell: a flat list of pieces
/// with properly nested opens and closes.
package struct InlineText: Sendable {
    package enum Piece: Sendable, Equatable {
        case text(Range<Int>)
        case code(Range<Int>)
        case html(Range<Int>)
        case softBreak
        case hardBreak
        case open(Style)
        case close(Style)
        case openLink(Int)
        case closeLink(Int)
    }

    package enum Style: Sendable, Equatable { case emphasis, strong, strike }

    package struct Link: Sendable, Equatable {
        package var url: String
        var title: String?
        var isImage = false
    }

    package var pieces: [Piece] = []
    /// What the ranges are in: the text without marks and escapes.
    var bytes: [UInt8] = []
    package var links: [Link] = []
    /// Something before the end could still be changed by what follows.
    package var isOpen = false
    var hasEntities = false

    package func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
