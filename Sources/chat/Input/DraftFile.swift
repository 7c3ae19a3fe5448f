import AgentCore
import Glibc
import TerminalKit
import ToolServers

/// The text that stood unsent at the prompt when the program was told to end,
/// for the next launch. One file, mode 0600, without keys; a text that cannot be kept is not
/// an error worth stopping for.
struct DraftFile: Sendable {
    let path: String

    /// More is not read back.
    private static let limit = 16 << 20

    func save(_ text: String) {
        guard text.contains(where: { !$0.isWhitespace }) else { return }
        let text = KeyShape.redacted(text)
        let fresh = path + ".new"
        unlink(fresh)
        var code = WholeFile.replace(text.utf8, at: path, temporary: fresh)
        if code == ENOENT, let slash = path.lastIndex(of: "/") {
            code = PrivateFolder.make(String(path[..<slash]))
            if code == 0 { _ = WholeFile.replace(text.utf8, at: path, temporary: fresh) }
        }
    }

    /// The kept text, which is then nobody else's; nil when there is none.
    func take() -> String? {
        // Renamed first: of two launches one gets it.
        let own = path + ".\(getpid())"
        guard rename(path, own) == 0 else { return nil }
        defer { unlink(own) }
        guard let file = try? PrivateFile.open(own, O_RDONLY) else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < Self.limit {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        let text = KeyDecoder.cleanPaste(bytes[...])
        return text.isEmpty ? nil : text
    }
}
