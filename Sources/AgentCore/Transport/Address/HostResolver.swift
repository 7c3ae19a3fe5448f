import Dispatch
import Glibc
import Synchronization

/// Resolves the name of a host to its addresses, with the system's resolver. A host that is an
/// address in any spelling (`0x7f.1`, `2130706433`) is read as the system reads it.
///
/// It does not judge the addresses, which may be of any kind.
package struct HostResolver: Sendable {
    /// All addresses, in the order to try them; empty if the name has none.
    /// - Throws: `CancellationError`, at once.
    package let addresses: @Sendable (_ host: String) async throws -> [IPAddress]

    package init(_ addresses: @escaping @Sendable (_ host: String) async throws -> [IPAddress]) {
        self.addresses = addresses
    }

    package static let system = HostResolver { host in
        let waiter = Waiter()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiter.wait(continuation)
                // A lookup that hangs blocks only this thread until the system gives up on
                // it: getaddrinfo cannot be interrupted.
                DispatchQueue(label: "host-lookup").async { waiter.finish(.success(lookUp(host))) }
            }
        } onCancel: {
            waiter.finish(.failure(CancellationError()))
        }
    }

    /// The task that waits for one lookup; it resumes at the answer or the cancellation, whichever
    /// comes first.
    private final class Waiter: Sendable {
        private enum State {
            case idle
            case waiting(CheckedContinuation<[IPAddress], any Error>)
            case done
            /// Cancelled before the wait began.
            case finished(Result<[IPAddress], any Error>)
        }
        private let state = Mutex(State.idle)

        func wait(_ continuation: CheckedContinuation<[IPAddress], any Error>) {
            let early: Result<[IPAddress], any Error>? = state.withLock { state in
                if case .finished(let result) = state {
                    state = .done
                    return result
                }
                state = .waiting(continuation)
                return nil
            }
            if let early { continuation.resume(with: early) }
        }

        func finish(_ result: Result<[IPAddress], any Error>) {
            let waiting: CheckedContinuation<[IPAddress], any Error>? = state.withLock { state in
                switch state {
                case .idle:
                    state = .finished(result)
                    return nil
                case .waiting(let continuation):
                    state = .done
                    return continuation
                case .done, .finished: return nil
                }
            }
            waiting?.resume(with: result)
        }
    }

    /// Blocks.
    private static func lookUp(_ host: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // AI_IDN of <netdb.h>, a macro that C defines only with _GNU_SOURCE.
        hints.ai_flags = 0x0040
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var entry = list
        while let current = entry?.pointee {
            if let address = current.ai_addr,
                let found = IPAddress(
                    socketAddress: address, length: Int(current.ai_addrlen)),
                !addresses.contains(found)
            {
                addresses.append(found)
            }
            entry = current.ai_next
        }
        return addresses
    }
}
