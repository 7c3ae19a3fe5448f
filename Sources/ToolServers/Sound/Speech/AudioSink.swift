/// The protocol of a sound output: a player, or a file.
package protocol AudioSink: Sendable {
    /// Seconds of sound per write. In live playback a pause takes effect within this time;
    /// in a file, each block costs two changes of thread.
    var blockSeconds: Double { get }

    /// Called before the first `write`. A second call with another format continues after
    /// the sound already written.
    /// - Throws: `SpeechError`; `SoundOwner.Yielded` after the observer was notified.
    func begin(_ format: PCMFormat) async throws

    /// Returns when the sound was accepted; waits while enough is queued.
    /// - Throws: `SpeechError` if it is no longer accepted.
    func write(_ bytes: [UInt8]) async throws

    /// Plays everything written, then ends.
    func finish() async throws

    /// Ends at once and drops unplayed sound.
    func stop() async

    /// Drops unplayed sound; `begin` and `write` may continue after it.
    func drop() async

    func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async
}

/// An event that a sink reports during output.
package enum AudioSinkEvent: Sendable, Equatable {
    /// The sound device is slow to wake, or has woken.
    case waking(Bool)
    /// Another use needs the sound device: finish or stop as soon as possible.
    case wanted(by: SoundUse)
    /// The use that needed it was short and has ended.
    case free
}

extension AudioSink {
    package func drop() async { await stop() }

    package func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async {}
}

extension AudioSink {
    package var blockSeconds: Double { 0.02 }
}
