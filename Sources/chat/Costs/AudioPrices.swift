/// What OpenAI asks for a minute of sound, where one price says it. Pure.
///
/// Other models are paid by the token, or have no price that we know; another
/// server's prices are its own.
struct AudioPrices: Sendable {
    /// <https://openai.com/api/pricing>, "estimated cost" of a minute.
    private static let perMinute = [
        "whisper-1": Money(micros: 6_000), "gpt-4o-transcribe": Money(micros: 6_000),
        "gpt-4o-mini-transcribe": Money(micros: 3_000),
    ]

    /// About what so much sound costs; nil where that is unknown.
    func transcription(_ model: String, seconds: Double) -> Money? {
        guard let price = Self.perMinute[model], seconds > 0, seconds.isFinite else { return nil }
        return Money(dollars: Double(price.micros) / 1_000_000 * seconds / 60)
    }
}
