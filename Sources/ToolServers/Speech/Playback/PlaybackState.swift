/// What a screen shows of speech: whether it is heard, and where it is.
package struct PlaybackState: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// For text, or for sound of it.
        case waiting
        /// For the sound device, which takes its time.
        case waking
        case playing
        case paused
        case ended
    }

    package var phase: Phase
    /// Which utterance, from 0; `count` when the next has not come yet.
    package var index: Int
    /// Seconds into its sound.
    package var seconds: Double
    /// How many are known so far.
    package var count: Int
    /// What is read there; empty when it has not come yet.
    package var text: String

    package init(
        phase: Phase, index: Int, seconds: Double = 0, count: Int = 0, text: String = ""
    ) {
        self.phase = phase
        self.index = index
        self.seconds = seconds
        self.count = count
        self.text = text
    }
}
