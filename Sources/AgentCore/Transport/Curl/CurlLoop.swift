import CCurl
import Glibc
import Synchronization

/// The one thread on which libcurl runs, and the queue of commands to it.
///
/// The thread sleeps in `curl_multi_poll` until a socket is ready, a deadline is due or a
/// command wakes it; it never polls. All transfers are set up, run and freed on it.
/// `Transfer` decides what a command means for the reader.
final class CurlLoop: Sendable {
    private enum Command: Sendable {
        case add(Transfer)
        case resume(Transfer)
        case remove(Transfer)
    }

    private struct Shared: Sendable {
        var commands: [Command] = []
        /// Set while the thread runs and can be woken.
        var multi: MultiHandle?
        /// Kept until it is joined.
        var thread: pthread_t?
        var isStopping = false
    }

    /// Safe to send: the only call made from another thread is
    /// `curl_multi_wakeup`, which libcurl allows from any thread, and it is
    /// made under the lock that the thread takes before it frees the handle.
    private struct MultiHandle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    /// Calls libcurl's own initialiser once per process; it must not be called again.
    private static let isInitialized = {
        // libcurl would write the secrets of every connection into this file,
        // which it opens in the next line.
        if getenv("SSLKEYLOGFILE") != nil { unsetenv("SSLKEYLOGFILE") }
        return chat_curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    private let caFile: String?
    private let shared = Mutex(Shared())

    init(caFile: String?) {
        self.caFile = caFile
    }

    // MARK: From any thread

    /// Starts the transfer, and with the first one the thread.
    func add(_ transfer: Transfer) {
        let refusal: (@Sendable () -> Void)? = shared.withLock { shared in
            guard !shared.isStopping else { return { transfer.cancel() } }
            guard shared.multi != nil || start(&shared) else {
                return { transfer.finish(Self.cannotStart(transfer)) }
            }
            shared.commands.append(.add(transfer))
            wake(shared)
            return nil
        }
        refusal?()
    }

    func resume(_ transfer: Transfer) { enqueue(.resume(transfer)) }

    func remove(_ transfer: Transfer) { enqueue(.remove(transfer)) }

    /// Cancels every transfer and returns when the thread has ended.
    func shutDown() {
        let thread = shared.withLock { shared in
            shared.isStopping = true
            wake(shared)
            return shared.thread.take()
        }
        guard let thread else { return }
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }

    private func enqueue(_ command: Command) {
        shared.withLock { shared in
            guard !shared.isStopping, shared.multi != nil else { return }
            shared.commands.append(command)
            wake(shared)
        }
    }

    private func wake(_ shared: borrowing Shared) {
        if let multi = shared.multi { chat_curl_multi_wakeup(multi.pointer) }
    }

    /// - Returns: false if the system has no thread or no descriptors left; the next request tries
    ///   again.
    private func start(_ shared: inout Shared) -> Bool {
        guard Self.isInitialized, let multi = chat_curl_multi_init() else { return false }
        // Without its wake-up descriptors libcurl would sleep through commands.
        guard chat_curl_multi_wakeup(multi) == CURLM_OK, let thread = startThread() else {
            chat_curl_multi_cleanup(multi)
            return false
        }
        // Kept-alive connections; libcurl's default grows with the transfers.
        chat_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
        shared.multi = MultiHandle(pointer: multi)
        shared.thread = thread
        return true
    }

    private func startThread() -> pthread_t? {
        var thread = pthread_t()
        // The thread owns this reference and releases it when it ends.
        let me = Unmanaged.passRetained(self)
        let code = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<CurlLoop>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, me.toOpaque())
        guard code == 0 else {
            me.release()
            return nil
        }
        return thread
    }

    private static func cannotStart(_ transfer: Transfer) -> TransportError {
        TransportError(
            reason: .other, host: transfer.origin.name,
            detail: "no thread or no file descriptors for the network")
    }

    // MARK: On the thread

    private func run() {
        // Signals belong to the main thread.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        // Set before the lock was released under which this thread was started.
        guard let multi = shared.withLock({ $0.multi })?.pointer else { return }
        var running = RunningTransfers(multi: multi)
        while performCommands(&running) {
            running.advance()
            chat_curl_multi_poll(multi, nil, 0, running.waitInMilliseconds(), nil)
        }
        let late = shared.withLock { shared in
            shared.multi = nil
            return Self.drain(&shared.commands)
        }
        running.cancelAll()
        for case .add(let transfer) in late { transfer.cancel() }
        chat_curl_multi_cleanup(multi)
    }

    /// A separate function, so that no transfer is retained while the thread sleeps.
    /// - Returns: false when the thread has to end.
    private func performCommands(_ running: inout RunningTransfers) -> Bool {
        let commands = shared.withLock { shared in
            shared.isStopping ? nil : Self.drain(&shared.commands)
        }
        guard let commands else { return false }
        for command in commands {
            switch command {
            case .add(let transfer): running.add(transfer, caFile: caFile)
            case .resume(let transfer): running.resume(transfer)
            case .remove(let transfer): running.remove(transfer)
            }
        }
        return true
    }

    private static func drain(_ commands: inout [Command]) -> [Command] {
        var taken: [Command] = []
        swap(&taken, &commands)
        return taken
    }
}
