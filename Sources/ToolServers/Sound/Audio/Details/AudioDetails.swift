import Base

/// The claims of a sound file's headers: its duration, and whether there is sound in it. The
/// duration of WebM and rarer formats is not read.
struct AudioDetails: Sendable, Equatable {
    enum Content: Sendable, Equatable {
        /// No sign of a problem.
        case sound
        /// A video whose tracks are all silent.
        case noSound
        /// A required part of the format is missing.
        case damaged
    }

    var content = Content.sound
    /// Seconds.
    var duration: Double?

    init() {}

    /// Reads the metadata of the format; damaged parts are left out.
    init(_ source: AudioSource, kind: AudioKind, wave: WaveHeader?) throws(OpenFile.Failure) {
        switch kind {
        case .wav: duration = wave?.duration
        case .flac: self = try FLACDetails.read(source)
        case .ogg: self = try OggDetails.read(source)
        case .mp3, .aac: self = try MPEGDetails.read(source)
        case .m4a, .mp4: self = try MP4Details.read(source)
        case .webm, .aiff, .amr, .caf, .wma: break
        }
        // An impossible value: better no duration.
        if let seconds = duration, !seconds.isFinite || seconds < 0 || seconds > 1e8 {
            duration = nil
        }
    }
}

/// The duration of MP3 and ADTS files, which have no file header: by a first frame
/// that counts the others, or estimated by bit rate.
struct MPEGDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
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
        details.duration = estimate(head, at: at, frame, bytes: source.count - from - at)
        return details
    }

    /// The frame count in LAME's first frame ("Xing", "Info").
    private static func count(_ bytes: AudioBytes, at: Int, _ frame: MPEGFrame) -> Int? {
        guard frame.layer == 3 else { return nil }
        let isFirst = frame.version == 3
        let side = frame.channels == 1 ? (isFirst ? 17 : 9) : (isFirst ? 32 : 17)
        let mark = at + 4 + side
        guard bytes.has("Xing", at: mark) || bytes.has("Info", at: mark),
            let flags = bytes.big(mark + 4, 4), flags & 1 != 0
        else { return nil }
        return bytes.big(mark + 8, 4).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Estimates by the average of the frames in the head: exact at a constant rate.
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
