import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport

@testable import CalendarFiles
@testable import Library
@testable import Texts

/// One installation in a temporary folder, which backups are made of and restored to.
struct BackupHome {
    let path: String
    let dependencies: BackupEngine.Dependencies
    var engine: BackupEngine { BackupEngine(dependencies) }

    /// - Parameter calendars: the folder that the configuration names; its own without.
    init(_ folder: TemporaryFolder, _ name: String, calendars: String? = nil) throws {
        let path = folder.path(name)
        self.path = path
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: false)
        let environment = Environment.system(variables: [:])
        dependencies = BackupEngine.Dependencies(
            database: path + "/chat.db", locks: path + "/state/locks", state: path + "/state",
            configurationFolder: path, dataFolder: path, trash: path + "/trash",
            profile: ProfileFile(path: path + "/profile.json"), version: "0.1.0",
            environment: environment,
            calendars: {
                CalendarStore(
                    roots: [calendars ?? path + "/calendars"], trash: path + "/trash",
                    environment: environment)
            }, review: BackupSettings.review)
    }

    func write(_ text: String, _ name: String, at time: Double = 1_700_000_000) throws {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent,
            withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: file)
    }

    func text(_ name: String) -> String? {
        (try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    func library() -> LibraryStore {
        LibraryStore(path: dependencies.database, environment: dependencies.environment)
    }

    func make(_ file: String) async throws {
        _ = try await engine.make(file, replaces: false, progress: Self.progress)
    }

    /// - Parameter allows: the answer to each question; every question is a no without.
    func take(
        _ file: String, isDryRun: Bool = false, withProfile: Bool = false,
        allows: @escaping @Sendable (RestoredConfiguration.Proposal) -> Bool = { _ in false }
    ) async throws -> BackupEngine.Taken {
        try await engine.take(
            file, isDryRun: isDryRun, isLarge: false, withProfile: withProfile,
            progress: Self.progress
        ) { allows($0) }
    }

    /// Every file but those of SQLite, with its bytes.
    func contents() -> [String: String] {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return names.reduce(into: [:]) { found, name in
            // Names the time and the backup; it has a test of its own.
            if name == "state/latest-restore.json" { return }
            if !name.hasPrefix("chat.db"), let text = text(name) { found[name] = text }
        }
    }

    static var progress: BackupProgress {
        BackupProgress(.none, activity: "", title: "", uptime: { 0 })
    }

    static func event(_ title: String, uid: String = "a", stamp: String = "") -> String {
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:\(uid)\r\nSUMMARY:\(title)\r\n"
            + (stamp.isEmpty ? "" : "LAST-MODIFIED:\(stamp)\r\n")
            + "END:VEVENT\r\nEND:VCALENDAR\r\n"
    }
}

/// Settings as the program has them, but few.
struct BackupSettings: Equatable {
    struct Speech: Equatable {
        var player: String?
        var voice: String?
    }

    var keys: String?
    var web: String?
    var open: [String] = []
    var speech = Speech()

    private static let table = SettingTable<BackupSettings>(
        "an object",
        [
            .init("keys", \.keys, .text, .plain, none: nil),
            .init("web", \.web, .text, .widens(if: { $0 == "on" }), none: nil),
            .init("open", \.open, .folders, .widens),
            .init(
                "speech", \.speech,
                SettingTable<Speech>(
                    "an object",
                    [
                        .init("player", \.player, .text, .widens, none: nil),
                        .init("voice", \.voice, .text, .plain, none: nil),
                    ])),
        ])

    static let review: BackupEngine.Dependencies.Review = {
        bytes throws(ConfigurationError) in
        let value: JSONValue
        do throws(JSONParser.Failure) {
            value = try JSON5.parse(bytes)
        } catch {
            throw ConfigurationError(reason: .syntax(error.reason), file: "config.json")
        }
        var settings = BackupSettings()
        var reader = ConfigurationReader(bytes: bytes, file: "config.json")
        try reader.read(value, [], table, into: &settings)
        if let error = reader.errors.first { throw error }
        return reader.widening
    }
}

/// What a closure is asked, in order.
final class Asked: Sendable {
    private let questions = Mutex<[RestoredConfiguration.Proposal]>([])
    var all: [RestoredConfiguration.Proposal] { questions.withLock { $0 } }
    var names: [String] { all.map(\.name) }
    func note(_ question: RestoredConfiguration.Proposal) {
        questions.withLock { $0.append(question) }
    }
}
