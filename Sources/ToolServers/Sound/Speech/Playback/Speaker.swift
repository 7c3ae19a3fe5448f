/// Reads utterances aloud in order as they arrive: requests sound from the engine, one
/// utterance ahead, and passes it in small blocks to the sink, so that pause, resume, skip
/// and stop are exact to the sample.
///
/// The caller chooses the text, the voice and the pauses. Above 400 lines because fetching and
/// playing share one state.
package actor Speaker {
    /// An utterance that could not be played.
    package struct Problem: Error, Sendable, Equatable {
        package var index: Int
        package var error: SpeechError
    }

    package struct Report: Sendable, Equatable {
        /// Number of utterances read to their end.
        package var spoken = 0
        package var problems: [Problem] = []
        package var wasStopped = false
    }

    private struct Making {
        var sound: UtteranceSound
        var id: Int
        var task: Task<Void, Never>
        /// The synthesis task waits here while it is far ahead.
        let room = PlaybackSignal()
        var error: (any Error)?
        /// Whether its task has finished.
        var isOver = false
    }

    /// Number of consecutive utterances without sound after which playback fails.
    private static let mostFailures = 3
    /// Maximum utterances taken from the source ahead of playback.
    private static let mostAhead = 64
    /// Maximum short utterances synthesized ahead of playback.
    private static let mostMade = 16

    /// The reaction when another use needs the sound for longer than an alert.
    package enum Yielding: Sendable { case stops, pauses }

    private let engine: any SpeechEngine
    private let sink: any AudioSink
    private let yielding: Yielding
    private let aheadSeconds: Double
    private let voice: (@Sendable (_ index: Int) async -> VoiceChoice)?
    private let changed = PlaybackSignal()
    private let demand = PlaybackSignal()
    private let updates: AsyncStream<PlaybackState>
    private let update: AsyncStream<PlaybackState>.Continuation

    private var machine = PlaybackStateMachine()
    private var report = Report()
    private var making: [Int: Making] = [:]
    /// Cancelled synthesis tasks, by ID; awaited before `speak` returns.
    private var ending: [Int: Task<Void, Never>] = [:]
    private var nextID = 0
    private var secondsAtEnd = 0.0
    private var sourceError: (any Error)?
    private var isSpeaking = false
    private var isSounding = false
    private var isWaking = false
    /// The use for which it is paused.
    private var takenBy: SoundUse?
    /// Whether the player ends at a pause, once all given sound is heard, so that another
    /// program may play.
    private var releases = false
    /// Whether the user has moved to another utterance, so that sound under way is dropped.
    private var isSkipping = false
    private var waitingForEnd: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - aheadSeconds: seconds of sound made ahead of playback; the next utterance always
    ///     is.
    ///   - voice: the voice of an utterance, requested when its sound is made; without it,
    ///     the utterance's own.
    package init(
        engine: any SpeechEngine, sink: any AudioSink, whenTaken yielding: Yielding = .stops,
        aheadSeconds: Double = 0,
        voice: (@Sendable (_ index: Int) async -> VoiceChoice)? = nil
    ) {
        self.engine = engine
        self.sink = sink
        self.yielding = yielding
        self.aheadSeconds = aheadSeconds
        self.voice = voice
        (updates, update) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { update.finish() }

    // MARK: - Reading

    package func speak(_ utterances: [Utterance]) async throws -> Report {
        try await speak(
            AsyncStream { continuation in
                for utterance in utterances { continuation.yield(utterance) }
                continuation.finish()
            })
    }

    /// Returns when all was played, or after `stop`. A second call stops the first one.
    ///
    /// Utterances at which the engine fails are skipped and reported.
    /// - Throws: `SpeechError` if nothing can be heard, `CancellationError`, and errors of
    ///   the source, after everything before them.
    package func speak<Source: AsyncSequence & Sendable>(
        _ utterances: Source
    ) async throws -> Report where Source.Element == Utterance {
        while isSpeaking {
            await stop()
            if isSpeaking { await withCheckedContinuation { waitingForEnd.append($0) } }
        }
        try Task.checkCancellation()
        isSpeaking = true
        machine = PlaybackStateMachine()
        (sourceError, isSkipping, isWaking) = (nil, false, false)
        (takenBy, releases) = (nil, false)
        await sink.observe { [weak self] in await self?.notice($0) }
        let intake = Task { await take(utterances) }
        do {
            let report = try await pump()
            await end(intake)
            return report
        } catch {
            await sink.stop()
            await end(intake)
            throw error
        }
    }

    // MARK: - Keys

    /// Pauses at the current place; sound under way is heard for a sixth of a second.
    package func pause() {
        (takenBy, releases) = (nil, yielding == .pauses)
        change { $0.pause() }
    }

    package func resume() {
        (takenBy, releases) = (nil, false)
        change { $0.resume() }
    }

    package func togglePause() { machine.isPaused ? resume() : pause() }

    /// Moves by `count` utterances, forward or back; back goes first to the start of this
    /// one if it is well under way. Sound under way from the old place is dropped.
    package func skip(_ count: Int) {
        let seconds = state.seconds
        isSkipping = true
        change { $0.skip(count, secondsIn: seconds) }
    }

    /// Synthesizes unplayed sound again after a change of voices, from the next utterance
    /// on.
    package func remake() {
        for (index, old) in making where index != machine.index {
            drop(old)
            making[index] = nil
        }
        demand.notify()
        changed.notify()
    }

    private func notice(_ event: AudioSinkEvent) async {
        switch event {
        case .waking(let isWaking):
            self.isWaking = isWaking
            update.yield(state)
        case .wanted(let use):
            guard isSpeaking, !machine.isStopped else { return }
            guard use == .alert || yielding == .pauses else { return await stop() }
            // If the user has paused it, it stays paused after an alert.
            if use != .alert || !machine.isPaused { takenBy = use }
            releases = true
            change { $0.pause() }
        case .free: if takenBy == .alert { resume() }
        }
    }

    /// Stops at once. `speak` returns soon after; the place stays readable.
    package func stop() async {
        guard isSpeaking else { return }
        change { $0.stop() }
        await sink.stop()
    }

    // MARK: - Looking

    package var state: PlaybackState {
        let phase: PlaybackState.Phase =
            if !isSpeaking || machine.isStopped || machine.isAtEnd {
                .ended
            } else if machine.isPaused {
                .paused
            } else {
                isWaking ? .waking : isSounding ? .playing : .waiting
            }
        let seconds = making[machine.index]?.sound.seconds(at: machine.offset)
        return PlaybackState(
            phase: phase, index: machine.index, seconds: seconds ?? (isSpeaking ? 0 : secondsAtEnd),
            count: machine.utterances.count, text: machine.utterance?.text ?? "",
            takenBy: takenBy)
    }

    /// Utterances that could not be played so far.
    package var problems: [Problem] { report.problems }

    /// The newest state whenever it changes, for one screen.
    package nonisolated var states: AsyncStream<PlaybackState> { updates }

    // MARK: - The pump

    private func pump() async throws -> Report {
        report = Report()
        var failures = 0
        var nothing: SpeechError?
        var format: PCMFormat?
        while true {
            try Task.checkCancellation()
            if isSkipping {
                isSkipping = false
                await sink.drop()
                // Start again, at the new position.
                format = nil
            }
            keepNear()
            switch machine.next() {
            case .stop:
                // Again, for a player that was started meanwhile.
                await sink.stop()
                report.wasStopped = true
                return report
            case .finish:
                if report.spoken == 0, let error = report.problems.first?.error ?? nothing {
                    throw error
                }
                do {
                    try await sink.finish()
                } catch {
                    // Caused by `stop`.
                    if machine.isStopped { continue }
                    throw error
                }
                // The user went back while the last words were playing.
                if isSkipping { continue }
                if let sourceError { throw sourceError }
                return report
            case .wait:
                isSounding = false
                guard releases, format != nil else {
                    try await waitForChange()
                    continue
                }
                format = nil
                do {
                    try await sink.finish()
                } catch {
                    // Caused by `stop`.
                    if !machine.isStopped { throw error }
                }
            case .play(let index, let offset, let turn):
                if let error = making[index]?.error {
                    guard let error = error as? SpeechError else { throw error }
                    // A line of dashes has no sound, which is not an error.
                    if error.reason == .nothingToSay {
                        nothing = error
                        machine.ended(turn: turn)
                        continue
                    }
                    report.problems.append(Problem(index: index, error: error))
                    failures += 1
                    if failures == Self.mostFailures { throw error }
                    machine.ended(turn: turn)
                    continue
                }
                // Hold no copy of the sound, or it would be copied as it grows.
                guard
                    let block = making[index]?.sound.block(
                        at: offset, seconds: sink.blockSeconds)
                else { continue }
                let wanted = making[index]?.sound.format
                switch block {
                case .pending:
                    isSounding = false
                    try await waitForChange()
                case .end:
                    failures = 0
                    report.spoken += 1
                    machine.ended(turn: turn)
                case .bytes(let bytes):
                    isSounding = true
                    do {
                        if let new = wanted, new != format {
                            try await sink.begin(new)
                            format = new
                        }
                        // The position may have changed while the sink began.
                        guard machine.next() == .play(index: index, offset: offset, turn: turn)
                        else { continue }
                        try await sink.write(bytes)
                    } catch {
                        // It was stopped, or the sink has reported the other use.
                        if machine.isStopped || error is SoundOwner.Yielded { continue }
                        throw error
                    }
                    machine.gave(bytes.count, turn: turn)
                    making[index]?.room.notify()
                    update.yield(state)
                }
            }
        }
    }

    private func waitForChange() async throws {
        update.yield(state)
        try await changed.wait()
    }

    private func change(_ event: (inout PlaybackStateMachine) -> Void) {
        event(&machine)
        update.yield(state)
        demand.notify()
        changed.notify()
    }

    // MARK: - Sound ahead of playback

    /// Keeps the sound of the previous, the current and the next utterance, or of the next
    /// few if they are short; drops the rest.
    private func keepNear() {
        var last = machine.index + 1
        var ready = 0.0
        while ready < aheadSeconds, last < machine.index + Self.mostMade,
            let next = making[last], next.sound.isWhole || next.error != nil
        {
            ready += next.sound.seconds(at: .max)
            last += 1
        }
        let near = machine.index - 1...last
        for (index, old) in making where !near.contains(index) {
            drop(old)
            making[index] = nil
        }
        guard !machine.isStopped else { return }
        for index in machine.index...last
        where making[index] == nil && index < machine.utterances.count {
            let utterance = machine.utterances[index]
            nextID += 1
            let id = nextID
            let task = Task { await make(utterance, index, id) }
            making[index] = Making(
                sound: UtteranceSound(pause: utterance.pause), id: id, task: task)
        }
        demand.notify()
    }

    private func drop(_ old: Making) {
        old.task.cancel()
        if !old.isOver { ending[old.id] = old.task }
    }

    private func make(_ utterance: Utterance, _ index: Int, _ id: Int) async {
        defer {
            ending[id] = nil
            if making[index]?.id == id { making[index]?.isOver = true }
        }
        do {
            var utterance = utterance
            if let voice { utterance.voice = await voice(index) }
            let audio = try await engine.synthesize(utterance)
            try Task.checkCancellation()
            making[index]?.sound.begin(audio.format)
            while let bytes = try await audio.next() {
                try Task.checkCancellation()
                making[index]?.sound.append(bytes)
                changed.notify()
                while let near = making[index], near.sound.isEnough(at: place(in: index)) {
                    try await near.room.wait()
                }
            }
            try Task.checkCancellation()
            making[index]?.sound.finish()
        } catch {
            // A cancelled task is obsolete: a new one may have replaced it.
            if !Task.isCancelled { making[index]?.error = error }
        }
        changed.notify()
    }

    private func place(in index: Int) -> Int { index == machine.index ? machine.offset : 0 }

    // MARK: - Utterances as they come

    private func take<Source: AsyncSequence & Sendable>(
        _ utterances: Source
    ) async where Source.Element == Utterance {
        do {
            for try await utterance in utterances {
                try Task.checkCancellation()
                machine.arrived(utterance)
                changed.notify()
                while machine.utterances.count - machine.index >= Self.mostAhead {
                    try await demand.wait()
                }
            }
        } catch {
            if !Task.isCancelled { sourceError = error }
        }
        if !Task.isCancelled { machine.allArrived() }
        changed.notify()
    }

    private func end(_ intake: Task<Void, Never>) async {
        intake.cancel()
        secondsAtEnd = state.seconds
        for near in making.values { drop(near) }
        // Its sound is no longer needed; the position stays readable.
        making = [:]
        for task in Array(ending.values) + [intake] { await task.value }
        isSounding = false
        isSpeaking = false
        update.yield(state)
        for waiter in waitingForEnd { waiter.resume() }
        waitingForEnd = []
    }
}
