/// Facts in the first bytes of an image: its format, and its size where the
/// header can be read. Pure; the picture itself is not looked at.
///
/// | format | signature | width and height |
/// |---|---|---|
/// | PNG | `89 50 4E 47 0D 0A 1A 0A` | big-endian, in IHDR, which comes first |
/// | GIF | `GIF87a`, `GIF89a` | little-endian at byte 6 |
/// | JPEG | `FF D8 FF` | in the first frame header (SOF0–15) |
/// | WebP | `RIFF` … `WEBP` | by chunk: `VP8 `, `VP8L`, `VP8X` |
package struct ImageHeader: Sendable, Equatable {
    package enum Format: String, Sendable {
        case png, jpeg, gif, webp

        package var mediaType: String { "image/\(rawValue)" }
    }

    package var format: Format
    /// Nil where the header is cut or wrong.
    package var size: Size?

    package struct Size: Sendable, Equatable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        package var longEdge: Int { max(width, height) }
    }

    /// Nil for any other format.
    package init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            format = .png
            let isHeader = Self.has("IHDR", at: 12, in: bytes)
            size = isHeader ? Self.size(Self.big(bytes, 16, 4), Self.big(bytes, 20, 4)) : nil
        } else if bytes.starts(with: Array("GIF87a".utf8))
            || bytes.starts(with: Array("GIF89a".utf8))
        {
            format = .gif
            size = Self.size(Self.little(bytes, 6, 2), Self.little(bytes, 8, 2))
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            format = .jpeg
            size = Self.jpegSize(bytes)
        } else if bytes.starts(with: Array("RIFF".utf8)), Self.has("WEBP", at: 8, in: bytes) {
            format = .webp
            size = Self.webpSize(bytes)
        } else {
            return nil
        }
    }

    /// ITU T.81 B.1.1.2: segments follow each other, each with its length,
    /// up to the frame header.
    private static func jpegSize(_ bytes: [UInt8]) -> Size? {
        var position = 2
        while position + 3 < bytes.count {
            guard bytes[position] == 0xFF else { return nil }
            let marker = bytes[position + 1]
            switch marker {
            // A fill byte, and markers without a length.
            case 0xFF: position += 1
            case 0x01, 0xD0...0xD7: position += 2
            // The scan begins, or the image ends, without a frame header.
            case 0xDA, 0xD9: return nil
            // SOF0 to SOF15 without DHT, JPG and DAC.
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                return size(big(bytes, position + 7, 2), big(bytes, position + 5, 2))
            default:
                guard let length = big(bytes, position + 2, 2), length >= 2 else { return nil }
                position += 2 + length
            }
        }
        return nil
    }

    /// RFC 9649 §2.5–2.7.
    private static func webpSize(_ bytes: [UInt8]) -> Size? {
        if has("VP8X", at: 12, in: bytes) {
            guard let width = little(bytes, 24, 3), let height = little(bytes, 27, 3) else {
                return nil
            }
            return size(width + 1, height + 1)
        }
        if has("VP8L", at: 12, in: bytes) {
            guard bytes.count > 20, bytes[20] == 0x2F, let bits = little(bytes, 21, 4) else {
                return nil
            }
            return size((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        guard has("VP8 ", at: 12, in: bytes), little(bytes, 23, 3) == 0x2A019D,
            let width = little(bytes, 26, 2), let height = little(bytes, 28, 2)
        else { return nil }
        return size(width & 0x3FFF, height & 0x3FFF)
    }

    private static func size(_ width: Int?, _ height: Int?) -> Size? {
        guard let width, let height, width > 0, height > 0 else { return nil }
        return Size(width: width, height: height)
    }

    private static func has(_ text: StaticString, at offset: Int, in bytes: [UInt8]) -> Bool {
        bytes.dropFirst(offset).starts(
            with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private static func big(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard bytes.count >= offset + count else { return nil }
        return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func little(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int? {
        guard bytes.count >= offset + count else { return nil }
        return bytes[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
