import Base
import Glibc

/// A text file at the time it was read, and its replacement in one step:
/// readers see the old file or the new one. Blocks.
///
/// If the path is a symbolic link, its target is replaced; the link stays, and
/// so do mode and owner. `RewrittenFiles` handles undo.
package struct WritingFile: Sendable, Equatable {
    /// Maximum bytes: half a million tokens, more than any model reads.
    static let limit = 2 << 20

    /// The path as typed by the user.
    package let path: String
    /// Absolute, without links.
    package let realPath: String
    package let bytes: [UInt8]

    package let encoding: TextEncoding

    package var text: String { encoding.text(of: bytes) }

    package init(_ path: String) throws(WritingFileError) {
        self.path = path
        guard let real = FilePath.real(path) else {
            throw WritingFileError(.file(.system(errno)), path)
        }
        realPath = real
        bytes = try Self.read(realPath, shown: path)
        encoding = try Self.encoding(of: bytes, path)
    }

    /// Checks that bytes are a text that can be rewritten, also those from another source.
    package static func encoding(
        of bytes: [UInt8], _ path: String
    ) throws(WritingFileError) -> TextEncoding {
        if bytes.count > limit { throw WritingFileError(.tooLarge(bytes.count), path) }
        if bytes.allSatisfy({ $0 <= 0x20 }) { throw WritingFileError(.empty, path) }
        guard let encoding = TextEncoding(of: bytes) else { throw WritingFileError(.binary, path) }
        return encoding
    }

    static func read(_ path: String, shown: String) throws(WritingFileError) -> [UInt8] {
        let size: Int
        do throws(OpenFile.Failure) {
            let file = try OpenFile(path)
            size = file.size
            // Checked before memory is allocated for it.
            if size <= limit { return try file.read(at: 0, count: size) }
        } catch {
            throw WritingFileError(.file(error.reason), shown)
        }
        throw WritingFileError(.tooLarge(size), shown)
    }

    /// Replaces the bytes of the file, if it still contains `old`.
    ///
    /// - Parameters:
    ///   - realPath: path without links.
    ///   - temporary: a name not used in its folder.
    static func replace(
        _ realPath: String, shown: String, holding old: [UInt8], with new: [UInt8],
        temporary: String
    ) throws(WritingFileError) {
        func failed(_ code: Int32) -> WritingFileError {
            WritingFileError(.unwritable(code), shown)
        }
        var status = stat()
        guard lstat(realPath, &status) == 0 else {
            throw WritingFileError(
                errno == ENOENT ? .changedMeanwhile : .file(.system(errno)), shown)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw WritingFileError(.changedMeanwhile, shown)
        }
        guard status.st_nlink == 1 else {
            throw WritingFileError(.linked(Int(status.st_nlink)), shown)
        }
        // A write-protected file is not replaced through its folder.
        guard access(realPath, W_OK) == 0 else { throw failed(errno) }
        let place = FilePath.folder(of: realPath) + "/" + temporary
        var code = WholeFile.create(new, at: place)
        if code != 0 { throw failed(code) }
        var isDone = false
        defer { if !isDone { unlink(place) } }
        if status.st_uid != geteuid() || status.st_gid != getegid() {
            // Only root may give a file away; a user who can write to the folder then owns
            // the new file.
            _ = chown(place, status.st_uid, status.st_gid)
        }
        if chmod(place, status.st_mode & 0o7777) != 0 { throw failed(errno) }
        guard try read(realPath, shown: shown) == old else {
            throw WritingFileError(.changedMeanwhile, shown)
        }
        if rename(place, realPath) != 0 { throw failed(errno) }
        isDone = true
        // The name must survive a power failure, too; the bytes already do.
        code = open(FilePath.folder(of: realPath), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if code >= 0 {
            fsync(code)
            close(code)
        }
    }
}
