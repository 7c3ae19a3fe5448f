import AgentCore
import Base
import FoundationEssentials
import Glibc
import Library
import Persistence

/// `chat backup` and `chat restore`: their arguments and output. `BackupEngine`
/// makes and restores backups.
package struct BackupCommand: Sendable {
    package static let backupNoun = "backup"
    package static let restoreNoun = "restore"

    private let engine: BackupEngine
    private let environment: Environment
    private let columns: Int
    private let profile: String?

    /// - Parameter columns: width of the window.
    package init(_ dependencies: BackupEngine.Dependencies, columns: Int = 80) {
        self.columns = columns
        engine = BackupEngine(dependencies)
        environment = dependencies.environment
        profile = dependencies.profile?.path
    }

    package var commands: [Command] { [backup, restore] }

    /// An instance with an open conversation would not notice what a restore
    /// adds, so only backups can be made at the prompt.
    private var backup: Command {
        Command(
            name: Self.backupNoun, summary: "everything you keep, in one file",
            takesWordsWithoutVerb: true,
            verbs: [
                Verb(
                    "make",
                    "put conversations, library, calendars and configuration into FILE; no keys",
                    [.init("FILE", "a new file; else chat-DATE.zip here", .file, isOptional: true)],
                    options: [
                        .init("--force", "replace FILE if it exists"),
                        .init("--with-profile", "your profile, too: names, addresses, phones"),
                    ],
                    json: "path bytes conversations items calendars calendarFiles configuration "
                        + "leftOut skipped",
                    example: "chat-backup.zip"
                ) { try await make($0) }
            ])
    }

    private var restore: Command {
        Command(
            name: Self.restoreNoun,
            summary: "merge a backup into what is here; nothing newer is replaced",
            takesWordsWithoutVerb: true,
            verbs: [
                Verb(
                    "take", "merge a backup into what is here, all of it or nothing",
                    [.init("FILE", "a backup", .file)],
                    options: [
                        .init("--dry-run", "show what would change, and change nothing"),
                        .init("--large", "also one that unpacks to more than 1 GB"),
                        .init("--with-profile", "the profile that is in it, too"),
                    ],
                    json: "kind id title outcome target",
                    example: "chat-backup.zip --dry-run"
                ) { try await take($0) }
            ]
        ).with(\.isShellOnly)
    }

    // MARK: - backup

    /// `chat-2026-11-27.zip` in the working folder; with a number if that exists.
    private func freeName() -> String {
        let day = "chat-" + LocalTime().isoText(environment.now()).prefix(10)
        let names = ["\(day).zip"] + (2...99).map { "\(day)-\($0).zip" }
        return names.first { access($0, F_OK) != 0 } ?? names[0]
    }

    private func make(_ arguments: CommandArguments) async throws -> CommandOutput {
        let path = arguments.plain.first ?? freeName()
        let progress = BackupProgress(
            arguments.interaction.emit, activity: "Backing up", title: FilePath.name(path),
            uptime: environment.uptime)
        let made = try await engine.make(
            path, replaces: arguments.has("--force"), withProfile: arguments.has("--with-profile"),
            progress: progress)
        let contents = made.result.manifest.contents
        let parts = [
            Quantities.count(contents?.conversations ?? 0, "conversation"),
            Quantities.count(contents?.items ?? 0, "library item"),
            Quantities.count(made.calendarFiles, "calendar entry", plural: "calendar entries"),
        ]
        var output = CommandOutput(
            lines: [
                StyledLine([
                    .init("✓ ", .success), .init(path),
                    .init(", " + Quantities.bytes(made.result.size), .success),
                ]),
                StyledLine("  " + parts.joined(separator: " · "), .dim),
                // Not styled as a hint: at the prompt hints become slash commands, and
                // `restore` has none.
                StyledLine("  keys are not in it · chat restore \(FilePath.name(path))", .dim),
            ])
        output.json = [
            "path": .string(path), "bytes": JSONValue(made.result.size),
            "conversations": JSONValue(contents?.conversations ?? 0),
            "items": JSONValue(contents?.items ?? 0), "calendars": JSONValue(made.calendars),
            "calendarFiles": JSONValue(made.calendarFiles),
            "configuration": .array(made.configuration.map { .string($0) }),
            "leftOut": .array(made.leftOut.map { .string($0) }),
            "skipped": .array(made.result.skipped.map { .string($0.name) }),
        ]
        if !made.leftOut.isEmpty {
            output.notices.append(
                "Left out of the configuration because it may be a secret: "
                    + made.leftOut.joined(separator: ", ") + ".")
        }
        for (name, reason) in made.result.skipped.prefix(5) {
            output.notices.append("Left out: \(name) (\(reason)).")
        }
        if made.result.skipped.count > 5 {
            output.notices.append("… and \(made.result.skipped.count - 5) more.")
        }
        let total = made.result.manifest.files.reduce(0) { $0 + $1.size }
        let limit = ZipReader.Limits().total
        if total > limit {
            output.notices.append(
                "It unpacks to more than \(Quantities.bytes(limit)): restore it with --large.")
        }
        if !made.result.skipped.isEmpty { output.outcome = .degraded }
        return output
    }

    // MARK: - restore

    private func take(_ arguments: CommandArguments) async throws -> CommandOutput {
        let path = arguments.plain[0]
        let isDryRun = arguments.has("--dry-run")
        let progress = BackupProgress(
            arguments.interaction.emit, activity: isDryRun ? "Comparing" : "Restoring",
            title: FilePath.name(path), uptime: environment.uptime)
        let interaction = arguments.interaction
        // Confirming everything in advance does not cover text that the user has not read.
        let isAsking = !arguments.isConfirmed
        let taken = try await engine.take(
            path, isDryRun: isDryRun, isLarge: arguments.has("--large"),
            withProfile: arguments.has("--with-profile"), progress: progress
        ) { proposal in
            guard isAsking else { return false }
            await interaction.show(proposal.lines)
            return await interaction.confirm(nil, proposal.question)
        }
        var output = RestoreReport(
            taken: taken, path: path, isDryRun: isDryRun, columns: columns
        ).output
        if let count = taken.profileValues {
            let what = Quantities.count(count, "value")
            output.remarks.append(
                StyledLine(
                    "\(profile ?? "profile"): \(what) \(isDryRun ? "would be added" : "added")",
                    .dim))
        } else if arguments.has("--with-profile") {
            output.remarks.append(StyledLine("There is no profile in it.", .dim))
        }
        return output
    }
}
