import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import ICalendar
import Persistence

/// Decides the outcome for each file of a backup. It reads the current files
/// and writes nothing.
///
///     here             calendar file             configuration
///     nothing          new                       new
///     the same bytes   unchanged                 unchanged
///     older            updated                   kept
///     newer            kept                      kept
///
/// A calendar item is also recognised by its UID, wherever another program has put it. A
/// configuration is the user's own work: the current one stays. Nothing is written through
/// a link below one of the program's folders: its destination is not ours.
struct FileMerge {
    struct Entry: Sendable, Equatable {
        enum Kind: String, Sendable { case calendar, configuration }

        var kind: Kind
        /// `office/<uid>.ics`, `roles/plain.md`.
        var label: String
        /// The title of an item, else the label; untrusted text.
        var title: String
        /// Destination path.
        var target: String
        /// Path of the unpacked bytes.
        var staged: String
        var modified: Date
        var outcome: MergeReport.Outcome
        /// The bytes replaced by an update.
        var before: [UInt8]?
        /// Whether it was kept because a link leads outside its folder.
        var isBehindLink = false
    }

    let collections: [(place: String, collection: CalendarStore.Collection)]
    /// Roots of the calendars; missing collections are created in the first.
    let roots: [String]
    /// The folder that contains a configuration file.
    let folderOfConfiguration: (String) -> String
    private var root: String { roots.first ?? "" }
    private var known: [String: [String: String]] = [:]

    init(
        collections: [(place: String, collection: CalendarStore.Collection)], roots: [String],
        folderOfConfiguration: @escaping (String) -> String
    ) {
        self.collections = collections
        self.roots = roots
        self.folderOfConfiguration = folderOfConfiguration
    }

    /// - Throws: `BackupError` if an unpacked file cannot be read.
    mutating func entries(_ unpacked: BackupReader.Unpacked) throws -> [Entry] {
        var entries: [Entry] = []
        for (place, staged, modified) in unpacked.files {
            try Task.checkCancellation()
            switch place {
            case .manifest, .database, .profile: continue
            case .configuration(let name):
                entries.append(try configuration(name, staged, modified))
            case .calendar(let collection, let file):
                entries.append(
                    try calendar(collection, file: file, staged: staged, modified: modified))
            }
        }
        return entries
    }

    private func configuration(
        _ name: String, _ staged: String, _ modified: Date
    ) throws -> Entry {
        let folder = folderOfConfiguration(name)
        let target = "\(folder)/\(name)"
        let title =
            name.hasPrefix(BackupManifest.routines)
            // A routine has a name, unless its file is damaged; other files have only their own.
            ? (try? JSONParser.parse(bytes(staged)))?["name"]?.stringValue : nil
        var entry = Entry(
            kind: .configuration, label: name, title: title ?? name, target: target, staged: staged,
            modified: modified, outcome: .new)
        var status = stat()
        if lstat(target, &status) == 0 {
            // An unreadable file counts as different.
            let isSame = try (try? WholeFile.read(target, limit: Self.limit)) == bytes(staged)
            entry.outcome = isSame ? .unchanged : .kept
        } else if Self.isBehindLink(target, below: folder) {
            (entry.outcome, entry.isBehindLink) = (.kept, true)
        }
        return entry
    }

    private mutating func calendar(
        _ collection: String, file: String, staged: String, modified: Date
    ) throws -> Entry {
        let theirs = try bytes(staged)
        let folder = folder(collection)
        var entry = Entry(
            kind: .calendar, label: "\(collection)/\(file)",
            title: Self.title(theirs) ?? "\(collection)/\(file)", target: "\(folder)/\(file)",
            staged: staged, modified: modified, outcome: .new)
        let base = roots.first { folder == $0 || folder.hasPrefix($0 + "/") } ?? root
        if Self.isBehindLink(entry.target, below: base) {
            (entry.outcome, entry.isBehindLink) = (.kept, true)
            return entry
        }
        let age = CalendarAge(theirs, modified: modified)
        var status = stat()
        if lstat(entry.target, &status) != 0 {
            let here = BackupManifest.collectionFiles.contains(file) ? [:] : uids(in: folder)
            guard let other = age.uids.lazy.compactMap({ here[$0] }).first else { return entry }
            entry.target = "\(folder)/\(other)"
            guard lstat(entry.target, &status) == 0 else { return entry }
        }
        guard status.st_mode & S_IFMT == S_IFREG,
            // A link leads to a file that another program owns.
            let ours = try? WholeFile.read(entry.target, limit: Self.limit)
        else {
            entry.outcome = .kept
            return entry
        }
        if ours == theirs {
            entry.outcome = .unchanged
        } else if BackupManifest.collectionFiles.contains(file) {
            entry.outcome = .kept
        } else {
            let here = CalendarAge(
                ours, modified: BackupWriter.modified(entry.target) ?? Date.distantFuture)
            entry.outcome = age.isNewer(than: here) ? .updated : .kept
            entry.before = entry.outcome == .updated ? ours : nil
        }
        return entry
    }

    private static let limit = VDirectory.byteLimit

    private func bytes(_ path: String) throws -> [UInt8] {
        guard let bytes = try Self.contents(path, limit: Self.limit) else {
            throw BackupError(.system(ENOENT), path: path)
        }
        return bytes
    }

    private static func isBehindLink(_ target: String, below base: String) -> Bool {
        var folder = FilePath.folder(of: target)
        while folder.utf8.count > base.utf8.count {
            var status = stat()
            if lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { return true }
            folder = FilePath.folder(of: folder)
        }
        return false
    }

    private func folder(_ place: String) -> String {
        if let found = collections.first(where: { $0.place == place }) {
            return found.collection.path
        }
        // The root is itself a calendar, not a folder of calendars.
        if collections.count == 1, collections[0].collection.path == root { return root }
        return "\(root)/\(place)"
    }

    /// The files of a collection by the UIDs in them; read once, when a file is
    /// not found by name.
    private mutating func uids(in folder: String) -> [String: String] {
        if let found = known[folder] { return found }
        var found: [String: String] = [:]
        for name in FilePath.names(in: folder) ?? [] where VDirectory.isItemName(name) {
            // An unreadable file cannot be found by its UID.
            guard let bytes = try? WholeFile.read("\(folder)/\(name)", limit: Self.limit) else {
                continue
            }
            for uid in CalendarAge(bytes, modified: .distantPast).uids { found[uid] = name }
        }
        known[folder] = found
        return found
    }

    /// A file of an interrupted restore, judged by the current file. Nil if
    /// there is nothing left to do.
    static func again(
        target: String, staged: String, modified: Date
    ) throws(BackupError) -> Entry? {
        // A missing staged file is already in place.
        guard let theirs = try contents(staged) else { return nil }
        let ours = try contents(target, limit: limit)
        // A link that leads nowhere is not ours.
        var status = stat()
        if ours == nil, lstat(target, &status) == 0 { return nil }
        if let ours {
            let age = CalendarAge(theirs, modified: modified)
            let here = CalendarAge(
                ours, modified: BackupWriter.modified(target) ?? Date.distantFuture)
            guard ours != theirs, target.hasSuffix(".ics"), age.isNewer(than: here) else {
                return nil
            }
        }
        return Entry(
            kind: .calendar, label: FilePath.name(target), title: "", target: target,
            staged: staged, modified: modified, outcome: ours == nil ? .new : .updated,
            before: ours)
    }

    /// Nil if there is no such file.
    /// - Throws: `BackupError` if there may be one.
    static func contents(_ path: String, limit: Int = .max) throws(BackupError) -> [UInt8]? {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path, limit: limit)
        } catch {
            if error.code == ENOENT { return nil }
            throw BackupError(.system(error.code), path: path)
        }
    }

    private static func title(_ bytes: [UInt8]) -> String? {
        // A file that is not a calendar is shown by its name.
        guard let content = try? CalendarParser.parse(bytes) else { return nil }
        return content.components().lazy.flatMap { [$0] + $0.components() }.compactMap {
            component in
            component.first("SUMMARY").map { TextValue.unescape($0.value) }
        }.first
    }
}

/// The locations of collections as written in a backup: `office`, `account/office`.
enum CollectionPlaces {
    /// The path below its root; a collection that is a root itself, or has the
    /// same path as another, uses its unique name.
    static func named(
        _ collections: [CalendarStore.Collection], roots: [String]
    ) -> [(place: String, collection: CalendarStore.Collection)] {
        var taken: Set<String> = []
        return collections.map { collection in
            let root = roots.first { collection.path.hasPrefix($0 + "/") }
            var place = root.map { String(collection.path.dropFirst($0.count + 1)) }
            if place.map({ !taken.insert($0).inserted }) ?? true {
                place = collection.name
                taken.insert(collection.name)
            }
            return (place ?? collection.name, collection)
        }
    }
}
