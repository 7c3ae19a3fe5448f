/// Reads a text written as a play or a transcript: every speech begins with the speaker's
/// name, `NAME: …`, `NAME. …` or `NAME` alone on its line.
struct ScriptReader {
    private let bytes: [UInt8]
    private let paragraphs: [Range<Int>]

    init(_ bytes: [UInt8], _ paragraphs: [Range<Int>]) {
        self.bytes = bytes
        self.paragraphs = paragraphs
    }

    /// Whether at least every sixth line begins with a label, and nearly all labels recur.
    ///
    /// - Parameter alone: count only names that stand alone on their line.
    static func hasLabels(_ bytes: [UInt8], _ lines: [Range<Int>], alone: Bool = false) -> Bool {
        let found = lines.compactMap { line in
            label(in: bytes, line).flatMap { label in
                alone && label.end < line.upperBound ? nil : Array(bytes[label.name])
            }
        }
        guard found.count >= 4, found.count * 6 >= lines.count else { return false }
        let counts = Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
        return counts.values.filter { $0 > 1 }.reduce(0, +) * 5 >= found.count * 4
    }

    /// Whether most paragraphs begin with a label, and labels recur.
    var isScript: Bool {
        var labels: [[UInt8]: Int] = [:]
        var labelled = 0
        var alone = 0
        for paragraph in paragraphs {
            guard let label = label(of: paragraph), label.end < paragraph.upperBound else {
                continue
            }
            labelled += 1
            labels[Array(bytes[label.name]), default: 0] += 1
            if bytes[label.name.upperBound] == 0x0A { alone += 1 }
        }
        let repeated = labels.values.filter { $0 > 1 }.reduce(0, +)
        return labelled >= 2 && labelled * 5 >= paragraphs.count * 2
            && (repeated * 2 >= labelled
                || labelled == labels.count && labelled < 6 && alone == 0)
    }

    /// The speech after each label, without surrounding white space.
    func speeches() -> [StorySpan] {
        paragraphs.enumerated().compactMap { index, paragraph in
            guard let label = label(of: paragraph), label.end < paragraph.upperBound else {
                return nil
            }
            return StorySpan(
                range: label.end..<paragraph.upperBound, kind: .quotation, paragraph: index)
        }
    }

    /// The name at the start of a paragraph, and the start of its speech.
    func label(of paragraph: Range<Int>) -> (name: Range<Int>, end: Int)? {
        Self.label(in: bytes, paragraph)
    }

    /// First words of headings, as in "Chapter 1: Ebb" or "ACT II.".
    private static let headings = Set(
        ["chapter", "part", "book", "act", "scene", "volume", "chapitre", "kapitel", "akt"].map {
            Array($0.utf8)
        })

    /// Titles in names, which their period does not end: "MRS. WARREN. Yes."
    private static let titles = Set(
        ["mr", "mrs", "ms", "dr", "st", "mme", "capt", "col", "gen", "lt", "sgt", "rev", "prof"]
            .map { Array($0.utf8) })

    static func label(
        in bytes: [UInt8], _ paragraph: Range<Int>
    ) -> (name: Range<Int>, end: Int)? {
        var index = paragraph.lowerBound
        let limit = min(paragraph.upperBound, paragraph.lowerBound + 40)
        var words = 0
        var capitalsOnly = true
        var inWord = false
        // Skip marks of bold and italic text around a label.
        func skipMarks(_ index: inout Int) {
            while index < limit,
                bytes[index] == UInt8(ascii: "*") || bytes[index] == UInt8(ascii: "_")
            { index += 1 }
        }
        skipMarks(&index)
        let start = index
        var end = index
        scan: while index < limit {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...0xFF,
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                if !inWord { words += 1 }
                inWord = true
                end = index + 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"):
                if !inWord { return nil }
                capitalsOnly = false
                end = index + 1
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "'"): inWord = false
            case UInt8(ascii: "("), UInt8(ascii: "["):
                // A stage direction: NAME (aside): …
                let close = byte == UInt8(ascii: "(") ? UInt8(ascii: ")") : UInt8(ascii: "]")
                let far = min(paragraph.upperBound, index + 200)
                while index < far, bytes[index] != close { index += 1 }
                guard index < far else { return nil }
            case UInt8(ascii: "*"), UInt8(ascii: "_"): break
            case 0x0A, 0x0D:
                guard capitalsOnly, end - start > 1 else { return nil }
                break scan
            case UInt8(ascii: ":"), UInt8(ascii: "."):
                let isTitle = titles.contains(
                    bytes[start..<end].split(separator: UInt8(ascii: " ")).last.map {
                        $0.map { $0 | 0x20 }
                    } ?? [])
                if byte == UInt8(ascii: "."), isTitle || !capitalsOnly || end - start < 2 {
                    // "Mr. Smith:" goes on, "It rained." does not.
                    guard isTitle || end - start < 4, index + 1 < limit,
                        bytes[index + 1] == UInt8(ascii: " ")
                    else { return nil }
                    inWord = false
                    index += 1
                    continue scan
                }
                break scan
            default: return nil
            }
            index += 1
        }
        // A whole line in capitals is a name too.
        let isAlone = index == paragraph.upperBound && capitalsOnly && end - start > 1
        guard index < limit || isAlone, words > 0, words <= 4, end > start else { return nil }
        let first = bytes[start..<end].prefix { $0 != UInt8(ascii: " ") }.map { $0 | 0x20 }
        if headings.contains(first) { return nil }
        index = min(index + 1, paragraph.upperBound)
        skipMarks(&index)
        while index < paragraph.upperBound, bytes[index] <= 0x20 { index += 1 }
        return (start..<end, index)
    }
}
