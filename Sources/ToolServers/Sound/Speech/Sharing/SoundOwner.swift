import Base
import Synchronization

/// Allows one use of the sound at a time, for playback or recording: within this program by turns
/// (`SoundTurns`), among the programs of one user by a lock.
///
/// It produces no sound itself. A user of the sound acquires it first and releases it afterwards;
/// the holder is notified when another needs it, and releases it as soon as it is silent.
package actor SoundOwner: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.sound")

    package typealias Notify = @Sendable (AudioSinkEvent) async -> Void

    private struct Party {
        var use: SoundUse
        var notify: Notify
        var waiter: CheckedContinuation<Void, any Error>?
    }

    /// The current sound was requested later, and continues.
    package struct Yielded: Error, Sendable { package var to: SoundUse }

    /// Duration of an alert in seconds.
    package static let alertSeconds = 1.5
    /// Interval for checking the lock file of another program, and the number of checks
    /// before giving up: two seconds.
    private static let look = Duration.milliseconds(50)
    private static let looks = 40

    private nonisolated let lastTicket = Atomic(0)
    private let environment: Environment
    private let lock: SoundLock?
    private var turns = SoundTurns()
    /// Users that have the sound or wait for it, and those waiting for an alert to end.
    private var parties: [Int: Party] = [:]
    private var told: [Int: Notify] = [:]
    private var alert: (ticket: Int, end: Task<Void, Never>)?
    /// Runs while another program plays an alert.
    private var makingRoom: Task<Void, Never>?

    /// - Parameter path: the lock file shared with other programs of the user; nil for
    ///   none.
    package init(path: String?, environment: Environment) {
        self.environment = environment
        lock = path.map { SoundLock(path: $0) }
    }

    /// Identifies one use of the sound at the time of the user's request, possibly long
    /// before playback: of two, the later request wins.
    package nonisolated func ticket() -> Int {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    /// The current use of the sound.
    package var use: SoundUse? { turns.use }

    /// - Throws: `SpeechError` if another program has the sound.
    package func check() throws {
        guard turns.isFree else { return }
        defer { lock?.release() }
        guard let holder = lock?.take("") else { return }
        throw SpeechError(reason: .soundTaken(by: holder.what, pid: holder.process))
    }

    /// Returns when the previous holder is silent.
    ///
    /// - Parameter notify: called when another use needs the sound. It need not wait for
    ///   silence.
    /// - Throws: `SpeechError` if a recording is running, or another program has the sound;
    ///   `Yielded` if the current sound was requested later; `CancellationError` if the
    ///   ticket was released or the task cancelled meanwhile.
    package func take(
        _ ticket: Int, _ use: SoundUse, notify: @escaping Notify = { _ in }
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                // Cancelled before it started: no release follows.
                if Task.isCancelled {
                    return continuation.resume(throwing: CancellationError())
                }
                parties[ticket] = Party(use: use, notify: notify, waiter: continuation)
                perform(turns.take(ticket, use))
            }
        } onCancel: {
            Task { await release(ticket) }
        }
    }

    /// Releases the sound; may be called repeatedly and at any time.
    package func release(_ ticket: Int) {
        perform(turns.release(ticket))
        if parties[ticket]?.waiter == nil { parties[ticket] = nil }
        if turns.isFree { lock?.release() }
    }

    /// Holds the sound while `body` runs, which cannot be interrupted.
    package func holding<Value: Sendable>(
        _ use: SoundUse, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let ticket = ticket()
        try await take(ticket, use)
        defer { release(ticket) }
        return try await body()
    }

    /// Plays an alert while other sound pauses, which continues afterwards, also in other
    /// programs of the user. No alert plays into a recording, nor if another program does
    /// not make room.
    package func ring(_ body: @Sendable () async -> Void) async {
        let ticket: Int
        if let last = alert, turns.use == .alert {
            // Keep it from ending meanwhile.
            last.end.cancel()
            alert = nil
            ticket = last.ticket
        } else {
            ticket = self.ticket()
            do {
                try await take(ticket, .alert)
            } catch { return }
        }
        // Interrupted sound of this program keeps the lock until it continues.
        let wasOurs = lock?.isOurs ?? true
        guard await takesLock() else { return release(ticket) }
        // The lock proved that all is silent. The program that made room waits until the
        // request is withdrawn.
        if !wasOurs { lock?.release() }
        await body()
        lock?.withdraw()
        endLater(ticket)
    }

    /// Acquires the lock for an alert, and asks another program that holds it.
    private func takesLock() async -> Bool {
        guard let lock else { return true }
        for _ in 0..<Self.looks {
            if lock.take(SoundUse.alert.words) == nil { return true }
            lock.ask()
            // Cancelled: the program is ending.
            do { try await environment.sleep(Self.look) } catch { break }
        }
        lock.withdraw()
        return false
    }

    /// Call it now and then during playback: yields to an alert of another program, as to one of
    /// this program.
    package func heed() {
        guard makingRoom == nil, let use, use != .alert, use != .recording,
            lock?.isAskedFor == true
        else { return }
        makingRoom = Task {
            await makeRoom()
            makingRoom = nil
        }
    }

    private func makeRoom() async {
        let ticket = ticket()
        do {
            try await take(ticket, .alert)
        } catch { return }
        lock?.release()
        for _ in 0..<Self.looks where lock?.isAskedFor == true {
            do { try await environment.sleep(Self.look) } catch { break }
        }
        endLater(ticket)
    }

    private func endLater(_ ticket: Int) {
        let task = Task { [environment] in
            do { try await environment.sleep(.seconds(Self.alertSeconds)) } catch { return }
            over(ticket)
        }
        alert = (ticket, task)
    }

    private func over(_ ticket: Int) {
        guard alert?.ticket == ticket else { return }
        alert = nil
        release(ticket)
    }

    // MARK: -

    private func perform(_ actions: [SoundTurns.Action]) {
        for action in actions {
            switch action {
            case .grant(let ticket): grant(ticket)
            case .refuse(let ticket):
                end(
                    ticket, SpeechError(reason: .soundTaken(by: SoundUse.recording.words, pid: nil))
                )
            case .yield(let ticket, let use): end(ticket, Yielded(to: use))
            case .forget(let ticket): end(ticket, CancellationError())
            case .tell(let ticket, let event): tell(ticket, event)
            }
        }
    }

    private func grant(_ ticket: Int) {
        guard let use = parties[ticket]?.use else { return }
        // An alert asks for it, and waits a moment.
        if use != .alert, let holder = lock?.take(use.words) {
            end(
                ticket,
                SpeechError(reason: .soundTaken(by: holder.what, pid: holder.process)))
            return release(ticket)
        }
        let waiter = parties[ticket]?.waiter
        parties[ticket]?.waiter = nil
        waiter?.resume()
    }

    private func end(_ ticket: Int, _ error: any Error) {
        parties.removeValue(forKey: ticket)?.waiter?.resume(throwing: error)
    }

    private func tell(_ ticket: Int, _ event: AudioSinkEvent) {
        // A use that waits for the end of an alert has released its ticket.
        guard let notify = parties[ticket]?.notify ?? told[ticket] else { return }
        told[ticket] = event == .wanted(by: .alert) ? notify : nil
        Task { await notify(event) }
    }
}
