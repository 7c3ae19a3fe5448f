/// What the user decides about transcribing, recording and speaking.
package struct VoiceSettings: Sendable, Equatable {
    package struct Transcription: Sendable, Equatable {
        /// With its `/v1`; nil is OpenAI's own address (or OPENAI_BASE_URL).
        package var baseURL: String?
        /// Program and arguments that print the key for that server.
        package var keyCommand: [String]?
        package var model = "whisper-1"
        package var language: String?
        package var prompt: String?
        /// Bytes of sound in one upload. 25 MB is OpenAI's (their guide), and
        /// read as decimal the stricter of its two documented readings.
        package var limitInBytes = 25_000_000

        package init() {}
    }

    package struct Recording: Sendable, Equatable {
        /// Program and arguments that write raw 16 kHz mono samples to stdout;
        /// nil takes the first that is installed.
        package var command: [String]?
        package var capInMinutes = 60
        /// Seconds of silence after which it stops by itself; nil never.
        package var stopAfterSilence: Double?

        package init() {}
    }

    package struct Speech: Sendable, Equatable {
        package enum Engine: String, Sendable, CaseIterable { case auto, espeak, server }

        package var engine = Engine.auto
        package var baseURL: String?
        /// As for transcription.
        package var keyCommand: [String]?
        package var model = "gpt-4o-mini-tts"
        package var voice: String?
        package var rate = 0.3
        package var pitch = 1.0
        package var volume = 0.5
        /// Program and arguments that play raw samples from stdin; nil takes
        /// the first that is installed.
        package var playerCommand: [String]?

        package init() {}
    }

    package var transcription = Transcription()
    package var recording = Recording()
    package var speech = Speech()
    /// Answers are read aloud as they come.
    package var speaksAnswers = false

    package init() {}
}
