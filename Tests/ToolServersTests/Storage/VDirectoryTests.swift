import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import CalendarFiles

/// The rules of vdir, against a real folder.
final class VDirectoryTests: XCTestCase {
    /// All items, and the names that are no readable file with the reason.
    private func items(
        _ directory: VDirectory
    ) throws -> (items: [VDirectory.Item], problems: [FileCallError]) {
        var (items, problems) = ([VDirectory.Item](), [FileCallError]())
        for name in try directory.names() {
            do throws(FileCallError) {
                items.append(try directory.item(name))
            } catch {
                if error.reason != .notFound { problems.append(error) }
            }
        }
        return (items, problems)
    }

    private func assert(
        _ reason: FileCallError.Reason, _ path: String, line: UInt = #line,
        _ body: () throws -> Void
    ) {
        XCTAssertThrowsError(try body(), line: line) {
            let error = $0 as? FileCallError
            XCTAssertEqual(error?.reason, reason, line: line)
            XCTAssertEqual(error?.path, path, line: line)
        }
    }

    private func mode(_ path: String) throws -> Int {
        var status = stat()
        XCTAssertEqual(lstat(path, &status), 0)
        return Int(status.st_mode & 0o777)
    }

    func testNewItemIsPrivateAndLeavesNothingElse() throws {
        let folder = try CalendarFolder()
        let directory = folder.directory()
        XCTAssertEqual(try directory.names(), [])
        XCTAssertFalse(FileManager.default.fileExists(atPath: folder.root))
        let name = try directory.create([1, 2, 3], uid: "a-b")
        XCTAssertEqual(name, "a-b.ics")
        XCTAssertEqual(try folder.names(folder.list), ["a-b.ics"])
        XCTAssertEqual(try folder.bytes(folder.list + "/a-b.ics"), [1, 2, 3])
        XCTAssertEqual(try mode(folder.list + "/a-b.ics"), 0o600)
        XCTAssertEqual(try mode(folder.list), 0o700)
        XCTAssertEqual(try mode(folder.root), 0o700)
        assert(.exists, directory.full(name)) { _ = try directory.create([4], uid: "a-b") }
        XCTAssertEqual(try folder.bytes(folder.list + "/a-b.ics"), [1, 2, 3])
        XCTAssertEqual(try folder.names(folder.list), ["a-b.ics"])
    }

    func testWhatIsNoItemIsNotListed() throws {
        let folder = try CalendarFolder()
        for name in [
            "good.ics", ".hidden.ics", ".x.tmp", "new.tmp", "color", "displayname", "x.ICS",
            "x.ics~", "emoji 🎁.ics",
        ] { try folder.put([1], name) }
        XCTAssertEqual(try folder.directory().names(), ["emoji 🎁.ics", "good.ics"])
    }

    func testFoldersFifosAndBrokenLinksAreProblemsAndNeverWaitedFor() throws {
        let folder = try CalendarFolder()
        try folder.put([1], "good.ics")
        XCTAssertEqual(mkdir(folder.list + "/folder.ics", 0o700), 0)
        XCTAssertEqual(mkfifo(folder.list + "/fifo.ics", 0o600), 0)
        XCTAssertEqual(symlink("/nowhere/at/all", folder.list + "/broken.ics"), 0)
        XCTAssertEqual(symlink("loop.ics", folder.list + "/loop.ics"), 0)
        XCTAssertEqual(symlink("/dev/zero", folder.list + "/zero.ics"), 0)
        let large = folder.list + "/large.ics"
        XCTAssertTrue(FileManager.default.createFile(atPath: large, contents: nil))
        XCTAssertEqual(truncate(large, off_t(VDirectory.byteLimit + 1)), 0)
        let (items, problems) = try items(folder.directory())
        XCTAssertEqual(items.map(\.name), ["good.ics"])
        XCTAssertEqual(
            problems.map { "\($0.path.split(separator: "/").last ?? ""): \($0.reason)" },
            [
                "fifo.ics: notRegular", "folder.ics: notRegular", "large.ics: tooLarge",
                "loop.ics: symbolicLink", "zero.ics: notRegular",
            ])
    }

    func testLinksAreNeverWrittenThrough() throws {
        let folder = try CalendarFolder()
        let victim = folder.path + "/victim"
        try Data([7]).write(to: URL(fileURLWithPath: victim))
        try folder.put([1], "good.ics")
        XCTAssertEqual(symlink(victim, folder.list + "/link.ics"), 0)
        let directory = folder.directory()
        let item = try directory.item("link.ics")
        XCTAssertEqual(item.bytes, [7])
        assert(.symbolicLink, directory.full("link.ics")) {
            try directory.update("link.ics", to: [9], expecting: item.etag)
        }
        assert(.symbolicLink, directory.full("link.ics")) {
            _ = try directory.delete("link.ics", expecting: item.etag)
        }
        assert(.exists, directory.full("link.ics")) { _ = try directory.create([9], uid: "link") }
        XCTAssertEqual(try folder.bytes(victim), [7])
        XCTAssertEqual(try folder.names(folder.list), ["good.ics", "link.ics"])
    }

    func testNamesThatLeaveTheFolderAreRefused() throws {
        let folder = try CalendarFolder()
        try folder.put([1], "good.ics")
        let directory = folder.directory()
        let etag = try directory.item("good.ics").etag
        let names = [
            "../x", "/etc/x", "..", ".", "", ".hidden", "a/b", "a\u{0}b", "~/../../x",
            String(repeating: "a", count: 4096),
        ]
        for uid in names {
            let path = directory.full(uid + ".ics")
            assert(.invalidName, path) { _ = try directory.create([1], uid: uid) }
            assert(.invalidName, path) { _ = try directory.item(uid + ".ics") }
            assert(.invalidName, path) {
                try directory.update(uid + ".ics", to: [], expecting: etag)
            }
            assert(.invalidName, path) { _ = try directory.delete(uid + ".ics", expecting: etag) }
        }
        XCTAssertEqual(try folder.names(folder.path), ["calendars"])
        XCTAssertEqual(try folder.names(folder.list), ["good.ics"])
    }

    func testUpdateKeepsTheNameAndTellsOfEveryForeignChange() throws {
        let folder = try CalendarFolder()
        try folder.put([1, 2], "Name of old.ics")
        let directory = folder.directory()
        let item = try directory.item("Name of old.ics")
        try directory.update(item.name, to: [3, 4, 5], expecting: item.etag)
        XCTAssertEqual(try folder.names(folder.list), ["Name of old.ics"])
        let changed = try directory.item(item.name)
        XCTAssertEqual(changed.bytes, [3, 4, 5])
        // The state read first is no longer there.
        assert(.conflict, directory.full(item.name)) {
            try directory.update(item.name, to: [9], expecting: item.etag)
        }
        assert(.conflict, directory.full(item.name)) {
            _ = try directory.delete(item.name, expecting: item.etag)
        }
        // An edit in place, of another size.
        try Data([6]).write(to: URL(fileURLWithPath: directory.full(item.name)))
        assert(.conflict, directory.full(item.name)) {
            try directory.update(item.name, to: [9], expecting: changed.etag)
        }
        // A replacement by the same bytes is another file all the same.
        let again = try directory.item(item.name)
        try Data([6]).write(
            to: URL(fileURLWithPath: directory.full(item.name)), options: .atomic)
        assert(.conflict, directory.full(item.name)) {
            try directory.update(item.name, to: [9], expecting: again.etag)
        }
        XCTAssertEqual(unlink(directory.full(item.name)), 0)
        assert(.notFound, directory.full(item.name)) {
            try directory.update(item.name, to: [9], expecting: again.etag)
        }
        XCTAssertEqual(try folder.names(folder.list), [])
    }

    /// Two writers of ours and one that knows nothing of our lock change one
    /// file at the same time; a change that was acknowledged is never lost.
    func testNoAcknowledgedChangeIsLostAndNoReaderSeesAHalf() throws {
        let folder = try CalendarFolder(inMemory: true)
        try folder.put([0], "x.ics")
        let conflicts = Atomic(0)
        let torn = Atomic(0)
        let isOver = Atomic(false)
        let group = DispatchGroup()
        for writer in 1...3 {
            DispatchQueue(label: "writer \(writer)").async(group: group) {
                let directory = folder.directory()
                var done = 0
                while done < 150 {
                    guard let item = try? directory.item("x.ics") else { continue }
                    do {
                        try directory.update(
                            "x.ics", to: item.bytes + [UInt8(writer)], expecting: item.etag)
                        done += 1
                    } catch {
                        conflicts.add(1, ordering: .relaxed)
                    }
                }
            }
        }
        let reader = DispatchGroup()
        DispatchQueue(label: "reader").async(group: reader) {
            while !isOver.load(ordering: .relaxed) {
                let bytes = try? folder.bytes(folder.list + "/x.ics")
                if bytes?.first != 0 { torn.add(1, ordering: .relaxed) }
            }
        }
        group.wait()
        isOver.store(true, ordering: .relaxed)
        reader.wait()
        let bytes = try folder.bytes(folder.list + "/x.ics")
        for writer in 1...3 {
            XCTAssertEqual(bytes.filter { $0 == UInt8(writer) }.count, 150)
        }
        XCTAssertEqual(torn.load(ordering: .relaxed), 0)
        XCTAssertEqual(try folder.names(folder.list), ["x.ics"])
    }

    /// A program that knows nothing of our lock replaces the file once while
    /// we update it, each round at another moment between our reading and our
    /// rename. Whoever comes first, its file is there in the end: either we
    /// came first, or we noticed.
    func testForeignReplacementIsNeverOverwrittenUnread() throws {
        let folder = try CalendarFolder(inMemory: true)
        try folder.put([0, 0, 0], "x.ics")
        let directory = folder.directory()
        var random = SplitMix(seed: 14)
        for round in 1...1000 {
            let mark = [UInt8(round / 256), UInt8(round % 256), 1]
            let temporary = folder.path + "/foreign"
            try Data(mark).write(to: URL(fileURLWithPath: temporary))
            let item = try directory.item("x.ics")
            let delay = Int.random(in: 0..<40_000, using: &random)
            DispatchQueue.concurrentPerform(iterations: 2) { side in
                if side == 1 {
                    let counter = Atomic(0)
                    while counter.add(1, ordering: .relaxed).newValue < delay {}
                    XCTAssertEqual(rename(temporary, folder.list + "/x.ics"), 0)
                    return
                }
                do throws(FileCallError) {
                    try directory.update("x.ics", to: [9, 9, 9], expecting: item.etag)
                } catch {
                    XCTAssertEqual(error.reason, .conflict)
                }
            }
            XCTAssertEqual(try folder.bytes(folder.list + "/x.ics"), mark, "round \(round)")
        }
        // How often both met is up to the machine; in the next test they always do.
        XCTAssertEqual(try folder.names(folder.list), ["x.ics"])
    }

    /// The same at the worst moment every time: after our check, before our
    /// rename.
    func testForeignChangeBetweenCheckAndRenameIsPutBack() throws {
        let folder = try CalendarFolder()
        let directory = folder.directory()
        let path = directory.full("x.ics")
        let changes: [() throws -> Void] = [
            { try Data([5, 5]).write(to: URL(fileURLWithPath: path), options: .atomic) },
            { try Data([5, 5]).write(to: URL(fileURLWithPath: path)) },
            {
                XCTAssertEqual(symlink("/nowhere", path + "~"), 0)
                rename(path + "~", path)
            },
        ]
        for change in changes {
            unlink(path)
            try folder.put([1], "x.ics")
            let replacement = try directory.prepare(
                "x.ics", [9], expecting: try directory.item("x.ics").etag)
            try change()
            let theirs = try? folder.bytes(path)
            assert(.conflict, path) { try directory.commit(replacement) }
            XCTAssertEqual(try? folder.bytes(path), theirs)
            unlink(directory.full(replacement.temporary))
        }
        unlink(path)
        try folder.put([1], "x.ics")
        let replacement = try directory.prepare(
            "x.ics", [9], expecting: try directory.item("x.ics").etag)
        unlink(path)
        assert(.notFound, path) { try directory.commit(replacement) }
        XCTAssertFalse(FileManager.default.fileExists(atPath: path))
    }

    /// A deletion whose file was replaced after the check goes back.
    func testForeignChangeBetweenCheckAndTrashIsPutBack() throws {
        let folder = try CalendarFolder()
        try folder.put([1], "x.ics")
        let directory = folder.directory()
        let old = try directory.item("x.ics").etag
        try Data([5, 5]).write(
            to: URL(fileURLWithPath: directory.full("x.ics")), options: .atomic)
        let trash = Trash(path: folder.trash, now: { CalendarFolder.now })
        let opened = try FileCall.openFolder(folder.list)
        assert(.conflict, directory.full("x.ics")) {
            _ = try trash.take(
                "x.ics", from: opened, path: directory.full("x.ics"), identity: old.identity,
                id: "id")
        }
        XCTAssertEqual(try folder.bytes(directory.full("x.ics")), [5, 5])
        XCTAssertEqual(try folder.names(folder.trash), [])
    }

    func testUnreadableItemIsAProblemOfItsOwn() throws {
        guard getuid() != 0 else { throw XCTSkip("permissions do not bind root") }
        let folder = try CalendarFolder()
        try folder.put([1], "good.ics")
        try folder.put([1], "secret.ics")
        chmod(folder.list + "/secret.ics", 0)
        let (items, problems) = try items(folder.directory())
        XCTAssertEqual(items.map(\.name), ["good.ics"])
        XCTAssertEqual(problems.map(\.code), [EACCES])
    }
}
