import Base

/// A text of Project Gutenberg without the project's own words before and after it,
/// and what those say of it. Any other text is as it was. Pure.
struct GutenbergText: Sendable, Equatable {
    private(set) var title: String?
    private(set) var author: String?
    private(set) var language: String?
    /// Bytes of UTF-8 of the book in the text.
    private(set) var body: Range<Int>

    init(_ text: String) {
        let bytes = Array(text.utf8)
        body = 0..<bytes.count
        guard let head = Self.mark(in: bytes, Self.starts, from: 0) else { return }
        let header = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
        var end = Self.mark(in: bytes, Self.ends, from: head.upperBound)?.lowerBound
        end = min(
            end ?? bytes.count,
            Self.mark(in: bytes, Self.olderEnds, from: head.upperBound)?.lowerBound ?? bytes.count)
        var range = head.upperBound..<(end ?? bytes.count)
        range = Self.withoutBlankEdges(bytes, range)
        // "Produced by …": who made the file.
        for _ in 0..<3 {
            let paragraph = Self.paragraph(bytes, from: range.lowerBound, to: range.upperBound)
            let words = String(decoding: bytes[paragraph], as: UTF8.self).lowercased()
            guard Self.credits.contains(where: { words.hasPrefix($0) }) else { break }
            range = Self.withoutBlankEdges(bytes, paragraph.upperBound..<range.upperBound)
        }
        guard !range.isEmpty else { return }
        body = range
        title = Self.field("Title", in: header)
        author = Self.field("Author", in: header)
        language = Self.field("Language", in: header).flatMap { Self.languages[$0.lowercased()] }
    }

    // MARK: - Marks

    private static let starts = [
        "*** START OF THE PROJECT GUTENBERG", "*** START OF THIS PROJECT GUTENBERG",
        "***START OF THE PROJECT GUTENBERG", "***START OF THIS PROJECT GUTENBERG",
        "*END*THE SMALL PRINT!", "*END THE SMALL PRINT!",
    ]
    private static let ends = [
        "*** END OF THE PROJECT GUTENBERG", "*** END OF THIS PROJECT GUTENBERG",
        "***END OF THE PROJECT GUTENBERG", "***END OF THIS PROJECT GUTENBERG",
    ]
    private static let olderEnds = [
        "End of the Project Gutenberg EBook of", "End of Project Gutenberg's",
        "End of the Project Gutenberg Etext of", "End of The Project Gutenberg Etext of",
        "End of Project Gutenberg Etext of",
    ]
    private static let credits = [
        "produced by", "e-text prepared by", "etext prepared by", "this etext was prepared by",
        "this ebook was produced by", "transcribed from", "credits:", "[transcriber",
    ]

    /// The line that starts so, with its end and the lines it goes on in.
    private static func mark(in bytes: [UInt8], _ texts: [String], from: Int) -> Range<Int>? {
        let marks = texts.map { Array($0.utf8) }
        var line = from
        while line < bytes.count {
            var start = line
            while start < bytes.count, bytes[start] == 0x20 { start += 1 }
            let end = bytes[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            if marks.contains(where: { bytes[start..<end].starts(with: $0) }) {
                // A long title goes on in the next line, up to its three stars.
                var rest = end
                var last = line
                for _ in 0..<3 {
                    let text = bytes[last..<rest].filter { $0 > 0x20 }
                    if text.suffix(3) == Array("***".utf8)[...] && text.count > 3 { break }
                    guard let next = bytes[rest...].firstIndex(of: 0x0A),
                        bytes[rest..<next].contains(where: { $0 > 0x20 })
                    else { break }
                    last = rest
                    rest = next + 1
                }
                return line..<rest
            }
            line = end
        }
        return nil
    }

    private static func paragraph(_ bytes: [UInt8], from: Int, to: Int) -> Range<Int> {
        var at = from
        while at < to {
            let end = bytes[at..<to].firstIndex(of: 0x0A).map { $0 + 1 } ?? to
            if bytes[at..<end].allSatisfy({ $0 <= 0x20 }) { return from..<at }
            at = end
        }
        return from..<to
    }

    /// From the start of the first line with words to the end of the last.
    private static func withoutBlankEdges(_ bytes: [UInt8], _ range: Range<Int>) -> Range<Int> {
        guard let first = bytes[range].firstIndex(where: { $0 > 0x20 }),
            let last = bytes[range].lastIndex(where: { $0 > 0x20 })
        else { return range.lowerBound..<range.lowerBound }
        let start = bytes[range.lowerBound..<first].lastIndex(of: 0x0A).map { $0 + 1 }
        let end = bytes[last..<range.upperBound].firstIndex(of: 0x0A).map { $0 + 1 }
        return (start ?? range.lowerBound)..<(end ?? range.upperBound)
    }

    // MARK: - What the head says

    /// `Title: …`, whose next lines may be indented.
    private static func field(_ name: String, in header: String) -> String? {
        var value: String?
        for line in header.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            if let begun = value {
                let more = line.trimming(while: \.isWhitespace)
                guard line.first == " ", !more.isEmpty else { break }
                value = begun + " " + more
            } else if line.hasPrefix(name + ":") {
                value = String(line.dropFirst(name.count + 1).trimming(while: \.isWhitespace))
            }
        }
        return value.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static let languages = [
        "english": "en", "german": "de", "french": "fr", "spanish": "es", "italian": "it",
        "portuguese": "pt", "dutch": "nl", "finnish": "fi", "swedish": "sv", "danish": "da",
        "norwegian": "no", "polish": "pl", "russian": "ru", "latin": "la", "hungarian": "hu",
        "czech": "cs", "greek": "el", "esperanto": "eo", "chinese": "zh", "japanese": "ja",
        "catalan": "ca", "romanian": "ro", "icelandic": "is", "welsh": "cy",
    ]
}
