import Foundation
import Synchronization

/// An HTTP/1.1 server on 127.0.0.1 that answers by script and records every
/// request. Real sockets and threads of its own: it never blocks a task.
///
/// It is a faulty server on demand, not a correct one: it sends exactly what a
/// script says. `stop` joins everything; gates that scripts wait for must have
/// been opened by then.
package final class LoopbackServer: Sendable {
    private struct State {
        var connections: [ServerConnection] = []
        var requests: [RecordedRequest] = []
        var watchers: [(count: Int, gate: Gate)] = []
        var isStopped = false
    }

    /// Told of every request that any of them has received.
    package static let watcher = Mutex<(@Sendable (_ port: Int, _ bytes: Int) -> Void)?>(nil)

    package let port: Int
    private let listener: Int32
    private let answer: @Sendable (RecordedRequest) -> ServerScript
    private let onClose: @Sendable () -> Void
    private let bodyLimit: @Sendable (RecordedRequest) -> Int
    private let state = Mutex(State())
    private let threads = DispatchGroup()

    /// - Parameters:
    ///   - bodyLimit: told the head of each request; a body with more bytes is
    ///     answered, and recorded, without having been read whole.
    ///   - onClose: called when a connection has ended.
    ///   - address: another one of this machine, and maybe the port of another server.
    ///   - answer: called on a thread of the server for each request.
    package init(
        bodyLimit: @escaping @Sendable (RecordedRequest) -> Int = { _ in .max },
        onClose: @escaping @Sendable () -> Void = {},
        at address: (host: String, port: Int) = ("127.0.0.1", 0),
        _ answer: @escaping @Sendable (RecordedRequest) -> ServerScript
    ) throws {
        self.answer = answer
        self.onClose = onClose
        self.bodyLimit = bodyLimit
        (listener, port) = try Self.listen(at: address)
        threads.enter()
        Thread.detachNewThread { [self] in
            accept()
            threads.leave()
        }
    }

    /// Answers every request the same way.
    package convenience init(
        always script: ServerScript, onClose: @escaping @Sendable () -> Void = {}
    ) throws {
        try self.init(onClose: onClose) { _ in script }
    }

    /// Answers the requests with these scripts in turn; the last one repeats.
    package convenience init(inTurn scripts: [ServerScript]) throws {
        let next = Mutex(0)
        try self.init { _ in
            next.withLock { next in
                defer { next += 1 }
                return scripts[min(next, scripts.count - 1)]
            }
        }
    }

    package func url(_ path: String = "/") -> String { "http://127.0.0.1:\(port)\(path)" }

    package var requests: [RecordedRequest] { state.withLock { $0.requests } }

    package var connectionCount: Int { state.withLock { $0.connections.count } }

    /// Returns when that many requests have been received whole.
    package func waitForRequests(_ count: Int) async {
        let gate = Gate()
        state.withLock { state in
            if state.requests.count >= count {
                gate.open()
            } else {
                state.watchers.append((count, gate))
            }
        }
        await gate.wait()
    }

    /// Closes everything and returns when all threads have ended.
    package func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return state.connections
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections { connection.interrupt() }
        threads.wait()
    }

    /// A port that nobody listens on at the moment.
    package static func freePort() throws -> Int {
        let server = try LoopbackServer(always: .text(200, ""))
        server.stop()
        return server.port
    }

    private static func listen(
        at place: (host: String, port: Int)
    ) throws -> (socket: Int32, port: Int) {
        var hints = addrinfo()
        hints.ai_flags = AI_NUMERICHOST
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(place.host, "\(place.port)", &hints, &list)
        guard code == 0, let entry = list?.pointee else { throw POSIXError(.EADDRNOTAVAIL) }
        defer { freeaddrinfo(list) }
        let listener = socket(entry.ai_family, entry.ai_socktype, 0)
        var bound = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isBound =
            bind(listener, entry.ai_addr, entry.ai_addrlen) == 0
            && Glibc.listen(listener, 128) == 0
            && withUnsafeMutablePointer(to: &bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    getsockname(listener, address, &size) == 0
                }
            }
        guard isBound else {
            let failure = POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            close(listener)
            throw failure
        }
        // Both versions have the port in the same place.
        let port = withUnsafeBytes(of: bound) { bytes in
            bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self)
        }
        return (listener, Int(UInt16(bigEndian: port)))
    }

    private func accept() {
        defer { close(listener) }
        while true {
            let socket = Glibc.accept(listener, nil, nil)
            guard socket >= 0 else { return }
            var on: Int32 = 1
            setsockopt(
                socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            let connection = state.withLock { state -> ServerConnection? in
                guard !state.isStopped else { return nil }
                let connection = ServerConnection(
                    socket: socket, number: state.connections.count, bodyLimit: bodyLimit)
                state.connections.append(connection)
                return connection
            }
            guard let connection else {
                close(socket)
                return
            }
            threads.enter()
            Thread.detachNewThread { [self] in
                connection.serve(record: record, answer: answer)
                onClose()
                threads.leave()
            }
        }
    }

    private func record(_ request: RecordedRequest) {
        Self.watcher.withLock { $0 }?(port, request.body.count)
        let gates = state.withLock { state in
            state.requests.append(request)
            let count = state.requests.count
            let gates = state.watchers.filter { $0.count <= count }.map(\.gate)
            state.watchers.removeAll { $0.count <= count }
            return gates
        }
        for gate in gates { gate.open() }
    }
}
