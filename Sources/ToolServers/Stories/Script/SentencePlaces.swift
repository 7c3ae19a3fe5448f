/// Where the sentences that `SentenceSplitter` made of a text are in it, in bytes. The
/// splitter drops signs and spaces but no letter and no digit, so those are counted. Pure.
struct SentencePlaces {
    private let scalars: [Unicode.Scalar]
    /// The byte where each scalar begins, and where the last one ends.
    private let bytes: [Int]
    private var next = 0

    /// - Parameter start: the byte where the text itself begins.
    init(of text: String, at start: Int) {
        scalars = Array(text.unicodeScalars)
        var byte = start
        bytes =
            [start]
            + scalars.map { scalar in
                byte += UTF8.width(scalar)
                return byte
            }
    }

    /// The bytes of the next sentence, with the signs around its words.
    mutating func next(_ sentence: String) -> Range<Int> {
        let floor = next
        var start: Int?
        for _ in sentence.unicodeScalars.filter(SpokenCharacters.isSpoken) {
            while next < scalars.count, !SpokenCharacters.isSpoken(scalars[next]) { next += 1 }
            start = start ?? next
            next = min(next + 1, scalars.count)
        }
        var lower = min(start ?? next, scalars.count)
        // The marks before its first word and after its last one.
        while lower > floor, isMark(lower - 1) { lower -= 1 }
        while next < scalars.count, isMark(next) { next += 1 }
        return bytes[lower]..<bytes[next]
    }

    private func isMark(_ index: Int) -> Bool {
        !scalars[index].properties.isWhitespace && !SpokenCharacters.isSpoken(scalars[index])
    }
}
