/// The life of one transfer between the thread that moves the bytes and the
/// one task that reads them. Pure: events in, actions out; the caller holds
/// the lock, the continuations and libcurl.
///
///     state         event             next          action
///     ------------  ----------------  ------------  ---------------------------
///     waiting       head              streaming     (flush) give the head
///     waiting       finished, error   failed        (flush) throw at the head
///     waiting       finished          failed        (flush) throw: connection lost
///     streaming     bytes, room       streaming     take
///     streaming     bytes, full       streaming     pause the transfer
///     streaming     bytes, > limit    streaming     refuse: the shell finishes
///     streaming     read, bytes       streaming     give all, maybe go on
///     streaming     read, none        streaming     wait
///     streaming     finished          ended         (flush) nil after the rest
///     streaming     finished, error   failed        (flush) throw after the rest
///     waiting,
///      streaming    cancel            cancelled     remove the transfer
///     any ended     cancel            cancelled     none
///     cancelled     anything          cancelled     refuse; throw Cancellation
///
/// `flush` hands over everything that libcurl delivered in one go, not event by event.
struct TransferStateMachine: Sendable {
    private enum State: Sendable {
        case waiting
        case streaming
        case ended
        case failed(TransportError)
        case cancelled
    }

    /// The result that the reading task waits for; there is only one task, so at most one.
    private enum Want: Sendable {
        case nothing, head, bytes
    }

    enum HeadAction: Sendable, Equatable {
        case wait
        case give(HTTPResponseHead)
        case fail(TransportError)
        case cancelled
    }

    enum ReadAction: Sendable, Equatable {
        case wait
        /// `resume`: the paused transfer has to go on.
        case give([UInt8], resume: Bool)
        case end
        case fail(TransportError)
        case cancelled
    }

    enum ReceiveAction: Sendable, Equatable {
        case taken
        case pause
        case tooLarge
        /// The data are no longer wanted: abort the transfer.
        case refused
    }

    enum FlushAction: Sendable, Equatable {
        case none
        case head(HeadAction)
        case read(ReadAction)
    }

    enum CancelAction: Sendable, Equatable {
        case none
        /// Remove the transfer from libcurl; a waiting reader throws at once.
        case remove
    }

    private var state = State.waiting
    private var want = Want.nothing
    private var head: HTTPResponseHead?
    private var buffer: WatermarkBuffer
    private var remainingBytes: Int
    private let host: String

    init(host: String, limitInBytes: Int, buffer: WatermarkBuffer = WatermarkBuffer()) {
        self.host = host
        self.buffer = buffer
        remainingBytes = limitInBytes
    }

    var isCancelled: Bool {
        if case .cancelled = state { true } else { false }
    }

    // MARK: From the transport's thread

    mutating func receive(head: HTTPResponseHead) {
        guard case .waiting = state else { return }
        self.head = head
        state = .streaming
    }

    mutating func receive(bytes: UnsafeRawBufferPointer) -> ReceiveAction {
        guard case .streaming = state else { return .refused }
        guard bytes.count <= remainingBytes else { return .tooLarge }
        guard buffer.append(bytes) else { return .pause }
        remainingBytes -= bytes.count
        return .taken
    }

    /// The transfer is over; with nil the body is complete.
    mutating func finish(_ error: TransportError?) {
        switch (state, error) {
        case (.waiting, let error?), (.streaming, let error?):
            state = .failed(error)
        case (.waiting, nil):
            // libcurl reports a close within the head as a success.
            state = .failed(
                TransportError(
                    reason: .connectionLost, host: host,
                    detail: "the connection closed within the response head",
                    afterResponse: true))
        case (.streaming, nil):
            state = .ended
        case (.ended, _), (.failed, _), (.cancelled, _):
            break
        }
    }

    /// Resumes the waiting reader, if there is a result for it.
    mutating func flush() -> FlushAction {
        switch want {
        case .nothing:
            return .none
        case .head:
            let action = headAction()
            guard action != .wait else { return .none }
            want = .nothing
            return .head(action)
        case .bytes:
            let action = readAction()
            guard action != .wait else { return .none }
            want = .nothing
            return .read(action)
        }
    }

    // MARK: From the reading task

    mutating func awaitHead() -> HeadAction {
        // A second reader would be our own bug: `ResponseBody` has one.
        precondition(want == .nothing, "one consumer")
        let action = headAction()
        if action == .wait { want = .head }
        return action
    }

    mutating func read() -> ReadAction {
        precondition(want == .nothing, "one consumer")
        let action = readAction()
        if action == .wait { want = .bytes }
        return action
    }

    /// The bytes that `read` would return at once; nil if it would wait, end or throw.
    mutating func takeBuffered() -> (bytes: [UInt8], resume: Bool)? {
        guard !buffer.isEmpty, case .give(let bytes, let resume) = readAction() else { return nil }
        return (bytes, resume)
    }

    mutating func cancel() -> CancelAction {
        let action: CancelAction
        switch state {
        case .waiting, .streaming: action = .remove
        case .ended, .failed, .cancelled: action = .none
        }
        state = .cancelled
        buffer.clear()
        head = nil
        return action
    }

    private func headAction() -> HeadAction {
        if case .cancelled = state { return .cancelled }
        if let head { return .give(head) }
        if case .failed(let error) = state { return .fail(error) }
        return .wait
    }

    private mutating func readAction() -> ReadAction {
        if case .cancelled = state { return .cancelled }
        if !buffer.isEmpty {
            let (bytes, mayGoOn) = buffer.take()
            // A finished transfer can no longer be resumed.
            if case .streaming = state { return .give(bytes, resume: mayGoOn) }
            return .give(bytes, resume: false)
        }
        switch state {
        case .waiting, .streaming: return .wait
        case .ended: return .end
        case .failed(let error): return .fail(error)
        case .cancelled: return .cancelled
        }
    }
}

/// A bounded buffer of bytes that have arrived and are not yet read.
///
/// It accepts a chunk while its content is below the high watermark, so it may exceed that by one
/// chunk; a refused producer may continue once the content is below the low watermark. It knows
/// neither the producer nor the reader.
struct WatermarkBuffer: Sendable, Equatable {
    let low: Int
    let high: Int
    private(set) var bytes: [UInt8] = []
    /// Whether a chunk was refused and the producer has not been resumed yet.
    private(set) var isProducerPaused = false

    init(low: Int = 256 << 10, high: Int = 1 << 20) {
        self.low = low
        self.high = high
    }

    var isEmpty: Bool { bytes.isEmpty }

    /// - Returns: false if the chunk was refused: the producer has to keep it and stop until `take`
    ///   says that it may continue.
    mutating func append(_ chunk: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count < high else {
            isProducerPaused = true
            return false
        }
        bytes.append(contentsOf: chunk)
        return true
    }

    /// Takes all bytes, without a copy.
    mutating func take() -> (bytes: [UInt8], mayGoOn: Bool) {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return (taken, releaseProducer())
    }

    mutating func clear() {
        bytes = []
        isProducerPaused = false
    }

    private mutating func releaseProducer() -> Bool {
        guard isProducerPaused, bytes.count <= low else { return false }
        isProducerPaused = false
        return true
    }
}
