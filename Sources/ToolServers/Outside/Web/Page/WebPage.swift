/// A fetched page as text for a model: its address, its title, and its text.
struct WebPage: Sendable, Equatable {
    /// The final address, after redirects.
    var address: String
    /// The title on one line; empty if the page has no title.
    var title: String
    /// "HTML"
    var kind: String
    /// Markdown of a page, the text of a PDF, anything else unchanged. Without invisible
    /// characters.
    var text: String
    /// The response headers by which a later request can ask whether it has changed.
    var validators: [String: String] = [:]
    /// Whether the page continues.
    var wasCut = false

    /// A part of the text, and the start of the next one; nil at the end.
    struct Part: Sendable, Equatable {
        var text: String
        var start: Int
        var next: Int?
    }

    /// Maximum code points and bytes of a part: a tool's result may not be longer.
    static let partLength = 30_000
    static let partSize = 60_000

    /// Code points of the whole text.
    var length: Int { text.unicodeScalars.count }

    /// The part after that many code points; nil past the end. It ends with a line if one
    /// ends in its last tenth.
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
