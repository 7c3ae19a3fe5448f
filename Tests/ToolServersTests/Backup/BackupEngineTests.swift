import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import CalendarFiles
@testable import Library
@testable import Texts

/// Whole backups of a home in a temporary folder, and what is left of a restore
/// that fails or is cut.
final class BackupEngineTests: XCTestCase {
    private func used(_ folder: TemporaryFolder) async throws -> BackupHome {
        let home = try BackupHome(folder, "old")
        let library = home.library()
        _ = try await library.add([ItemDraft(kind: .idea, title: "a boat", body: "that folds")])
        await library.close()
        try home.write(BackupHome.event("dentist"), "calendars/office/a.ics")
        try home.write(BackupHome.event("lunch", uid: "b"), "calendars/account/home/b\\c 100%.ics")
        try home.write("Office", "calendars/office/displayname")
        try home.write("notes of others", "calendars/office/readme.txt")
        try home.write("{ \"keys\": \"vi\" }", "config.json")
        try home.write("Be terse.", "roles/terse.md")
        try home.write("chatgpt\n", "words")
        try home.write("{ \"prompt\": \"One idea\" }", "ideas.json")
        try home.write("{\"openai\": \"secret-key\"}", "keys.json")
        try home.write("typed before", "state/history")
        return home
    }

    func testCalendarsComeBackByteForByteAndKeysAndStateDoNotGo() async throws {
        let folder = try TemporaryFolder()
        let old = try await used(folder)
        try await old.make(folder.path("b.zip"))
        let reader = try ZipReader(ArchiveSource(try OpenFile(folder.path("b.zip"))))
        XCTAssertEqual(
            reader.members.map(\.name),
            [
                "chat.db", "calendars/account/home/b%5Cc 100%25.ics", "calendars/office/a.ics",
                "calendars/office/displayname", "configuration/config.json",
                "configuration/words", "configuration/ideas.json", "configuration/roles/terse.md",
                "manifest.json",
            ])
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path("b.zip"))
        XCTAssertEqual(facts[.posixPermissions] as? Int, 0o600)

        let new = try BackupHome(folder, "new")
        let taken = try await new.take(folder.path("b.zip")) { _ in true }
        XCTAssertTrue(taken.files.allSatisfy { $0.outcome == .new })
        var expected = old.contents()
        for name in ["keys.json", "state/history", "calendars/office/readme.txt"] {
            XCTAssertNotNil(expected.removeValue(forKey: name))
        }
        expected["state/backup.lock"] = ""
        XCTAssertEqual(new.contents(), expected)
        let library = new.library()
        let items = try await library.items()
        XCTAssertEqual(items.map(\.title), ["a boat"])
        await library.close()
        let done = new.text("state/latest-restore.json")
        let again = try await new.take(folder.path("b.zip"))
        XCTAssertFalse(again.isChange)
        XCTAssertEqual(new.contents(), expected)
        XCTAssertEqual(new.text("state/latest-restore.json"), done)
    }

    func testARestoreIsAStepThatCannotBeUndone() async throws {
        let folder = try TemporaryFolder()
        try await used(folder).make(folder.path("b.zip"))
        let new = try BackupHome(folder, "new")
        let log = RestoreLog(state: new.path + "/state")
        let before = await log.history(undone: false, limit: 10)
        XCTAssertEqual(before, [])
        _ = try await new.take(folder.path("b.zip"))
        let steps = await log.history(undone: false, limit: 10)
        XCTAssertEqual(steps.map(\.title), ["b.zip"])
        XCTAssertEqual(steps.map(\.verb), ["restored"])
        do {
            let entries = try await UndoHistory([log]).entries(undone: false, limit: 1)
            try await UndoHistory([log]).undo(try XCTUnwrap(entries.first))
            XCTFail("it was undone")
        } catch {
            XCTAssertEqual(error as? RestoreNotUndone, RestoreNotUndone(backup: "b.zip"))
        }
    }

    func testADryRunWritesNothing() async throws {
        let folder = try TemporaryFolder()
        try await used(folder).make(folder.path("b.zip"))
        let new = try BackupHome(folder, "new")
        let taken = try await new.take(folder.path("b.zip"), isDryRun: true)
        XCTAssertTrue(taken.isChange)
        XCTAssertEqual(new.contents(), ["state/backup.lock": ""])
        XCTAssertNil(new.text("chat.db"))
    }

    func testNewerCalendarFilesStayAndOlderOnesGoToTheTrash() async throws {
        let folder = try TemporaryFolder()
        let old = try await used(folder)
        try old.write(
            BackupHome.event("in the backup", uid: "n", stamp: "20260102T000000Z"),
            "calendars/office/n.ics")
        try await old.make(folder.path("b.zip"))
        let new = try BackupHome(folder, "new")
        try new.write(BackupHome.event("newer here"), "calendars/office/a.ics", at: 1_800_000_000)
        let older = BackupHome.event("older here", uid: "n", stamp: "20260101T000000Z")
        // Another program has given it another name.
        try new.write(older, "calendars/office/other.ics", at: 1_800_000_000)
        try new.write("Mine", "calendars/office/displayname", at: 1)
        try new.write("{ \"keys\": \"emacs\" }", "config.json", at: 1)
        let taken = try await new.take(folder.path("b.zip"))
        XCTAssertEqual(new.text("calendars/office/a.ics"), BackupHome.event("newer here"))
        XCTAssertEqual(
            new.text("calendars/office/other.ics"),
            BackupHome.event("in the backup", uid: "n", stamp: "20260102T000000Z"))
        XCTAssertNil(new.text("calendars/office/n.ics"))
        XCTAssertEqual(new.text("calendars/office/displayname"), "Mine")
        XCTAssertEqual(new.text("config.json"), "{ \"keys\": \"emacs\" }")
        XCTAssertEqual(
            taken.files.filter { $0.outcome == .kept }.map(\.label),
            ["office/a.ics", "office/displayname", "config.json"])
        XCTAssertEqual(
            taken.files.filter { $0.outcome == .updated }.map(\.title), ["in the backup"])
        let trash = new.contents().filter { $0.key.hasPrefix("trash/") && $0.key.hasSuffix(".ics") }
        XCTAssertEqual(Array(trash.values), [older])
    }

    func testAFailureInTheMiddleTakesBackFilesAndDatabase() async throws {
        let folder = try TemporaryFolder()
        let old = try await used(folder)
        try await old.make(folder.path("b.zip"))
        let new = try BackupHome(folder, "new")
        let library = new.library()
        _ = try await library.add([ItemDraft(kind: .idea, title: "mine", body: "m")])
        await library.close()
        // The folder of roles cannot be made: there is a file.
        try new.write("in the way", "roles")
        let before = new.contents()
        do {
            _ = try await new.take(folder.path("b.zip"))
            XCTFail("it was restored")
        } catch let error as BackupError {
            XCTAssertEqual(error.reason, .system(ENOTDIR))
        }
        var after = new.contents()
        after["state/backup.lock"] = nil
        XCTAssertEqual(after, before)
        let again = new.library()
        let items = try await again.items()
        XCTAssertEqual(items.map(\.title), ["mine"])
        await again.close()
    }

    func testAFileThatChangesAtTheLastMomentEndsAllOfIt() async throws {
        let folder = try TemporaryFolder()
        let home = try BackupHome(folder, "home")
        try home.write("old", "calendars/a/1.ics")
        try home.write("new", "staged")
        func entry(_ name: String, before: String?) -> FileMerge.Entry {
            FileMerge.Entry(
                kind: .calendar, label: name, title: name, target: home.path + "/" + name,
                staged: home.path + "/staged", modified: Date(timeIntervalSince1970: 5),
                outcome: before == nil ? .new : .updated, before: before.map { Array($0.utf8) })
        }
        let changes = FileChanges(
            path: "b.zip", trash: Trash(path: home.path + "/trash", now: { Date() }))
        try changes.prepare(
            [
                entry("calendars/b/2.ics", before: nil),
                entry("calendars/a/1.ics", before: "looked at"),
            ], uuid: { UUID().uuidString })
        XCTAssertThrowsError(try changes.apply()) {
            XCTAssertEqual(
                ($0 as? BackupError)?.reason, .changedMeanwhile("calendars/a/1.ics"))
        }
        changes.undo()
        XCTAssertEqual(home.contents(), ["calendars/a/1.ics": "old", "staged": "new"])
        XCTAssertFalse(FileManager.default.fileExists(atPath: home.path + "/calendars/b"))
    }

    func testWhatTakesThePlaceOfAFileMeanwhileIsNotLostWhereItCannotBeRead() throws {
        let folder = try TemporaryFolder()
        let home = try BackupHome(folder, "home")
        try home.write("old", "calendars/a/1.ics")
        try home.write("new", "staged")
        let target = home.path + "/calendars/a/1.ics"
        let changes = FileChanges(
            path: "b.zip", trash: Trash(path: home.path + "/trash", now: { Date() }))
        try changes.prepare(
            [
                FileMerge.Entry(
                    kind: .calendar, label: "1", title: "1", target: target,
                    staged: home.path + "/staged", modified: Date(timeIntervalSince1970: 5),
                    outcome: .updated, before: Array("old".utf8))
            ], uuid: { UUID().uuidString })
        try FileManager.default.removeItem(atPath: target)
        try FileManager.default.createSymbolicLink(
            atPath: target, withDestinationPath: "/nowhere/at/all")
        XCTAssertThrowsError(try changes.apply())
        changes.undo()
        XCTAssertEqual(
            try FileManager.default.destinationOfSymbolicLink(atPath: target), "/nowhere/at/all")
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: home.path + "/calendars/a"),
            ["1.ics"])
    }

    /// A kill behind the point from which it is done again.
    func testARestoreThatWasCutIsCompletedAtTheNextStart() async throws {
        let folder = try TemporaryFolder()
        let old = try await used(folder)
        try await old.make(folder.path("b.zip"))
        let whole = try BackupHome(folder, "whole")
        _ = try await whole.take(folder.path("b.zip")) { _ in true }

        let new = try BackupHome(folder, "new")
        let state = try BackupFolder(state: new.dependencies.state, id: "x", for: "b.zip")
        let reader = try BackupReader(folder.path("b.zip"), isLarge: false)
        let unpacked = try reader.unpack(into: state.path) { _ in }
        var merge = FileMerge(
            collections: [], roots: [new.path + "/calendars"],
            folderOfConfiguration: { _ in new.path })
        let entries = try merge.entries(unpacked)
        try await new.engine.note(entries, unpacked.database, in: state.path, "b.zip")
        let ready = try state.makeReady()
        state.close()
        // One file had its place already.
        let first = try XCTUnwrap(entries.first { $0.label == "office/a.ics" })
        try new.write("", "calendars/office/.chat-restore-1.tmp")
        try FileManager.default.copyItem(
            atPath: ready + "/" + (first.staged as NSString).lastPathComponent,
            toPath: first.target)

        // Where it cannot be completed it stays to be done.
        try new.write("in the way", "roles")
        do {
            _ = try await new.engine.finishInterrupted()
            XCTFail("it was completed")
        } catch let error as BackupError { XCTAssertEqual(error.reason, .system(ENOTDIR)) }
        XCTAssertTrue(BackupEngine.isInterrupted(state: new.dependencies.state))
        try FileManager.default.removeItem(atPath: new.path + "/roles")
        let path = try await new.engine.finishInterrupted()
        XCTAssertEqual(path, "b.zip")
        XCTAssertFalse(BackupEngine.isInterrupted(state: new.dependencies.state))
        XCTAssertEqual(new.contents(), whole.contents())
        let library = new.library()
        let items = try await library.items()
        XCTAssertEqual(items.map(\.title), ["a boat"])
        await library.close()
    }

    func testWhatCannotBeReadOfAnInterruptedRestoreIsNamedAndKept() async throws {
        let folder = try TemporaryFolder()
        let cases: [(file: String, text: String, reason: BackupError.Reason)] = [
            ("note.json/x", "", .system(EINVAL)), ("note.json", "{", .damagedNote),
            ("note.json", #"{"path":"b.zip","files":[{"staged":"0"}]}"#, .damagedNote),
        ]
        for (index, (file, text, reason)) in cases.enumerated() {
            let new = try BackupHome(folder, "new\(index)")
            try new.write(text, "state/\(BackupFolder.ready)/\(file)")
            do {
                _ = try await new.engine.finishInterrupted()
                XCTFail("\(file): it was completed")
            } catch let error as BackupError { XCTAssertEqual(error.reason, reason) }
            XCTAssertTrue(BackupEngine.isInterrupted(state: new.dependencies.state))
            XCTAssertEqual(new.text("state/\(BackupFolder.ready)/\(file)"), text)
        }
        let (here, nothing) = (folder.path("new0"), folder.path("nothing"))
        try folder.write(Array("BEGIN:VCALENDAR".utf8), to: "a.ics")
        for (target, staged) in [(nothing, here), (here, folder.path("a.ics"))] {
            XCTAssertThrowsError(
                try FileMerge.again(target: target, staged: staged, modified: Date()))
        }
        XCTAssertNil(try FileMerge.again(target: here, staged: nothing, modified: Date()))
    }

    /// And before it: nothing has happened, and what was unpacked goes.
    func testARestoreThatWasCutEarlyLeavesNothing() async throws {
        let folder = try TemporaryFolder()
        try await used(folder).make(folder.path("b.zip"))
        let new = try BackupHome(folder, "new")
        try new.write("half", "state/restore-old/0")
        XCTAssertFalse(BackupEngine.isInterrupted(state: new.dependencies.state))
        _ = try await new.take(folder.path("b.zip"), isDryRun: true)
        XCTAssertEqual(new.contents(), ["state/backup.lock": ""])
    }

    func testDamagedForeignAndNewerBackupsChangeNothing() async throws {
        let folder = try TemporaryFolder()
        try await used(folder).make(folder.path("b.zip"))
        let good = try folder.read("b.zip")
        let source = try ZipReader(ArchiveSource(good))
        func changed(_ change: (String, [UInt8]) -> [UInt8]?) throws -> [UInt8] {
            try ZipWriter.bytes { writer in
                for member in source.members {
                    if let bytes = change(member.name, try source.bytes(of: member)) {
                        try writer.add(member.name, bytes)
                    }
                }
            }
        }
        let ics = "calendars/office/a.ics"
        let cases: [(BackupError.Reason, [UInt8])] = [
            (.notABackup, Array("plain text".utf8)), (.notABackup, ZipWriter.bytes { _ in }),
            (.archive(ArchiveError(.truncated)), Array(good[..<(good.count / 2)])),
            (.missingFile(ics), try changed { $0 == ics ? nil : $1 }),
            (.wrongFile(ics), try changed { $0 == ics ? $1.reversed() : $1 }),
            (.wrongFile(ics), try changed { $0 == ics ? [1] : $1 }),
            (
                .newerBackup,
                try changed { name, bytes in
                    guard name == BackupManifest.name else { return bytes }
                    return Array("{\"format\":\"chat backup\",\"schema\":9}".utf8)
                }
            ),
        ]
        for (index, (reason, bytes)) in cases.enumerated() {
            try folder.write(bytes, to: "bad.zip")
            let new = try BackupHome(folder, "new\(index)")
            do {
                _ = try await new.take(folder.path("bad.zip"))
                XCTFail("\(index): it was restored")
            } catch let error as BackupError {
                XCTAssertEqual(error.reason, reason)
                XCTAssertEqual(error.diagnostic.exit, .failure)
            }
            XCTAssertNil(new.text("chat.db"))
            XCTAssertEqual(new.contents().filter { $0.key != "state/backup.lock" }, [:])
        }
    }

    func testABackupIsNeverWrittenOverAnotherFile() async throws {
        let folder = try TemporaryFolder()
        let home = try await used(folder)
        try folder.write(Array("mine".utf8), to: "b.zip")
        do {
            try await home.make(folder.path("b.zip"))
            XCTFail("it was replaced")
        } catch let error as BackupError { XCTAssertEqual(error.reason, .exists) }
        XCTAssertEqual(try folder.read("b.zip"), Array("mine".utf8))
        _ = try await home.engine.make(
            folder.path("b.zip"), replaces: true, progress: BackupHome.progress)
        XCTAssertGreaterThan(try folder.read("b.zip").count, 1_000)
        let beside = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        XCTAssertEqual(beside.sorted(), ["b.zip", "old"])
    }

    func testOnlyOneProcessAtATimeRestores() async throws {
        let folder = try TemporaryFolder()
        let home = try await used(folder)
        let other = try BackupFolder(state: home.dependencies.state, id: "x", for: "b.zip")
        do {
            try await home.make(folder.path("b.zip"))
            XCTFail("it was made")
        } catch let error as BackupError { XCTAssertEqual(error.reason, .busy) }
        other.close()
        try await home.make(folder.path("b.zip"))
    }

    func testProgressIsShownAfterHalfASecond() {
        let shown = Shown()
        let clock = Shown()
        let progress = BackupProgress(
            Emitter { shown.note($0.fraction ?? -1) }, activity: "Backing up", title: "b.zip",
            uptime: { clock.last ?? 0 })
        progress.start(200)
        progress.reached(20)
        clock.note(0.6)
        progress.reached(100)
        progress.reached(100)
        progress.reached(200)
        XCTAssertEqual(shown.all, [0.5, 1])
    }
}

/// Numbers that a closure notes.
private final class Shown: Sendable {
    private let numbers = Mutex<[Double]>([])
    var all: [Double] { numbers.withLock { $0 } }
    var last: Double? { all.last }
    func note(_ value: Double) { numbers.withLock { $0.append(value) } }
}
