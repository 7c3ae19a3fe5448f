import AgentCore
import Base
import Foundation
import ICalendar
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Planner

/// One machine of a person with several: a folder of calendars, the
/// configuration for it, and vdirsyncer.
final class SyncedSide: Sendable {
    static let program = "/usr/bin/vdirsyncer"

    let folder: CalendarFolder
    private let url: String

    init(_ server: RadicaleServer) throws {
        _ = try TestMachine.find("vdirsyncer", package: "vdirsyncer")
        folder = try CalendarFolder()
        url = server.url
        try FileManager.default.createDirectory(
            atPath: folder.list, withIntermediateDirectories: true)
        // A password manager that knows one password.
        let programs = folder.path + "/bin"
        try FileManager.default.createDirectory(
            atPath: programs, withIntermediateDirectories: true)
        let pass = programs + "/pass"
        try Data("#!/bin/sh\n[ \"$1\" = show ] && echo secret\n".utf8)
            .write(to: URL(fileURLWithPath: pass))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: pass)
        try setUp()
    }

    /// The configuration of the manual's page, with the password's command of this side.
    func setUp(conflicts: String = "null") throws {
        let configuration = """
            [general]
            status_path = "\(folder.path)/state/vdirsyncer"

            [pair chat]
            a = "chat_local"
            b = "chat_server"
            collections = ["from a", "from b"]
            metadata = ["color", "displayname"]
            conflict_resolution = \(conflicts)

            [storage chat_local]
            type = "filesystem"
            path = "\(folder.root)"
            fileext = ".ics"

            [storage chat_server]
            type = "caldav"
            url = "\(url)/"
            username = "ada"
            password.fetch = ["command", "pass", "show", "caldav"]

            """
        for name in ["config", "state"] {
            try FileManager.default.createDirectory(
                atPath: folder.path + "/" + name, withIntermediateDirectories: true)
        }
        try Data(configuration.utf8)
            .write(to: URL(fileURLWithPath: folder.path + "/config/vdirsyncer.conf"))
    }

    /// Runs vdirsyncer and gives what it prints. `discover` asks whether to
    /// create what is missing.
    @discardableResult
    func vdirsyncer(_ words: String..., expecting status: Int32 = 0) throws -> String {
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: Self.program)
        process.arguments = ["-c", folder.path + "/config/vdirsyncer.conf"] + words
        process.environment = [
            "HOME": folder.path, "PATH": folder.path + "/bin:" + TestMachine.path,
            "LC_ALL": "C.UTF-8",
        ]
        let input = Pipe()
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try input.fileHandleForWriting.write(
            contentsOf: Data(String(repeating: "y\n", count: 20).utf8))
        try input.fileHandleForWriting.close()
        let text = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, status, text)
        return text
    }

    // MARK: Our own part

    var store: CalendarStore {
        CalendarStore(
            roots: [folder.root], trash: folder.trash, environment: folder.environment)
    }

    func create(_ text: String, uid: String) async throws {
        _ = try await store.create(
            try CalendarParser.parse(Array(text.utf8)), uid: uid, in: "reminders",
            step: Self.step("created", uid))
    }

    /// Changes the first component of that item.
    func change(_ uid: String, _ edit: @escaping @Sendable (inout Component) -> Void) async throws {
        try await store.change(try await path(uid), step: Self.step("changed", uid)) { content in
            content.editItem(edit)
        }
    }

    func delete(_ uid: String) async throws {
        try await store.delete(try await path(uid), step: Self.step("deleted", uid))
    }

    /// The first component of each item by its UID. The server gives files
    /// names of its own where it likes.
    func items() async throws -> [String: Component] {
        let files = try await store.files()
        XCTAssertEqual(files.problems, [])
        var items: [String: Component] = [:]
        for file in files.files {
            if let item = file.content.firstItem, let uid = item.first("UID")?.value {
                items[uid] = item
            }
        }
        return items
    }

    func path(_ uid: String) async throws -> String {
        let files = try await store.files().files
        return try XCTUnwrap(
            files.first { $0.content.firstItem?.first("UID")?.value == uid }?.path, uid)
    }

    static func step(_ verb: String, _ uid: String) -> CalendarStore.Step {
        CalendarStore.Step(id: UUID().uuidString, verb: verb, title: uid, uid: uid)
    }
}

extension Component {
    /// The first VTODO or VEVENT of a file.
    var firstItem: Component? {
        components("VCALENDAR").first?.components().first {
            $0.name == "VTODO" || $0.name == "VEVENT"
        }
    }

    mutating func editItem(_ edit: (inout Component) -> Void) {
        for (index, item) in items.enumerated() {
            guard case .component(var inner) = item else { continue }
            if inner.name == "VTODO" || inner.name == "VEVENT" {
                edit(&inner)
            } else {
                inner.editItem(edit)
            }
            items[index] = .component(inner)
        }
    }
}
