import Base
import Foundation
import TestSupport
import XCTest

@testable import CalendarFiles

/// Which folders are collections, how they are called, and what may be
/// written where.
final class CalendarCollectionsTests: XCTestCase {
    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func store(_ folder: CalendarFolder, _ roots: [String]) -> CalendarStore {
        CalendarStore(
            roots: roots.map { folder.path + "/" + $0 }, trash: folder.trash,
            state: folder.state, environment: folder.environment)
    }

    func testRootsAccountsAndLinksAreFoundOnce() async throws {
        let folder = try CalendarFolder()
        let path = folder.path
        for name in [
            "a/office", "a/.hidden", "a/account/home", "a/account/office", "a/empty", "b/office",
            "elsewhere/office", "direct",
        ] { try makeFolder(path + "/" + name) }
        try write("x", path + "/direct/x.ics")
        try write("x", path + "/a/office/x.ics")
        try write("x", path + "/a/notes.txt")
        XCTAssertEqual(symlink(path + "/a/office", path + "/a/zlink"), 0)
        XCTAssertEqual(symlink(path + "/elsewhere/office", path + "/b/linked"), 0)
        XCTAssertEqual(symlink(path + "/nowhere", path + "/b/broken"), 0)
        let store = store(folder, ["a", "b/", "direct", "a", "missing"])
        let collections = try await store.collections()
        XCTAssertEqual(
            collections.map { "\($0.name) \($0.path.dropFirst(path.count))" },
            [
                "home /a/account/home", "account/office /a/account/office", "empty /a/empty",
                "office /a/office", "linked /b/linked", "b/office /b/office", "direct /direct",
            ])
        XCTAssertEqual(Set(collections.map(\.name)).count, collections.count)
        // Each is written to by the name it is shown with.
        for collection in collections {
            let file = try await store.create(
                CalendarUndoTests.todo("x"), uid: "new", in: collection.name,
                step: CalendarUndoTests.step("created"))
            XCTAssertEqual(file.path, collection.path + "/new.ics")
        }
    }

    func testOneCalendarAloneTakesWhatHasNoOtherPlace() async throws {
        let folder = try CalendarFolder()
        try makeFolder(folder.path + "/direct")
        try write("x", folder.path + "/direct/x.ics")
        let file = try await store(folder, ["direct"]).create(
            CalendarUndoTests.todo("x"), uid: "new", in: "reminders",
            step: CalendarUndoTests.step("created"))
        XCTAssertEqual(file.path, folder.path + "/direct/new.ics")
    }

    func testNameAndColorAreRead() async throws {
        let folder = try CalendarFolder()
        try makeFolder(folder.root + "/office")
        try write(" Work\n& more", folder.root + "/office/displayname")
        // As others write it, as Apple does, and what is no color.
        for (text, color) in [
            ("#11AAff", "#11AAff"), ("#AABBCCFF\n", "#AABBCC"), ("red; rm -rf", nil),
        ] {
            try write(text, folder.root + "/office/color")
            let listed = try await folder.store.collections()
            XCTAssertEqual(listed.map(\.displayName), ["Work & more"])
            XCTAssertEqual(listed.map(\.color), [color])
            XCTAssertEqual(listed.map(\.isReadOnly), [false])
        }
        let todo = try CalendarUndoTests.todo("x")
        for name in ["../x", "", ".x", "a/b", "a\u{0}", "a\n"] {
            do {
                _ = try await folder.store.create(
                    todo, uid: "a", in: name, step: CalendarUndoTests.step("created"))
                XCTFail("made \(name)")
            } catch { XCTAssertTrue(error is FileCallError, "\(error)") }
        }
        XCTAssertEqual(try folder.names(folder.root), ["office"])
    }

    /// vdirsyncer's metasync copies the file; without it the name that a server
    /// has made up would win.
    func testACollectionMadeHereGetsItsNameAsMetadata() async throws {
        let folder = try CalendarFolder()
        let store = folder.store
        let todo = try CalendarUndoTests.todo("x")
        let step = CalendarUndoTests.step("created")
        _ = try await store.create(todo, uid: "a", in: "Büro 2", step: step)
        let path = folder.root + "/Büro 2"
        XCTAssertEqual(try folder.names(path), ["a.ics", "displayname"])
        XCTAssertEqual(try folder.bytes(path + "/displayname"), Array("Büro 2".utf8))
        // A collection that was there is left as it is.
        try makeFolder(folder.root + "/theirs")
        _ = try await store.create(todo, uid: "b", in: "theirs", step: step)
        XCTAssertEqual(try folder.names(folder.root + "/theirs"), ["b.ics"])
    }

    func testNoNameOfAnItemLeavesTheCollection() async throws {
        let folder = try CalendarFolder()
        let store = folder.store
        let uids = [
            "../x", "../../etc/x", "/etc/passwd", "a/b", "..", ".", "", ".hidden", "a\u{0}b",
            "x\n", "-rf", "~", "$(id)", "a b", "emoji 🎁", String(repeating: "u", count: 2_048),
            String(repeating: "🎁", count: 64), "CON", "plain-1@host.example", "%2e%2e%2f",
        ]
        XCTAssertEqual(uids.count, 20)
        for uid in uids {
            let file = try await store.create(
                CalendarUndoTests.todo("x", uid: "u"), uid: uid, in: "reminders",
                step: CalendarUndoTests.step("created"))
            XCTAssertEqual(
                file.path.dropFirst(folder.list.count + 1).split(separator: "/").count, 1)
            XCTAssertTrue(file.path.hasPrefix(folder.list + "/"), file.path)
        }
        let names = try folder.items()
        XCTAssertEqual(names.count, 20)
        XCTAssertTrue(names.contains("plain-1@host.example.ics"))
        XCTAssertEqual(try folder.names(folder.path), ["calendars", "state"])
        XCTAssertEqual(try folder.names(folder.root), ["reminders"])
    }

    func testOddEntriesAreNamedOrPassedOverAndNeverWritten() async throws {
        let folder = try CalendarFolder()
        let good = try CalendarFixtures.file("todoman.ics")
        let long = String(repeating: "l", count: 251) + ".ics"
        for name in [
            "good.ics", "🎁 \u{301}.ics", long, ".hidden.ics", "x.tmp", "noextension", ".x.tmp",
            "upper.ICS",
        ] { try folder.put(good, name) }
        try makeFolder(folder.list + "/folder.ics")
        XCTAssertEqual(mkfifo(folder.list + "/fifo.ics", 0o600), 0)
        XCTAssertEqual(symlink("/etc/passwd", folder.list + "/passwd.ics"), 0)
        XCTAssertEqual(symlink("loop.ics", folder.list + "/loop.ics"), 0)
        let files = try await folder.store.files()
        XCTAssertEqual(
            files.files.map { String($0.path.dropFirst(folder.list.count + 1)) },
            ["good.ics", long, "🎁 \u{301}.ics"])
        XCTAssertEqual(
            files.problems.map { "\($0.path.split(separator: "/").last ?? "") \($0.reason)" },
            [
                "fifo.ics it is a folder or a device, not a file",
                "folder.ics it is a folder or a device, not a file",
                "loop.ics it is a link that leads in a circle",
                "passwd.ics it is not a calendar (there is no BEGIN:VCALENDAR line)",
            ])
        for problem in files.problems + [
            .init(path: folder.list + "/../../x.ics", reason: ""),
            .init(path: folder.path + "/state/x.ics", reason: ""), .init(path: "x.ics", reason: ""),
        ] {
            do {
                try await folder.store.delete(
                    problem.path, step: CalendarUndoTests.step("deleted"))
                XCTFail(problem.path)
            } catch {}
        }
        XCTAssertEqual(try folder.items().count, 12)
    }
}
