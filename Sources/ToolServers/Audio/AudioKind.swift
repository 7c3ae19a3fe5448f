/// A format of recorded sound, as far as we tell them apart.
package enum AudioKind: String, Sendable, CaseIterable {
    case wav, flac, ogg, mp3, m4a, mp4, webm
    /// ADTS, AIFF, AMR, CAF, WMA: known, but no transcription service takes them.
    case aac, aiff, amr, caf, wma

    /// The ending of the neutral name under which it is sent.
    package var fileExtension: String { rawValue }

    package var mediaType: String {
        switch self {
        case .wav: "audio/wav"
        case .flac: "audio/flac"
        case .ogg: "audio/ogg"
        case .mp3: "audio/mpeg"
        case .m4a: "audio/mp4"
        case .mp4: "video/mp4"
        case .webm: "audio/webm"
        case .aac: "audio/aac"
        case .aiff: "audio/aiff"
        case .amr: "audio/amr"
        case .caf: "audio/x-caf"
        case .wma: "audio/x-ms-wma"
        }
    }

    /// Transcription services take it as it is.
    package var isAccepted: Bool {
        switch self {
        case .wav, .flac, .ogg, .mp3, .m4a, .mp4, .webm: true
        case .aac, .aiff, .amr, .caf, .wma: false
        }
    }
}
