import AgentCore
import Sound

/// What turns one upload into words, on a server or in a test.
package protocol Transcriber: Sendable {
    /// Sends the sound and returns what was said. One attempt: trying again is
    /// the caller's.
    ///
    /// - Parameter onProgress: called in order, from any thread, and quick.
    /// - Throws: `TranscriptionError`, `OpenFile.Failure`, `CancellationError`.
    func transcribe(
        _ upload: TranscriptionUpload,
        onProgress: @escaping @Sendable (TranscriptionProgress) -> Void
    ) async throws -> Transcript
}

/// One upload: sound within the server's limit, and what is wanted of it.
package struct TranscriptionUpload: Sendable {
    package var audio: [BodySlice]
    package var kind: AudioKind
    /// Seconds of sound; nil where the file does not tell.
    package var duration: Double?
    package var options: TranscriptionOptions

    /// Bytes of sound, without the form around them.
    package var byteCount: Int { audio.reduce(0) { $0 + $1.count } }
}

/// What is wanted of a transcription, whatever the server.
package struct TranscriptionOptions: Sendable, Equatable {
    package enum Times: String, Sendable, Equatable, CaseIterable {
        case none, segments, words
    }

    package var model: String
    /// ISO 639-1; nil lets the server find out.
    package var language: String?
    /// Words that are likely to occur, or what was said just before.
    package var prompt: String?
    package var times: Times = .none
    /// Speakers are to be told apart.
    package var wantsSpeakers = false

    /// ISO 639: two letters, or three for languages without two; nil for what
    /// is not a code.
    package static func languageCode(_ text: String) -> String? {
        let code = text.lowercased()
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return (2...3).contains(code.utf8.count) && code.utf8.allSatisfy(letters.contains)
            ? code : nil
    }
}

/// How far an upload, or a job of several, has come.
package enum TranscriptionProgress: Sendable, Equatable {
    /// A long recording is cut: seconds looked at, of all.
    case preparing(done: Double, of: Double)
    /// This piece, counted from 1, of so many begins; `wasDone` says that an
    /// earlier run had its words.
    case piece(Int, of: Int, wasDone: Bool)
    /// Bytes of sound of the running piece that have left, of all of them.
    case sent(bytes: Int, of: Int)
    /// All of it has left; the server is at work.
    case waiting
    /// Words as they come, for models that stream.
    case text(String)
    /// The words so far are void: the piece is asked for again.
    case restarted
    /// It failed and is tried again after so many seconds.
    case retrying(reason: TranscriptionError, after: Double, attempt: Int)
}
