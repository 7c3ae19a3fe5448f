/// A sound at its own pace, with keys beside it: the end of either ends the other. It knows neither
/// the sound nor the keys (decision 40).
package enum PacedSound {
    /// - Parameters:
    ///   - keys: returns how a key has ended the sound; nil if the keys ended by themselves.
    ///   - silence: called when the keys have ended first; it has to end the sound.
    /// - Returns: the result of the sound, and the keys' ending if they ended first.
    /// - Throws: errors of the sound, then those of the keys.
    package static func run<Value: Sendable, Ending: Sendable>(
        _ sound: @escaping @Sendable () async throws -> Value,
        keys: @escaping @Sendable () async throws -> Ending?,
        silence: @escaping @Sendable (Ending?, Task<Value, any Error>) async -> Void
    ) async throws -> (value: Value, ending: Ending?) {
        let playing = Task { try await sound() }
        let watch = Task { () -> Ending? in
            do {
                let ending = try await keys()
                if !Task.isCancelled { await silence(ending, playing) }
                return ending
            } catch {
                if !Task.isCancelled { await silence(nil, playing) }
                throw error
            }
        }
        let result = await withTaskCancellationHandler {
            await playing.result
        } onCancel: {
            playing.cancel()
        }
        watch.cancel()
        let ending = await watch.result
        return (try result.get(), try ending.get())
    }
}
