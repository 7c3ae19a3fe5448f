import Foundation
import TestSupport
import XCTest

@testable import Base

/// Files read and written whole, against a real disk and real pipes.
final class WholeFileTests: XCTestCase {
    private let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }

    private func failure(
        _ path: String, limit: Int = .max, line: UInt = #line
    ) -> WholeFile.Failure? {
        do throws(WholeFile.Failure) {
            _ = try WholeFile.read(path, limit: limit)
            XCTFail("it was read", line: line)
            return nil
        } catch { return error }
    }

    func testWhatIsWrittenIsReadBackAndOnlyTheUserMay() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        XCTAssertEqual(WholeFile.create(bytes, at: path), 0)
        XCTAssertEqual(try WholeFile.read(path), bytes)
        XCTAssertEqual(try WholeFile.read(path, limit: bytes.count), bytes)
        var status = stat()
        XCTAssertEqual(stat(path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
        XCTAssertEqual(WholeFile.create([1], at: path), EEXIST)
        XCTAssertEqual(WholeFile.replace([1], at: path, temporary: path + ".new"), 0)
        XCTAssertEqual(try WholeFile.read(path), [1])
    }

    func testOnlyARegularFileWithinTheLimitIsRead() throws {
        let folder = try TemporaryFolder()
        let (file, fifo) = (folder.path("file"), folder.path("fifo"))
        XCTAssertEqual(WholeFile.create([1, 2, 3], at: file), 0)
        mkfifo(fifo, 0o600)
        XCTAssertEqual(failure(file, limit: 2), .tooLarge)
        XCTAssertEqual(failure(fifo), .notRegular)
        XCTAssertEqual(failure(folder.path("")), .notRegular)
        XCTAssertEqual(failure(folder.path("none")), .system(ENOENT))
    }

    func testAPipeIsReadToItsEndAndAFullOneIsWaitedFor() throws {
        var ends: [Int32] = [0, 0]
        XCTAssertEqual(pipe(&ends), 0)
        let (reader, writer) = (ends[0], ends[1])
        XCTAssertEqual(fcntl(writer, F_SETFL, O_NONBLOCK), 0)
        let (bytes, isDone) = (bytes, expectation(description: "written"))
        DispatchQueue(label: "writer").async {
            XCTAssertEqual(WholeFile.write(bytes, to: writer), 0)
            close(writer)
            isDone.fulfill()
        }
        XCTAssertEqual(try WholeFile.read(reader), bytes)
        wait(for: [isDone], timeout: 20)
        close(reader)
    }

    func testAtAnOffsetOnlyThatPartChanges() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        XCTAssertEqual(WholeFile.create([1, 2, 3, 4], at: path), 0)
        let file = open(path, O_WRONLY)
        XCTAssertEqual(WholeFile.write([8, 9], to: file, at: 1), 0)
        close(file)
        XCTAssertEqual(try WholeFile.read(path), [1, 8, 9, 4])
        XCTAssertEqual(WholeFile.write([1], to: -1), EBADF)
    }

    func testFoldersAreMadeWhereTheyAreMissingAndNoneWhereNoneCanBe() throws {
        let folder = try TemporaryFolder()
        var made: [String] = []
        let path = folder.path("a/b/c")
        XCTAssertEqual(PrivateFolder.make(path) { made.append($0) }, 0)
        XCTAssertEqual(made, ["a", "a/b", "a/b/c"].map(folder.path))
        XCTAssertEqual(PrivateFolder.make(path) { made.append($0) }, 0)
        XCTAssertEqual(made.count, 3)
        XCTAssertEqual(PrivateFolder.make("/proc/none/a"), ENOENT)
        XCTAssertEqual(WholeFile.create([], at: folder.path("file")), 0)
        XCTAssertEqual(PrivateFolder.make(folder.path("file")), ENOTDIR)
        XCTAssertEqual(FilePath.names(in: folder.path("a")), ["b"])
        XCTAssertNil(FilePath.names(in: folder.path("none")))
    }

    func testThePartsOfAPath() {
        for (path, name, stem, folder) in [
            ("/in/talk.m4a", "talk.m4a", "talk", "/in"), ("talk", "talk", "talk", "."),
            ("/.m4a", ".m4a", ".m4a", "/"), ("a/b", "b", "b", "a"),
        ] {
            XCTAssertEqual(FilePath.name(path), name)
            XCTAssertEqual(FilePath.stem(path), stem)
            XCTAssertEqual(FilePath.folder(of: path), folder)
        }
        XCTAssertEqual(FilePath.expanding("~/in", home: "/h"), "/h/in")
        XCTAssertEqual(FilePath.expanding("~", home: "/h"), "/h")
        XCTAssertEqual(FilePath.expanding("~ida/in", home: "/h"), "~ida/in")
    }

    func testAppendingFollowsALinkAndRefusesAPipeWithoutWaiting() throws {
        let folder = try TemporaryFolder()
        let (file, link, pipe) = (folder.path("a"), folder.path("l"), folder.path("p"))
        XCTAssertEqual(WholeFile.append("one ".utf8, to: file), 0)
        XCTAssertEqual(symlink(file, link), 0)
        XCTAssertEqual(WholeFile.append("two".utf8, to: link), 0)
        XCTAssertEqual(try WholeFile.read(file), Array("one two".utf8))
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        XCTAssertEqual(WholeFile.append("x".utf8, to: pipe), ENXIO, "nobody reads it")
        let reader = open(pipe, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        XCTAssertEqual(WholeFile.append("x".utf8, to: pipe), EINVAL)
    }
}
