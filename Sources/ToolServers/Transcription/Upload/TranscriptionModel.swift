import Base

/// The features of a transcription model, derived from its name. Pure.
///
/// An unknown name is treated as a Whisper on some server: compatible servers
/// run that, and they report what they do not support (see
/// `TranscriptionAdjustments`).
package struct TranscriptionModel: Sendable, Equatable {
    package enum Family: Sendable, Equatable, CaseIterable {
        /// whisper-1 and compatible models: times, no stream.
        case whisper
        /// gpt-4o-transcribe, gpt-4o-mini-transcribe, gpt-transcribe: a stream,
        /// no times.
        case transcribe
        /// gpt-4o-transcribe-diarize: a stream, with speakers and times.
        case diarize
    }

    package let name: String
    package let family: Family

    package init(_ name: String) {
        self.name = name
        // "openai/gpt-4o-transcribe", as gateways name it.
        let short = name.lowercased().split(separator: "/").last ?? ""
        if short.hasPrefix("gpt-"), short.contains("transcribe") {
            family = short.contains("diarize") ? .diarize : .transcribe
        } else {
            family = .whisper
        }
    }

    package var streams: Bool { family != .whisper }

    package var tellsSpeakers: Bool { family == .diarize }

    /// The finest times it provides.
    package var times: TranscriptionOptions.Times {
        switch family {
        case .whisper: .words
        case .transcribe: .none
        case .diarize: .segments
        }
    }

    /// A prompt is a hint: if unsupported it is left out.
    package var takesPrompt: Bool { family != .diarize }

    /// Sound longer than 30 s is refused without a strategy (OpenAI's reference).
    package var needsChunkingStrategy: Bool { family == .diarize }

    /// - Returns: the option it does not support: "speakers", "times" or "word
    ///   times".
    package func refusal(of options: TranscriptionOptions) -> String? {
        if options.wantsSpeakers, !tellsSpeakers { return "speakers" }
        switch (options.times, times) {
        case (.none, _), (_, .words), (.segments, .segments): return nil
        case (.words, .segments): return "word times"
        case (_, .none): return "times"
        }
    }
}
