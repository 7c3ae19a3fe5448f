/// A sink that is heard only while it has the sound: it takes it before the first sample,
/// releases it when it is silent, and passes on that another wants it.
package actor OwnedSink: AudioSink {
    package nonisolated var blockSeconds: Double { inner.blockSeconds }

    private enum Part { case idle, waiting, beginning, playing }

    private let inner: any AudioSink
    private let owner: SoundOwner
    private let use: SoundUse
    /// Of what is heard or was asked for; nil where it would be asked for only now.
    private var ticket: Int?
    private var part = Part.idle
    private var wasObserved = false
    private var stops = 0
    private var onEvent: SoundOwner.Notify?
    /// Seconds that were written since another program was looked for.
    private var unlooked = 0.0
    /// So long an alert of another program waits.
    private static let lookSeconds = 0.25

    /// Made when the user asks for it: what is asked for later is heard first.
    package init(_ inner: any AudioSink, of owner: SoundOwner, as use: SoundUse) {
        self.inner = inner
        self.owner = owner
        self.use = use
        ticket = owner.ticket()
    }

    package func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async {
        self.onEvent = onEvent
        // The next reading is a wish of its own.
        if wasObserved, part == .idle { ticket = owner.ticket() }
        wasObserved = true
        await inner.observe(onEvent)
    }

    package func begin(_ format: PCMFormat) async throws {
        let before = stops
        if part == .idle {
            part = .waiting
            let mine = ticket ?? owner.ticket()
            ticket = mine
            do {
                try await owner.take(mine, use) { [weak self] in await self?.onEvent?($0) }
            } catch {
                (part, ticket) = (.idle, nil)
                if let later = error as? SoundOwner.Yielded {
                    // Told before it is thrown: who began it is paused or stopped then.
                    await onEvent?(.wanted(by: later.to))
                }
                throw error
            }
        }
        part = .beginning
        do {
            if before == stops { try await inner.begin(format) }
        } catch {
            part = .playing
            throw error
        }
        part = .playing
        guard before == stops else {
            // It was stopped meanwhile.
            await stop()
            throw CancellationError()
        }
    }

    package func write(_ bytes: [UInt8]) async throws {
        try await inner.write(bytes)
        unlooked += blockSeconds
        guard unlooked >= Self.lookSeconds else { return }
        unlooked = 0
        await owner.heed()
    }

    package func finish() async throws {
        do {
            try await inner.finish()
        } catch {
            await release()
            throw error
        }
        await release()
    }

    package func stop() async {
        stops += 1
        await inner.stop()
        await release()
    }

    package func drop() async {
        stops += 1
        await inner.drop()
        await release()
    }

    /// What is beginning releases it itself, when it knows that it was stopped.
    private func release() async {
        guard let ticket else { return }
        switch part {
        case .beginning: break
        case .idle: self.ticket = nil
        // `begin` gets a `CancellationError`.
        case .waiting: await owner.release(ticket)
        case .playing:
            (part, self.ticket) = (.idle, nil)
            await owner.release(ticket)
        }
    }
}
