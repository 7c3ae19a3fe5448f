import AgentCore
import Base
import Glibc

/// The last fallback for keys: one JSON file of mode 0600 in a folder of mode 0700. Its keys are
/// readable text; only these modes protect them.
///
/// A file or folder that others could read or replace is refused, not merely reported. Calls block;
/// the owner runs them off the cooperative pool.
package struct KeyFile: Sendable {
    let path: String
    /// The source of the temporary file's name.
    private let uuid: @Sendable () -> String

    package init(path: String, uuid: @escaping @Sendable () -> String) {
        self.path = path
        self.uuid = uuid
    }

    private var folder: String { FilePath.folder(of: path) }

    /// The keys; empty if there is no file.
    /// - Throws: `KeyFileError` if the file must not be trusted.
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
        // Checked on the open descriptor, since the path may refer to another file by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure(.system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw failure(.notAFile) }
        guard status.st_uid == geteuid() else { throw failure(.otherOwner) }
        guard status.st_mode & 0o077 == 0 else { throw failure(.readableByOthers) }
        try checkFolder()
        return try Self.decode(try contents(of: descriptor), path: path)
    }

    /// Replaces the keys atomically: after a crash the file is either the old or the new one.
    func update(_ change: ([StoredKey]) -> [StoredKey]) throws(KeyFileError) {
        let lock = PrivateFolder.lock(folder)
        guard lock >= 0 else { throw failure(.system(-lock)) }
        defer { close(lock) }
        try checkFolder()
        try write(Self.encode(change(try read())))
        fsync(lock)
    }

    private func write(_ bytes: [UInt8]) throws(KeyFileError) {
        let code = WholeFile.replace(bytes, at: path, temporary: "\(path).\(uuid()).tmp")
        if code != 0 { throw failure(.system(code)) }
    }

    private func contents(of descriptor: Int32) throws(KeyFileError) -> [UInt8] {
        do {
            return try WholeFile.read(descriptor, limit: 1 << 20)
        } catch .system(let code) {
            throw failure(.system(code))
        } catch {
            throw failure(.malformed)
        }
    }

    private func checkFolder() throws(KeyFileError) {
        var status = stat()
        guard stat(folder, &status) == 0 else { throw failure(.system(errno)) }
        guard status.st_uid == geteuid() else { throw failure(.folderOfOtherOwner(folder)) }
        guard status.st_mode & 0o022 == 0 else { throw failure(.folderWritableByOthers(folder)) }
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
                // The reason why a key is invalid does not matter: the file is damaged.
                let text = entry["key"]?.stringValue, let key = try? KeyText.clean(text)
            else { throw malformed() }
            keys.append(StoredKey(name: name, origin: origin, secret: Secret(key)))
        }
        return keys
    }
}

/// The reason why the key file was not read or written. Never contains its text.
struct KeyFileError: Error, Sendable, Equatable {
    enum Reason: Sendable, Equatable {
        case symbolicLink
        /// A folder, a pipe, a device.
        case notAFile
        case otherOwner
        case readableByOthers
        case folderOfOtherOwner(String)
        case folderWritableByOthers(String)
        case malformed
        case otherVersion
        /// An `errno`.
        case system(Int32)
    }

    var reason: Reason
    var path: String

    /// The problem and the command that fixes it.
    var sentence: String {
        let file = ShellTokenizer.quoted(path)
        switch reason {
        case .symbolicLink:
            return "The key file is a symbolic link and was not read: rm \(file)"
        case .notAFile: return "The key file is not a regular file: rm \(file)"
        case .otherOwner:
            return "The key file belongs to another user: sudo chown \(geteuid()) \(file)"
        case .readableByOthers:
            return "The key file can be read by others and was not used: chmod 600 \(file)"
        case .folderOfOtherOwner(let folder):
            return "The folder of the key file belongs to another user: "
                + "sudo chown \(geteuid()) \(ShellTokenizer.quoted(folder))"
        case .folderWritableByOthers(let folder):
            return "The folder of the key file can be written by others: "
                + "chmod 700 \(ShellTokenizer.quoted(folder))"
        case .malformed:
            return "The key file cannot be read as keys: rm \(file), then chat keys set"
        case .otherVersion: return "The key file \(path) was written by a newer version of chat."
        case .system(let code):
            return "The key file \(path): \(Diagnostic.system(code))."
        }
    }
}

extension KeyFileError: DescribedError {
    var diagnostic: Diagnostic { Diagnostic(sentence, namesCommands: true) }
}
