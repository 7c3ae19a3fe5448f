import Base
import FoundationEssentials
import Glibc

/// The folder for deleted items, outside of every collection: `<id>.ics` with
/// the original bytes, and `<id>.json` with the original path and the time of
/// deletion.
///
/// It is not emptied here.
package struct Trash: Sendable {
    package struct Entry: Sendable, Equatable {
        package var id: String
        /// The original path of the file.
        package var path: String
        /// ISO 8601 with offset.
        package var deleted: String
    }

    package let path: String
    private let now: @Sendable () -> Date

    package init(path: String, now: @escaping @Sendable () -> Date) {
        self.path = path
        self.now = now
    }

    /// Moves a file into the trash. The note is written first, so that no file here is ever without
    /// one.
    /// - Throws: `conflict` if the moved file is not the one examined; it has then been moved back.
    func take(
        _ name: String, from folder: FileCall.Descriptor, path original: String,
        identity: FileCall.Identity, id: String
    ) throws(FileCallError) -> Entry {
        let (bin, entry) = try note(original, id)
        do throws(FileCallError) {
            try move(
                name, from: folder, path: original, identity: identity, to: "\(id).ics", in: bin)
        } catch {
            unlinkat(bin.number, "\(id).json", 0)
            throw error
        }
        FileCall.flush(bin)
        FileCall.flush(folder)
        return entry
    }

    /// Keeps a copy of a file that is about to be replaced; on disk when it returns.
    package func keep(
        _ bytes: [UInt8], path original: String, id: String
    ) throws(FileCallError) -> Entry {
        let (bin, entry) = try note(original, id)
        do throws(FileCallError) {
            _ = try FileCall.write(bytes, new: "\(id).ics", in: bin, path: "\(path)/\(id).ics")
        } catch {
            unlinkat(bin.number, "\(id).json", 0)
            throw error
        }
        FileCall.flush(bin)
        return entry
    }

    /// Reverts `keep`: the file was not replaced.
    package func forget(_ id: String) {
        for name in ["\(id).ics", "\(id).json"] { unlink("\(path)/\(name)") }
    }

    private func note(
        _ original: String, _ id: String
    ) throws(FileCallError) -> (bin: FileCall.Descriptor, entry: Entry) {
        try FileCall.makeFolder(path)
        let bin = try FileCall.openFolder(path)
        let entry = Entry(id: id, path: original, deleted: LocalTime().isoText(now()))
        let note: JSONValue = ["path": .string(entry.path), "deleted": .string(entry.deleted)]
        _ = try FileCall.write(
            JSONWriter.bytes(note), new: "\(id).json", in: bin, path: "\(path)/\(id).json")
        return (bin, entry)
    }

    /// The entry with that id and its bytes; nil if it cannot be read. A file
    /// without a readable note cannot be restored; it stays for the user to
    /// look at.
    func entry(_ id: String) -> (entry: Entry, bytes: [UInt8])? {
        // Whatever the error, the file stays where it is.
        guard VDirectory.isItemName(id + ".ics"), let bin = try? FileCall.openFolder(path),
            let (text, _) = try? FileCall.read(  // Not readable: not an entry.
                "\(id).json", in: bin, path: "\(path)/\(id).json", limit: 1 << 16),
            // Damaged: the same.
            let note = try? JSONParser.parse(text), let original = note["path"]?.stringValue,
            let deleted = note["deleted"]?.stringValue,
            let (bytes, _) = try? FileCall.read(  // Not readable: it cannot be restored.
                "\(id).ics", in: bin, path: "\(path)/\(id).ics", limit: VDirectory.byteLimit)
        else { return nil }
        return (Entry(id: id, path: original, deleted: deleted), bytes)
    }

    /// Restores an entry to its original place, never over another file.
    package func restore(_ entry: Entry) throws(FileCallError) {
        guard let slash = entry.path.lastIndex(of: "/") else {
            throw FileCallError(.invalidName, path: entry.path)
        }
        let name = String(entry.path[entry.path.index(after: slash)...])
        let folderPath = String(entry.path[..<slash])
        try FileCall.makeFolder(folderPath)
        let bin = try FileCall.openFolder(path)
        let folder = try FileCall.openFolder(folderPath)
        let file = "\(entry.id).ics"
        let identity = FileCall.Identity(
            try FileCall.status(file, in: bin, path: "\(path)/\(file)"))
        try move(file, from: bin, path: "\(path)/\(file)", identity: identity, to: name, in: folder)
        unlinkat(bin.number, "\(entry.id).json", 0)
        FileCall.flush(folder)
        FileCall.flush(bin)
    }

    private func move(
        _ name: String, from folder: FileCall.Descriptor, path original: String,
        identity: FileCall.Identity, to newName: String, in target: FileCall.Descriptor
    ) throws(FileCallError) {
        do throws(FileCallError) {
            try FileCall.renameNew(name, in: folder, to: newName, in: target, path: original)
        } catch {
            guard error.code == EXDEV else { throw error }
            return try copy(
                name, from: folder, path: original, identity: identity, to: newName, in: target)
        }
        let moved = FileCall.Identity(
            try FileCall.status(newName, in: target, path: original))
        if moved != identity {
            try FileCall.renameNew(newName, in: target, to: name, in: folder, path: original)
            throw FileCallError(.conflict, path: original)
        }
    }

    /// Across devices: the copy is on disk before the original is deleted.
    private func copy(
        _ name: String, from folder: FileCall.Descriptor, path original: String,
        identity: FileCall.Identity, to newName: String, in target: FileCall.Descriptor
    ) throws(FileCallError) {
        let (bytes, read) = try FileCall.read(
            name, in: folder, path: original, limit: VDirectory.byteLimit)
        guard read == identity else { throw FileCallError(.conflict, path: original) }
        _ = try FileCall.write(bytes, new: newName, in: target, path: original)
        FileCall.flush(target)
        guard FileCall.Identity(try FileCall.status(name, in: folder, path: original)) == identity
        else {
            unlinkat(target.number, newName, 0)
            throw FileCallError(.conflict, path: original)
        }
        guard unlinkat(folder.number, name, 0) == 0 else {
            // The original cannot be removed (a read-only disk), so it stays.
            let failure = FileCall.failure(original)
            unlinkat(target.number, newName, 0)
            throw failure
        }
    }
}
