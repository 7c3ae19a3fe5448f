/// The position of speech in a growing sequence of utterances, and the next action. Pure:
/// no sound, no clock.
///
///     playing ── pause ─→ paused ── resume ─→ playing      the place stays
///     playing, paused ── skip ─→ another utterance, at its start
///     any ── stop ─→ stopped
///     after the last utterance ── no more come ─→ ended
///
/// Each change of place starts a new turn: sound that was fetched or under way for an older
/// one no longer moves the place.
struct PlaybackStateMachine {
    /// The next action of the pump.
    enum Action: Equatable {
        /// Play this utterance from this byte on.
        case play(index: Int, offset: Int, turn: Int)
        /// Wait until something changes.
        case wait
        case finish
        case stop
    }

    private(set) var utterances: [Utterance] = []
    private(set) var index = 0
    /// Bytes of sound and silence of this utterance passed to the sink.
    private(set) var offset = 0
    private(set) var isPaused = false
    private(set) var isStopped = false
    private(set) var hasAll = false
    private var turn = 0

    /// Seconds from the start of an utterance in which going back leads to the previous one.
    static let startInSeconds = 1.0

    var utterance: Utterance? { index < utterances.count ? utterances[index] : nil }
    var isAtEnd: Bool { hasAll && index >= utterances.count }

    func next() -> Action {
        if isStopped { return .stop }
        if isPaused { return .wait }
        if index < utterances.count { return .play(index: index, offset: offset, turn: turn) }
        return hasAll ? .finish : .wait
    }

    mutating func arrived(_ utterance: Utterance) {
        if !hasAll { utterances.append(utterance) }
    }

    mutating func allArrived() { hasAll = true }

    mutating func pause() { isPaused = true }

    mutating func resume() { isPaused = false }

    mutating func stop() { isStopped = true }

    /// Moves forward, or back: first to the start of this utterance if the place is well
    /// behind it.
    mutating func skip(_ count: Int, secondsIn: Double) {
        guard count != 0, !isStopped else { return }
        var target = index + count
        if count < 0, secondsIn > Self.startInSeconds { target += 1 }
        move(to: min(max(0, target), utterances.count))
    }

    /// The sink accepted this much of the turn's sound.
    mutating func gave(_ bytes: Int, turn: Int) {
        if turn == self.turn { offset += bytes }
    }

    /// The turn's utterance was passed on completely, or has no sound.
    mutating func ended(turn: Int) {
        if turn == self.turn { move(to: index + 1) }
    }

    private mutating func move(to index: Int) {
        self.index = index
        offset = 0
        turn += 1
    }
}

/// The playback state shown on a screen: whether speech is audible, and its position.
package struct PlaybackState: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// Waiting for text, or for its sound.
        case waiting
        /// Waiting for the sound device.
        case waking
        case playing
        case paused
        case ended
    }

    package var phase: Phase
    /// Index of the utterance; `count` if the next has not arrived yet.
    package var index: Int
    /// Seconds into its sound.
    package var seconds = 0.0
    /// Number of utterances known so far.
    package var count = 0
    /// The utterance's text; empty if it has not arrived yet.
    package var text = ""
    /// The use of the sound device for which it is paused.
    package var takenBy: SoundUse?
}
