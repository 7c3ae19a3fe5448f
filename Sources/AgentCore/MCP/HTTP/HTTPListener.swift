import Base
import Glibc

/// Accepts connections from this machine, on 127.0.0.1 and ::1, and passes their requests to the
/// service. Blocking calls run on separate queues; a connection handles one request at a time.
package final class HTTPListener: Sendable {
    /// The port cannot be used.
    package struct Failure: Error, Sendable, Equatable {
        package var port: UInt16
        package var code: Int32
    }

    /// Limits against hosts that are slow, idle or many.
    package struct Limits: Sendable {
        package var connections = 32
        /// Limit for a whole request, counted from its first byte, and for the wait for the first
        /// request.
        package var requestSeconds = 20.0
        /// Limit between two requests.
        package var idleSeconds = 120.0
        /// Limit for a host to accept some of the written bytes.
        package var writeSeconds = 30

        package init() {}
    }

    /// A refused body up to this size is read, so that the connection can be reused.
    private static let shortBody = 64 << 10

    /// The requested port, or the one the system chose for 0.
    package let port: UInt16
    private let acceptor: Acceptor
    private let wake: Waker
    private let limits: Limits
    private let uptime: @Sendable () -> Double
    private let places: HTTPPlaces

    /// - Parameter uptime: seconds on a clock that is never set back.
    package init(
        port: UInt16, limits: Limits = Limits(), uptime: @escaping @Sendable () -> Double
    ) throws(Failure) {
        guard let wake = Waker() else { throw Failure(port: port, code: errno) }
        let sockets = try Self.sockets(port)
        (self.port, self.wake, self.limits, self.uptime) = (sockets.port, wake, limits, uptime)
        acceptor = Acceptor(sockets: sockets.all, wake: wake)
        places = HTTPPlaces(limit: limits.connections)
    }

    /// Ends `run`, from any thread.
    package func close() { wake.signal() }

    package func run(_ service: MCPHTTPService) async {
        await withDiscardingTaskGroup { group in
            while let socket = await acceptor.next() {
                guard let connection = HTTPConnection(socket, limits: limits, uptime: uptime)
                else { continue }
                guard let place = await places.take(connection) else {
                    let answer = MCPHTTPAnswer(503, "Too many requests are running.").closing
                    _ = await connection.write(answer.bytes)
                    await connection.end()
                    continue
                }
                group.addTask {
                    await self.serve(connection, place, service)
                    await self.places.leave(place)
                    await connection.end()
                }
            }
            await acceptor.end()
            await service.end()
            await places.shutDownAll()
        }
    }

    private func serve(
        _ connection: HTTPConnection, _ place: Int, _ service: MCPHTTPService
    ) async {
        let handle = MCPHTTPService.Connection(
            send: { await connection.write($0) }, waitForEnd: { await connection.waitForEnd() },
            stop: { connection.stopWaiting() })
        do throws(HTTPRequestReader.Failure) {
            while case .head(let head)? = try await connection.next() {
                let refusal = service.gate.refusal(of: head)
                // The long body of a refused request is not waited for.
                if let refusal, head.bodyLength > Self.shortBody {
                    return await end(connection, refusal)
                }
                guard case .body(let body)? = try await connection.next() else { return }
                if let refusal {
                    guard await connection.write(refusal.bytes) else { return }
                } else {
                    await connection.forgetWake()
                    guard await places.begin(place) else { return }
                    guard await service.answer(head, body, on: handle) else { return }
                    await places.rest(place)
                }
                if head.headers["connection"]?.lowercased() == "close" { return }
            }
        } catch {
            await end(connection, MCPHTTPAnswer(error.rawValue, "The request cannot be read."))
        }
    }

    private func end(_ connection: HTTPConnection, _ answer: MCPHTTPAnswer) async {
        guard await connection.write(answer.closing.bytes) else { return }
        await connection.discard()
    }

    // MARK: - Sockets

    private static func sockets(
        _ port: UInt16
    ) throws(Failure) -> (port: UInt16, all: [Int32]) {
        var tries = 10
        while true {
            let first = try listen(AF_INET, port)
            do throws(Failure) {
                return (first.port, [first.socket, try listen(AF_INET6, first.port).socket])
            } catch {
                // Without IPv6 no other program can listen on ::1 either.
                if [EAFNOSUPPORT, EADDRNOTAVAIL, EPROTONOSUPPORT].contains(error.code) {
                    return (first.port, [first.socket])
                }
                // Another program on ::1 would get what hosts send to "localhost".
                Glibc.close(first.socket)
                tries -= 1
                if port != 0 || tries == 0 { throw error }
            }
        }
    }

    private static func listen(
        _ family: Int32, _ port: UInt16
    ) throws(Failure) -> (socket: Int32, port: UInt16) {
        // SOCK_CLOEXEC (socket(2)): child processes must not inherit it.
        let socket = Glibc.socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        var yes: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, length)
        if family == AF_INET6 { setsockopt(socket, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, length) }
        let found: UInt16? =
            if family == AF_INET {
                bound(socket, to: loopback(port)) { $0.sin_port }
            } else {
                bound(socket, to: loopback6(port)) { $0.sin6_port }
            }
        guard let found else {
            let failure = Failure(port: port, code: errno)
            if socket >= 0 { Glibc.close(socket) }
            throw failure
        }
        return (socket, UInt16(bigEndian: found))
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    private static func loopback6(_ port: UInt16) -> sockaddr_in6 {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        address.sin6_addr = in6addr_loopback
        return address
    }

    /// - Returns: the port in network order; nil with `errno`.
    private static func bound<Address>(
        _ socket: Int32, to address: Address, port: (Address) -> UInt16
    ) -> UInt16? {
        guard socket >= 0 else { return nil }
        var address = address
        var length = socklen_t(MemoryLayout<Address>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && Glibc.listen(socket, SOMAXCONN) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        return isListening ? port(address) : nil
    }
}

/// Waits for connections.
private actor Acceptor: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.mcp.accept")
    private var sockets: [Int32]
    private let wake: Waker

    init(sockets: [Int32], wake: Waker) {
        self.sockets = sockets
        self.wake = wake
    }

    deinit {
        for socket in sockets { close(socket) }
    }

    /// Closes the listening sockets: further connections are refused.
    func end() {
        for socket in sockets { close(socket) }
        sockets = []
    }

    /// Nil once it was woken.
    func next() -> Int32? {
        while true {
            var waited = ([wake.readEnd] + sockets).map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            if poll(&waited, nfds_t(waited.count), -1) < 0 {
                if errno == EINTR { continue }
                return nil
            }
            if waited[0].revents != 0 { return nil }
            guard let socket = waited.dropFirst().first(where: { $0.revents != 0 })?.fd else {
                continue
            }
            let connection = accept(socket, nil, nil)
            if connection >= 0 {
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                return connection
            }
            // No descriptors left: without a pause, the next attempt would fail too.
            if errno == EMFILE || errno == ENFILE { poll(nil, 0, 100) }
        }
    }
}

extension HTTPListener.Failure: DescribedError {
    package var diagnostic: Diagnostic {
        Diagnostic(
            "Port \(port) cannot be used: \(String(cString: strerror(code))).",
            todo: "Choose another one with --http PORT; 0 lets the system choose.")
    }
}
