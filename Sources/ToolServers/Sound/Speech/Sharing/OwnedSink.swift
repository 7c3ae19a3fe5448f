/// A sink that plays only while it owns the sound: it takes it before the first sample,
/// releases it when it is silent, and reports when another use needs it.
package actor OwnedSink: AudioSink {
    package nonisolated var blockSeconds: Double { inner.blockSeconds }

    private enum Part { case idle, waiting, beginning, playing }

    private let inner: any AudioSink
    private let owner: SoundOwner
    private let use: SoundUse
    /// The ticket of the current or requested sound; nil if not requested yet.
    private var ticket: Int?
    private var part = Part.idle
    private var wasObserved = false
    private var stops = 0
    private var onEvent: SoundOwner.Notify?
    /// Seconds written since the last check for another program.
    private var unlooked = 0.0
    /// Interval of these checks: the longest that another program's alert waits.
    private static let lookSeconds = 0.25

    /// Created when the user makes the request: later requests take precedence.
    package init(_ inner: any AudioSink, of owner: SoundOwner, as use: SoundUse) {
        self.inner = inner
        self.owner = owner
        self.use = use
        ticket = owner.ticket()
    }

    package func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async {
        self.onEvent = onEvent
        // The next reading is a separate request.
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
                    // Notify before throwing, so that the caller is paused or stopped by
                    // then.
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
            // Stopped meanwhile.
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

    /// A beginning sink releases it itself, once it notices that it was stopped.
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
