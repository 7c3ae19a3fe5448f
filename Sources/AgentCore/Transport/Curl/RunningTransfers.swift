import CCurl
import Glibc

/// The transfers that libcurl is processing, on the transport's thread: adds and removes them,
/// advances them, reports their ends and enforces the deadlines.
///
/// `CurlLoop` handles sleeping and commands from other threads.
struct RunningTransfers {
    private let multi: UnsafeMutableRawPointer
    /// Handles by identity of the easy handle. Few at any time.
    private var handles: [UnsafeMutableRawPointer: CurlHandle] = [:]

    init(multi: UnsafeMutableRawPointer) {
        self.multi = multi
    }

    mutating func add(_ transfer: Transfer, caFile: String?) {
        guard !transfer.isCancelled else { return }
        do throws(TransportError) {
            let handle = try CurlHandle(transfer: transfer, caFile: caFile, now: Self.now())
            let code = chat_curl_multi_add_handle(multi, handle.easy)
            guard code == CURLM_OK else {
                let words = ServerText(String(cString: chat_curl_multi_strerror(code)), hiding: nil)
                throw handle.error(.other, words ?? "cannot be started")
            }
            handles[handle.easy] = handle
        } catch {
            transfer.finish(error)
        }
    }

    func resume(_ transfer: Transfer) {
        guard let handle = handle(of: transfer) else { return }
        handle.deadlines.resume(at: Self.now())
        chat_curl_easy_pause(handle.easy, CURLPAUSE_RECV_CONT)
    }

    mutating func remove(_ transfer: Transfer) {
        if let handle = handle(of: transfer) { drop(handle) }
    }

    mutating func cancelAll() {
        for handle in handles.values {
            handle.transfer.cancel()
            drop(handle)
        }
    }

    /// One round: advances every transfer, then gives each reader all its new data at once.
    mutating func advance() {
        var count: Int32 = 0
        chat_curl_multi_perform(multi, &count)
        reportEnds()
        guard !handles.isEmpty else { return }

        let now = Self.now()
        for handle in handles.values {
            let isActive = handle.takeActivity()
            if isActive || !handle.deadlines.isConnected && handle.isConnected {
                handle.deadlines.noteActivity(at: now)
            }
            if let reason = handle.deadlines.expired(at: now) {
                let detail: ServerText =
                    reason == .idleTimeout ? "the server was silent" : "the transfer took too long"
                end(handle, with: handle.error(reason, detail))
            } else {
                handle.transfer.flush()
            }
        }
    }

    /// The time until the nearest deadline; libcurl adds its own timers.
    func waitInMilliseconds() -> Int32 {
        guard let next = handles.values.compactMap(\.deadlines.next).min() else { return .max }
        let now = Self.now()
        // Rounded up, so as not to wake just before the deadline.
        return next <= now ? 0 : Int32(clamping: (next - now) / 1_000_000 + 1)
    }

    private mutating func reportEnds() {
        var left: Int32 = 0
        while let message = chat_curl_multi_info_read(multi, &left) {
            guard message.pointee.msg == CURLMSG_DONE,
                let easy = message.pointee.easy_handle, let handle = handles[easy]
            else { continue }
            // Read before the handle is removed, which frees the message.
            let outcome = handle.outcome(chat_curl_message_result(message))
            end(handle, with: outcome)
        }
    }

    private mutating func end(_ handle: CurlHandle, with error: TransportError?) {
        drop(handle)
        handle.transfer.finish(error)
    }

    private mutating func drop(_ handle: CurlHandle) {
        chat_curl_multi_remove_handle(multi, handle.easy)
        handles[handle.easy] = nil
    }

    private func handle(of transfer: Transfer) -> CurlHandle? {
        handles.values.first { $0.transfer === transfer }
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
