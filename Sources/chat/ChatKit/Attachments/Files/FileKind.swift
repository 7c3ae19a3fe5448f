import AgentCore
import Base
import Sound

/// A file's kind, judged by its bytes; the name decides only between kinds that look alike
/// (a Word document is a zip archive). Pure.
package enum FileKind: Sendable, Equatable {
    /// Converted to UTF-8.
    case text([UInt8])
    case image(ImageHeader)
    case pdf
    case unsupported(Unsupported)
    case unknown

    /// Kinds that no model accepts, each with a suggestion.
    package enum Unsupported: String, Sendable, CaseIterable {
        case heic, svg, bitmap, tiff, word, spreadsheet, slides, archive, audio, video, program
        case database
    }

    init(_ bytes: [UInt8], name: String) {
        if let image = ImageHeader(bytes) {
            self = .image(image)
        } else if bytes.prefix(1_024).starts(with: Array("%PDF-".utf8)) {
            self = .pdf
        } else if let kind = Self.unsupported(bytes, name: name.lowercased()) {
            self = .unsupported(kind)
        } else if let text = Self.text(bytes) {
            let isDrawing = name.lowercased().hasSuffix(".svg")
            self = isDrawing ? .unsupported(.svg) : .text(text)
        } else {
            self = .unknown
        }
    }

    private static func unsupported(_ bytes: [UInt8], name: String) -> Unsupported? {
        func has(_ text: String, at offset: Int = 0) -> Bool {
            bytes.dropFirst(offset).starts(with: text.utf8)
        }
        if has("ftyp", at: 4) {
            let brand = String(decoding: bytes.dropFirst(8).prefix(4), as: UTF8.self)
            if ["heic", "heix", "hevc", "heif", "mif1", "msf1", "avif"].contains(brand) {
                return .heic
            }
        }
        switch AudioKind(head: Array(bytes.prefix(AudioKind.headBytes))) {
        case nil: break
        // Containers of both; most are videos.
        case .mp4, .webm: return .video
        default: return .audio
        }
        if has("PK\u{3}\u{4}") {
            switch name.split(separator: ".").last {
            case "docx", "odt": return .word
            case "xlsx", "ods": return .spreadsheet
            case "pptx", "odp": return .slides
            default: return .archive
            }
        }
        // The old formats of Office share one container.
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            return name.hasSuffix(".xls") ? .spreadsheet : name.hasSuffix(".ppt") ? .slides : .word
        }
        if has("RIFF"), has("AVI ", at: 8) { return .video }
        if has("OggS") { return .video }
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return .video }
        if bytes.starts(with: [0x1F, 0x8B]) || has("7z\u{BC}") || has("Rar!")
            || bytes.starts(with: [0x37, 0x7A, 0xBC, 0xAF]) || has("BZh")
            || bytes.starts(with: [0xFD, 0x37, 0x7A, 0x58]) || has("ustar", at: 257)
            || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
        {
            return .archive
        }
        if has("BM"), bytes.count > 26, bytes[5...8].allSatisfy({ $0 == 0 }) { return .bitmap }
        if has("II*\0") || has("MM\0*") { return .tiff }
        if bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) { return .program }
        if has("SQLite format 3\0") { return .database }
        return nil
    }

    /// Nil unless it is text: not UTF-8 (or UTF-16 with a byte order mark), or with a zero
    /// byte in it.
    private static func text(_ bytes: [UInt8]) -> [UInt8]? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return text(Array(bytes.dropFirst(3))) }
        let isLittle = bytes.starts(with: [0xFF, 0xFE])
        if isLittle || bytes.starts(with: [0xFE, 0xFF]) {
            return utf16(bytes.dropFirst(2), isLittle: isLittle)
        }
        if bytes.contains(0) || String(validating: bytes, as: UTF8.self) == nil { return nil }
        return bytes
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isLittle: Bool) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for index in stride(from: bytes.startIndex, to: bytes.endIndex, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
        }
        if units.contains(0) { return nil }
        return String(validating: units, as: UTF16.self).map { Array($0.utf8) }
    }
}
