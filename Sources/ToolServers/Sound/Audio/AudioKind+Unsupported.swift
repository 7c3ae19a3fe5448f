/// Names the formats of files that cannot be used as sound.
extension AudioKind {
    /// A name for the format of a file that is not sound, if its bytes show it, for the
    /// error message. Pure.
    static func looksLike(_ head: AudioBytes) -> String? {
        for (mark, offset, name) in marks where head.has(mark, at: offset) { return name }
        if head.has("RIFF"), head.count >= 12 { return "RIFF data without sound" }
        if head.has("OggS") { return "video without sound" }
        if head.has("ftyp", at: 4) { return "picture" }
        if head.count >= 16, head.bytes.allSatisfy({ $0 == 0 }) { return "zeros" }
        return text(head)
    }

    private static let marks: [([UInt8], Int, String)] =
        [
            ("%PDF-", 0, "PDF"), ("GIF8", 0, "GIF picture"), ("AVI ", 8, "AVI video"),
            ("WEBP", 8, "WebP picture"), ("MThd", 0, "MIDI notes"),
            ("PK\u{3}\u{4}", 0, "zip archive"),
            ("7z", 0, "archive"), ("Rar!", 0, "archive"), ("BZh", 0, "archive"),
            ("SQLite format 3\0", 0, "database"), ("FLV", 0, "Flash video"), ("{\\rtf", 0, "text"),
            ("II*\0", 0, "TIFF picture"), ("MM\0*", 0, "TIFF picture"),
        ].map { (Array($0.0.utf8), $0.1, $0.2) } + [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0, "PNG picture"),
            ([0xFF, 0xD8, 0xFF], 0, "JPEG picture"), ([0x1F, 0x8B], 0, "archive"),
            ([0xFD, 0x37, 0x7A, 0x58, 0x5A], 0, "archive"),
            ([0x28, 0xB5, 0x2F, 0xFD], 0, "archive"),
            ([0x7F, 0x45, 0x4C, 0x46], 0, "program"),
            ([0xD0, 0xCF, 0x11, 0xE0], 0, "Office document"),
            ([0x00, 0x00, 0x01, 0xBA], 0, "MPEG video"),
            ([0x00, 0x00, 0x01, 0xB3], 0, "MPEG video"),
            ([0x1A, 0x45, 0xDF, 0xA3], 0, "unknown EBML document"),
        ]

    /// UTF-8 (the last character of the head may be cut) or UTF-16 with its byte order
    /// mark.
    private static func text(_ head: AudioBytes) -> String? {
        if head.has([0xFF, 0xFE]) || head.has([0xFE, 0xFF]) {
            // Text has no second frame where MPEG audio has one.
            return MPEGFrame.start(in: head, from: 0, frames: 2) == nil ? "text" : nil
        }
        guard head.count > 0, !head.bytes.contains(0) else { return nil }
        let isWhole = (0..<min(4, head.count)).contains { cut in
            String(validating: head.bytes.dropLast(cut), as: UTF8.self) != nil
        }
        guard isWhole else { return nil }
        let start = String(decoding: head.bytes.prefix(512), as: UTF8.self)
            .drop { $0.isWhitespace || $0 == "\u{FEFF}" }.lowercased()
        if start.hasPrefix("<!doctype html") || start.hasPrefix("<html") { return "web page" }
        if start.hasPrefix("#extm3u") || start.hasPrefix("ffconcat")
            || start.hasPrefix("[playlist]")
        {
            return "playlist"
        }
        return "text"
    }
}
