import Base

/// The duration of the first sound stream in an Ogg file: headers at the start, the sample
/// count in its last page.
enum OggDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        let head = try source.part(0, AudioKind.headBytes)
        guard let (first, codec) = OggPage.soundStreams(head).first else { return details }
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
}

/// The duration of FLAC, from its leading metadata blocks (RFC 9639).
enum FLACDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        var at = try ID3Tag.end(source) + 4
        for index in 0..<128 {
            let header = try source.part(at, 4)
            guard let first = header.byte(0), let size = header.big(1, 3) else { break }
            if index == 0 {
                if first & 0x7F != 0 { details.content = .damaged }
                details.duration = duration(try source.part(at + 4, min(size, 64)), at: 0)
            }
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
