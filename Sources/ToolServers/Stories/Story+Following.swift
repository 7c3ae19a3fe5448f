import Base
import Documents

/// Keeps the places of a story valid when its text changes.
///
/// FoundationEssentials is not imported: its search in bytes (`DataProtocol.firstRange(of:)`)
/// would add 6 MB to the program.
extension Story {
    /// Updates the places after the text has changed, here or by other commands: facts
    /// found by reading are found again, and a book's chapters by their first lines.
    mutating func follow(_ text: String) {
        let bytes = Array(text.utf8)
        let sum = CRC32.of(bytes)
        if sum == checksum { return }
        checksum = sum
        switch format {
        case .text, .markdown:
            let headings = format == .markdown ? ChapterFinder.markdown(text) : []
            chapters = ChapterFinder.chapters(headings, in: text).map { Chapter($0, in: bytes) }
        case .html, .epub, .pdf, .rtf:
            var from = 0
            chapters = chapters.compactMap { chapter in
                let line = Array(chapter.line.utf8)
                guard !line.isEmpty, let found = Self.place(of: line, in: bytes, from: from) else {
                    return nil
                }
                from = found + line.count
                var chapter = chapter
                chapter.start = found
                return chapter
            }
        }
    }

    /// Finds a line that starts with the bytes.
    private static func place(of line: [UInt8], in bytes: [UInt8], from: Int) -> Int? {
        var rest = bytes[from...]
        while let found = rest.firstRange(of: line) {
            let start = found.lowerBound
            if start == 0 || bytes[start - 1] == 0x0A { return start }
            rest = bytes[(start + 1)...]
        }
        return nil
    }
}
