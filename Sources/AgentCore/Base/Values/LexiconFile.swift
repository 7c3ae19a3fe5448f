import CWords

/// A word list file: sections with a name in brackets, and comments after `#`.
///
/// The file is loaded for the first look-up and split by bytes, which takes a tenth of the time of
/// splitting by characters.
package struct LexiconFile {
    private var sections: [String: [Substring]] = [:]

    package init(_ file: WordFile) {
        var name = ""
        var lines: [Substring] = []
        for line in file.text.cut(at: "\n") {
            if line.utf8.first == UInt8(ascii: "#") { continue }
            if line.utf8.first == UInt8(ascii: "["), line.utf8.last == UInt8(ascii: "]") {
                sections[name, default: []] += lines
                name = String(line.utf8.dropFirst().dropLast()) ?? ""
                lines.removeAll()
            } else {
                lines.append(line)
            }
        }
        sections[name, default: []] += lines
    }

    package var names: some Collection<String> { sections.keys }

    package func lines(_ name: String) -> [Substring] { sections[name] ?? [] }

    package func text(_ name: String) -> String { lines(name).joined(separator: "\n") }

    package func words(_ name: String) -> [String] {
        var words: [String] = []
        for line in lines(name) { line.add(to: &words, cutAt: " ") }
        return words
    }

    /// Rows of a key, a colon, and patterns separated by commas.
    package func rows(_ name: String) -> [(key: String, lines: [Substring])] {
        lines(name).map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(sides[0]), sides[1].split(separator: ","))
        }
    }
}

extension StringProtocol where UTF8View.SubSequence == Substring.UTF8View {
    /// The non-empty parts between those ASCII characters.
    package func cut(at separator: Unicode.Scalar) -> [Substring] {
        let view = utf8
        return ranges(between: UInt8(ascii: separator)).map { range in
            let start = view.index(view.startIndex, offsetBy: range.lowerBound)
            return Substring(view[start..<view.index(start, offsetBy: range.count)])
        }
    }

    /// Adds the parts as separate strings.
    package func add(to words: inout [String], cutAt separator: Unicode.Scalar) {
        let ranges = ranges(between: UInt8(ascii: separator))
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { bytes in
            for range in ranges {
                words.append(
                    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self))
            }
        }
        if isDone == nil { words += cut(at: separator).map(String.init) }
    }

    private func ranges(between separator: UInt8) -> [Range<Int>] {
        utf8.withContiguousStorageIfAvailable { $0.ranges(between: separator) }
            ?? Array(utf8).withUnsafeBufferPointer { $0.ranges(between: separator) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func ranges(between separator: UInt8) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = 0
        for end in indices where self[end] == separator {
            if start < end { ranges.append(start..<end) }
            start = end + 1
        }
        if start < count { ranges.append(start..<count) }
        return ranges
    }
}

extension WordFile {
    package var text: String {
        String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }
}
