/// The protocol of an output for sound: a player, or a file.
package protocol AudioSink: Sendable {
    /// How much it is given at a time. In live playback a pause begins
    /// within as much; in a file, each block costs two changes of thread.
    var blockSeconds: Double { get }

    /// Before the first `write`. A second call with another format begins again
    /// after what was written.
    /// - Throws: `SpeechError`; `SoundOwner.Yielded` after it was told to the observer.
    func begin(_ format: PCMFormat) async throws

    /// Returns when the sound was taken; waits while enough is under way.
    /// - Throws: `SpeechError` when it is no longer taken.
    func write(_ bytes: [UInt8]) async throws

    /// Lets everything written be heard, then ends.
    func finish() async throws

    /// Ends at once; what was not heard is dropped.
    func stop() async

    /// Drops what was not heard yet; `begin` and `write` go on after it.
    func drop() async

    func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async
}

/// What a sink reports while sound goes to it.
package enum AudioSinkEvent: Sendable, Equatable {
    /// The sound device takes its time to wake, or has woken.
    case waking(Bool)
    /// Another wants the sound: finish or stop, as soon as possible.
    case wanted(by: SoundUse)
    /// What wanted it was short, and is over.
    case free
}

extension AudioSink {
    package func drop() async { await stop() }

    package func observe(_ onEvent: @escaping @Sendable (AudioSinkEvent) async -> Void) async {}
}

extension AudioSink {
    package var blockSeconds: Double { 0.02 }
}
