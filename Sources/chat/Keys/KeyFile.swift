import AgentCore
import Glibc
import ToolServers

/// The last place for keys: one JSON file of mode 0600 in a folder of mode
/// 0700. The keys in it are readable text; the modes are the only protection.
///
/// A file or folder that others could read or replace is refused, not warned
/// about. Calls block; the owner runs them off the cooperative pool.
struct KeyFile: Sendable {
    let path: String
    /// For the name of the temporary file.
    private let uuid: @Sendable () -> String

    init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    private var folder: String {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        return end == path.startIndex ? "/" : String(path[..<end])
    }

    /// The keys, none where there is no file.
    /// - Throws: `KeyFileError` when the file must not be trusted.
    func read() throws(KeyFileError) -> [StoredKey] {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            switch errno {
            case ENOENT, ENOTDIR: return []
            case ELOOP: throw failure(.symbolicLink)
            default: throw failure(.system(errno))
            }
        }
        defer { close(descriptor) }
        // Checked on the open descriptor: the name may change hands meanwhile.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.notAFile) }
        guard status.st_uid == geteuid() else { throw failure(.otherOwner) }
        guard status.st_mode & 0o077 == 0 else { throw failure(.readableByOthers) }
        try checkFolder()
        return try Self.decode(try contents(of: descriptor), path: path)
    }

    /// Replaces the keys in one step: after a crash the file is the old one or
    /// the new one.
    func update(_ change: ([StoredKey]) -> [StoredKey]) throws(KeyFileError) {
        try makeFolder()
        // Two instances that change keys at once take turns.
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw failure(.system(errno)) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw failure(.system(errno)) }
        }
        try checkFolder()
        try write(Self.encode(change(try read())))
        fsync(lock)
    }

    private func write(_ bytes: [UInt8]) throws(KeyFileError) {
        let code = WholeFile.replace(bytes, at: path, temporary: "\(path).\(uuid()).tmp")
        if code != 0 { throw failure(.system(code)) }
    }

    private func contents(of descriptor: Int32) throws(KeyFileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(.system(errno))
            }
            bytes += buffer.prefix(count)
            if bytes.count > 1 << 20 { throw failure(.malformed) }
        }
    }

    private func checkFolder() throws(KeyFileError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw failure(.system(errno)) }
        guard status.st_uid == geteuid() else { throw failure(.folderOfOtherOwner(folder)) }
        guard status.st_mode & 0o022 == 0 else { throw failure(.folderWritableByOthers(folder)) }
    }

    private func makeFolder() throws(KeyFileError) {
        let code = PrivateFolder.make(folder)
        if code != 0 { throw failure(.system(code)) }
    }

    private func failure(_ reason: KeyFileError.Reason) -> KeyFileError {
        KeyFileError(reason: reason, path: path)
    }
}

extension KeyFile {
    private static let version = 1

    private static func encode(_ keys: [StoredKey]) -> [UInt8] {
        let entries = keys.map { key in
            JSONValue.compact([
                "name": .string(key.name.rawValue), "origin": .string(key.origin.description),
                "key": .string(key.secret.text),
            ])
        }
        let value = JSONValue.compact(["version": JSONValue(version), "keys": .array(entries)])
        return Array((JSONWriter.pretty(value) + "\n").utf8)
    }

    private static func decode(_ bytes: [UInt8], path: String) throws(KeyFileError) -> [StoredKey] {
        func malformed() -> KeyFileError { KeyFileError(reason: .malformed, path: path) }
        let value: JSONValue
        do { value = try JSONParser.parse(bytes) } catch { throw malformed() }
        guard value["version"]?.integerValue == version else {
            throw KeyFileError(reason: .otherVersion, path: path)
        }
        guard let entries = value["keys"]?.arrayValue else { throw malformed() }
        var keys: [StoredKey] = []
        for entry in entries {
            guard let name = KeyName(rawValue: entry["name"]?.stringValue ?? ""),
                let origin = KeyOrigin(entry["origin"]?.stringValue ?? ""),
                let text = entry["key"]?.stringValue, let secret = try? KeyText.clean(text)
            else { throw malformed() }
            keys.append(StoredKey(name: name, origin: origin, secret: secret))
        }
        return keys
    }
}
