import Base
import FoundationEssentials
import Persistence
import Sound
import StoryKit
import Synchronization

/// Reads a story aloud and saves the place. There is one in the program, shared by the
/// screen, the prompt and the model's tools.
///
/// Each jump stops the sound and starts at another sentence; two never play at once. A
/// pause keeps the exact sample. The sink shares the sound card: the speaker pauses when
/// another use needs it, and reports that.
package actor StoryPlayer {
    package struct Dependencies: Sendable {
        var book: StoryBook
        var sound: StorySound
        /// The sound output; created for each story, with its title.
        var sink: @Sendable (_ title: String) -> any AudioSink
        /// Throws `SpeechError` if another program uses the sound device.
        var check: @Sendable () async throws -> Void
        /// The byte offset last listened to.
        var place: @Sendable (ItemID) async throws -> Int?
        var setPlace: @Sendable (Int, ItemID) async throws -> Void
        /// The speed last chosen.
        var rate: @Sendable () -> Double?
        var setRate: @Sendable (Double) -> Void
        var environment: Environment

        package init(
            book: StoryBook, sound: StorySound,
            sink: @escaping @Sendable (_ title: String) -> any AudioSink,
            check: @escaping @Sendable () async throws -> Void = {},
            place: @escaping @Sendable (ItemID) async throws -> Int?,
            setPlace: @escaping @Sendable (Int, ItemID) async throws -> Void,
            rate: @escaping @Sendable () -> Double? = { nil },
            setRate: @escaping @Sendable (Double) -> Void = { _ in }, environment: Environment
        ) {
            self.book = book
            self.sound = sound
            self.sink = sink
            self.check = check
            self.place = place
            self.setPlace = setPlace
            (self.rate, self.setRate) = (rate, setRate)
            self.environment = environment
        }
    }

    /// Seconds of sound made ahead of playback, so that no change of voice is heard as a gap.
    static let aheadSeconds = 5.0
    /// A longer gap in playback means that the machine was suspended, in seconds.
    static let suspension = 4.0
    /// Interval for publishing the fraction, in seconds of sound.
    static let tick = 0.25
    /// Seconds after its start in which going back leads to the previous sentence.
    static let startInSeconds = 1.0

    let dependencies: Dependencies
    /// The most recent write of the place.
    private var keeping: Task<Bool, Never>?
    private let watchers = Mutex<(next: Int, all: [Int: AsyncStream<State>.Continuation])>((0, [:]))
    private let shown = Mutex<State?>(nil)

    var sink: (any AudioSink)?
    var engine: (any SpeechEngine)?
    /// The story being read; nil before `play` and after `stop`.
    package internal(set) var reading: StoryReading?
    /// The chapter after which playback ends; nil to continue to the end.
    var chapterAlone: Int?
    /// Whether it was paused before any sound.
    var beginsPaused = false
    var phase = State.Phase.ended
    var line = 0
    /// Seconds of that line played so far.
    var seconds = 0.0
    var shownSeconds = 0.0
    var rate = 1.0
    var problems: [String] = []
    var spoken = 0
    /// Number of the current place change; reports with an older number are ignored.
    var turn = 0
    var speaker: Speaker?
    var run: Task<Void, Never>?
    /// The speaker has reported its position, so a pause keeps the exact sample.
    var isUnderWay = false
    var isStopping = false
    var failed = 0
    /// The reason why playback paused by itself.
    package internal(set) var failure: SpeechError?
    /// Actual and expected seconds of speech, which give the pace.
    var pace = (heard: 0.0, likely: 0.0)
    var lastWord: Double?
    var timer: Task<Void, Never>?
    /// Time of the sleep timer, on the clock of `uptime`.
    var sleepsAt: Double?
    private var waiting: [CheckedContinuation<Report, Never>] = []
    var report = Report()

    package init(_ dependencies: Dependencies) {
        self.dependencies = dependencies
        rate = dependencies.rate().map(Self.rate) ?? 1
    }

    // MARK: - Looking

    /// Nil before anything was played.
    package nonisolated var state: State? { shown.withLock { $0 } }

    /// The newest state whenever it changes; each call gives a stream of its own.
    package nonisolated var states: AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: State.self, bufferingPolicy: .bufferingNewest(1))
        let id = watchers.withLock { watchers in
            watchers.next += 1
            watchers.all[watchers.next] = continuation
            return watchers.next
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.watchers.withLock { $0.all.removeValue(forKey: id) }
        }
        if let state { continuation.yield(state) }
        return stream
    }

    /// Waits until playback has ended or was stopped.
    package func finished() async -> Report {
        if phase == .ended { return report }
        return await withCheckedContinuation { waiting.append($0) }
    }

    /// Waits for playback without a user to control it: a paused story is stopped.
    package func outlast() async -> Report {
        for await state in states {
            if case .paused = state.phase { await stop() }
            if phase == .ended { break }
        }
        return report
    }

    // MARK: - Beginning and ending

    /// Starts playback and returns when it is under way; anything playing is stopped first.
    /// - Parameters:
    ///   - onlyChapter: playback ends with the chapter it starts in; after a jump out of
    ///     that chapter it continues to the end.
    ///   - onTrial: progress of trying voices, also in `state`.
    /// - Throws: `StoryPlayError`, `StoryCastError`, `SpeechError`, `CancellationError` if
    ///   it was stopped meanwhile.
    package func play(
        _ item: LibraryItem, from start: Start = .kept, onlyChapter: Bool = false,
        onTrial: @escaping VoiceTrial.Handler = { _ in }
    ) async throws {
        await stop()
        turn += 1
        let mine = turn
        (problems, failure, spoken, failed) = ([], nil, 0, 0)
        (report, pace, chapterAlone) = (Report(), (0, 0), nil)
        (phase, beginsPaused) = (.preparing, false)
        show(State(phase: .preparing, item: item.id, title: item.title, rate: rate))
        // A request made while preparing replaces this one.
        let sink = dependencies.sink(item.title)
        do {
            let engine = CachedSpeechEngine(
                try dependencies.sound.engine(), cache: dependencies.sound.cache,
                story: item.uid)
            let reading = try await read(item, onTrial)
            let kept = start == .kept ? try await dependencies.place(item.id) : nil
            try await dependencies.check()
            guard mine == turn else { throw CancellationError() }
            if reading.lines.isEmpty { throw StoryPlayError(.nothingToRead, item.id) }
            line = try reading.line(of: start, kept: kept)
            chapterAlone = onlyChapter ? reading.lines[line].chapter : nil
            self.reading = reading
            self.engine = engine
            self.sink = sink
        } catch {
            if mine == turn {
                phase = .ended
                report.wasStopped = true
                publish()
                end()
            }
            throw error
        }
        phase = beginsPaused ? .paused(.user) : .waiting
        // The place is set now, although no sound has been played yet.
        (seconds, shownSeconds) = (0, 0)
        publish()
        if !beginsPaused { begin() }
        await keepPlace()
    }

    /// Stops at once and saves the place.
    package func stop() async {
        guard phase != .ended else { return }
        if isStopping {
            _ = await finished()
            return
        }
        isStopping = true
        turn += 1
        await silence()
        await keepPlace()
        isStopping = false
        report.wasStopped = true
        finish()
    }

    /// The line after the last one to be played.
    var endLine: Int {
        guard let reading else { return 0 }
        return chapterAlone.map(reading.end(ofChapter:)) ?? reading.lines.count
    }

    func finish() {
        phase = .ended
        report.spoken = spoken
        report.problems = problems
        publish()
        // Release the engine and the sink with the story.
        (reading, engine, sink) = (nil, nil, nil)
        end()
    }

    private func end() {
        for waiter in waiting { waiter.resume(returning: report) }
        waiting = []
    }

    func read(
        _ item: LibraryItem, _ onTrial: @escaping VoiceTrial.Handler = { _ in }
    ) async throws -> StoryReading {
        let spoken = try await dependencies.book.spoken(item)
        let voices = try await dependencies.sound.voices(item, spoken.cast) { [weak self] trial in
            self?.tried(trial, for: item.id)
            onTrial(trial)
        }
        return await dependencies.book.perform { StoryReading(item, spoken, voices) }
    }

    // MARK: - Saving and publishing

    /// Writes in order, so that the latest place is the one stored.
    func keepPlace() async {
        guard let reading else { return }
        let byte =
            reading.lines.indices.contains(line)
            ? reading.lines[line].sentence.lowerBound : reading.text.bytes.count
        let (before, item) = (keeping, reading.item.id)
        let now = Task { [dependencies] in
            _ = await before?.value
            do {
                try await dependencies.setPlace(byte, item)
                return true
            } catch {
                return false
            }
        }
        keeping = now
        let problem = "The place could not be kept."
        if await !now.value, !problems.contains(problem) { problems.append(problem) }
    }

    func publish() {
        guard let reading else {
            if var state {
                state.phase = phase
                show(state)
            }
            return
        }
        let at = min(line, reading.lines.count - 1)
        let now = reading.lines[at]
        let span = now.span
        var state = State(phase: phase, item: reading.item.id, title: reading.item.title)
        (state.segment, state.segments) = (span + 1, reading.text.spans.count)
        (state.line, state.text) = (now.sentence, now.text)
        state.lineIndex = at
        state.speaker = reading.speaker(span)
        state.isNarrator = now.speaker == .narrator
        state.tier = reading.attributions[span]?.tier
        if let chapter = now.chapter {
            state.chapter = State.Chapter(
                number: chapter + 1, count: reading.story.chapters.count,
                title: reading.story.chapters[chapter].title)
        }
        let likely = reading.likelySpeech(of: at) / rate
        let part = likely > 0 ? min(1, seconds / likely) : 0
        state.fraction = reading.fraction(at: line, part: part)
        let measured = pace.likely > 5 ? pace.heard / pace.likely : 1
        state.secondsLeft = reading.secondsLeft(
            at: line, part: part, pace: measured / rate, to: endLine)
        state.isChapterAlone = chapterAlone != nil
        state.rate = rate
        state.sleepsIn = sleepsAt.map { max(0, $0 - dependencies.environment.uptime()) }
        state.problems = problems
        show(state)
    }

    private nonisolated func tried(_ trial: VoiceTrial, for item: ItemID) {
        shown.withLock { shown in
            guard var state = shown, state.phase == .preparing, state.item == item else { return }
            state.trial = trial
            shown = state
            tell(state)
        }
    }

    private func show(_ state: State) {
        shown.withLock { shown in
            shown = state
            tell(state)
        }
    }

    /// Call with `shown` locked, so that states stay in order.
    private nonisolated func tell(_ state: State) {
        for watcher in watchers.withLock({ Array($0.all.values) }) { watcher.yield(state) }
    }
}
