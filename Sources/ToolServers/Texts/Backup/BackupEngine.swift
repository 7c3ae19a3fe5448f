import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import Library
import Persistence
import Privacy

/// Makes and restores backups, one step after the other, on its own queue. What is printed is
/// `BackupCommand`'s business.
package actor BackupEngine: QueuedActor {
    /// What it needs of the program.
    package struct Dependencies: Sendable {
        package var database: String
        package var locks: String
        package var state: String
        package var configurationFolder: String
        package var dataFolder: String
        package var trash: String
        /// Who the user is; nil without a profile, as in most tests.
        package var profile: ProfileFile?
        /// The version of the program.
        package var version: String
        package var environment: Environment
        /// The calendars under a configuration that is about to be taken in, or
        /// under the present one; the first root gets new calendars.
        package var calendars: @Sendable (_ configuration: String?) -> CalendarStore

        package init(
            database: String, locks: String, state: String, configurationFolder: String,
            dataFolder: String, trash: String, profile: ProfileFile? = nil, version: String,
            environment: Environment,
            calendars: @escaping @Sendable (_ configuration: String?) -> CalendarStore
        ) {
            self.database = database
            self.locks = locks
            self.state = state
            self.configurationFolder = configurationFolder
            self.dataFolder = dataFolder
            self.trash = trash
            self.profile = profile
            self.version = version
            self.environment = environment
            self.calendars = calendars
        }

        /// Where a file of the configuration lies.
        func place(of name: String) -> String {
            (name == BackupManifest.ideas ? dataFolder : configurationFolder) + "/" + name
        }
    }

    struct Made {
        var result: BackupWriter.Result
        /// Calendars, and the files in them.
        var calendars: Int
        var calendarFiles: Int
        var configuration: [String]
        /// Of the configuration.
        var leftOut: [String]
    }

    struct Taken {
        var manifest: BackupManifest
        var unknown: [String]
        var database: MergeReport
        var files: [FileMerge.Entry]
        /// A configuration that runs programs was put beside.
        var setAside: String?
        /// How many values came into the profile; nil where none was wanted or there.
        var profileValues: Int?

        var isChange: Bool { database.isChange || files.contains { $0.outcome.isChange } }
    }

    package nonisolated let executor = QueueExecutor(label: "chat.backups")

    private let dependencies: Dependencies
    private var environment: Environment { dependencies.environment }
    private var database: BackupDatabase {
        BackupDatabase(
            path: dependencies.database, locks: dependencies.locks, environment: environment)
    }

    package init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    // MARK: - Making one

    func make(
        _ target: String, replaces: Bool, withProfile: Bool = false, progress: BackupProgress
    ) async throws -> Made {
        let target = Self.absolute(target)
        var status = stat()
        if lstat(target, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { throw BackupError(.isFolder, path: target) }
            if !replaces { throw BackupError(.exists, path: target) }
        }
        let folder = try BackupFolder(
            state: dependencies.state, id: environment.uuid(), for: target)
        defer { folder.close() }
        let copy = folder.path + "/chat.db"
        let contents = try await database.snapshot(to: copy)
        let calendars = dependencies.calendars(nil)
        var sources: [BackupWriter.Source] = []
        for (place, collection) in CollectionPlaces.named(
            try await calendars.collections(), roots: calendars.roots)
        {
            let name = place.split(separator: "/")
                .map { BackupManifest.encoded(String($0)) }.joined(separator: "/")
            let listed = FilePath.names(in: collection.path) ?? []
            for file in listed.sorted()
            where VDirectory.isItemName(file) || BackupManifest.collectionFiles.contains(file) {
                sources.append(
                    .init(
                        name: BackupManifest.calendars + name + "/" + BackupManifest.encoded(file),
                        path: collection.path + "/" + file))
            }
        }
        let (configuration, leftOut) = configurationFiles()
        var whole = configuration
        if withProfile, let file = try await profile() { whole.append(file) }
        progress.start(
            contents == nil ? sources.count * 1_000 : Self.size(copy) + sources.count * 1_000)
        let result = try BackupWriter(
            target: target, replaces: replaces, uuid: environment.uuid(),
            onBytes: { progress.reached($0) }
        ).write(
            database: contents == nil ? nil : copy, contents, files: sources,
            configuration: whole, app: dependencies.version, now: environment.now())
        let names = Set(result.manifest.files.map(\.name))
        let kept = sources.filter { names.contains($0.name) }
        return Made(
            result: result, calendars: Set(kept.map { FilePath.folder(of: $0.name) }).count,
            calendarFiles: kept.count { $0.name.hasSuffix(".ics") },
            configuration: configuration.map {
                String($0.name.dropFirst(BackupManifest.configuration.count))
            }, leftOut: leftOut)
    }

    /// - Throws: `ProfileError` for one that cannot be read.
    private func profile() async throws -> (name: String, bytes: [UInt8], modified: Date)? {
        guard let profile = try await dependencies.profile?.read(), !profile.isBlank else {
            return nil
        }
        return (BackupManifest.profile, profile.json, environment.now())
    }

    /// The configuration and the roles, without what may be secret.
    private func configurationFiles() -> (
        files: [(name: String, bytes: [UInt8], modified: Date)], leftOut: [String]
    ) {
        let folder = dependencies.configurationFolder
        let roles = (FilePath.names(in: folder + "/roles") ?? []).sorted()
            .filter { $0.hasSuffix(".md") && !$0.hasPrefix(".") }.map { "roles/" + $0 }
        var files: [(name: String, bytes: [UInt8], modified: Date)] = []
        var leftOut: [String] = []
        for name in BackupManifest.configurationFiles + roles {
            let path = dependencies.place(of: name)
            // What is there and cannot be read is named.
            guard let bytes = try? WholeFile.read(path, limit: 4 << 20) else {
                if access(path, F_OK) == 0 { leftOut.append(name) }
                continue
            }
            var kept: [UInt8]? = bytes
            if name.hasSuffix(".json") {
                let scrubbed = ConfigurationScrubber(bytes)
                kept = scrubbed.text
                leftOut += scrubbed.text == nil ? [name] : scrubbed.leftOut
            } else {
                let text = String(decoding: bytes, as: UTF8.self)
                if KeyShape.isFound(in: text) {
                    kept = Array(KeyShape.redacted(text).utf8)
                    leftOut.append("a key in \(name)")
                }
            }
            if let kept {
                let encoded = name.split(separator: "/")
                    .map { BackupManifest.encoded(String($0)) }.joined(separator: "/")
                files.append(
                    (
                        BackupManifest.configuration + encoded, kept,
                        BackupWriter.modified(path) ?? environment.now()
                    ))
            }
        }
        return (files, leftOut)
    }

    // MARK: - Taking one in

    /// - Parameters:
    ///   - isDryRun: looks only.
    ///   - allows: whether a configuration that runs programs or names servers is
    ///     taken over; else it is put beside the place of the configuration.
    ///   - withProfile: what it says of the user comes into the profile.
    func take(
        _ path: String, isDryRun: Bool, isLarge: Bool, withProfile: Bool = false,
        progress: BackupProgress,
        allows: @Sendable () async -> Bool
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
        var entries = try await entries(unpacked)
        var setAside: String?
        if let index = entries.firstIndex(where: { $0.label == "config.json" && $0.outcome == .new }
        ),
            // What cannot be read could say anything.
            ConfigurationScrubber.isOutward((try? WholeFile.read(entries[index].staged)) ?? [])
        {
            let isTaken = isDryRun ? false : await allows()
            if !isTaken {
                entries[index].target += ".restored"
                setAside = entries[index].target
                // Put there before: it is there still.
                if access(entries[index].target, F_OK) == 0 { entries[index].outcome = .kept }
            }
        }
        if isDryRun {
            var report = MergeReport()
            if let copy = unpacked.database { report = try await database.difference(from: copy) }
            return Taken(
                manifest: reader.manifest, unknown: reader.unknown, database: report,
                files: entries, setAside: setAside,
                profileValues: try await added(of: profile, isDryRun: true))
        }
        let files = entries.filter { $0.outcome.isChange }
        try note(files, unpacked.database, in: folder.path, path)
        let ready = try folder.makeReady()
        // The folder has another name now.
        func moved(_ staged: String) -> String { ready + "/" + FilePath.name(staged) }
        unpacked.database = unpacked.database.map(moved)
        for index in entries.indices { entries[index].staged = moved(entries[index].staged) }
        defer { folder.removeReady() }
        let report = try await apply(unpacked.database, entries, path)
        if report.isChange || !files.isEmpty { logRestore(of: path) }
        return Taken(
            manifest: reader.manifest, unknown: reader.unknown, database: report, files: entries,
            setAside: setAside, profileValues: try await added(of: profile, isDryRun: false))
    }

    /// Puts what is new after what is here, which stays first.
    private func added(of profile: Profile?, isDryRun: Bool) async throws -> Int? {
        guard let profile, let file = dependencies.profile else { return nil }
        @Sendable func add(to mine: inout Profile) -> Int {
            // What no profile takes is left where it is.
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
            case .corrupt, .notADatabase, .foreignDatabase, .constraint, .other:
                throw BackupError(.damagedDatabase, path: path)
            default: throw error
            }
        }
    }

    private func entries(_ unpacked: BackupReader.Unpacked) async throws -> [FileMerge.Entry] {
        let present = dependencies.configurationFolder + "/config.json"
        let configuration =
            access(present, F_OK) == 0
            ? nil : unpacked.files.first { $0.place == .configuration("config.json") }?.staged
        let calendars = dependencies.calendars(configuration)
        var merge = FileMerge(
            collections: CollectionPlaces.named(
                try await calendars.collections(), roots: calendars.roots),
            root: calendars.roots.first ?? "",
            placeOfConfiguration: { [dependencies] in dependencies.place(of: $0) })
        return try merge.entries(unpacked)
    }

    /// The database and the files, all or nothing.
    private func apply(
        _ copy: String?, _ entries: [FileMerge.Entry], _ path: String
    ) async throws -> MergeReport {
        let files = FileChanges(path: path)
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
        files.finish(
            Trash(path: dependencies.trash, now: environment.now), uuid: environment.uuid)
        return report
    }

    // MARK: - One that was cut

    /// Whether a restore was cut by a kill or a loss of power.
    package static func isInterrupted(state: String) -> Bool {
        BackupFolder.isInterrupted(in: state)
    }

    /// What it has left, for giving it up.
    package static func interruptedFolder(state: String) -> String {
        state + "/" + BackupFolder.ready
    }

    /// Does again what was cut.
    /// - Returns: the backup that it came from; nil where another process is at
    ///   it.
    /// - Throws: why it cannot be completed now; the next call tries again.
    package func finishInterrupted() async throws -> String? {
        guard let folder = BackupFolder(interruptedIn: dependencies.state) else { return nil }
        defer { folder.close() }
        let note = folder.path + "/note.json"
        // Without a readable note it is not known what was to be done, so
        // nothing was: the note is on the disk before the first file moves.
        guard let bytes = try? WholeFile.read(note), let value = try? JSONParser.parse(bytes),
            let path = value["path"]?.stringValue
        else {
            folder.removeReady()
            return nil
        }
        var entries: [FileMerge.Entry] = []
        for entry in value["files"]?.arrayValue ?? [] {
            guard let staged = entry["staged"]?.stringValue,
                let target = entry["target"]?.stringValue,
                let modified = entry["modified"]?.integerValue
            else { continue }
            let file = folder.path + "/" + FilePath.name(staged)
            let time = Date(timeIntervalSince1970: Double(modified) / 1_000)
            if let found = FileMerge.again(target: target, staged: file, modified: time) {
                entries.append(found)
            }
        }
        for place in Set(entries.map { FilePath.folder(of: $0.target) }) {
            FileChanges.removeLeftovers(in: place)
        }
        let copy = value["database"]?.stringValue.map { folder.path + "/" + FilePath.name($0) }
        // Some files may have their places already: where this fails it stays to
        // be done.
        _ = try await apply(copy, entries, path)
        logRestore(of: path)
        folder.removeReady()
        return path
    }

    /// What is to be done, for `finishInterrupted`.
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

    private static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FilePath.workingFolder() + "/" + path
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}

extension FileMerge {
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
}
