import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import Library
import Persistence
import Privacy

/// Restores backups, and completes an interrupted restore. A backup is an untrusted file:
/// only the current configuration decides where its files go.
extension BackupEngine {
    /// - Parameters:
    ///   - isDryRun: only inspects the backup, without questions.
    ///   - allows: whether to use a part of the configuration that lets the program do
    ///     more; otherwise it is written beside the file, with `.restored` after its name.
    ///   - withProfile: whether to add its personal data to the profile.
    func take(
        _ path: String, isDryRun: Bool, isLarge: Bool, withProfile: Bool = false,
        progress: BackupProgress,
        allows: @Sendable (RestoredConfiguration.Proposal) async -> Bool
    ) async throws -> Taken {
        let path = Self.absolute(path)
        let reader = try BackupReader(path, isLarge: isLarge, takesProfile: withProfile)
        let folder = try BackupFolder(
            state: dependencies.state, id: environment.uuid(), for: path)
        defer { folder.close() }
        progress.start(reader.size)
        var unpacked = try reader.unpack(into: folder.path) { progress.reached($0) }
        let profile = try unpacked.profile.map {
            try Profile(json: $0, path: BackupManifest.profile)
        }
        if let copy = unpacked.database { try await prepare(copy, path) }
        var (entries, proposals) = try await judged(try await entries(unpacked), path) {
            isDryRun || !$0.isAskable ? false : await allows($0)
        }
        var taken = Taken(
            manifest: reader.manifest, unknown: reader.unknown, database: MergeReport(),
            databasePath: dependencies.database, files: entries, proposals: proposals)
        if isDryRun {
            if let copy = unpacked.database {
                taken.database = try await database.difference(from: copy)
            }
            taken.profileValues = try await added(of: profile, isDryRun: true)
            return taken
        }
        // Before its files are in place: an interrupted restore is completed without this.
        await dependencies.calendars().noteEventsMadeHere(reader.manifest.ownEvents)
        try note(
            entries.filter { $0.outcome.isChange }, unpacked.database, in: folder.path, path)
        let ready = try folder.makeReady()
        // The folder has been renamed.
        func moved(_ staged: String) -> String { ready + "/" + FilePath.name(staged) }
        unpacked.database = unpacked.database.map(moved)
        for index in entries.indices { entries[index].staged = moved(entries[index].staged) }
        defer { folder.removeReady() }
        taken.database = try await apply(unpacked.database, entries, path)
        if taken.isChange { logRestore(of: path) }
        taken.profileValues = try await added(of: profile, isDryRun: false)
        return taken
    }

    /// Adds new values after existing ones, which stay first.
    private func added(of profile: Profile?, isDryRun: Bool) async throws -> Int? {
        guard let profile, let file = dependencies.profile else { return nil }
        @Sendable func add(to mine: inout Profile) -> Int {
            // Values that a profile rejects are skipped.
            profile.person.entries.count { (try? mine.add($0.kind, $0.value)) ?? false }
        }
        if isDryRun {
            var mine = try await file.read()
            return add(to: &mine)
        }
        return try await file.change { profile in add(to: &profile) }.2
    }

    private func logRestore(of path: String) {
        RestoreLog.note(
            path, at: environment.now(), uuid: environment.uuid(), in: dependencies.state)
    }

    private func prepare(_ copy: String, _ path: String) async throws {
        do {
            _ = try await database.prepare(copy)
        } catch let error as SQLiteError {
            switch error.reason {
            case .newerSchema: throw BackupError(.newerDatabase, path: path)
            case .corrupt, .notADatabase, .otherDatabase, .constraint, .other:
                throw BackupError(.damagedDatabase, path: path)
            default: throw error
            }
        }
    }

    private func entries(_ unpacked: BackupReader.Unpacked) async throws -> [FileMerge.Entry] {
        let calendars = dependencies.calendars()
        var merge = FileMerge(
            collections: CollectionPlaces.named(
                try await calendars.collections(), roots: calendars.roots),
            roots: calendars.roots,
            folderOfConfiguration: { [dependencies] in dependencies.folder(of: $0) })
        return try merge.entries(unpacked)
    }

    /// Asks about the parts of a new configuration that need consent, and puts unused parts
    /// beside it.
    ///
    /// - Throws: `BackupError` for an invalid `config.json`; no question has been asked
    ///   then.
    private func judged(
        _ entries: [FileMerge.Entry], _ path: String,
        allows: (RestoredConfiguration.Proposal) async -> Bool
    ) async throws -> ([FileMerge.Entry], [RestoredConfiguration.Proposal]) {
        let isNew = { (entry: FileMerge.Entry) in
            entry.kind == .configuration && entry.outcome == .new
                && (entry.label == BackupManifest.settings
                    || BackupManifest.isInstruction(entry.label))
        }
        var offers: [String: RestoredConfiguration] = [:]
        for entry in entries.filter(isNew) {
            let bytes: [UInt8]
            do {
                bytes = try WholeFile.read(entry.staged, limit: BackupManifest.limitInBytes)
            } catch { throw BackupError(.system(error.code), path: path) }
            if entry.label == BackupManifest.settings {
                do throws(ConfigurationError) {
                    offers[entry.label] = RestoredConfiguration(
                        bytes, of: entry.label, settings: try dependencies.review(bytes))
                } catch { throw BackupError(.configuration(error), path: path) }
            } else {
                offers[entry.label] = RestoredConfiguration(bytes, text: entry.label)
            }
        }
        var (judged, proposals): ([FileMerge.Entry], [RestoredConfiguration.Proposal]) = ([], [])
        for entry in entries {
            guard isNew(entry), var offer = offers[entry.label] else {
                judged.append(entry)
                continue
            }
            for index in offer.proposals.indices {
                offer.proposals[index].isUsed = await allows(offer.proposals[index])
            }
            try Task.checkCancellation()
            let (used, left) = offer.parts(review: dependencies.review)
            // Nothing of a file is used unless it is certain to match the consent.
            if used == nil {
                for index in offer.proposals.indices { offer.proposals[index].isUsed = false }
            }
            proposals += offer.proposals
            if let used { judged.append(try staged(entry, used, "")) }
            if let left { judged.append(try staged(entry, left, Self.leftSuffix)) }
        }
        return (judged, proposals)
    }

    /// A part of a file, to replace the file or to be put beside it.
    private func staged(
        _ entry: FileMerge.Entry, _ bytes: [UInt8], _ suffix: String
    ) throws(BackupError) -> FileMerge.Entry {
        var part = entry
        part.label += suffix
        part.title += suffix
        part.target += suffix
        part.staged += "-part" + suffix
        let code = WholeFile.create(bytes, at: part.staged)
        if code != 0 { throw BackupError(.system(code), path: part.staged) }
        var status = stat()
        // Written by an earlier restore: it is still there.
        if lstat(part.target, &status) == 0 {
            // An unreadable file counts as different.
            let here = try? WholeFile.read(part.target, limit: BackupManifest.limitInBytes)
            part.outcome = here == bytes ? .unchanged : .kept
        }
        return part
    }

    /// Merges the database and moves the files, all or nothing.
    private func apply(
        _ copy: String?, _ entries: [FileMerge.Entry], _ path: String
    ) async throws -> MergeReport {
        let files = FileChanges(
            path: path, trash: Trash(path: dependencies.trash, now: environment.now))
        try files.prepare(entries, uuid: environment.uuid)
        var report = MergeReport()
        do {
            if let copy {
                report = try await database.merge(
                    from: copy, alongside: { try files.apply() }, undo: { files.undo() })
            } else {
                try files.apply()
            }
        } catch {
            files.undo()
            throw error
        }
        files.finish()
        return report
    }

    // MARK: - One that was cut

    /// Whether a restore was interrupted by a kill or a power failure.
    package static func isInterrupted(state: String) -> Bool {
        BackupFolder.isInterrupted(in: state)
    }

    /// The folder of an interrupted restore, which the user can delete to abandon it.
    package static func interruptedFolder(state: String) -> String {
        state + "/" + BackupFolder.ready
    }

    /// Finishes an interrupted restore.
    /// - Returns: the path of its backup; nil if another process is restoring.
    /// - Throws: why it cannot be completed now; the next call tries again.
    package func finishInterrupted() async throws -> String? {
        guard let folder = BackupFolder(interruptedIn: dependencies.state) else { return nil }
        defer { folder.close() }
        let note = folder.path + "/note.json"
        guard let bytes = try FileMerge.contents(note) else {
            // Nothing was done: the note is on disk before the first file moves.
            folder.removeReady()
            return nil
        }
        // The parser's reason says nothing about the restore.
        guard let value = try? JSONParser.parse(bytes), let path = value["path"]?.stringValue else {
            throw BackupError(.damagedNote, path: note)
        }
        var (entries, folders): ([FileMerge.Entry], Set<String>) = ([], [])
        for entry in value["files"]?.arrayValue ?? [] {
            guard let staged = entry["staged"]?.stringValue,
                let target = entry["target"]?.stringValue,
                let modified = entry["modified"]?.integerValue
            else { throw BackupError(.damagedNote, path: note) }
            let file = folder.path + "/" + FilePath.name(staged)
            let time = Date(timeIntervalSince1970: Double(modified) / 1_000)
            folders.insert(FilePath.folder(of: target))
            if let found = try FileMerge.again(target: target, staged: file, modified: time) {
                entries.append(found)
            }
        }
        for folder in folders { FileChanges.removeLeftovers(in: folder) }
        let copy = value["database"]?.stringValue.map { folder.path + "/" + FilePath.name($0) }
        // Some files may already be in place: if this fails, the rest remains to
        // be done.
        _ = try await apply(copy, entries, path)
        logRestore(of: path)
        folder.removeReady()
        return path
    }

    /// Records the remaining work for `finishInterrupted`.
    func note(
        _ files: [FileMerge.Entry], _ database: String?, in folder: String, _ path: String
    ) throws(BackupError) {
        let value: JSONValue = [
            "path": .string(path), "database": database.map { .string($0) } ?? .null,
            "files": .array(
                files.map { entry in
                    [
                        "staged": .string(entry.staged), "target": .string(entry.target),
                        "modified": .integer(
                            Int64(entry.modified.timeIntervalSince1970 * 1_000)),
                    ]
                }),
        ]
        let code = WholeFile.create(JSONWriter.bytes(value), at: folder + "/note.json")
        if code != 0 { throw BackupError(.system(code), path: folder) }
    }
}
