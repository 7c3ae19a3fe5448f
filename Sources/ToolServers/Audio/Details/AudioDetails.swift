import AgentCore

/// What a container tells beside the sound: how long it is, and what leaves
/// with it. Both are claims of the file's writer.
///
/// Bounded in number and length, whatever the file says.
struct AudioDetails: Sendable, Equatable {
    static let tagLimit = 32
    static let nameLimit = 40
    static let valueLimit = 200

    enum Content: Sendable, Equatable {
        /// Nothing speaks against it.
        case sound
        /// A video whose tracks are all silent.
        case noSound
        /// What the format cannot do without is missing.
        case damaged
    }

    var content = Content.sound
    /// Seconds.
    var duration: Double?
    private(set) var tags: [AudioTag] = []

    init(duration: Double? = nil) {
        self.duration = duration
    }

    /// Reads what the format has; a part that is damaged is left out.
    init(_ source: AudioSource, kind: AudioKind, wave: WaveHeader?) throws(OpenFile.Failure) {
        switch kind {
        case .wav: self = try RIFFDetails.read(source, wave)
        case .flac: self = try FLACDetails.read(source)
        case .ogg: self = try OggDetails.read(source)
        case .mp3, .aac: self = try MPEGDetails.read(source)
        case .m4a, .mp4: self = try MP4Details.read(source)
        case .webm: self = try MatroskaDetails.read(source)
        case .aiff: self = try AIFFDetails.read(source)
        case .amr, .caf, .wma: break
        }
        // A claim that cannot be: no duration is better.
        if let seconds = duration, !seconds.isFinite || seconds < 0 || seconds > 1e8 {
            duration = nil
        }
    }

    /// Nothing for an empty value or one that is there already.
    mutating func add(_ name: String, _ value: String) {
        guard tags.count < Self.tagLimit else { return }
        let value = String(value.prefix { $0 != "\0" }.prefix(Self.valueLimit))
        let tag = AudioTag(name: String(name.prefix(Self.nameLimit)), value: value)
        if tag.value.contains(where: { !$0.isWhitespace }), !tags.contains(tag) { tags.append(tag) }
    }

    mutating func add(_ other: [AudioTag]) {
        for tag in other { add(tag.name, tag.value) }
    }

    /// How a picture or another attachment is told.
    static func size(_ what: String, _ bytes: Int) -> String {
        "\(what.isEmpty ? "attachment" : what), \(max(1, bytes / 1_000)) kB"
    }
}
