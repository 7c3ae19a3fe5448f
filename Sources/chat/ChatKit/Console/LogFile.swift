import AgentCore
import Base
import FoundationEssentials
import Glibc
import Synchronization
import TerminalKit

/// `state/log`: calls and their outcomes, for diagnosing faults later. Mode 0600, bounded
/// in size; never a key, a message or an argument's value.
package final class LogFile: Sendable {
    /// Size at which the file is renamed to `log.old`, so that both together stay below
    /// twice that.
    private static let limitInBytes = 1 << 20

    private let path: String
    private let environment: Environment
    private let isVerbose: Bool
    private let state = Mutex<PrivateFile.Refusal?>(nil)

    /// The reason why the log is no longer written.
    package var refusal: PrivateFile.Refusal? { state.withLock { $0 } }

    package init(path: String, environment: Environment, isVerbose: Bool) {
        self.path = path
        self.environment = environment
        self.isVerbose = isVerbose
    }

    package func record(_ call: ToolCallRecord) {
        let names = call.arguments.names.joined(separator: ",")
        let milliseconds = call.duration / .milliseconds(1)
        // The name of an unknown tool is the model's text, which only the conversation
        // keeps.
        let name = call.toolClass == nil ? "?" : String(call.tool.unicodeScalars.prefix(64))
        write("tool \(name)(\(names)) \(call.outcome.rawValue) \(Int(milliseconds)) ms")
    }

    /// `claude claude-sonnet-5-5 200 350 ms, request req_1, requests 49/50, tokens 9000/10000`
    func record(_ note: ResponseNote) {
        var parts = [
            [
                note.provider.rawValue, note.model, "\(note.status)",
                "\(Int(max(0, min(note.seconds, 1e6)) * 1_000)) ms",
            ].filter { !$0.isEmpty }.joined(separator: " ")
        ]
        if let id = note.limits.requestID { parts.append("request \(id)") }
        let limits = [
            ("requests", note.limits.requests), ("tokens", note.limits.tokens),
            ("input tokens", note.limits.inputTokens),
            ("output tokens", note.limits.outputTokens),
        ]
        for (name, limit) in limits {
            guard let remaining = limit?.remaining else { continue }
            parts.append("\(name) \(remaining)" + (limit?.limit.map { "/\($0)" } ?? ""))
        }
        write(parts.joined(separator: ", "))
    }

    /// One line; a failure to write it is ignored.
    package func write(_ text: String) {
        let line = "\(LocalTime().isoText(environment.now())) \(HostileText.line(text))\n"
        if isVerbose { FileDescriptorText.write(line, to: 2) }
        state.withLock { refusal in
            _ = PrivateFolder.make(FilePath.folder(of: path))
            do throws(PrivateFile.Refusal) {
                var descriptor = try open()
                var status = stat()
                if fstat(descriptor, &status) == 0, status.st_size > Self.limitInBytes {
                    close(descriptor)
                    rename(path, path + ".old")
                    descriptor = try open()
                }
                FileDescriptorText.write(line, to: descriptor)
                close(descriptor)
            } catch {
                // A full or read-only disk is noticed elsewhere.
                if case .system = error.reason { return }
                refusal = error
            }
        }
    }

    private func open() throws(PrivateFile.Refusal) -> Int32 {
        try PrivateFile.open(path, O_WRONLY | O_APPEND | O_CREAT)
    }
}

/// Writes short texts directly to a descriptor: before the terminal's owner exists, and after it
/// has ended.
package enum FileDescriptorText {
    /// - Returns: 0 or the `errno`.
    @discardableResult
    package static func write(_ text: String, to descriptor: Int32) -> Int32 {
        WholeFile.write(text.utf8, to: descriptor)
    }
}
