/// A line of Markdown as plain text: without the marks of emphasis, code, links and
/// headings. Pure. Only for titles; documents are parsed by the terminal's Markdown, which
/// is in a layer above the servers that name texts.
///
/// ```
/// **Tea cups** that _tell_ `time`      Tea cups that tell time
/// [a link](https://a.b), ![a cat](c)   a link, a cat
/// 2 * 3, snake_case, \\*               2 * 3, snake_case, *
/// ```
package enum MarkdownMarks {
    package static func removed(from line: String) -> String {
        var marks = MarkdownLine(line)
        return marks.plain()
    }
}

private struct MarkdownLine {
    private let letters: [Character]
    private var kept: [Bool]

    init(_ line: String) {
        letters = Array(line)
        kept = letters.map { _ in true }
    }

    mutating func plain() -> String {
        var at = 0
        var open: [(mark: Character, place: Range<Int>)] = []
        while at < letters.count {
            let letter = letters[at]
            switch letter {
            case "\\" where at + 1 < letters.count && Self.marks.contains(letters[at + 1]):
                kept[at] = false
                at += 2
            case "`":
                let ticks = run(at)
                at = ticks.upperBound
                if let end = next(ticks.count, of: "`", from: at) {
                    remove(ticks)
                    remove(end)
                    at = end.upperBound
                }
            case "*", "_", "~":
                let run = run(at)
                if canClose(run), let index = open.lastIndex(where: { $0.mark == letter }) {
                    let count = min(run.count, open[index].place.count)
                    remove(open[index].place.suffix(count))
                    remove(run.prefix(count))
                    open.removeSubrange(index...)
                } else if canOpen(run), letter != "~" || run.count == 2 {
                    open.append((letter, run))
                }
                at = run.upperBound
            case "[":
                if let link = link(at) {
                    remove(link.head)
                    remove(link.tail)
                }
                at += 1
            default: at += 1
            }
        }
        return String(zip(letters, kept).filter(\.1).map(\.0))
    }

    private static let marks: Set<Character> = [
        "\\", "`", "*", "_", "~", "[", "]", "(", ")", "#", "-", "+", "!", ">", ".", "|",
    ]

    private mutating func remove(_ places: some Sequence<Int>) {
        for place in places { kept[place] = false }
    }

    /// The run of the same character from `start`.
    private func run(_ start: Int) -> Range<Int> {
        var end = start
        while end < letters.count, letters[end] == letters[start] { end += 1 }
        return start..<end
    }

    private func next(_ count: Int, of letter: Character, from start: Int) -> Range<Int>? {
        var at = start
        while at < letters.count {
            let found = run(at)
            if letters[at] == letter, found.count == count { return found }
            at = found.upperBound
        }
        return nil
    }

    private func isWord(_ place: Int) -> Bool {
        letters.indices.contains(place) && (letters[place].isLetter || letters[place].isNumber)
    }

    private func isSpace(_ place: Int) -> Bool {
        !letters.indices.contains(place) || letters[place].isWhitespace
    }

    /// Whether a word follows; an underscore inside a word is part of it.
    private func canOpen(_ run: Range<Int>) -> Bool {
        !isSpace(run.upperBound) && (letters[run.lowerBound] != "_" || !isWord(run.lowerBound - 1))
    }

    private func canClose(_ run: Range<Int>) -> Bool {
        !isSpace(run.lowerBound - 1) && (letters[run.lowerBound] != "_" || !isWord(run.upperBound))
    }

    private static let endings: [Character: Character] = ["(": ")", "[": "]"]

    /// The parts to remove of `[words](address)` or `[words][name]`, with `!` before it for
    /// an image.
    private func link(_ start: Int) -> (head: Range<Int>, tail: Range<Int>)? {
        guard let middle = letters[start...].firstIndex(of: "]"), middle + 1 < letters.count,
            let ending = Self.endings[letters[middle + 1]],
            let end = letters[(middle + 1)...].firstIndex(of: ending)
        else { return nil }
        let isPicture = start > 0 && letters[start - 1] == "!"
        return (start - (isPicture ? 1 : 0)..<start + 1, middle..<end + 1)
    }
}
