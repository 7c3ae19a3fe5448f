import Base
import FoundationEssentials
import Glibc

/// Opens the archive of a backup and unpacks it into a folder of ours, where
/// every file is named by a number: no name from an archive becomes a path
/// here.
struct BackupReader {
    let manifest: BackupManifest
    /// Names of files unknown to this version; untrusted text.
    let unknown: [String]
    private let path: String
    private let reader: ZipReader
    private let members: [(member: ZipMember, file: BackupManifest.File)]

    /// The unpacked files and database.
    struct Unpacked: Sendable {
        /// Ordered as in the manifest: the index is the name in the folder.
        var files: [(place: BackupManifest.Destination, staged: String, modified: Date)] = []
        var database: String?
        /// Never written to the folder.
        var profile: [UInt8]?
    }

    /// - Parameters:
    ///   - isLarge: whether more than a gigabyte is accepted.
    ///   - takesProfile: whether to read a profile in the backup.
    /// - Throws: `archive`, `notABackup`, `newerBackup`, `missingFile`,
    ///   `wrongFile`; nothing has been written then.
    init(_ path: String, isLarge: Bool, takesProfile: Bool = false) throws(BackupError) {
        self.path = path
        func fail(_ reason: BackupError.Reason) -> BackupError { BackupError(reason, path: path) }
        let file: OpenFile
        do throws(OpenFile.Failure) {
            file = try OpenFile(path)
        } catch {
            guard case .system(let code) = error.reason else { throw fail(.isFolder) }
            throw fail(.system(code))
        }
        var limits = ZipReader.Limits()
        if isLarge { limits.total = 1 << 40 }
        let bytes: [UInt8]
        do throws(ArchiveError) {
            reader = try ZipReader(ArchiveSource(file), limits: limits)
            guard let member = reader.member(BackupManifest.name) else {
                throw ArchiveError(.notZip)
            }
            bytes = try reader.bytes(of: member, limit: 64 << 20)
        } catch {
            throw fail(error.reason == .notZip ? .notABackup : .archive(error))
        }
        do throws(BackupError.Reason) {
            manifest = try BackupManifest(bytes)
        } catch { throw fail(error) }
        var byName: [[UInt8]: ZipMember] = [:]
        for member in reader.members { byName[Array(member.name.utf8)] = member }
        var members: [(ZipMember, BackupManifest.File)] = []
        var unknown: [String] = []
        var places: Set<[UInt8]> = []
        for file in manifest.files {
            guard let member = byName.removeValue(forKey: Array(file.name.utf8)) else {
                throw fail(.missingFile(file.name))
            }
            guard member.size == file.size else { throw fail(.wrongFile(file.name)) }
            let place = BackupManifest.place(of: file.name)
            // Two names for one place, such as `a.ics` and `%61.ics`.
            if let place, !places.insert(Array("\(place)".utf8)).inserted {
                throw fail(.wrongFile(file.name))
            }
            switch place {
            case .manifest: throw fail(.wrongFile(file.name))
            case nil: unknown.append(file.name)
            case .profile where !takesProfile: break
            default: members.append((member, file))
            }
        }
        byName[Array(BackupManifest.name.utf8)] = nil
        // The archive may only contain files of the manifest: others would go
        // unchecked.
        if let other = byName.values.first(where: { !$0.isFolder }) {
            throw fail(.wrongFile(other.name))
        }
        self.members = members
        self.unknown = unknown
    }

    /// Total size of the unpacked files.
    var size: Int { members.reduce(0) { $0 + $1.member.size } }

    /// - Throws: `archive`, `wrongFile`, `system`, `CancellationError`; partial
    ///   output stays in the folder.
    func unpack(into folder: String, onBytes: (Int) -> Void) throws -> Unpacked {
        var unpacked = Unpacked()
        var total = 0
        for (index, (member, file)) in members.enumerated() {
            if BackupManifest.place(of: file.name) == .profile {
                unpacked.profile = try profile(member, file)
                continue
            }
            let staged = "\(folder)/\(index)"
            let descriptor = open(
                staged, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw BackupError(.system(errno), path: staged) }
            defer { close(descriptor) }
            var sum = SHA256()
            var failure: (any Error)?
            do throws(ArchiveError) {
                try reader.read(member) { (piece: [UInt8]) throws(ArchiveError) in
                    sum.add(piece)
                    total += piece.count
                    onBytes(total)
                    let code = WholeFile.write(piece, to: descriptor)
                    if code != 0 { failure = BackupError(.system(code), path: staged) }
                    if Task.isCancelled { failure = CancellationError() }
                    // Stops unpacking; `failure` is thrown below.
                    if failure != nil { throw ArchiveError(.truncated) }
                }
            } catch {
                throw failure ?? BackupError(.archive(error), path: path)
            }
            guard SHA256.hex(sum.digest()) == file.sha256 else {
                throw BackupError(.wrongFile(file.name), path: path)
            }
            guard fsync(descriptor) == 0 else { throw BackupError(.system(errno), path: staged) }
            guard let place = BackupManifest.place(of: file.name) else { continue }
            if place == .database {
                unpacked.database = staged
            } else {
                unpacked.files.append((place, staged, file.modified))
            }
        }
        return unpacked
    }

    private func profile(
        _ member: ZipMember, _ file: BackupManifest.File
    ) throws(BackupError) -> [UInt8] {
        let bytes: [UInt8]
        do throws(ArchiveError) {
            bytes = try reader.bytes(of: member, limit: 1 << 20)
        } catch {
            throw BackupError(.archive(error), path: path)
        }
        guard SHA256.hex(SHA256.digest(bytes)) == file.sha256 else {
            throw BackupError(.wrongFile(file.name), path: path)
        }
        return bytes
    }
}
