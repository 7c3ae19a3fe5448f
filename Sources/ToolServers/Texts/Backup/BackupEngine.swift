import Base
import CalendarFiles
import FoundationEssentials
import Glibc
import Library
import Persistence
import Privacy

/// Makes backups and, in `BackupEngine+Restoring`, restores them, one step after the other,
/// on its own queue. `BackupCommand` prints the results.
package actor BackupEngine: QueuedActor {
    package struct Dependencies: Sendable {
        package var database: String
        package var locks: String
        package var state: String
        package var configurationFolder: String
        package var dataFolder: String
        package var trash: String
        /// The user's identity; nil without a profile, as in most tests.
        package var profile: ProfileFile?
        /// The version of the program.
        package var version: String
        package var environment: Environment
        /// The calendars of the current configuration, regardless of the backup; new ones are
        /// created in the first root.
        package var calendars: @Sendable () -> CalendarStore
        /// Finds the settings of a `config.json` that let the program do more.
        package var review: Review

        package typealias Review =
            @Sendable (_ bytes: [UInt8]) throws(ConfigurationError) -> [WideningSetting]

        package init(
            database: String, locks: String, state: String, configurationFolder: String,
            dataFolder: String, trash: String, profile: ProfileFile? = nil, version: String,
            environment: Environment, calendars: @escaping @Sendable () -> CalendarStore,
            review: @escaping Review
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
            self.review = review
        }

        /// The folder of a configuration file.
        func folder(of name: String) -> String {
            name == BackupManifest.ideas || name.hasPrefix(BackupManifest.routines)
                ? dataFolder : configurationFolder
        }
    }

    struct Made {
        var result: BackupWriter.Result
        /// Number of calendars, and of the files in them.
        var calendars: Int
        var calendarFiles: Int
        var configuration: [String]
        /// Parts of the configuration that were left out.
        var leftOut: [String]
    }

    struct Taken {
        var manifest: BackupManifest
        var unknown: [String]
        var database: MergeReport
        var databasePath: String
        var files: [FileMerge.Entry]
        /// Parts of the configuration that are used only with consent.
        var proposals: [RestoredConfiguration.Proposal] = []
        /// Number of values added to the profile; nil if it was not requested or not in the
        /// backup.
        var profileValues: Int?

        var isChange: Bool { database.isChange || files.contains { $0.outcome.isChange } }
    }

    /// Suffix of a configuration file's name for the parts that a restore did not use.
    package static let leftSuffix = ".restored"

    package nonisolated let executor = QueueExecutor(label: "chat.backups")

    let dependencies: Dependencies
    var environment: Environment { dependencies.environment }
    var database: BackupDatabase {
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
        let calendars = dependencies.calendars()
        var sources: [BackupWriter.Source] = []
        for (place, collection) in CollectionPlaces.named(
            try await calendars.collections(), roots: calendars.roots)
        {
            let listed = FilePath.names(in: collection.path) ?? []
            for file in listed.sorted()
            where VDirectory.isItemName(file) || BackupManifest.collectionFiles.contains(file) {
                sources.append(
                    .init(
                        name: BackupManifest.calendars
                            + BackupManifest.encoded("\(place)/\(file)"),
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
            configuration: whole, ownEvents: await ownEvents(calendars, sources),
            app: dependencies.version, now: environment.now())
        let names = Set(result.manifest.files.map(\.name))
        let kept = sources.filter { names.contains($0.name) }
        return Made(
            result: result, calendars: Set(kept.map { FilePath.folder(of: $0.name) }).count,
            calendarFiles: kept.count { $0.name.hasSuffix(".ics") },
            configuration: configuration.map {
                String($0.name.dropFirst(BackupManifest.configuration.count))
            }, leftOut: leftOut)
    }

    /// The UIDs of events created here, sorted, so that the same state makes the same
    /// backup.
    private func ownEvents(
        _ calendars: CalendarStore, _ sources: [BackupWriter.Source]
    ) async -> [String] {
        var own: Set<String> = []
        for source in sources where source.name.hasSuffix(".ics") {
            // Events of an unreadable file are not included.
            guard let file = try? await calendars.file(source.path) else { continue }
            own.formUnion(await calendars.eventsMadeHere(in: [file]).uids)
        }
        return own.sorted()
    }

    /// - Throws: `ProfileError` if it cannot be read.
    private func profile() async throws -> (name: String, bytes: [UInt8], modified: Date)? {
        guard let profile = try await dependencies.profile?.read(), !profile.isBlank else {
            return nil
        }
        return (BackupManifest.profile, profile.json, environment.now())
    }

    /// The configuration and the roles, without possible secrets.
    private func configurationFiles() -> (
        files: [(name: String, bytes: [UInt8], modified: Date)], leftOut: [String]
    ) {
        func named(_ ending: String, in folder: String) -> [String] {
            (FilePath.names(in: dependencies.folder(of: folder) + "/" + folder) ?? []).sorted()
                .filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map { folder + $0 }
        }
        var files: [(name: String, bytes: [UInt8], modified: Date)] = []
        var leftOut: [String] = []
        for name in BackupManifest.configurationFiles
            + named(".md", in: BackupManifest.roles) + named(".json", in: BackupManifest.routines)
        {
            let path = "\(dependencies.folder(of: name))/\(name)"
            // An existing but unreadable file is reported.
            guard let bytes = try? WholeFile.read(path, limit: BackupManifest.limitInBytes) else {
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
                files.append(
                    (
                        BackupManifest.configuration + BackupManifest.encoded(name), kept,
                        BackupWriter.modified(path) ?? environment.now()
                    ))
            }
        }
        return (files, leftOut)
    }

    static func absolute(_ path: String) -> String {
        path.hasPrefix("/") ? path : FilePath.workingFolder() + "/" + path
    }

    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
