import AgentCore

/// The duration and tags of MP3 and ADTS files, which have no header of their
/// own: a first frame that counts the others, or an estimate by rate.
struct MPEGDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        details.add(try ID3Tag.tags(source))
        if details.tags.isEmpty { details.add(try ID3Tag.oldTags(source)) }
        let from = try ID3Tag.end(source)
        let head = try source.part(from, AudioKind.headBytes)
        let found =
            MPEGFrame.start(in: head, from: 0, frames: 2)
            ?? MPEGFrame.start(in: head, from: 0, within: 8_192, frames: 3)
        guard let (at, frame) = found else { return details }
        if let frames = count(head, at: at, frame) {
            details.duration = Double(frames * frame.samples) / Double(frame.rate)
            return details
        }
        let end = source.count - (try ID3Tag.hasOld(source) ? 128 : 0)
        details.duration = estimate(head, at: at, frame, bytes: end - from - at)
        return details
    }

    /// What LAME's ("Xing", "Info") or Fraunhofer's ("VBRI") first frame counts.
    private static func count(_ bytes: AudioBytes, at: Int, _ frame: MPEGFrame) -> Int? {
        guard frame.layer == 3 else { return nil }
        let isFirst = frame.version == 3
        let side = frame.channels == 1 ? (isFirst ? 17 : 9) : (isFirst ? 32 : 17)
        let mark = at + 4 + side
        if bytes.has("Xing", at: mark) || bytes.has("Info", at: mark) {
            guard let flags = bytes.big(mark + 4, 4), flags & 1 != 0 else { return nil }
            return bytes.big(mark + 8, 4).flatMap { $0 > 0 ? $0 : nil }
        }
        guard bytes.has("VBRI", at: at + 36) else { return nil }
        return bytes.big(at + 50, 4).flatMap { $0 > 0 ? $0 : nil }
    }

    /// By the average of the frames in the head: exact at a constant rate.
    private static func estimate(
        _ head: AudioBytes, at: Int, _ first: MPEGFrame, bytes: Int
    ) -> Double? {
        var next = at
        var samples = 0
        while let frame = MPEGFrame(head, at: next), frame.continues(first) {
            next += frame.byteCount
            samples += frame.samples
        }
        guard next > at, bytes > 0 else { return nil }
        let seconds = Double(samples) / Double(first.rate)
        return seconds * Double(bytes) / Double(next - at)
    }
}
