/// The words with which a program is asked to convert a file of sound. It
/// writes plain samples to its standard output.
///
/// Both programs get the container by name, which takes the choice from the
/// content and from the name; the file is an absolute path, which is never an
/// option, a protocol or sox's "|command".
struct ConversionCommand: Sendable, Equatable {
    /// "ffmpeg" or "sox".
    var name: String
    /// Where it is.
    var program: String

    /// Those that can convert it, the better one first.
    static func programs(for file: AudioFile) -> [String] {
        soxType(file) == nil ? ["ffmpeg"] : ["ffmpeg", "sox"]
    }

    /// `input` is absolute.
    func arguments(_ file: AudioFile, input: String) -> [String] {
        // A little more than what is accepted, so that more is noticed.
        let longest = String(AudioCuts.longestSeconds + 60)
        if name == "sox" {
            // A name has to be kept from being a pattern.
            return ["-V1", "-D", "--no-glob", "-t", Self.soxType(file) ?? "wav", input]
                + ["-t", "raw", "-L", "-e", "signed-integer", "-b", "16", "-r", "16000"]
                + ["-c", "1", "-", "trim", "0", longest]
        }
        return ["-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe"]
            + ["-f", Self.demuxer(file.kind), "-i", "file:" + input]
            + ["-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1", "-bitexact"]
            + ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-t", longest]
            + ["-f", "s16le", "pipe:1"]
    }

    private static func demuxer(_ kind: AudioKind) -> String {
        switch kind {
        case .m4a, .mp4: "mov"
        case .webm: "matroska"
        case .wma: "asf"
        case .wav, .flac, .ogg, .mp3, .aac, .aiff, .amr, .caf: kind.rawValue
        }
    }

    /// Nil for what sox cannot read.
    private static func soxType(_ file: AudioFile) -> String? {
        switch file.kind {
        case .wav, .flac, .mp3, .aiff, .caf: return file.kind.rawValue
        case .ogg:
            // What cannot be read is not converted either, and that says why.
            guard let head = try? AudioSource(file.file).part(0, AudioKind.headBytes) else {
                return nil
            }
            return switch OggPage.soundStreams(head).first?.codec {
            case .vorbis: "ogg"
            case .opus: "opus"
            case .speex, .flac, nil: nil
            }
        case .m4a, .mp4, .webm, .aac, .amr, .wma: return nil
        }
    }
}
