import AgentCore

/// The duration and texts of an AIFF file.
struct AIFFDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        var at = 12
        for _ in 0..<256 {
            let header = try source.part(at, 8)
            guard let size = header.big(4, 4) else { break }
            let content = try source.part(at + 8, min(size, 512))
            switch String(decoding: header.bytes.prefix(4), as: UTF8.self) {
            case "COMM":
                if let frames = content.big(2, 4), let rate = rate(content, at: 8), rate > 0 {
                    details.duration = Double(frames) / rate
                }
            case "ID3 ":
                let tag = try source.part(at + 8, min(size, AudioKind.headBytes))
                details.add(try ID3Tag.tags(AudioSource(tag.bytes)))
            case "NAME": details.add("title", AudioText.guess(content.bytes))
            case "AUTH": details.add("artist", AudioText.guess(content.bytes))
            case "ANNO": details.add("comment", AudioText.guess(content.bytes))
            case "(c) ": details.add("copyright", AudioText.guess(content.bytes))
            default: break
            }
            at += 8 + size + size % 2
        }
        return details
    }

    /// An 80-bit number: sign and exponent, then 64 bits with the leading one.
    private static func rate(_ bytes: AudioBytes, at: Int) -> Double? {
        guard let exponent = bytes.big(at, 2), let high = bytes.big(at + 2, 4),
            (16_383...16_414).contains(exponent)
        else { return nil }
        return Double(high >> (16_414 - exponent))
    }
}
