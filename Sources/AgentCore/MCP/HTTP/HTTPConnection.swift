import Base
import Glibc

/// One accepted connection: reads requests, writes bytes, and waits for its end. Reading and
/// writing have separate queues, since the connection is watched for its end while an answer is
/// written.
actor HTTPConnection: QueuedActor {
    /// Limit for a body in bytes; no tool of ours needs more.
    private static let bodyLimit = 4 << 20
    /// Maximum number of bytes that are read of a refused body, so that its sender can read the
    /// answer.
    private static let discardLimit = 16 << 20

    nonisolated let executor = QueueExecutor(label: "chat.mcp.read")

    private let socket: Int32
    private let limits: HTTPListener.Limits
    /// Seconds on a clock that is never set back.
    private let uptime: @Sendable () -> Double
    private nonisolated let wake: Waker
    private let writer: Writer
    private var reader = HTTPRequestReader(bodyLimit: bodyLimit)
    /// Deadline of the request being read; nil between requests. The first one has to arrive at
    /// once.
    private var deadline: Double?
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    /// Takes over the socket; without free descriptors it is closed and the result is nil.
    init?(
        _ socket: Int32, limits: HTTPListener.Limits, uptime: @escaping @Sendable () -> Double
    ) {
        guard let wake = Waker() else {
            close(socket)
            return nil
        }
        var limit = timeval(tv_sec: limits.writeSeconds, tv_usec: 0)
        setsockopt(
            socket, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        self.socket = socket
        self.limits = limits
        self.uptime = uptime
        self.wake = wake
        deadline = uptime() + limits.requestSeconds
        writer = Writer(socket)
    }

    /// The next part of a request; nil at the end, or if no request arrives.
    func next() throws(HTTPRequestReader.Failure) -> HTTPRequestReader.Event? {
        let idleEnd = uptime() + limits.idleSeconds
        while true {
            if let event = try reader.next() {
                if case .body = event { deadline = nil }
                return event
            }
            if deadline == nil, !reader.isEmpty { deadline = uptime() + limits.requestSeconds }
            guard wait(until: deadline ?? idleEnd) else {
                if reader.isEmpty { return nil }
                throw .timeout
            }
            guard let count = receive() else { return nil }
            reader.push(buffer[..<count])
        }
    }

    /// Drops further input for a moment: if a connection is closed with unread input, our
    /// last answer is lost.
    func discard() {
        shutdown(socket, Int32(SHUT_WR))
        let end = uptime() + 1
        var rest = Self.discardLimit
        while rest > 0, wait(until: end), let count = receive() { rest -= count }
    }

    /// - Returns: false if the time is over.
    private func wait(until end: Double) -> Bool {
        while true {
            var waited = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            let rest = max(0, (end - uptime()) * 1000)
            let ready = poll(&waited, 1, Int32(rest.rounded(.up)))
            if ready < 0, errno == EINTR { continue }
            return ready > 0
        }
    }

    /// Nil at the end.
    private func receive() -> Int? {
        while true {
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? count : nil
        }
    }

    // MARK: - While a request is answered

    /// Clears an earlier wake-up, so that it does not end the next wait.
    func forgetWake() { wake.forget() }

    /// - Returns: true if the host has closed the connection, false once `stopWaiting` was called.
    ///   A host that has only closed its sending side counts as closed: the two cannot be
    ///   distinguished.
    func waitForEnd() -> Bool {
        var events = Int16(POLLIN)
        while true {
            var waited = [
                pollfd(fd: socket, events: events, revents: 0),
                pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waited, 2, -1) < 0 {
                if errno == EINTR { continue }
                return true
            }
            if waited[1].revents != 0 { return false }
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
            if count <= 0 { return true }
            // Another request follows this one: watch only for errors.
            events = 0
        }
    }

    nonisolated func stopWaiting() { wake.signal() }

    /// One call at a time; false once the host has closed the connection.
    nonisolated func write(_ bytes: [UInt8]) async -> Bool { await writer.write(bytes) }

    /// Whether the host has closed it and everything it sent was read. Not after `end`.
    nonisolated var isGone: Bool {
        var byte: UInt8 = 0
        return recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }

    /// Makes every wait return, from any thread. Not after `end`.
    nonisolated func shutDown() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Closes the socket; no other call may follow.
    func end() { close(socket) }
}

private actor Writer: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.mcp.write")
    private let socket: Int32

    init(_ socket: Int32) { self.socket = socket }

    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }
}
