import AgentCore
import ToolServers

/// Reads answers as they arrive, while the person goes on typing: text in,
/// sound out, until the answer is heard or `stop` is called.
actor AnswerVoice {
    private let make: @Sendable () throws -> Speaker
    private let voice: VoiceChoice
    /// Told why an answer is not heard.
    private let onProblem: @Sendable (any Error) async -> Void

    private var speaker: Speaker?
    private var answer = SpokenAnswer()
    /// Holds the sentences of one answer, whose text is held anyway.
    private var sentences: AsyncStream<Utterance>.Continuation?
    private var reading: Task<Void, Never>?
    private var isHeard = false

    init(
        voice: VoiceChoice, make: @escaping @Sendable () throws -> Speaker,
        onProblem: @escaping @Sendable (any Error) async -> Void
    ) {
        self.voice = voice
        self.make = make
        self.onProblem = onProblem
    }

    /// Something is, or is about to be, heard.
    var isSpeaking: Bool { isHeard }

    /// An answer begins; the one before is cut off.
    func begin() async {
        await stop()
        let speaker: Speaker
        do {
            speaker = try self.speaker ?? make()
            self.speaker = speaker
        } catch {
            await onProblem(error)
            return
        }
        answer = SpokenAnswer()
        let (stream, continuation) = AsyncStream.makeStream(of: Utterance.self)
        sentences = continuation
        isHeard = true
        reading = Task { [onProblem] in
            do {
                _ = try await speaker.speak(stream)
            } catch is CancellationError {
                // It was stopped.
            } catch {
                await onProblem(error)
            }
            isHeard = false
        }
    }

    func hear(_ event: AgentEvent) {
        switch event {
        case .text(let text), .refusal(let text): give(answer.feed(text))
        // What comes after a tool is another text.
        case .toolRunning: give(answer.finish())
        default: break
        }
    }

    /// The answer is complete; what is left of it is heard.
    func end() {
        give(answer.finish())
        sentences?.finish()
        sentences = nil
    }

    /// Silence, at once.
    func stop() async {
        sentences?.finish()
        sentences = nil
        await speaker?.stop()
        // Another answer may have begun meanwhile.
        let old = reading
        old?.cancel()
        await old?.value
        if reading == old { reading = nil }
    }

    private func give(_ spoken: [SpokenSentence]) {
        for sentence in spoken { sentences?.yield(sentence.utterance(voice)) }
    }
}
