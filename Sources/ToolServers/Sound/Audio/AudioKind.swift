/// A sound file format, as far as we distinguish them.
package enum AudioKind: String, Sendable, CaseIterable {
    case wav, flac, ogg, mp3, m4a, mp4, webm
    /// ADTS, AIFF, AMR, CAF, WMA: recognized, but not accepted by any transcription
    /// service.
    case aac, aiff, amr, caf, wma

    /// File name extension for the neutral name used in uploads.
    package var fileExtension: String { rawValue }

    package var mediaType: String {
        switch self {
        case .wav: "audio/wav"
        case .flac: "audio/flac"
        case .ogg: "audio/ogg"
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .mp4: "video/mp4"
        case .webm: "audio/webm"
        case .aac: "audio/aac"
        case .aiff: "audio/aiff"
        case .amr: "audio/amr"
        case .caf: "audio/x-caf"
        case .wma: "audio/x-ms-wma"
        }
    }

    /// Whether transcription services accept it unconverted.
    package var isAccepted: Bool {
        switch self {
        case .wav, .flac, .ogg, .mp3, .m4a, .mp4, .webm: true
        case .aac, .aiff, .amr, .caf, .wma: false
        }
    }
}

extension AudioKind {
    /// Number of bytes read from the start of a file.
    package static let headBytes = 64 << 10

    /// The format by the first 64 KiB of a file, whatever its name; nil if it is not a
    /// known sound format. Pure.
    ///
    /// A leading tag longer than the head is assumed to belong to an MP3;
    /// `AudioKind.tagLength` helps callers with the file to look past it.
    package init?(head: [UInt8]) {
        let bytes = AudioBytes(head)
        guard let kind = Self.container(bytes) ?? Self.tagged(bytes) ?? Self.frames(bytes) else {
            return nil
        }
        self = kind
    }

    private static func container(_ bytes: AudioBytes) -> AudioKind? {
        if bytes.has("RIFF") || bytes.has("RF64") || bytes.has("BW64") {
            return bytes.has("WAVE", at: 8) ? .wav : nil
        }
        if bytes.has("fLaC") { return isFLAC(bytes, at: 0) ? .flac : nil }
        if bytes.has("OggS") { return OggPage.hasSound(bytes) ? .ogg : nil }
        if bytes.has("ftyp", at: 4) { return brand(bytes) }
        if bytes.has([0x1A, 0x45, 0xDF, 0xA3]) { return matroska(bytes) }
        if bytes.has("FORM") {
            return bytes.has("AIFF", at: 8) || bytes.has("AIFC", at: 8) ? .aiff : nil
        }
        if bytes.has("#!AMR\n") || bytes.has("#!AMR-WB\n") || bytes.has("#!AMR_MC1.0\n")
            || bytes.has("#!AMR-WB_MC1.0\n")
        {
            return .amr
        }
        if bytes.has("caff"), bytes.big(4, 2) == 1 { return .caf }
        if bytes.has(asfMark) { return .wma }
        return bytes.has("ADIF") ? .aac : nil
    }

    /// Header object of Microsoft's ASF container.
    static let asfMark: [UInt8] = [
        0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE,
        0x6C,
    ]

    /// The first block has to be STREAMINFO, of 34 bytes (RFC 9639, 8.2).
    static func isFLAC(_ bytes: AudioBytes, at: Int) -> Bool {
        guard bytes.has("fLaC", at: at) else { return false }
        guard let block = bytes.big(at + 4, 4) else { return bytes.count < at + 8 }
        return block & 0x7FFF_FFFF == 34
    }

    private static func brand(_ bytes: AudioBytes) -> AudioKind? {
        if bytes.has("M4A", at: 8) || bytes.has("M4B", at: 8) || bytes.has("M4P", at: 8) {
            return .m4a
        }
        // Pictures use the same container.
        let pictures = [
            "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis",
            "crx ", "jp2 ", "jpx ", "jxl ",
        ]
        if pictures.contains(where: { bytes.has($0, at: 8) }) { return nil }
        return bytes.count >= 12 ? .mp4 : nil
    }

    /// The format by document type; the container alone could be anything.
    private static func matroska(_ bytes: AudioBytes) -> AudioKind? {
        var reader = EBMLElements(bytes, from: 0)
        guard let header = reader.next(), header.id == 0x1A45_DFA3 else { return nil }
        let content = bytes.part(header.content, header.size ?? 0)
        var fields = EBMLElements(content, from: 0)
        while let field = fields.next() {
            guard field.id == 0x4282 else { continue }
            let isKnown =
                content.has("webm", at: field.content) || content.has("matroska", at: field.content)
            return isKnown ? .webm : nil
        }
        return nil
    }

    // MARK: Streams of frames

    private static func tagged(_ bytes: AudioBytes) -> AudioKind? {
        guard let end = tagLength(bytes) else { return nil }
        if end >= bytes.count { return .mp3 }
        return behindTag(bytes, at: end)
    }

    /// The format after an ID3v2 tag.
    static func behindTag(_ bytes: AudioBytes, at: Int) -> AudioKind? {
        if isFLAC(bytes, at: at) { return .flac }
        // Some writers pad with zeros, or state too small a size.
        let zeros = bytes.bytes[min(at, bytes.count)...].prefix { $0 == 0 }.count
        return kind(of: MPEGFrame.start(in: bytes, from: at + zeros, frames: 2)?.frame)
            ?? kind(
                of: MPEGFrame.start(in: bytes, from: at + zeros, within: 8_192, frames: 3)?.frame)
    }

    private static func frames(_ bytes: AudioBytes) -> AudioKind? {
        if let found = MPEGFrame.start(in: bytes, from: 0, frames: 2) {
            return kind(of: found.frame)
        }
        // A stream cut anywhere. Other formats may contain such frames further in, so
        // require four of them near the start.
        guard looksLike(bytes) == nil else { return nil }
        return kind(of: MPEGFrame.start(in: bytes, from: 0, within: 4_096, frames: 4)?.frame)
    }

    private static func kind(of frame: MPEGFrame?) -> AudioKind? {
        frame.map { $0.layer == 0 ? .aac : .mp3 }
    }

    /// Length of the leading ID3v2 tags, or nil. The last one may extend beyond the head.
    static func tagLength(_ bytes: AudioBytes) -> Int? {
        var end = 0
        while let length = ID3Tag.length(bytes, at: end), end < bytes.count { end += length }
        return end > 0 ? end : nil
    }
}
