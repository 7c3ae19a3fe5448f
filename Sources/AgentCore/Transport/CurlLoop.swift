import CCurl
import Glibc
import Synchronization

/// The one thread on which libcurl runs, and the queue of commands to it.
///
/// The thread sleeps in `curl_multi_poll` until a socket is ready, a deadline
/// is due or a command wakes it; it never polls. Everything that belongs to
/// libcurl is created, used and freed on it. What a command means for the
/// reader is decided by `Transfer`.
final class CurlLoop: Sendable {
    private enum Command: Sendable {
        case add(Transfer)
        case resume(Transfer)
        case remove(Transfer)
    }

    private struct Shared: Sendable {
        var commands: [Command] = []
        /// Set by the thread while it can be woken.
        var multi: MultiHandle?
        var thread: pthread_t?
        var isStopping = false
    }

    /// Safe to send: the only call made from another thread is
    /// `curl_multi_wakeup`, which libcurl allows from any thread, and it is
    /// made under the lock that the owner takes before it frees the handle.
    private struct MultiHandle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    /// Once per process; libcurl's own initialiser is not ours to repeat.
    private static let isInitialized = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private let caFile: String?
    private let shared = Mutex(Shared())

    init(caFile: String?) {
        self.caFile = caFile
    }

    // MARK: From any thread

    /// Starts the transfer, and with the first one the thread.
    func add(_ transfer: Transfer) {
        let isAccepted = shared.withLock { shared in
            guard !shared.isStopping else { return false }
            shared.commands.append(.add(transfer))
            if shared.thread == nil { shared.thread = startThread() }
            wake(shared)
            return shared.thread != nil
        }
        if !isAccepted { transfer.cancel() }
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
            guard !shared.isStopping, shared.thread != nil else { return }
            shared.commands.append(command)
            wake(shared)
        }
    }

    private func wake(_ shared: borrowing Shared) {
        if let multi = shared.multi { curl_multi_wakeup(multi.pointer) }
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

    // MARK: On the thread

    private func run() {
        // Signals belong to the main thread.
        var signals = sigset_t()
        sigfillset(&signals)
        pthread_sigmask(SIG_BLOCK, &signals, nil)

        guard Self.isInitialized, let multi = curl_multi_init() else {
            return abandon()
        }
        // Kept-alive connections; libcurl's default grows with the transfers.
        chat_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, 8)
        shared.withLock { $0.multi = MultiHandle(pointer: multi) }

        var running = RunningTransfers(multi: multi)
        while let commands = takeCommands() {
            for command in commands { perform(command, &running) }
            running.advance()
            curl_multi_poll(multi, nil, 0, running.waitInMilliseconds(), nil)
        }
        shared.withLock { $0.multi = nil }
        running.cancelAll()
        curl_multi_cleanup(multi)
        abandon()
    }

    /// nil when the thread has to end.
    private func takeCommands() -> [Command]? {
        shared.withLock { shared in
            guard !shared.isStopping else { return nil }
            var commands: [Command] = []
            swap(&commands, &shared.commands)
            return commands
        }
    }

    private func perform(_ command: Command, _ running: inout RunningTransfers) {
        switch command {
        case .add(let transfer): running.add(transfer, caFile: caFile)
        case .resume(let transfer): running.resume(transfer)
        case .remove(let transfer): running.remove(transfer)
        }
    }

    /// Whoever still waits in the queue must not wait for ever.
    private func abandon() {
        let commands = shared.withLock { shared in
            shared.isStopping = true
            var commands: [Command] = []
            swap(&commands, &shared.commands)
            return commands
        }
        for case .add(let transfer) in commands { transfer.cancel() }
    }
}
