import Base

/// Finds the book in a text of Project Gutenberg, without the licence before and after it,
/// and the title and author in its head. Any other text is left whole. Pure.
struct GutenbergText: Sendable, Equatable {
    private(set) var title: String?
    private(set) var author: String?
    /// The UTF-8 range of the book in the text.
    private(set) var body: Range<Int>

    init(_ text: String) {
        let bytes = Array(text.utf8)
        body = 0..<bytes.count
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        func mark(_ word: String) -> Int? {
            lines.firstIndex { Self.isMark($0, word) }
        }
        guard let start = mark("START"), let end = mark("END") ?? lines.indices.last, start < end
        else { return }
        // A long title continues in the next lines, up to its three asterisks.
        let head = lines[start..<end].prefix(3).firstIndex { Self.endsWithStars($0) } ?? start
        let first = lines[(head + 1)...end].firstIndex { !Self.isBlank($0) } ?? end
        let last = lines[..<end].lastIndex { !Self.isBlank($0) } ?? start
        guard first <= last else { return }
        body = lines[first].startIndex..<min(bytes.count, lines[last].endIndex + 1)
        title = Self.field("Title:", in: lines[..<start])
        author = Self.field("Author:", in: lines[..<start])
    }

    /// `*** START OF THE PROJECT GUTENBERG EBOOK …`, with "THIS" in older files.
    private static func isMark(_ line: ArraySlice<UInt8>, _ word: String) -> Bool {
        guard line.first == UInt8(ascii: "*") else { return false }
        let text = String(decoding: line.drop { $0 <= 0x20 || $0 == 0x2A }, as: UTF8.self)
        return text.hasPrefix(word + " OF TH") && text.contains(" PROJECT GUTENBERG")
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 <= 0x20 }
    }

    private static func endsWithStars(_ line: ArraySlice<UInt8>) -> Bool {
        line.filter { $0 > 0x20 }.suffix(3).elementsEqual("***".utf8)
    }

    private static func field(
        _ name: String, in lines: ArraySlice<ArraySlice<UInt8>>
    ) -> String? {
        lines.first { $0.starts(with: name.utf8) }
            .map { String(decoding: $0.dropFirst(name.utf8.count), as: UTF8.self).trimmingSpace() }
            .flatMap { $0.isEmpty ? nil : $0 }
    }
}
