import Foundation

/// A listening socket whose queue is full: a further connection is neither
/// accepted nor refused, so that a client hangs in `connect`.
package final class FullListener: Sendable {
    package let port: Int
    private let sockets: [Int32]

    package init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        var all = [listener]
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                guard bind(listener, address, size) == 0, listen(listener, 0) == 0,
                    getsockname(listener, address, &size) == 0
                else { return false }
                // The kernel keeps one more than the backlog.
                for _ in 0..<3 {
                    let client = socket(
                        AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                    _ = connect(client, address, size)
                    all.append(client)
                }
                return true
            }
        }
        sockets = all
        port = Int(UInt16(bigEndian: address.sin_port))
        guard isListening else { throw POSIXError(.EADDRNOTAVAIL) }
    }

    deinit {
        for socket in sockets { close(socket) }
    }

    package var url: String { "http://127.0.0.1:\(port)/" }
}
