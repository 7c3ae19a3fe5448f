import AgentCore
import Base
import ChatKit
import Glibc
import MCP

/// Standard input and output as the channel to an MCP host. Once this exists, they carry only the
/// protocol: other output to descriptor 1 goes to standard error, and descriptor 0 reads as empty.
final class StandardChannel: Sendable {
    /// Maximum bytes of a message: the arguments that a tool may have (1 MB), if every second character
    /// is escaped in both of the strings they are in. A longer line gets an error.
    static let lineLimit = 4 << 20

    private let reader: LineReader
    private let output: StandardOutput
    private let wake: Waker

    /// - Throws: `ToolError` if no descriptors are available.
    init() throws(ToolError) {
        let input = fcntl(0, F_DUPFD_CLOEXEC, 3)
        let output = fcntl(1, F_DUPFD_CLOEXEC, 3)
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard let wake = Waker(), input >= 0, output >= 0, nothing >= 0,
            dup2(nothing, 0) == 0, dup2(2, 1) == 1
        else {
            throw .failed(
                "Standard input and output cannot be used: \(Diagnostic.system(errno)).")
        }
        Glibc.close(nothing)
        self.wake = wake
        reader = LineReader(input, wake: wake, limit: Self.lineLimit)
        self.output = StandardOutput(descriptor: output)
    }

    /// Ends reading, from any thread.
    func close() { wake.signal() }

    /// - Throws: `OutputFailure`, unless the host has closed its end.
    func finish() throws(OutputFailure) { try output.finish() }

    var forServer: MCPServer.Channel {
        MCPServer.Channel(
            next: { await self.reader.next() }, send: { await self.output.write($0.line) },
            close: { self.close() })
    }
}

/// Waits for lines on a separate queue.
private actor LineReader: QueuedActor {
    nonisolated let executor = QueueExecutor(label: "chat.mcp")

    private let input: Int32
    private let wake: Waker
    private var lines: MessageLines
    private var ready: ArraySlice<MessageLines.Line> = []
    private var hasEnded = false
    private var buffer = [UInt8](repeating: 0, count: 64 << 10)

    init(_ input: Int32, wake: Waker, limit: Int) {
        self.input = input
        self.wake = wake
        lines = MessageLines(limit: limit)
    }

    /// Nil at the end of the input, or once woken.
    func next() -> MessageLines.Line? {
        while ready.isEmpty, !hasEnded {
            var waited = [
                pollfd(fd: input, events: Int16(POLLIN), revents: 0),
                pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0),
            ]
            if poll(&waited, 2, -1) < 0 {
                if errno == EINTR { continue }
                hasEnded = true
            } else if waited[1].revents != 0 {
                return nil
            } else {
                read()
            }
        }
        return ready.popFirst()
    }

    private func read() {
        let count = Glibc.read(input, &buffer, buffer.count)
        if count > 0 {
            ready = buffer.withUnsafeBytes {
                lines.push(UnsafeRawBufferPointer(rebasing: $0[..<count]))[...]
            }
        } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
            hasEnded = true
            if let last = lines.finish() { ready = [last] }
        }
    }
}
