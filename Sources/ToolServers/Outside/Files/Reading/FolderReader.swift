import Base
import Glibc

/// Opens files below one folder, and no others. Blocks; the caller decides how they are used.
///
/// A path is resolved component by component from the open folder, each relative to the previous
/// one and never through a link: links are read and resolved in the same way, and may not lead
/// above the folder. So files that are renamed or replaced meanwhile do not matter: the file
/// checked is the file opened. Nothing is opened for reading before it is known to be a readable
/// file.
struct FolderReader {
    enum Found {
        case folder(FileCall.Descriptor, names: [String])
        case file(OpenedFile)
    }

    /// A regular file, open for reading.
    struct OpenedFile {
        let descriptor: FileCall.Descriptor
        /// Relative to the open folder.
        let names: [String]
        let size: Int

        /// Reads at most that many bytes from the offset.
        /// - Throws: `system`.
        func read(at offset: Int, count: Int) throws(FileRefusal) -> [UInt8] {
            var problem: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, filled in
                while filled < count {
                    let got = pread(
                        descriptor.number, buffer.baseAddress.map { $0 + filled },
                        count - filled, off_t(offset + filled))
                    if got < 0, errno == EINTR { continue }
                    if got < 0 { problem = errno }
                    if got <= 0 { return }
                    filled += got
                }
            }
            if problem != 0 {
                throw FileRefusal(.system(problem), path: names.joined(separator: "/"))
            }
            return bytes
        }
    }

    let root: FileCall.Descriptor
    /// The absolute path at opening, for absolute links.
    let path: String
    /// Files of `chat` itself.
    let own: OwnFiles

    private static let linkLimit = 20

    /// - Parameters:
    ///   - names: relative to the folder, without `.` and `..`.
    ///   - shown: the path in errors.
    func find(_ names: [String], shown: String) throws(FileRefusal) -> Found {
        var found: [(descriptor: FileCall.Descriptor, name: String)] = [(root, "")]
        var rest = Array(names.reversed())
        var links = 0
        func refusal(_ reason: FileRefusal.Reason) -> FileRefusal {
            FileRefusal(reason, path: shown)
        }
        while let name = rest.popLast() {
            if name.isEmpty || name == "." { continue }
            if name == ".." {
                // `..` in a link.
                guard found.count > 1 else { throw refusal(.leaves) }
                found.removeLast()
                continue
            }
            // It begins with the root, which is never removed.
            let folder = found[found.count - 1]
            let part: FileCall.Descriptor
            do throws(FileRefusal) {
                part = try Self.look(at: name, in: folder.descriptor)
            } catch {
                throw refusal(error.reason)
            }
            var status = stat()
            guard fstat(part.number, &status) == 0 else { throw refusal(.system(errno)) }
            if own.hold(status) { throw refusal(.own) }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                // Its own name counts, too: a file called `.env` is secret.
                if SecretFile.isSecretFolder(name) || isSecret(name, folder.name) {
                    throw refusal(.key)
                }
                links += 1
                if links > Self.linkLimit { throw refusal(.linksInCircle) }
                guard let target = Self.target(of: part) else { throw refusal(.leaves) }
                if target.hasPrefix("/") {
                    guard let inside = Self.parts(of: target, below: path) else {
                        throw refusal(.leaves)
                    }
                    found.removeLast(found.count - 1)
                    rest += inside.reversed()
                } else {
                    rest += target.split(separator: "/").map(String.init).reversed()
                }
            case S_IFDIR:
                if SecretFile.isSecretFolder(name) { throw refusal(.key) }
                if KernelFiles.holds(part) { throw refusal(.kernel) }
                found.append((part, name))
            case S_IFREG:
                if isSecret(name, folder.name) { throw refusal(.key) }
                guard rest.isEmpty else { throw refusal(.notFolder) }
                do throws(FileRefusal) {
                    return .file(
                        try Self.open(
                            name, in: folder.descriptor, looked: status,
                            names: found.dropFirst().map(\.name) + [name]))
                } catch {
                    throw refusal(error.reason)
                }
            default: throw refusal(.special)
            }
        }
        return .folder(found[found.count - 1].descriptor, names: found.dropFirst().map(\.name))
    }

    /// - Parameter folder: empty for the open folder itself.
    private func isSecret(_ name: String, _ folder: String) -> Bool {
        SecretFile.isSecretFile(name, in: folder.isEmpty ? FilePath.name(path) : folder)
    }

    /// A descriptor of the entry that cannot read.
    private static func look(
        at name: String, in folder: FileCall.Descriptor
    ) throws(FileRefusal) -> FileCall.Descriptor {
        let number = openat(folder.number, name, pathOnly | O_NOFOLLOW | O_CLOEXEC)
        if number >= 0 { return FileCall.Descriptor(number) }
        switch errno {
        case ENOENT, ENOTDIR: throw FileRefusal(.missing, path: name)
        case ENAMETOOLONG: throw FileRefusal(.tooLong, path: name)
        case let code: throw FileRefusal(.system(code), path: name)
        }
    }

    /// Opens the checked file, and no other that replaced it.
    static func open(
        _ name: String, in folder: FileCall.Descriptor, looked: stat, names: [String]
    ) throws(FileRefusal) -> OpenedFile {
        func refusal(_ reason: FileRefusal.Reason) -> FileRefusal {
            FileRefusal(reason, path: names.joined(separator: "/"))
        }
        // NONBLOCK: a FIFO that replaced it would block us.
        let number = openat(
            folder.number, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { throw refusal(errno == ELOOP ? .changed : .system(errno)) }
        let file = FileCall.Descriptor(number)
        var status = stat()
        guard fstat(number, &status) == 0 else { throw refusal(.system(errno)) }
        guard status.st_mode & S_IFMT == S_IFREG, FileID(status) == FileID(looked) else {
            throw refusal(.changed)
        }
        if KernelFiles.holds(file) { throw refusal(.kernel) }
        return OpenedFile(descriptor: file, names: names, size: Int(status.st_size))
    }

    /// The target path of a link; nil if it is not text or too long for a path.
    private static func target(of link: FileCall.Descriptor) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlinkat(link.number, "", &buffer, buffer.count)
        guard count > 0, count < buffer.count else { return nil }
        return String(validating: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The components of a path after a folder; nil if it is not below it. By the text
    /// alone: the result is resolved like any other path.
    static func parts(of path: String, below folder: String) -> [String]? {
        let parts = path.split(separator: "/").map(String.init)
        let base = folder.split(separator: "/").map(String.init)
        guard parts.starts(with: base) else { return nil }
        return Array(parts.dropFirst(base.count))
    }

    /// `O_PATH` of `<fcntl.h>`, which shows it only with _GNU_SOURCE; the same number on
    /// both machines we build for.
    private static let pathOnly: Int32 = 0o10000000
}

/// Detects file systems that are views into the kernel: `/proc`, `/sys` and similar.
enum KernelFiles {
    /// `<sys/statfs.h>`, which is not in the Glibc module.
    private static let fstatfs:
        (@convention(c) (_ file: Int32, _ facts: UnsafeMutableRawPointer) -> Int32)? =
            CFunction.named("fstatfs")

    /// Whether it is a kernel file; true if that cannot be determined.
    static func holds(_ file: FileCall.Descriptor) -> Bool {
        // Room for the largest form of `struct statfs`, which begins with the type: a
        // machine word (statfs(2)).
        var facts = [Int](repeating: 0, count: 64)
        guard fstatfs?(file.number, &facts) == 0 else { return true }
        return types.contains(facts[0])
    }

    /// `<linux/magic.h>`: values of the kernel's interface.
    private static let types: Set<Int> = [
        0x9FA0,  // proc
        0x6265_6572,  // sysfs
        0x1CD1,  // devpts
        0x27_E0EB, 0x6367_7270,  // cgroup, cgroup2
        0x6462_6720, 0x7472_6163,  // debugfs, tracefs
        0x7363_6673, 0xF97C_FF8C,  // securityfs, selinux
        0xCAFE_4A11,  // bpf
        0x6265_6570,  // configfs
        0xDE5E_81E4, 0x6165_676C,  // efivarfs, pstore
        0x6E73_6673, 0x5049_4446,  // nsfs, pidfs
        0x4249_4E4D, 0x6573_5543,  // binfmt_misc, fuse control
        0x6759_6969,  // rpc_pipefs
        0x1980_0202,  // mqueue
        0x534F_434B, 0x5049_5045, 0x0904_1934,  // sockets, pipes, anonymous files
    ]
}
