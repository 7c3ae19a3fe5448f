import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import DateLanguage
@testable import Planner

/// A temporary folder with calendars and a trash in it, gone with the test.
final class CalendarFolder: Sendable {
    let path: String
    var root: String { path + "/calendars" }
    var trash: String { path + "/trash" }
    var list: String { root + "/reminders" }

    /// `inMemory` is for tests of many thousand writes, which need no disk
    /// behind the file system.
    init(inMemory: Bool = false) throws {
        let parent =
            inMemory && access("/dev/shm", W_OK) == 0
            ? "/dev/shm" : FileManager.default.temporaryDirectory.path
        path = parent + "/chat-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The same moment for every test: Sat 21 Nov 2026, 12:00 UTC.
    static let now = Date(timeIntervalSince1970: 1_795_262_400)

    var environment: Environment {
        Environment(
            now: { Self.now }, uptime: { 0 }, sleep: { _ in },
            uuid: { UUID().uuidString.lowercased() }, random: { 0.5 }, variables: [:])
    }

    static let zones = TimeZoneDatabase()

    /// Berlin, where that moment is 13:00.
    static func context(
        now: Date = CalendarFolder.now, zone: String = "Europe/Berlin"
    ) -> DateContext {
        DateContext(
            now: now, local: LocalTime(zones.rules(named: zone) ?? .utc), zones: zones)
    }

    var server: RemindersServer { server() }

    /// `phrases` are what the date language is taken to say; any other phrase
    /// is a title.
    func server(
        now: Date = CalendarFolder.now, zone: String = "Europe/Berlin",
        phrases: [String: ParsedPhrase] = [:],
        lastMentioned: @escaping @Sendable () async -> String? = { nil }
    ) -> RemindersServer {
        RemindersServer(
            store: CalendarStore(
                roots: [root], trash: trash, state: state, environment: environment),
            context: { Self.context(now: now, zone: zone) }, environment: environment,
            parse: { phrase, context in phrases[phrase] ?? DateParser(context).parse(phrase) },
            referent: RecentReferent {
                await lastMentioned().map { ($0, now) }
            })
    }

    var state: String { path + "/state" }

    /// Another one each time, as a later launch has.
    var store: CalendarStore {
        CalendarStore(roots: [root], trash: trash, state: state, environment: environment)
    }

    func directory(_ name: String = "reminders") -> VDirectory {
        VDirectory(
            path: root + "/" + name, trash: Trash(path: trash, now: { Self.now }),
            uuid: environment.uuid)
    }

    func put(_ bytes: [UInt8], _ name: String, list: String = "reminders") throws {
        let folder = root + "/" + list
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Names in a folder, hidden ones too.
    func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    /// What is in the list, without its name.
    func items() throws -> [String] { try names(list).filter { $0 != "displayname" } }
}

extension Trash {
    /// What is here, the newest first.
    func entries() throws -> [Entry] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".json") }
            .compactMap { entry(String($0.dropLast(5)))?.entry }
            .sorted { ($0.deleted, $0.id) > ($1.deleted, $1.id) }
    }
}
