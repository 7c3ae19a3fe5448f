import Synchronization

/// Connects the transport's thread and the reading task: a `TransferStateMachine` under a lock, and
/// the continuation of the reader.
///
/// It performs the machine's actions outside of the lock. It does not know libcurl: the loop passes
/// bytes to it, and it asks the loop to continue or stop.
final class Transfer: Sendable {
    private struct Storage {
        var machine: TransferStateMachine
        var headReader: CheckedContinuation<HTTPResponseHead, any Error>?
        var bodyReader: CheckedContinuation<[UInt8]?, any Error>?
    }

    let request: HTTPRequest
    let origin: RequestOrigin
    private let loop: CurlLoop
    private let storage: Mutex<Storage>

    init(request: HTTPRequest, origin: RequestOrigin, loop: CurlLoop) {
        self.request = request
        self.origin = origin
        self.loop = loop
        storage = Mutex(
            Storage(
                machine: TransferStateMachine(
                    host: origin.name, limitInBytes: request.limits.bodyBytes)))
    }

    // MARK: For the transport's thread

    var isCancelled: Bool { storage.withLock { $0.machine.isCancelled } }

    func receive(head: HTTPResponseHead) {
        storage.withLock { $0.machine.receive(head: head) }
    }

    func receive(bytes: UnsafeRawBufferPointer) -> TransferStateMachine.ReceiveAction {
        storage.withLock { $0.machine.receive(bytes: bytes) }
    }

    func finish(_ error: TransportError?) {
        storage.withLock { $0.machine.finish(error) }
        flush()
    }

    /// Wakes the reader if it waits for something that has arrived.
    func flush() {
        let wake: (() -> Void)? = storage.withLock { storage in
            switch storage.machine.flush() {
            case .none:
                return nil
            case .head(let action):
                guard let reader = storage.headReader.take() else { return nil }
                return { Self.resume(reader, with: action) }
            case .read(let action):
                guard let reader = storage.bodyReader.take() else { return nil }
                return { [self] in resume(reader, with: action) }
            }
        }
        wake?()
    }

    // MARK: For the reading task

    func head() async throws -> HTTPResponseHead {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let action = storage.withLock { storage in
                    let action = storage.machine.awaitHead()
                    if action == .wait { storage.headReader = continuation }
                    return action
                }
                Self.resume(continuation, with: action)
            }
        } onCancel: {
            cancel()
        }
    }

    func read() async throws -> [UInt8]? {
        if Task.isCancelled { cancel() }
        // Most reads find bytes: they cost a lock and a swap, but no suspension.
        if let (bytes, resume) = readNow() {
            if resume { loop.resume(self) }
            return bytes
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let action = storage.withLock { storage in
                    let action = storage.machine.read()
                    if action == .wait { storage.bodyReader = continuation }
                    return action
                }
                resume(continuation, with: action)
            }
        } onCancel: {
            cancel()
        }
    }

    /// Ends the transfer. A waiting reader throws `CancellationError` at once, not only when
    /// libcurl has closed the connection.
    func cancel() {
        let action = storage.withLock { $0.machine.cancel() }
        flush()
        if action == .remove { loop.remove(self) }
    }

    private func readNow() -> (bytes: [UInt8], resume: Bool)? {
        storage.withLock { storage in
            guard let (bytes, resume) = storage.machine.takeBuffered() else { return nil }
            return (bytes, resume)
        }
    }

    private static func resume(
        _ reader: CheckedContinuation<HTTPResponseHead, any Error>,
        with action: TransferStateMachine.HeadAction
    ) {
        switch action {
        case .wait: break
        case .give(let head): reader.resume(returning: head)
        case .fail(let error): reader.resume(throwing: error)
        case .cancelled: reader.resume(throwing: CancellationError())
        }
    }

    private func resume(
        _ reader: CheckedContinuation<[UInt8]?, any Error>,
        with action: TransferStateMachine.ReadAction
    ) {
        switch action {
        case .wait: break
        case .give(let bytes, let resume):
            if resume { loop.resume(self) }
            reader.resume(returning: bytes)
        case .end: reader.resume(returning: nil)
        case .fail(let error): reader.resume(throwing: error)
        case .cancelled: reader.resume(throwing: CancellationError())
        }
    }
}
