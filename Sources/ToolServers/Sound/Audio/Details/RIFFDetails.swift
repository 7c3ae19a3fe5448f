import Base

/// The duration and tags of a WAV file: LIST INFO and ID3 chunks, before or
/// after the samples.
struct RIFFDetails {
    static func read(
        _ source: AudioSource, _ wave: WaveHeader?
    ) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails(duration: wave?.duration)
        var chunks = RIFFChunks(source)
        while let chunk = try chunks.next() {
            switch chunk.id {
            case "LIST":
                let list = try source.part(chunk.content, min(chunk.size, AudioKind.headBytes))
                if list.has("INFO") { add(list, &details) }
            case "bext":
                // Broadcast Wave: description, originator, date and time.
                let bytes = try source.part(chunk.content, min(chunk.size, 346))
                details.add("comment", AudioText.guess(bytes.part(0, 256).bytes))
                details.add("artist", AudioText.guess(bytes.part(256, 32).bytes))
                details.add("date", AudioText.guess(bytes.part(320, 18).bytes))
            case "id3 ", "ID3 ":
                let bytes = try source.part(chunk.content, min(chunk.size, AudioKind.headBytes))
                details.add(try ID3Tag.tags(AudioSource(bytes.bytes)))
            // Without a size the samples go on to the end.
            case "data" where chunk.size == 0 || chunk.size == 0xFFFF_FFFF: return details
            default: continue
            }
        }
        return details
    }

    private static func add(_ list: AudioBytes, _ details: inout AudioDetails) {
        var at = 4
        while let size = list.little(at + 4, 4) {
            let id = String(decoding: list.part(at, 4).bytes, as: UTF8.self)
            let text = AudioText.guess(list.part(at + 8, size).bytes)
            details.add(names[id] ?? id, text)
            at += 8 + size + size % 2
        }
    }

    private static let names = [
        "INAM": "title", "IART": "artist", "IPRD": "album", "ICMT": "comment", "ICRD": "date",
        "ISFT": "encoder", "IGNR": "genre", "ICOP": "copyright", "IENG": "engineer",
        "ILNG": "language", "ITRK": "track", "IPRT": "track",
    ]
}

/// The duration and texts of an AIFF file.
struct AIFFDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        var chunks = RIFFChunks(source, isAIFF: true)
        while let chunk = try chunks.next() {
            let content = try source.part(chunk.content, min(chunk.size, 512))
            switch chunk.id {
            case "COMM":
                if let frames = content.big(2, 4), let rate = rate(content, at: 8), rate > 0 {
                    details.duration = Double(frames) / rate
                }
            case "ID3 ":
                let tag = try source.part(chunk.content, min(chunk.size, AudioKind.headBytes))
                details.add(try ID3Tag.tags(AudioSource(tag.bytes)))
            case "NAME": details.add("title", AudioText.guess(content.bytes))
            case "AUTH": details.add("artist", AudioText.guess(content.bytes))
            case "ANNO": details.add("comment", AudioText.guess(content.bytes))
            case "(c) ": details.add("copyright", AudioText.guess(content.bytes))
            default: break
            }
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
