import AgentCore
import Sound

/// Transcribes one upload, on a server or in a test.
package protocol Transcriber: Sendable {
    /// Sends the sound and returns the transcript. One attempt: retrying is up
    /// to the caller.
    ///
    /// - Parameter onProgress: called in order, from any thread, and quick.
    /// - Throws: `TranscriptionError`, `OpenFile.Failure`, `CancellationError`.
    func transcribe(
        _ upload: TranscriptionUpload,
        onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript
}

/// One upload: sound within the server's limit, and the options.
package struct TranscriptionUpload: Sendable {
    package var audio: [BodySlice]
    package var kind: AudioKind
    /// Seconds of sound; nil if the file does not say.
    package var duration: Double?
    package var options: TranscriptionOptions

    /// Size of the sound, without the form around it.
    package var byteCount: Int { audio.reduce(0) { $0 + $1.count } }
}

/// The options of a transcription, for any server.
package struct TranscriptionOptions: Sendable, Equatable {
    package enum Times: String, Sendable, Equatable, CaseIterable {
        case none, segments, words
    }

    package var model: String
    /// ISO 639-1; nil lets the server detect it.
    package var language: String?
    /// Words that are likely to occur, or the words just before.
    package var prompt: String?
    package var times: Times = .none
    /// Whether to distinguish speakers.
    package var wantsSpeakers = false

    /// ISO 639: two letters, or three for languages without a two-letter code;
    /// nil if it is not a code.
    package static func languageCode(_ text: String) -> String? {
        let code = text.lowercased()
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return (2...3).contains(code.utf8.count) && code.utf8.allSatisfy(letters.contains)
            ? code : nil
    }
}

/// The progress of an upload, or of a job of several.
package enum TranscriptionProgress: Sendable, Equatable {
    /// A long recording is being cut: seconds analysed, and in total.
    case preparing(done: Double, of: Double)
    /// The piece with this number, counted from 1, of how many begins;
    /// `wasDone` means that an earlier run already transcribed it.
    case piece(Int, of: Int, wasDone: Bool)
    /// Bytes of the current piece's sound that have been sent, and in total.
    case sent(bytes: Int, of: Int)
    /// Everything has been sent; the server is working.
    case waiting
    /// Words as they arrive, from models that stream.
    case text(String)
    /// The words so far are invalid: the piece is requested again.
    case restarted
    /// The request failed and is retried after this many seconds.
    case retrying(reason: TranscriptionError, after: Double, attempt: Int)
}
