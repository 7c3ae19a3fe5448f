/// The formatted text of one paragraph, heading or cell: a flat list of pieces
/// with properly nested opens and closes.
struct InlineText: Sendable {
    enum Piece: Sendable, Equatable {
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

    enum Style: Sendable, Equatable { case emphasis, strong, strike }

    struct Link: Sendable, Equatable {
        var url: String
        var title: String?
        var isImage = false
    }

    var pieces: [Piece] = []
    /// What the ranges are in: the text without marks and escapes.
    var bytes: [UInt8] = []
    var links: [Link] = []
    /// Something before the end could still be changed by what follows.
    var isOpen = false
    var hasEntities = false

    func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }
}
