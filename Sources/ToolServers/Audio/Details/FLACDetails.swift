import AgentCore

/// The duration and tags of FLAC, by the metadata blocks in front (RFC 9639).
struct FLACDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        details.add(try ID3Tag.tags(source))
        var at = try ID3Tag.end(source) + 4
        for index in 0..<128 {
            let header = try source.part(at, 4)
            guard let first = header.byte(0), let size = header.big(1, 3) else { break }
            // Only comments are read whole, and no more of them than of any head.
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

    /// Of STREAMINFO: 20 bits of rate, 3 of channels, 5 of depth, 36 of count.
    static func duration(_ block: AudioBytes, at: Int) -> Double? {
        guard let word = block.big(at + 10, 4), let low = block.big(at + 14, 4) else { return nil }
        let rate = word >> 12
        let samples = (word & 0xF) << 32 | low
        return rate > 0 && samples > 0 ? Double(samples) / Double(rate) : nil
    }
}
