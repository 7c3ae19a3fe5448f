import Base
import Glibc
import Synchronization

/// Runs a server as a child process: one message a line on its standard input and output
/// (revision 2026-07-28, "stdio"). Output that is not JSON is skipped; standard error is
/// drained and only its end kept.
///
/// The child has the variables it is given, the descriptors 0 to 2, a process group of its
/// own and resource limits. It ends with us: a shell waits at a pipe of ours, which closes
/// however we end, and then kills the group. Processes that have left the group, for a
/// session of their own, are found by a variable that every child inherits, and end as
/// well: with SIGTERM, so that they can save their work, and a second later with SIGKILL.
package final class StdioServerChannel: MCPChannel {
    /// Limit for a message in bytes; a picture in base64 fits.
    package static let lineLimit = 4 << 20

    /// The variable that marks the processes of a server; the manual names it.
    package static let mark = "CHAT_MCP_SERVER"

    /// The first line has the group and the mark. A second one reports that the group has ended,
    /// since its number may belong to another group by now. The environment of a process in proc(5)
    /// is that of its start.
    private static let guardScript = """
        read -r group mark
        [ -n "$mark" ] || exit
        read -r ended || kill -KILL "-$group"
        for number in 15 0 0 0 0 0 0 0 0 0 0 9 9; do
          found=$(grep -lsF "$mark" /proc/[0-9]*/environ)
          [ -n "$found" ] || exit
          for file in $found; do
            id=${file#/proc/}
            kill "-$number" "${id%/environ}"
          done
          sleep 0.1
        done
        """
    private static let complaintBytes = 8 << 10

    private let process: RunningProcess
    private let watch: RunningProcess
    private struct Input {
        var lines = MessageLines(limit: StdioServerChannel.lineLimit)
        var ready: [MessageLines.Line] = []
        var hasEnded = false
    }
    private let input = Mutex(Input())

    /// - Parameters:
    ///   - program: absolute path.
    ///   - environment: all variables of the child, except the mark.
    ///   - folder: the working directory.
    ///   - id: unique id of this start.
    package init(
        program: String, arguments: [String], environment: [String: String], folder: String,
        id: String
    ) async throws(SubprocessError) {
        // With our process id: a guard must not find the servers of another process, and tests in
        // several processes use the same ids.
        let id = "\(id)-\(getpid())"
        var environment = environment
        environment[Self.mark] = id
        var server = Subprocess(
            program: program, arguments: arguments, environment: environment,
            limits: Subprocess.Limits(errorBytes: Self.complaintBytes))
        server.folder = folder
        server.ceilings = ResourceCeiling.server
        // Started before the server, so that the server can at no moment outlive us.
        let watch = try RunningProcess.start(
            program: "/bin/sh", arguments: ["-c", Self.guardScript], environment: [:],
            writesInput: true)
        process = try RunningProcess.start(server)
        self.watch = watch
        let line = "\(process.processID) \(Self.mark)=\(id)\n"
        // Not cancellable: half done, it would leave the group without a guard.
        // If the guard has died already, the server runs without one.
        _ = try? await Task { try await watch.write(Array(line.utf8)) }.value
    }

    package func next() async -> MCPChannelEvent? {
        while true {
            let line = input.withLock { input -> MessageLines.Line? in
                input.ready.isEmpty ? nil : input.ready.removeFirst()
            }
            switch line {
            case .tooLong(let limit): return .broken(.tooLarge(limit: limit))
            case .message(let bytes):
                // A banner or a log line, which servers print.
                guard let message = try? JSONRPCMessage(parsing: bytes) else { return .noise }
                return .message(message)
            case nil: if await !read() { return nil }
            }
        }
    }

    /// False at the end.
    private func read() async -> Bool {
        if input.withLock(\.hasEnded) { return false }
        // Only cancellation throws; the reader is not cancelled but closed.
        let bytes = (try? await process.read()) ?? nil
        input.withLock { input in
            if let bytes {
                input.ready = input.lines.push(bytes)
            } else {
                input.hasEnded = true
                if let last = input.lines.finish() { input.ready = [last] }
            }
        }
        return true
    }

    package func send(_ message: JSONRPCMessage) async -> Bool {
        // A cancelled write has sent nothing.
        (try? await process.write(message.line)) ?? false
    }

    package func agreed(on revision: String) {}

    package func close(patience: Duration) async {
        process.closeInput()
        let stop = Task { [process] in
            // It throws if the server has ended within the time.
            guard (try? await Task.sleep(for: patience)) != nil else { return }
            _ = await process.stop(SIGTERM, grace: patience)
        }
        _ = await process.status()
        stop.cancel()
        // Not cancellable either: the guard has to end processes that left the group.
        _ = try? await Task { [watch] in try await watch.write(Array("ended\n".utf8)) }.value
        watch.closeInput()
        _ = await watch.status()
    }

    package func ending() async -> MCPClientError.Reason {
        await close(patience: .milliseconds(500))
        let status =
            switch await process.status() {
            case .exited(let code): "exit status \(code)"
            case .signalled(let number): "signal \(number)"
            }
        let lines = String(decoding: process.errorOutput, as: UTF8.self)
            .split(whereSeparator: \.isNewline).suffix(3)
        return .ended(
            status: status,
            complaint: KeyShape.redacted(
                UntrustedText.line(lines.joined(separator: " · "), limit: 400)))
    }
}
