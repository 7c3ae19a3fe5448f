import AgentCore
import Base
import Sound

/// Reads answers aloud as they arrive, while the user continues typing, until the answer has been
/// played or `stop` is called.
package actor AnswerVoice {
    /// Maximum number of sentences waiting to be played: about an hour. The rest of the answer is
    /// not read, and a notice says so.
    static let mostWaiting = 600
    /// Seconds without new text after which complete sentences are read.
    static let pause = 0.7

    private let make: @Sendable () throws -> Speaker
    private let voice: VoiceChoice
    private let phrases: SpokenPhrases
    private let environment: Environment
    /// Receives the reason why an answer is not heard.
    private let onProblem: @Sendable (any Error) async -> Void

    private var speaker: Speaker?
    private var answer: SpokenAnswer
    private var sentences: AsyncStream<Utterance>.Continuation?
    private var reading: Task<Void, Never>?
    private var waiting: Task<Void, Never>?
    private var lastText = 0.0
    private var isHeard = false
    private var isCut = false

    /// An answer was too long to be read completely.
    package struct TooLong: Error, Sendable {}

    package init(
        voice: VoiceChoice, phrases: SpokenPhrases = SpokenPhrases(), environment: Environment,
        make: @escaping @Sendable () throws -> Speaker,
        onProblem: @escaping @Sendable (any Error) async -> Void
    ) {
        self.voice = voice
        self.phrases = phrases
        self.environment = environment
        self.make = make
        self.onProblem = onProblem
        answer = SpokenAnswer(phrases)
    }

    /// Whether anything is being played, or is about to be.
    package var isSpeaking: Bool { isHeard }

    /// Begins an answer; the previous one is cut off.
    package func begin() async {
        await stop()
        let speaker: Speaker
        do {
            speaker = try self.speaker ?? make()
            self.speaker = speaker
        } catch {
            await onProblem(error)
            return
        }
        answer = SpokenAnswer(phrases)
        let (stream, continuation) = AsyncStream.makeStream(
            of: Utterance.self, bufferingPolicy: .bufferingOldest(Self.mostWaiting))
        sentences = continuation
        (isHeard, isCut) = (true, false)
        reading = Task { [onProblem] in
            do {
                _ = try await speaker.speak(stream)
            } catch is CancellationError {
                // The user stopped it, which is not an error.
            } catch {
                await onProblem(error)
            }
            isHeard = false
        }
    }

    package func hear(_ event: AgentEvent) async {
        switch event {
        case .text(let text), .refusal(let text):
            await give(answer.feed(text))
            waitForPause()
        // Text after a tool call is a separate text.
        case .toolRunning: await give(answer.finish())
        default: break
        }
    }

    /// The answer is complete; the rest of it is read.
    package func end() async {
        stopWaiting()
        await give(answer.finish())
        sentences?.finish()
        sentences = nil
    }

    /// Stops at once.
    package func stop() async {
        stopWaiting()
        sentences?.finish()
        sentences = nil
        await speaker?.stop()
        // Another answer may have begun meanwhile.
        let old = reading
        old?.cancel()
        await old?.value
        if reading == old { reading = nil }
    }

    /// One task for a burst of text, however many pieces it arrives in.
    private func waitForPause() {
        lastText = environment.uptime()
        guard waiting == nil, sentences != nil else { return }
        waiting = Task {
            while !Task.isCancelled {
                let left = Self.pause - (environment.uptime() - lastText)
                // A rounding error counts as zero.
                if left < 0.001 { break }
                // Only a cancelled wait throws.
                try? await environment.sleep(.seconds(left))
            }
            // If cancelled, another task may have taken its place.
            if Task.isCancelled { return }
            waiting = nil
            await give(answer.pause())
        }
    }

    private func stopWaiting() {
        waiting?.cancel()
        waiting = nil
    }

    private func give(_ spoken: [SpokenSentence]) async {
        for sentence in spoken {
            guard !isCut, case .dropped = sentences?.yield(sentence.utterance(voice)) else {
                continue
            }
            isCut = true
            await onProblem(TooLong())
        }
    }
}
