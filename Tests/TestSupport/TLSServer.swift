import Foundation

/// A TLS server in a process of its own (Python's `ssl`), which answers one
/// short text per connection and counts the application bytes it received.
package final class TLSServer: @unchecked Sendable {
    // Sendable: `process` and the pipes are set in `init` and only used by
    // `stop` and `finish`, which the one test that owns the server calls.

    package enum Mode: String, Sendable {
        case modern
        /// Nothing newer than TLS 1.1.
        case old
        /// Not TLS at all: plain HTTP on the port.
        case plain
    }

    package let port: Int
    private let process = Process.apart()
    private let output: FileHandle
    private let input: FileHandle

    package init(_ leaf: Certificates.Leaf, mode: Mode = .modern) throws {
        let outputPipe = Pipe()
        let inputPipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", Self.program, leaf.certificate, leaf.key, mode.rawValue]
        process.standardOutput = outputPipe
        process.standardInput = inputPipe
        output = outputPipe.fileHandleForReading
        input = inputPipe.fileHandleForWriting
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        // The program has read the files when it prints the port.
        withExtendedLifetime(leaf) {}
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    package func url(host: String = "127.0.0.1") -> String { "https://\(host):\(port)/v1" }

    /// Ends the server and returns how many connections were tried and how
    /// many bytes of application data all of them carried.
    package func finish() throws -> (connections: Int, bytes: Int) {
        try input.close()
        let words = try output.readToEnd() ?? Data()
        process.waitUntilExit()
        let numbers = String(decoding: words, as: UTF8.self).split(separator: " ")
            .compactMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
        guard numbers.count == 2 else { throw CocoaError(.fileReadCorruptFile) }
        return (numbers[0], numbers[1])
    }

    /// Serves until its standard input ends. A connection that is still being
    /// served then is joined, so that the count is final.
    private static let program = #"""
        import socket, ssl, sys, threading
        certificate, key, mode = sys.argv[1:4]
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        if mode == "old":
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = ssl.TLSVersion.TLSv1
            context.maximum_version = ssl.TLSVersion.TLSv1_1
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)
        count = {"connections": 0, "bytes": 0}
        answer = b"HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nsecure"
        def serve(raw):
            try:
                raw.settimeout(10)
                if mode == "plain":
                    raw.recv(65536)
                    raw.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
                    return
                with context.wrap_socket(raw, server_side=True) as tls:
                    data = b""
                    while b"\r\n\r\n" not in data:
                        more = tls.recv(65536)
                        if not more:
                            return
                        count["bytes"] += len(more)
                        data += more
                    tls.sendall(answer)
            except OSError:
                pass
            finally:
                raw.close()
        def accept():
            while True:
                try:
                    raw, _ = listener.accept()
                except OSError:
                    return
                count["connections"] += 1
                thread = threading.Thread(target=serve, args=(raw,))
                threads.append(thread)
                thread.start()
        threads = []
        acceptor = threading.Thread(target=accept)
        acceptor.start()
        sys.stdin.read()
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        acceptor.join()
        for thread in threads:
            thread.join()
        print(count["connections"], count["bytes"], flush=True)
        """#
}
