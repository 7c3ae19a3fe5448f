import CWords

/// A file of words: sections with a name in brackets, and what `#` begins is a
/// comment.
///
/// Such a file is read when its first word is looked up: cut up by bytes, which takes
/// a tenth of the time that characters take.
package struct LexiconFile {
    private var sections: [String: [Substring]] = [:]

    package init(_ file: WordFile) {
        var name = ""
        for line in file.text.cut(at: "\n") {
            if line.utf8.first == UInt8(ascii: "#") { continue }
            if line.utf8.first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") {
                name = String(line.dropFirst().dropLast())
            } else {
                sections[name, default: []].append(line)
            }
        }
    }

    package var names: [String] { sections.keys.sorted() }

    package func lines(_ name: String) -> [Substring] { sections[name] ?? [] }

    package func text(_ name: String) -> String { lines(name).joined(separator: "\n") }

    package func words(_ name: String) -> [String] {
        lines(name).flatMap { $0.cut(at: " ") }.map(String.init)
    }

    /// Rows of what they mean, a colon, and patterns with commas between.
    package func rows(_ name: String) -> [(key: String, lines: [Substring])] {
        lines(name).map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides[1].split(separator: ","))
        }
    }
}

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// The parts between those ASCII characters, without empty ones.
    package func cut(at separator: Unicode.Scalar) -> [Substring] {
        let byte = UInt8(ascii: separator)
        return utf8.split(separator: byte).map { Substring($0) }
    }
}

extension WordFile {
    package var text: String {
        String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
