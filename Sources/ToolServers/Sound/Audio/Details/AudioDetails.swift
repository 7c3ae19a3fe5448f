import Base

/// Metadata of a sound file: its duration, and the tags that would be uploaded with it.
/// Both are claims of the file's writer.
///
/// Bounded in number and length, whatever the file contains. Tags of WAV, WebM and rarer
/// formats are not read.
struct AudioDetails: Sendable, Equatable {
    static let tagLimit = 32
    static let nameLimit = 40
    static let valueLimit = 200

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
    private(set) var tags: [AudioTag] = []

    init(duration: Double? = nil) {
        self.duration = duration
    }

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

    /// Adds a tag, unless its value is empty or it exists already.
    mutating func add(_ name: String, _ value: String) {
        guard tags.count < Self.tagLimit else { return }
        let value = String(value.prefix { $0 != "\0" }.prefix(Self.valueLimit))
        let tag = AudioTag(name: String(name.prefix(Self.nameLimit)), value: value)
        if tag.value.contains(where: { !$0.isWhitespace }), !tags.contains(tag) { tags.append(tag) }
    }

    mutating func add(_ other: [AudioTag]) {
        for tag in other { add(tag.name, tag.value) }
    }

    /// The text that lists a picture or another attachment.
    static func size(_ what: String, _ bytes: Int) -> String {
        "\(what.isEmpty ? "attachment" : what), \(max(1, bytes / 1_000)) kB"
    }
}

/// A tag of a sound file that would be uploaded with it: a title, a place, a picture.
/// Untrusted text, bounded in length.
package struct AudioTag: Sendable, Equatable {
    /// "title", "artist", "location" …, or the format's own name.
    package var name: String
    package var value: String
}

/// Decodes text in tags, in their various encodings. Pure; undecodable bytes become
/// replacement characters.
struct AudioText {
    /// UTF-8 if valid, else Latin-1; trailing spaces are padding.
    static func guess(_ bytes: [UInt8]) -> String {
        let bytes = Array(bytes.prefix { $0 != 0 })
        let text = String(validating: bytes, as: UTF8.self) ?? latin1(bytes)
        return text.trimmingSpace()
    }

    /// The texts of an ID3 frame, separated by zeros: encoding 0 is Latin-1, 1 and 2 are
    /// UTF-16, 3 is UTF-8.
    static func parts(_ bytes: [UInt8], encoding: Int) -> [String] {
        switch encoding {
        case 1, 2:
            utf16(bytes).split(separator: "\0", omittingEmptySubsequences: false).map {
                $0.trimmingSpace()
            }
        case 3:
            bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self).trimmingSpace()
            }
        default:
            bytes.split(separator: 0, omittingEmptySubsequences: false).map {
                // Many writers declare Latin-1 but write UTF-8.
                guess(Array($0))
            }
        }
    }

    private static func latin1(_ bytes: [UInt8]) -> String {
        String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Uses the byte order marks; big-endian without.
    private static func utf16(_ bytes: [UInt8]) -> String {
        var units: [UInt16] = []
        var isLittle = false
        for at in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            switch first << 8 | second {
            case 0xFEFF: isLittle = false
            case 0xFFFE: isLittle = true
            case let unit: units.append(isLittle ? second << 8 | first : unit)
            }
        }
        return String(decoding: units, as: UTF16.self)
    }
}

/// The duration and tags of MP3 and ADTS files, which have no file header: by a first frame
/// that counts the others, or estimated by bit rate.
struct MPEGDetails {
    static func read(_ source: AudioSource) throws(OpenFile.Failure) -> AudioDetails {
        var details = AudioDetails()
        details.add(try ID3Tag.tags(source))
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
