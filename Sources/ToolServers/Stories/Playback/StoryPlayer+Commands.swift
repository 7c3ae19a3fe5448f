import Base
import Persistence
import Sound

/// The commands of the listener while a story is read aloud: pause, jump, change the speed, and go on
/// with changed voices.
extension StoryPlayer {
    package func pause(_ why: State.Why = .user) async {
        if phase == .preparing { beginsPaused = true }
        // Do not resume after an alert then.
        guard [.waiting, .playing, .paused(.alert)].contains(phase), !isStopping else { return }
        phase = .paused(why)
        lastWord = nil
        publish()
        if isUnderWay {
            await speaker?.pause()
            return
        }
        // Playback that has not begun has no sample to keep.
        turn += 1
        let mine = turn
        await silence()
        // Playback was resumed meanwhile.
        if mine == turn, phase == .waiting { begin() }
    }

    package func resume() async {
        beginsPaused = false
        guard case .paused = phase, !isStopping else { return }
        phase = .waiting
        failure = nil
        publish()
        if run == nil { begin() } else { await speaker?.resume() }
    }

    package func togglePause() async {
        var isPaused = phase == .preparing && beginsPaused
        if case .paused = phase { isPaused = true }
        if isPaused { await resume() } else { await pause() }
    }

    /// Moves by `count` segments, forward or back. Going back first goes to the start of
    /// the current segment if it is well under way.
    package func skip(segments count: Int) async {
        await jump { $0.line($1, segments: count, isBegun: $2) }
    }

    package func skip(chapters count: Int) async {
        await jump { $0.line($1, chapters: count, isBegun: $2) }
    }

    /// - Throws: `StoryPlayError`.
    package func go(to start: Start) async throws {
        guard let reading else { return }
        let kept = start == .kept ? try await dependencies.place(reading.item.id) : nil
        let target = try reading.line(of: start, kept: kept)
        await jump { _, _, _ in target }
    }

    /// The nearest supported speed.
    static func rate(_ wanted: Double) -> Double {
        guard wanted.isFinite else { return 1 }
        let steps = (wanted / rateStep).rounded()
        return min(rates.upperBound, max(rates.lowerBound, steps / 10))
    }

    /// Sets the speed, from the next sentence on; saved for the next story.
    package func setRate(_ wanted: Double) async {
        rate = Self.rate(wanted)
        dependencies.setRate(rate)
        publish()
        await speaker?.remake()
    }

    package func changeRate(steps: Int) async {
        await setRate(rate + Double(steps) * Self.rateStep)
    }

    /// Reloads the story if its voices, cast or decisions were changed, and continues at
    /// the same place.
    /// - Throws: errors of reading the story; playback then continues unchanged.
    package func follow() async throws {
        guard let old = reading,
            let item = try await dependencies.book.library.item(old.item.id),
            item.revision != old.item.revision
        else { return }
        try await reload(item)
    }

    func reload(_ item: LibraryItem) async throws {
        guard let old = reading else { return }
        let new = try await read(item)
        guard reading?.item.id == old.item.id, !new.lines.isEmpty else { return }
        let current = min(line, old.lines.count - 1)
        let isSame =
            new.lines.map(\.sentence) == old.lines.map(\.sentence)
            && new.lines.map(\.pause) == old.lines.map(\.pause)
            && new.lines[current].speaker == old.lines[current].speaker
            && new.voice(of: current, rate: 1) == old.voice(of: current, rate: 1)
        reading = new
        if isSame {
            publish()
            await speaker?.remake()
        } else {
            let byte = old.lines[current].sentence.lowerBound
            await jump { reading, _, _ in reading.line(at: byte) ?? reading.lines.count - 1 }
        }
    }

    /// - Parameter target: the target line, given the current one and whether it is well
    ///   under way.
    private func jump(_ target: (StoryReading, Int, Bool) -> Int) async {
        guard let reading, !isStopping else { return }
        turn += 1
        let mine = turn
        line = max(0, target(reading, line, seconds > Self.startInSeconds))
        (seconds, shownSeconds) = (0, 0)
        let isAtEnd = line >= reading.lines.count
        if isAtEnd || reading.lines[line].chapter != chapterAlone { chapterAlone = nil }
        if phase == .playing { phase = .waiting }
        publish()
        await silence()
        // A newer jump has its own target.
        guard mine == turn else { return }
        if isAtEnd {
            await keepPlace()
            return finish()
        }
        switch phase {
        case .paused(.alert), .waiting, .playing: begin()
        default: break
        }
        await keepPlace()
    }
}
