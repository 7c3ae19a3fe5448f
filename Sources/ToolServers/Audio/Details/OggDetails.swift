import AgentCore

/// The duration and tags of the first stream of sound in an Ogg file: headers
/// in front, the count of samples in its last page.
struct OggDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        let head = try source.part(0, AudioKind.headBytes)
        guard let (first, codec) = OggPage.soundStreams(head).first else { return details }
        details.add(comments(head, first.serial, codec))
        let tail = try source.part(
            max(0, source.count - AudioKind.headBytes), AudioKind.headBytes)
        guard let rate = rate(head, first, codec), rate > 0,
            let samples = lastGranule(tail, serial: first.serial)
        else { return details }
        // Opus counts from before its warming up (RFC 7845, 4.2).
        let skipped = codec == .opus ? head.little(first.content + 10, 2) ?? 0 : 0
        details.duration = Double(max(0, samples - Int64(skipped))) / Double(rate)
        return details
    }

    private static func rate(_ head: AudioBytes, _ page: OggPage, _ codec: OggPage.Codec) -> Int? {
        switch codec {
        case .vorbis: head.little(page.content + 12, 4)
        case .opus: 48_000
        case .speex: head.little(page.content + 36, 4)
        case .flac: head.big(page.content + 27, 3).map { $0 >> 4 }
        }
    }

    /// Of the last page of the stream in which a packet ends.
    private static func lastGranule(_ tail: AudioBytes, serial: Int) -> Int64? {
        var last: Int64?
        var at = 0
        while let found = tail.bytes[at...].firstIndex(of: 0x4F) {
            at = found + 1
            guard let page = OggPage(tail, at: found), page.serial == serial else { continue }
            if page.granule >= 0 { last = page.granule }
            if page.end <= tail.count { at = page.end }
        }
        return last
    }

    /// The second packet of the stream, as far as it is in the head.
    private static func comments(
        _ head: AudioBytes, _ serial: Int, _ codec: OggPage.Codec
    ) -> [AudioTag] {
        var packet: [UInt8] = []
        var at = 0
        pages: while let page = OggPage(head, at: at) {
            at = page.end
            guard page.serial == serial, !page.begins else { continue }
            var from = page.content
            for size in page.lacing {
                packet += head.part(from, Int(size)).bytes
                from += Int(size)
                if size < 255 { break pages }
            }
        }
        let bytes = AudioBytes(packet)
        switch codec {
        case .vorbis: return bytes.has("\u{3}vorbis") ? VorbisComments.tags(bytes, at: 7) : []
        case .opus: return bytes.has("OpusTags") ? VorbisComments.tags(bytes, at: 8) : []
        case .speex: return VorbisComments.tags(bytes, at: 0)
        case .flac: return VorbisComments.tags(bytes, at: 4)
        }
    }
}
