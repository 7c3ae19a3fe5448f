import Foundation
import XCTest

/// Radicale, a CalDAV server of another make, on loopback in a process of its
/// own. It ends with this object, and with this process.
package final class RadicaleServer: Sendable {
    package let port: Int
    private let process = Process.apart()
    private let input: FileHandle

    /// Keeps what it is given in that folder. Every user is let in and owns
    /// the calendars under their name.
    package init(folder: String) throws {
        guard try Self.isInstalled() else {
            throw XCTSkip("radicale is not installed (Debian: python3-radicale)")
        }
        let inputPipe = Pipe()
        let outputPipe = Pipe()
        process.executableURL = URL(fileURLWithPath: Python.program)
        process.arguments = ["-c", Self.program, folder]
        process.standardInput = inputPipe
        process.standardOutput = outputPipe
        input = inputPipe.fileHandleForWriting
        try process.run()
        var line: [UInt8] = []
        let output = outputPipe.fileHandleForReading
        while let byte = try output.read(upToCount: 1)?.first, byte != 10 { line.append(byte) }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else {
            throw CocoaError(.executableLoad)
        }
        self.port = port
    }

    deinit {
        // It reads its input and ends with it.
        try? input.close()
        process.waitUntilExit()
    }

    package var url: String { "http://127.0.0.1:\(port)/" }

    private static func isInstalled() throws -> Bool {
        guard FileManager.default.isExecutableFile(atPath: Python.program) else { return false }
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: Python.program)
        process.arguments = ["-c", "import radicale"]
        process.standardInput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private static let program = #"""
        import socketserver, sys, threading
        from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
        from radicale import config
        from radicale.app import Application
        settings = config.load()
        settings.update({
            "auth": {"type": "none"}, "rights": {"type": "owner_only"}, "web": {"type": "none"},
            "storage": {"filesystem_folder": sys.argv[1]}, "logging": {"level": "critical"},
        }, "test", privileged=True)
        class Server(socketserver.ThreadingMixIn, WSGIServer):
            daemon_threads = True
        class Quiet(WSGIRequestHandler):
            def log_message(self, *words): pass
        server = make_server("127.0.0.1", 0, Application(settings), Server, Quiet)
        print(server.server_port, flush=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        sys.stdin.read()
        """#
}
