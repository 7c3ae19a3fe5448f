import Foundation

/// The `nghttpd` program as an HTTP/2 server over TLS; it serves a folder and
/// sends uploads back.
package final class HTTP2Server: @unchecked Sendable {
    // Sendable: everything is set in `init`, and `stop` is called by the one
    // test that owns the server.

    package static let program = ["/usr/sbin/nghttpd", "/usr/bin/nghttpd"]
        .first { FileManager.default.isExecutableFile(atPath: $0) }

    package let port: Int
    private let process = Process.apart()
    private let output: FileHandle

    /// - Throws: when `program` is nil.
    package init(_ leaf: Certificates.Leaf, folder: TemporaryFolder) throws {
        guard let program = Self.program else { throw CocoaError(.executableNotLoadable) }
        // It cannot choose a port itself: take one that was free just now.
        port = try LoopbackServer.freePort()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "--verbose", "--address=127.0.0.1", "--echo-upload", "-d", folder.path, String(port),
            leaf.key, leaf.certificate,
        ]
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        output = pipe.fileHandleForReading
        try process.run()
        // Its first line says that it listens; the rest is drained, unread.
        while let byte = try output.read(upToCount: 1)?.first, byte != 10 {}
        output.readabilityHandler = { _ = $0.availableData }
    }

    package func url(_ path: String) -> String { "https://127.0.0.1:\(port)\(path)" }

    package func stop() {
        output.readabilityHandler = nil
        // Threads of a task block SIGTERM, and a child inherits that.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }
}
