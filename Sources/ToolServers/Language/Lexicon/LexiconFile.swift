/// A language's words as `english.txt` has them: sections with a name in
/// brackets, and what `#` begins is a comment.
///
/// It is read when the first phrase is: cut up by bytes, which takes a tenth
/// of the time that characters take.
struct LexiconFile {
    private var sections: [String: [Substring]] = [:]

    init(_ bytes: [UInt8]) {
        var name = ""
        for line in String(decoding: bytes, as: UTF8.self).cut(at: "\n") {
            if line.utf8.first == UInt8(ascii: "#") { continue }
            if line.utf8.first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") {
                name = String(line.dropFirst().dropLast())
            } else {
                sections[name, default: []].append(line)
            }
        }
    }

    func lines(_ name: String) -> [Substring] { sections[name] ?? [] }

    func text(_ name: String) -> String { lines(name).joined(separator: "\n") }

    func words(_ name: String) -> [String] {
        lines(name).flatMap { $0.cut(at: " ") }.map(String.init)
    }

    /// Rows of what they mean, a colon, and patterns with commas between.
    func rows(_ name: String) -> [(key: String, lines: [Substring])] {
        lines(name).map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides[1].split(separator: ","))
        }
    }

    /// The sections whose name begins so, by what the words after it mean, in
    /// the order of their names.
    func table<Meaning>(
        _ kind: String, _ meaning: ([String]) -> Meaning?
    ) -> PatternTable<Meaning> {
        PatternTable(
            sections.keys.sorted().compactMap { name in
                let words = name.cut(at: " ").map(String.init)
                guard words.first == kind else { return nil }
                return meaning(Array(words.dropFirst())).map { (lines(name), $0) }
            })
    }
}

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// The parts between those ASCII characters, without empty ones.
    func cut(at separator: Unicode.Scalar) -> [Substring] {
        let byte = UInt8(ascii: separator)
        return utf8.split(separator: byte).map { Substring($0) }
    }
}
