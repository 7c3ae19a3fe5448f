/// The command line of a program that converts a sound file. It writes plain samples to its
/// standard output.
///
/// Both programs are given the container format explicitly, so that neither content nor
/// name decides; the file is an absolute path, which is never an option, a protocol or
/// sox's "|command".
struct ConversionCommand: Sendable, Equatable {
    /// "ffmpeg" or "sox".
    var name: String
    /// Absolute path of the program.
    var program: String

    /// Programs that can convert the file, better ones first.
    static func programs(for file: AudioFile) -> [String] {
        soxType(file) == nil ? ["ffmpeg"] : ["ffmpeg", "sox"]
    }

    /// - Parameter input: an absolute path.
    func arguments(_ file: AudioFile, input: String) -> [String] {
        // Slightly above the limit, so that longer sound is detected.
        let longest = String(AudioCuts.longestSeconds + 60)
        if name == "sox" {
            // The file name must not be taken for a pattern.
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

    /// sox's name of the format; nil if sox cannot read it.
    private static func soxType(_ file: AudioFile) -> String? {
        switch file.kind {
        case .wav, .flac, .mp3, .aiff, .caf: return file.kind.rawValue
        case .ogg:
            // An unreadable file is not converted either, and that reports the reason.
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
