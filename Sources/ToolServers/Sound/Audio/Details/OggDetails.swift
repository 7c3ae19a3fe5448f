import Base

/// The duration and tags of the first sound stream in an Ogg file: headers at the start,
/// the sample count in its last page.
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
        // Opus also counts its pre-skip (RFC 7845, 4.2).
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

    /// Position of the last page of the stream in which a packet ends.
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

    /// The second packet of the stream, as far as it is within the head.
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

/// The duration and tags of FLAC, from its leading metadata blocks (RFC 9639).
struct FLACDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        details.add(try ID3Tag.tags(source))
        var at = try ID3Tag.end(source) + 4
        for index in 0..<128 {
            let header = try source.part(at, 4)
            guard let first = header.byte(0), let size = header.big(1, 3) else { break }
            // Only comments are read whole, up to the size of a head.
            let wanted = first & 0x7F == 4 ? AudioKind.headBytes : 64
            let block = try source.part(at + 4, min(size, wanted))
            switch first & 0x7F {
            case 0: details.duration = duration(block, at: 0)
            case 4: details.add(VorbisComments.tags(block, at: 0))
            case 6:
                let type = block.big(4, 4).map { block.part(8, min($0, 32)).bytes } ?? []
                details.add("picture", AudioDetails.size(AudioText.guess(type), size))
            default: break
            }
            if index == 0, first & 0x7F != 0 { details.content = .damaged }
            if first & 0x80 != 0 { return details }
            at += 4 + size
        }
        details.content = .damaged
        return details
    }

    /// Duration from STREAMINFO: 20 bits of rate, 3 of channels, 5 of depth, 36 of sample
    /// count.
    static func duration(_ block: AudioBytes, at: Int) -> Double? {
        guard let word = block.big(at + 10, 4), let low = block.big(at + 14, 4) else { return nil }
        let rate = word >> 12
        let samples = (word & 0xF) << 32 | low
        return rate > 0 && samples > 0 ? Double(samples) / Double(rate) : nil
    }
}

/// The comments of FLAC, Vorbis, Opus and Speex: "TITLE=…" in UTF-8. Pure.
struct VorbisComments {
    static func tags(_ bytes: AudioBytes, at start: Int) -> [AudioTag] {
        var details = AudioDetails()
        var at = start
        func text() -> String? {
            guard let size = bytes.little(at, 4), size <= bytes.count - at - 4 else { return nil }
            // Enough for every name and value we use.
            let text = String(decoding: bytes.part(at + 4, min(size, 2_048)).bytes, as: UTF8.self)
            at += 4 + size
            return text
        }
        guard let encoder = text(), let count = bytes.little(at, 4) else { return [] }
        at += 4
        for _ in 0..<min(count, 1_024) {
            let before = at
            guard let comment = text() else { break }
            guard let sign = comment.firstIndex(of: "=") else { continue }
            let name = comment[..<sign].lowercased()
            if name == "metadata_block_picture" || name == "coverart" {
                details.add("picture", AudioDetails.size("picture", (at - before) * 3 / 4))
            } else {
                details.add(names[name] ?? name, String(comment[comment.index(after: sign)...]))
            }
        }
        details.add("encoder", encoder)
        return details.tags
    }

    private static let names = ["description": "comment"]
}
