/// The formatted text of one paragraph, heading or cell: a flat list of pieces with properly nested
/// opening and closing marks.
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
    /// The text without marks and escapes, to which the ranges refer.
    var bytes: [UInt8] = []
    package var links: [Link] = []
    /// Whether later text could still change something before the end.
    package var isOpen = false
    var hasEntities = false

    package func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
