/// Decides which part of the program has the sound, and which ones wait for it. Pure: no
/// sound, no clock, no other process.
///
///     free ── take ─→ held
///     held ── take by another ─→ the holder hears it, and the other waits
///     held, with others waiting ── release ─→ held by the one that waits longest
///     held ── take by one that was asked for earlier ─→ it yields: the last request counts
///     held for a recording ── take by another ─→ refused: it would be recorded
///
/// IDs follow the order of the user's requests, which may differ from the order in which
/// they are ready to play. A holder that loses the sound to an alert gets it back after it,
/// unless another took it meanwhile.
struct SoundTurns {
    enum Action: Sendable, Equatable {
        case grant(Int)
        case refuse(Int)
        /// The request yields to the present use of the sound. It may ask again, unlike a refused
        /// one.
        case yield(Int, to: SoundUse)
        /// The request is no longer awaited.
        case forget(Int)
        case tell(Int, AudioSinkEvent)
    }

    private struct Turn: Equatable {
        var id: Int
        var use: SoundUse

        /// Whether both are requests of the user for playback, and the other is newer.
        func isEarlier(than other: Turn) -> Bool {
            let never: [SoundUse] = [.alert, .recording]
            return id < other.id && !never.contains(use) && !never.contains(other.use)
        }
    }

    private var holder: Turn?
    private var waiting: [Turn] = []
    /// The holder silenced by an alert.
    private var interrupted: Int?

    var use: SoundUse? { holder?.use }
    var isFree: Bool { holder == nil }

    mutating func take(_ id: Int, _ use: SoundUse) -> [Action] {
        let turn = Turn(id: id, use: use)
        guard let holder else {
            self.holder = turn
            return [.grant(id)] + displaced(by: turn)
        }
        if holder.use == .recording { return [.refuse(id)] }
        if turn.isEarlier(than: holder) { return [.yield(id, to: holder.use)] }
        let place = waiting.firstIndex { turn.isEarlier(than: $0) } ?? waiting.endIndex
        waiting.insert(turn, at: place)
        return ask(holder, for: turn)
    }

    /// The sound is no longer needed or waited for.
    mutating func release(_ id: Int) -> [Action] {
        if let index = waiting.firstIndex(where: { $0.id == id }) {
            waiting.remove(at: index)
            return [.forget(id)]
        }
        guard let ended = holder, ended.id == id else { return [] }
        holder = nil
        guard !waiting.isEmpty else {
            guard ended.use == .alert, let resumed = interrupted else { return [] }
            interrupted = nil
            return [.tell(resumed, .free)]
        }
        let next = waiting.removeFirst()
        holder = next
        var actions = [Action.grant(next.id)] + displaced(by: next)
        if next.use == .recording {
            actions += waiting.map { .refuse($0.id) }
            waiting = []
        } else if let other = waiting.first {
            actions += ask(next, for: other)
        }
        return actions
    }

    /// Asks the holder to yield; an alert is short, so just wait for it.
    private mutating func ask(_ holder: Turn, for turn: Turn) -> [Action] {
        guard holder.use != .alert else { return [] }
        if turn.use == .alert, waiting.allSatisfy({ $0.use == .alert }) { interrupted = holder.id }
        return [.tell(holder.id, .wanted(by: turn.use))]
    }

    /// Notifies a use that waited for the end of an alert and has lost the sound to
    /// another.
    private mutating func displaced(by turn: Turn) -> [Action] {
        guard turn.use != .alert, let lost = interrupted else { return [] }
        interrupted = nil
        // The user resumed it.
        if lost == turn.id { return [] }
        return [.tell(lost, .wanted(by: turn.use))]
    }
}

/// A use of the sound.
package enum SoundUse: Sendable, Equatable {
    /// A story with its title (untrusted).
    case story(String)
    /// `/say`, `chat say`
    case reading
    /// A sample of a voice.
    case preview
    /// A spoken answer.
    case answer
    case alert
    case recording

    /// A noun phrase for messages: "Already playing …".
    var words: String {
        switch self {
        case .story(let title): "“\(title)”"
        case .reading: "a text"
        case .preview: "a voice"
        case .answer: "an answer"
        case .alert: "an alert"
        case .recording: "a recording"
        }
    }
}
