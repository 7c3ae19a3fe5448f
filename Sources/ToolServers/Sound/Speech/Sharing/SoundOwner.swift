import Base
import Synchronization

/// Lets one thing at a time be heard or recorded: in this program by turns (`SoundTurns`),
/// among the programs of one user by a lock.
///
/// It makes no sound. A part that makes one takes the sound first and releases it afterwards; its
/// holder hears when another wants it, and releases it as soon as it is silent.
package actor SoundOwner: QueuedActor {
    package nonisolated let executor = QueueExecutor(label: "chat.sound")

    package typealias Notify = @Sendable (AudioSinkEvent) async -> Void

    private struct Party {
        var use: SoundUse
        var notify: Notify
        var waiter: CheckedContinuation<Void, any Error>?
    }

    /// What is heard was asked for later, and goes on.
    package struct Yielded: Error, Sendable { package var to: SoundUse }

    /// Seconds for the sound of an alert.
    package static let alertSeconds = 1.5
    /// How often the file is looked at that another program has to release or withdraw, and
    /// how often before it is not waited for: two seconds.
    private static let look = Duration.milliseconds(50)
    private static let looks = 40

    private nonisolated let lastTicket = Atomic(0)
    private let environment: Environment
    private let lock: SoundLock?
    private var turns = SoundTurns()
    /// Those that have it or wait for it, and those that an alert keeps waiting.
    private var parties: [Int: Party] = [:]
    private var told: [Int: Notify] = [:]
    private var alert: (ticket: Int, end: Task<Void, Never>)?
    /// While another program rings.
    private var makingRoom: Task<Void, Never>?

    /// - Parameter path: of the file that other programs of the user look at; nil for none.
    package init(path: String?, environment: Environment) {
        self.environment = environment
        lock = path.map { SoundLock(path: $0) }
    }

    /// Names one use of the sound when the user asks for it, which may be long before it
    /// can be heard: of two, the one that was asked for last is heard.
    package nonisolated func ticket() -> Int {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    /// What is heard or recorded now.
    package var use: SoundUse? { turns.use }

    /// - Throws: `SpeechError` when another program has the sound.
    package func check() throws {
        guard turns.isFree else { return }
        defer { lock?.release() }
        guard let holder = lock?.take("") else { return }
        throw SpeechError(reason: .soundTaken(by: holder.what, pid: holder.process))
    }

    /// Returns when the previous holder is silent.
    ///
    /// - Parameter notify: called when another wants it. It need not wait for silence.
    /// - Throws: `SpeechError` when a recording runs, or another program has the sound;
    ///   `Yielded` where what is heard was asked for later; `CancellationError` when the ticket was released or the task cancelled meanwhile.
    package func take(
        _ ticket: Int, _ use: SoundUse, notify: @escaping Notify = { _ in }
    ) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                (continuation: CheckedContinuation<Void, any Error>) in
                // Cancelled before it began: no release follows.
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

    /// May be called at any time, and again.
    package func release(_ ticket: Int) {
        perform(turns.release(ticket))
        if parties[ticket]?.waiter == nil { parties[ticket] = nil }
        if turns.isFree { lock?.release() }
    }

    /// The sound for as long as `body` runs, which cannot be interrupted.
    package func holding<Value: Sendable>(
        _ use: SoundUse, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        let ticket = ticket()
        try await take(ticket, use)
        defer { release(ticket) }
        return try await body()
    }

    /// Rings, with silence around it: what is read meanwhile pauses and goes on afterwards,
    /// also in another program of the user. Nothing rings into a recording, nor where another
    /// program does not make room.
    package func ring(_ body: @Sendable () async -> Void) async {
        let ticket: Int
        if let last = alert, turns.use == .alert {
            // It does not end meanwhile.
            last.end.cancel()
            alert = nil
            ticket = last.ticket
        } else {
            ticket = self.ticket()
            do {
                try await take(ticket, .alert)
            } catch { return }
        }
        // What was heard here keeps it until it goes on.
        let wasOurs = lock?.isOurs ?? true
        guard await takesLock() else { return release(ticket) }
        // It proved that all is silent. Who made room waits until the wish is withdrawn.
        if !wasOurs { lock?.release() }
        await body()
        lock?.withdraw()
        endLater(ticket)
    }

    /// The lock for an alert. Another program that has it is asked for it.
    private func takesLock() async -> Bool {
        guard let lock else { return true }
        for _ in 0..<Self.looks {
            if lock.take(SoundUse.alert.words) == nil { return true }
            lock.ask()
            // Cancelled: the program ends.
            do { try await environment.sleep(Self.look) } catch { break }
        }
        lock.withdraw()
        return false
    }

    /// To be called now and then by what is heard: it makes room for an alert of another
    /// program, as for one of this.
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
        // What rings asks for it, and waits a moment.
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
        // Who waits for the end of an alert has released its ticket.
        guard let notify = parties[ticket]?.notify ?? told[ticket] else { return }
        told[ticket] = event == .wanted(by: .alert) ? notify : nil
        Task { await notify(event) }
    }
}
