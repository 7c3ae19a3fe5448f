/// One page of an Ogg stream (RFC 3533): its header and the position of its content. Pure;
/// the checksum is not verified.
struct OggPage: Sendable, Equatable {
    /// The codec of a stream, by its first packet.
    enum Codec: Sendable, Equatable {
        case vorbis, opus, speex, flac
    }

    var begins: Bool
    /// Sample count up to the end of the page; -1 if no packet ends in it.
    var granule: Int64
    var serial: Int
    var content: Int
    var contentSize: Int

    var end: Int { content + contentSize }

    init?(_ bytes: AudioBytes, at: Int) {
        guard bytes.has("OggS", at: at), bytes.byte(at + 4) == 0, let flags = bytes.byte(at + 5),
            let low = bytes.little(at + 6, 4), let high = bytes.little(at + 10, 4),
            let serial = bytes.little(at + 14, 4), let count = bytes.byte(at + 26),
            bytes.byte(at + 26 + count) != nil
        else { return nil }
        begins = flags & 2 != 0
        granule = Int64(bitPattern: UInt64(high) << 32 | UInt64(low))
        self.serial = serial
        content = at + 27 + count
        // The sizes of the segments of packets.
        contentSize = bytes.part(at + 27, count).bytes.reduce(0) { $0 + Int($1) }
    }

    static func codec(_ bytes: AudioBytes, at: Int) -> Codec? {
        if bytes.has("\u{1}vorbis", at: at) { return .vorbis }
        if bytes.has("OpusHead", at: at) { return .opus }
        if bytes.has("Speex   ", at: at) { return .speex }
        return bytes.has("\u{7F}FLAC", at: at) ? .flac : nil
    }

    /// The sound streams, given by their first pages at the start of the file.
    static func soundStreams(_ bytes: AudioBytes) -> [(page: OggPage, codec: Codec)] {
        var found: [(OggPage, Codec)] = []
        var at = 0
        // All first pages come before any other (RFC 3533, 4).
        while let page = OggPage(bytes, at: at), page.begins {
            if let codec = codec(bytes, at: page.content) { found.append((page, codec)) }
            at = page.end
        }
        return found
    }

    static func hasSound(_ bytes: AudioBytes) -> Bool { !soundStreams(bytes).isEmpty }
}
