/// A voice and its settings, in terms that apply to every engine.
package struct VoiceConfig: Sendable, Equatable {
    /// An engine's voice ID (`en-gb+f3`, `nova`); nil for the engine's default.
    package var voiceIdentifier: String?
    /// 0 (slow) … 1 (fast); 0.3 is about 165 words a minute.
    package var rate: Double
    /// 0.5 … 2, 1 being the voice's own pitch.
    package var pitchMultiplier: Double
    /// 0 … 1.
    package var volume: Double

    /// Values out of range are clamped.
    package init(
        voiceIdentifier: String? = nil, rate: Double = 0.3, pitchMultiplier: Double = 1,
        volume: Double = 0.5
    ) {
        self.voiceIdentifier = voiceIdentifier
        self.rate = Self.bounded(rate, 0...1)
        self.pitchMultiplier = Self.bounded(pitchMultiplier, 0.5...2)
        self.volume = Self.bounded(volume, 0...1)
    }

    /// Clamps and rounds to two digits, as stored and shown.
    private static func bounded(_ value: Double, _ range: ClosedRange<Double>) -> Double {
        guard value.isFinite else { return range.lowerBound }
        let rounded = (value * 100).rounded() / 100
        return min(range.upperBound, max(range.lowerBound, rounded))
    }
}

/// Silence after a sentence, in seconds.
package struct VoicePauses: Sendable, Equatable {
    package var sameSpeaker: Double
    package var change: Double
    package var chapter: Double

    package init(sameSpeaker: Double = 0.25, change: Double = 0.5, chapter: Double = 2) {
        self.sameSpeaker = sameSpeaker
        self.change = change
        self.chapter = chapter
    }
}
