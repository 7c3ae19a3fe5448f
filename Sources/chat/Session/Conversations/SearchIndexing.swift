import Base
import ChatKit
import Persistence

/// Indexes older conversations for the search, in the background. With nothing left to do
/// it costs one query.
struct SearchIndexing {
    let services: Services

    /// Runs until all is done or the task is cancelled.
    func run() async {
        do {
            let store = try services.store()
            if await store.isReadOnly { return }
            // The pause is as long as a batch, so that other users of the file get their turn.
            while try await !store.indexNextBatch() {
                try await services.environment.sleep(.milliseconds(10))
            }
        } catch {
            // Cancelled, or the file has an error: its next user reports it, and the next chat
            // continues from here.
        }
    }

    /// Indexes everything now, for a complete search; `progress` gets the completed share, from 0
    /// to 1, twice a second.
    func finish(progress: (Double) -> Void) async throws {
        let store = try services.store()
        if await store.isReadOnly { return }
        let total = try await store.unindexedShare()
        if total == 0 { return }
        var told = services.environment.uptime()
        while try await !store.indexNextBatch() {
            // Lets another instance that waits for the file have it.
            try await services.environment.sleep(.milliseconds(2))
            let now = services.environment.uptime()
            if now - told < 0.5 { continue }
            told = now
            progress(1 - (try await store.unindexedShare()) / total)
        }
    }
}
