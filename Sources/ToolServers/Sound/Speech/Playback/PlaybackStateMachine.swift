/// Where speech is in a row of utterances that may still grow, and what is to
/// be done next. Pure: no sound, no clock.
///
///     playing ── pause ─→ paused ── resume ─→ playing      the place stays
///     playing, paused ── skip ─→ another utterance, at its start
///     any ── stop ─→ stopped
///     after the last utterance ── no more come ─→ ended
///
/// Each change of place has a new turn: sound that was fetched or under way for
/// an older one no longer moves the place.
struct PlaybackStateMachine {
    /// What the pump has to do now.
    enum Action: Equatable {
        /// The sound of this utterance from this byte on.
        case play(index: Int, offset: Int, turn: Int)
        /// Until something changes.
        case wait
        case finish
        case stop
    }

    private(set) var utterances: [Utterance] = []
    private(set) var index = 0
    /// Bytes of sound and silence of this utterance that were given away.
    private(set) var offset = 0
    private(set) var isPaused = false
    private(set) var isStopped = false
    private(set) var hasAll = false
    private var turn = 0

    /// Going back within this much of an utterance is going to the one before.
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

    /// Forward, or back: first to the start of this utterance when the place
    /// is well behind it.
    mutating func skip(_ count: Int, secondsIn: Double) {
        guard count != 0, !isStopped else { return }
        var target = index + count
        if count < 0, secondsIn > Self.startInSeconds { target += 1 }
        move(to: min(max(0, target), utterances.count))
    }

    /// The sink took this much of the turn's sound.
    mutating func gave(_ bytes: Int, turn: Int) {
        if turn == self.turn { offset += bytes }
    }

    /// The turn's utterance was given away whole, or has no sound.
    mutating func ended(turn: Int) {
        if turn == self.turn { move(to: index + 1) }
    }

    private mutating func move(to index: Int) {
        self.index = index
        offset = 0
        turn += 1
    }
}

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
    package var seconds = 0.0
    /// How many are known so far.
    package var count = 0
    /// What is read there; empty when it has not come yet.
    package var text = ""
    /// It is paused because this has the sound.
    package var takenBy: SoundUse?
}
