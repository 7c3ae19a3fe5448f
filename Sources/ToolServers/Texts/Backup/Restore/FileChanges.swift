import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import Persistence
import Synchronization

/// Moves the files of a restore into place, all or none.
///
///     prepare   each beside its place, hidden, on the disk,    a full disk shows here
///               and in the trash what it replaces
///     apply     renamed, one by one                            undone when one fails
///     finish    what was replaced is removed: the trash has it
///
/// It stops if another program has changed a file since it was examined.
final class FileChanges: Sendable {
    private struct Change: Sendable {
        var entry: FileMerge.Entry
        var folder: String
        var name: String
        var temporary: String
        /// The entry of the replaced file in the trash.
        var kept: String?
        var isApplied = false
    }

    private let changes = Mutex<[Change]>([])
    private let madeFolders = Mutex<[String]>([])
    private let path: String
    private let trash: Trash

    /// Hidden and `.tmp`: no program mistakes it for an item.
    private static let mark = ".chat-restore-"

    /// Removes files that a killed process left beside their destinations. The trash has the
    /// replaced ones.
    static func removeLeftovers(in folder: String) {
        for name in FilePath.names(in: folder) ?? []
        where name.hasPrefix(mark) && name.hasSuffix(".tmp") {
            unlink("\(folder)/\(name)")
        }
    }

    /// - Parameters:
    ///   - path: path of the backup, for errors.
    ///   - trash: the calendars' trash.
    init(path: String, trash: Trash) {
        self.path = path
        self.trash = trash
    }

    /// - Throws: `BackupError`; nothing is left behind then.
    func prepare(_ entries: [FileMerge.Entry], uuid: () -> String) throws(BackupError) {
        do throws(BackupError) {
            for entry in entries where entry.outcome.isChange {
                let folder = FilePath.folder(of: entry.target)
                let code = PrivateFolder.make(folder) { made in
                    self.madeFolders.withLock { $0.append(made) }
                }
                if code != 0 { throw BackupError(.system(code), path: folder) }
                var change = Change(
                    entry: entry, folder: folder, name: FilePath.name(entry.target),
                    temporary: "\(Self.mark)\(uuid()).tmp")
                if let before = entry.before {
                    do throws(FileCallError) {
                        change.kept = try trash.keep(before, path: entry.target, id: uuid()).id
                    } catch { throw BackupError(.system(error.code), path: trash.path) }
                }
                changes.withLock { [change] in $0.append(change) }
                try write(change)
            }
        } catch {
            undo()
            throw error
        }
    }

    private func write(_ change: Change) throws(BackupError) {
        let file = "\(change.folder)/\(change.temporary)"
        let bytes: [UInt8]
        do {
            bytes = try WholeFile.read(change.entry.staged)
        } catch { throw BackupError(.system(error.code), path: change.entry.staged) }
        let code = WholeFile.create(bytes, at: file)
        if code != 0 { throw BackupError(.system(code), path: change.entry.target) }
        // Keeps the original time: the next comparison uses it.
        let seconds = change.entry.modified.timeIntervalSince1970
        let whole = seconds.rounded(.down)
        let time = timespec(tv_sec: Int(whole), tv_nsec: Int((seconds - whole) * 1e9))
        _ = [time, time].withUnsafeBufferPointer {
            utimensat(AT_FDCWD, file, $0.baseAddress, AT_SYMLINK_NOFOLLOW)
        }
    }

    /// - Throws: `BackupError`; files already renamed stay renamed: `undo`
    ///   reverts them.
    func apply() throws {
        for index in changes.withLock({ $0.indices }) {
            let change = changes.withLock { $0[index] }
            do throws(FileCallError) {
                try rename(change)
            } catch {
                let label = change.entry.label
                throw switch error.reason {
                case .exists, .conflict, .notFound:
                    BackupError(.changedMeanwhile(label), path: path)
                default: BackupError(.system(error.code), path: change.entry.target)
                }
            }
            changes.withLock { $0[index].isApplied = true }
        }
        // Once per folder: other instances wait for the database meanwhile.
        for folder in Set(changes.withLock { $0.map(\.folder) }) {
            // If a folder cannot be opened, it is not flushed; the files have been renamed.
            if let open = try? FileCall.openFolder(folder) { FileCall.flush(open) }
        }
    }

    private func rename(_ change: Change) throws(FileCallError) {
        let folder = try FileCall.openFolder(change.folder)
        let target = change.entry.target
        guard let before = change.entry.before else {
            try FileCall.renameNew(
                change.temporary, in: folder, to: change.name, in: folder, path: target)
            return
        }
        guard
            try FileCall.exchange(change.temporary, change.name, in: folder, path: target)
        else { throw FileCallError(.system, path: target, code: ENOTSUP) }
        // The replaced file must be the one examined.
        do throws(FileCallError) {
            let (came, _) = try FileCall.read(
                change.temporary, in: folder, path: target, limit: VDirectory.byteLimit)
            if came != before { throw FileCallError(.conflict, path: target) }
        } catch {
            // Also if it cannot be read, for example a link put there: the file is
            // the user's, and `undo` removes the file with the temporary name.
            _ = try FileCall.exchange(change.temporary, change.name, in: folder, path: target)
            throw error
        }
    }

    /// Restores the state before `prepare`.
    func undo() {
        for change in changes.withLock({ $0 }).reversed() {
            // A folder that does not exist has nothing to revert.
            guard let folder = try? FileCall.openFolder(change.folder) else { continue }
            if change.isApplied {
                if change.entry.before == nil {
                    unlinkat(folder.number, change.name, 0)
                } else {
                    // If this fails, the newer file stays, which is complete.
                    _ = try? FileCall.exchange(
                        change.temporary, change.name, in: folder, path: change.entry.target)
                }
            }
            unlinkat(folder.number, change.temporary, 0)
            FileCall.flush(folder)
            if let kept = change.kept { trash.forget(kept) }
        }
        changes.withLock { $0 = [] }
        for folder in madeFolders.withLock({ $0 }).reversed() { rmdir(folder) }
        madeFolders.withLock { $0 = [] }
    }

    func finish() {
        for change in changes.withLock({ $0 }) where change.kept != nil {
            unlink("\(change.folder)/\(change.temporary)")
        }
    }
}
