/// A page that was fetched, as text for a model: where it is, its title, and its words.
struct WebPage: Sendable, Equatable {
    /// Where it was in the end, after its redirects.
    var address: String
    /// On one line; empty where it says none.
    var title: String
    /// "HTML"
    var kind: String
    /// Markdown of a page, the words of a PDF, anything else as it stands. Cleaned of what
    /// cannot be seen.
    var text: String
    /// The page goes on.
    var wasCut = false

    /// A stretch of it, and where the next one begins; nil at the end.
    struct Part: Sendable, Equatable {
        var text: String
        var start: Int
        var next: Int?
    }

    /// Code points of a part, and bytes: the result of a tool may not have more.
    static let partLength = 30_000
    static let partSize = 60_000

    /// Code points of the whole.
    var length: Int { text.unicodeScalars.count }

    /// The part that begins after so many code points; nil past the end. It ends
    /// with a line where one ends in its last tenth.
    func part(from offset: Int) -> Part? {
        let scalars = text.unicodeScalars
        guard
            let start = scalars.index(
                scalars.startIndex, offsetBy: offset, limitedBy: scalars.endIndex),
            start < scalars.endIndex || offset == 0
        else { return nil }
        var (end, count, size) = (start, 0, 0)
        var lineEnd: (index: String.Index, count: Int)?
        while end < scalars.endIndex, count < Self.partLength {
            let scalar = scalars[end]
            size += UTF8.width(scalar)
            if size > Self.partSize { break }
            end = scalars.index(after: end)
            count += 1
            if scalar == "\n" { lineEnd = (end, count) }
        }
        if end < scalars.endIndex, let line = lineEnd, line.count * 10 > count * 9 {
            (end, count) = (line.index, line.count)
        }
        return Part(
            text: String(text[start..<end]), start: offset,
            next: end < scalars.endIndex ? offset + count : nil)
    }
}
