import Base

/// What a transcription model offers, read from its name. Pure.
///
/// A name we do not know is taken for a whisper of some server: that is what
/// compatible servers run, and what it does not know it says (see
/// `TranscriptionAdjustments`).
package struct TranscriptionModel: Sendable, Equatable {
    package enum Family: Sendable, Equatable, CaseIterable {
        /// whisper-1 and whatever speaks like it: times, no stream.
        case whisper
        /// gpt-4o-transcribe, gpt-4o-mini-transcribe, gpt-transcribe: a stream,
        /// no times.
        case transcribe
        /// gpt-4o-transcribe-diarize: a stream, and who says what when.
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

    /// The finest times it gives.
    package var times: TranscriptionOptions.Times {
        switch family {
        case .whisper: .words
        case .transcribe: .none
        case .diarize: .segments
        }
    }

    /// A prompt is a hint: where it is not taken it is left out.
    package var takesPrompt: Bool { family != .diarize }

    /// Sound above 30 s is refused without a strategy (OpenAI's reference).
    package var needsChunkingStrategy: Bool { family == .diarize }

    /// - Returns: the wish that it cannot fulfil: "speakers", "times" or
    ///   "word times".
    package func refusal(of options: TranscriptionOptions) -> String? {
        if options.wantsSpeakers, !tellsSpeakers { return "speakers" }
        switch (options.times, times) {
        case (.none, _), (_, .words), (.segments, .segments): return nil
        case (.words, .segments): return "word times"
        case (_, .none): return "times"
        }
    }
}
