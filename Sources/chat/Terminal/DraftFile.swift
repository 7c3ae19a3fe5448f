import Glibc

/// The text that stood unsent at the prompt when the program was told to end,
/// for the next launch. One file, mode 0600; a text that cannot be kept is not
/// an error worth stopping for.
struct DraftFile {
    let path: String?

    /// More is not read back.
    private static let limit = 16 << 20

    func save(_ text: String) {
        guard let path, text.contains(where: { !$0.isWhitespace }) else { return }
        let fresh = path + ".new"
        var file = Self.create(fresh)
        if file < 0, errno == ENOENT, let slash = path.lastIndex(of: "/"),
            PrivateFolder.make(String(path[..<slash])) == 0
        {
            file = Self.create(fresh)
        }
        guard file >= 0 else { return }
        let isWhole = Self.write(Array(text.utf8), to: file) && fsync(file) == 0
        close(file)
        if !isWhole || rename(fresh, path) != 0 { unlink(fresh) }
    }

    /// The kept text, which is then nobody else's; nil when there is none.
    func take() -> String? {
        guard let path else { return nil }
        // Renamed first: of two launches one gets it.
        let own = path + ".\(getpid())"
        guard rename(path, own) == 0 else { return nil }
        defer { unlink(own) }
        let file = open(own, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
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

    private static func create(_ path: String) -> Int32 {
        unlink(path)
        return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
