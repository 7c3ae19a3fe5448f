import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import ICalendar
import Persistence

/// What becomes of each file of a backup. It reads what is here and writes
/// nothing.
///
///     here             calendar file             configuration
///     nothing          new                       new
///     the same bytes   unchanged                 unchanged
///     older            updated                   kept
///     newer            kept                      kept
///
/// A calendar item is the same by its UID too, wherever another program has put
/// it. A configuration is the user's own work: what is here stays. Behind a link below
/// one of the program's folders nothing is written: where it leads is not ours.
struct FileMerge {
    struct Entry: Sendable, Equatable {
        enum Kind: String, Sendable { case calendar, configuration }

        var kind: Kind
        /// `office/<uid>.ics`, `roles/plain.md`.
        var label: String
        /// What an item is called, else the label; foreign text.
        var title: String
        /// Where it goes.
        var target: String
        /// Where its bytes lie.
        var staged: String
        var modified: Date
        var outcome: MergeReport.Outcome
        /// What an update replaces.
        var before: [UInt8]?
        /// Kept because a link leads away from where it belongs.
        var isBehindLink = false
    }

    let collections: [(place: String, collection: CalendarStore.Collection)]
    /// Of the calendars; those that are not here are made in the first.
    let roots: [String]
    /// The folder from which a file of the configuration has its name.
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

    /// - Throws: `BackupError` where a file that was unpacked cannot be read.
    mutating func entries(_ unpacked: BackupReader.Unpacked) throws -> [Entry] {
        var entries: [Entry] = []
        for (place, staged, modified) in unpacked.files {
            try Task.checkCancellation()
            switch place {
            case .manifest, .database, .profile: continue
            case .configuration(let name):
                entries.append(try configuration(name, staged, modified))
            case .calendar(let collection, let file):
                entries.append(try calendar(collection, file, staged, modified))
            }
        }
        return entries
    }

    private func configuration(
        _ name: String, _ staged: String, _ modified: Date
    ) throws -> Entry {
        let folder = folderOfConfiguration(name)
        let target = "\(folder)/\(name)"
        var entry = Entry(
            kind: .configuration, label: name, title: name, target: target, staged: staged,
            modified: modified, outcome: .new)
        var status = stat()
        if lstat(target, &status) == 0 {
            // What cannot be read is not the same.
            let isSame = try (try? WholeFile.read(target, limit: Self.limit)) == bytes(staged)
            entry.outcome = isSame ? .unchanged : .kept
        } else if Self.isBehindLink(target, below: folder) {
            (entry.outcome, entry.isBehindLink) = (.kept, true)
        }
        return entry
    }

    private mutating func calendar(
        _ collection: String, _ file: String, _ staged: String, _ modified: Date
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
        // A link leads to a file that another program owns.
        guard status.st_mode & S_IFMT == S_IFREG,
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
        do {
            return try WholeFile.read(path, limit: Self.limit)
        } catch { throw BackupError(.system(error.code), path: path) }
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
        // The root is one calendar, not a folder of calendars.
        if collections.count == 1, collections[0].collection.path == root { return root }
        return "\(root)/\(place)"
    }

    /// The files of a collection by the UIDs in them; read once, where a file is
    /// looked for that is not there by name.
    private mutating func uids(in folder: String) -> [String: String] {
        if let found = known[folder] { return found }
        var found: [String: String] = [:]
        for name in FilePath.names(in: folder) ?? [] where VDirectory.isItemName(name) {
            // One that cannot be read is not known by its UID.
            guard let bytes = try? WholeFile.read("\(folder)/\(name)", limit: Self.limit) else {
                continue
            }
            for uid in CalendarAge(bytes, modified: .distantPast).uids { found[uid] = name }
        }
        known[folder] = found
        return found
    }

    /// A file of a restore that was cut: by what is here now. Nil where there is
    /// nothing left to do.
    static func again(target: String, staged: String, modified: Date) -> Entry? {
        // What is not there any more has its place.
        guard let theirs = try? WholeFile.read(staged) else { return nil }
        let ours = try? WholeFile.read(target, limit: VDirectory.byteLimit)
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

    private static func title(_ bytes: [UInt8]) -> String? {
        // What is not a calendar is called by its name.
        guard let content = try? CalendarParser.parse(bytes) else { return nil }
        return content.components().lazy.flatMap { [$0] + $0.components() }.compactMap {
            component in
            component.first("SUMMARY").map { TextValue.unescape($0.value) }
        }.first
    }
}

/// Where the collections lie, as a backup calls it: `office`, `account/office`.
enum CollectionPlaces {
    /// Below its root; one that is a root itself, or that lies as another one
    /// does, has the name by which it is referred to.
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
