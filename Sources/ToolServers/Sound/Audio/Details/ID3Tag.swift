import Base

/// Reads ID3 tags of versions 2.3 and 2.4, before the sound. Older and unsynchronised ones are
/// skipped.
///
/// Frames are skipped by their headers, so that a picture of megabytes costs nothing; only text is
/// read, and little of it.
struct ID3Tag {
    private static let headerBytes = 10
    private static let frameLimit = 512
    private static let textBytes = 2_048

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

    static func tags(_ source: AudioSource) throws(OpenFile.Failure) -> [AudioTag] {
        let header = try source.part(0, headerBytes)
        guard let length = length(header, at: 0), let version = header.byte(3), version > 2,
            let flags = header.byte(5), version == 4 || flags & 0x80 == 0
        else { return [] }
        var at = headerBytes
        if flags & 0x40 != 0 {
            let extra = try source.part(at, 4)
            at += version == 4 ? syncSafe(extra, 0) ?? 0 : 4 + (extra.big(0, 4) ?? 0)
        }
        return try frames(source, from: at, to: length, version: version)
    }

    private static func frames(
        _ source: AudioSource, from: Int, to end: Int, version: Int
    ) throws(OpenFile.Failure) -> [AudioTag] {
        var details = AudioDetails()
        var at = from
        for _ in 0..<frameLimit where at < end {
            let header = try source.part(at, headerBytes)
            let id = header.part(0, 4).bytes
            guard id.count == 4, id.allSatisfy({ (0x30...0x5A).contains($0) }),
                let size = version == 4 ? syncSafe(header, 4) : header.big(4, 4)
            else { break }
            let content = try source.part(at + headerBytes, min(size, textBytes))
            let name = String(decoding: id, as: UTF8.self)
            if let tag = frame(name, content, size: size) { details.add(tag.name, tag.value) }
            at += headerBytes + size
        }
        return details.tags
    }

    private static func frame(_ id: String, _ bytes: AudioBytes, size: Int) -> AudioTag? {
        let encoding = bytes.byte(0) ?? 0
        func texts(from: Int, _ encoding: Int) -> [String] {
            AudioText.parts(bytes.part(from, bytes.count).bytes, encoding: encoding)
        }
        switch id {
        case "TXXX":
            let parts = texts(from: 1, encoding)
            return AudioTag(name: parts.first ?? id, value: parts.dropFirst().first ?? "")
        case "COMM", "USLT":
            let value = texts(from: 4, encoding).dropFirst().first ?? ""
            return AudioTag(name: id.hasPrefix("C") ? "comment" : "lyrics", value: value)
        case "APIC":
            let what = texts(from: 1, 0).first ?? ""
            return AudioTag(name: "picture", value: AudioDetails.size(what, size))
        case "GEOB":
            return AudioTag(
                name: "attachment", value: AudioDetails.size(texts(from: 1, 0).first ?? "", size))
        case "PRIV", "UFID":
            return AudioTag(name: "owner", value: texts(from: 0, 0).first ?? "")
        case "WXXX":
            return AudioTag(name: "link", value: texts(from: 1, encoding).last ?? "")
        case _ where id.hasPrefix("W"):
            return AudioTag(name: "link", value: texts(from: 0, 0).first ?? "")
        case _ where id.hasPrefix("T"):
            return AudioTag(name: names[id] ?? id, value: texts(from: 1, encoding).first ?? "")
        default: return nil
        }
    }

    private static let names = [
        "TIT2": "title", "TPE1": "artist", "TALB": "album", "TYER": "date", "TDRC": "date",
        "TCON": "genre", "TSSE": "encoder", "TENC": "encoder", "TCOP": "copyright",
        "TCOM": "composer", "TRCK": "track", "TLAN": "language",
    ]

    /// Four bytes of seven bits each (ID3v2.4, 6.2).
    private static func syncSafe(_ bytes: AudioBytes, _ at: Int) -> Int? {
        guard let word = bytes.big(at, 4), word & 0x8080_8080 == 0 else { return nil }
        return word & 0x7F | word >> 1 & 0x3F80 | word >> 2 & 0x1F_C000 | word >> 3 & 0xFE0_0000
    }
}
