import Base

/// The length of ID3 tags before the sound; what is in them is not read.
enum ID3Tag {
    private static let headerBytes = 10

    /// Length of the tag that begins there, including header and footer.
    static func length(_ bytes: AudioBytes, at: Int) -> Int? {
        guard bytes.has("ID3", at: at), let version = bytes.byte(at + 3), (2...4).contains(version),
            let flags = bytes.byte(at + 5), let size = syncSafe(bytes, at + 6)
        else { return nil }
        return headerBytes + size + (version == 4 && flags & 0x10 != 0 ? headerBytes : 0)
    }

    /// Start of the sound, after all leading tags.
    static func end(_ source: AudioSource) throws(OpenFile.Failure) -> Int {
        var end = 0
        for _ in 0..<8 {
            guard let length = length(try source.part(end, headerBytes), at: 0) else { break }
            end += length
        }
        return end
    }

    /// Four bytes of seven bits each (ID3v2.4, 6.2).
    private static func syncSafe(_ bytes: AudioBytes, _ at: Int) -> Int? {
        guard let word = bytes.big(at, 4), word & 0x8080_8080 == 0 else { return nil }
        return word & 0x7F | word >> 1 & 0x3F80 | word >> 2 & 0x1F_C000 | word >> 3 & 0xFE0_0000
    }
}
