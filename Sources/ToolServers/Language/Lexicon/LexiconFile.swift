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

    func patterns(_ name: String) -> [WordPattern] { lines(name).map { WordPattern($0) } }

    /// The sections whose name begins so, with the words that follow it, in
    /// the order of their names.
    func groups(_ kind: String) -> [(words: [String], lines: [Substring])] {
        sections.keys.sorted().compactMap { name in
            var words = name.cut(at: " ").map(String.init)
            guard words.first == kind else { return nil }
            words.removeFirst()
            return (words, lines(name))
        }
    }
}

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// The parts between those ASCII characters, without empty ones.
    func cut(at separator: Unicode.Scalar) -> [Substring] {
        let byte = UInt8(ascii: separator)
        return utf8.split(separator: byte).map { Substring($0) }
    }
}
