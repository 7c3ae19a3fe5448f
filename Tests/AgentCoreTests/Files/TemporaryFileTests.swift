import Foundation
import TestSupport
import XCTest

@testable import Base

/// What a killed writer leaves is told from what a living one is writing.
final class TemporaryFileTests: XCTestCase {
    private let hidden = ".0a1b2c3d-0000-4000-8000-ABCDEFabcdef.tmp"

    func testOnlyNamesOfOursAreTemporary() {
        for name in [hidden, String(hidden.dropLast(4))] {
            XCTAssertTrue(TemporaryFile.isName(name), name)
        }
        for other in [
            "", ".", ".tmp", ".x.tmp", ".hidden.ics", String(hidden.dropFirst()),
            hidden + "x", String(hidden.dropLast()), hidden.replacing("-4000-", with: "_4000_"),
            hidden.replacing("0a1b", with: "0x1b"), ".chat-" + hidden.dropFirst(),
        ] { XCTAssertFalse(TemporaryFile.isName(other), other) }
    }

    func testAFileIsSweptOnlyAfterItsWriterHasEnded() throws {
        let folder = try TemporaryFolder()
        let path = folder.path(hidden)
        let file = TemporaryFile.make(path)
        XCTAssertGreaterThanOrEqual(file, 0)
        var swept = 0
        TemporaryFile.sweep(path) { swept += 1 }
        XCTAssertEqual(swept, 0)
        XCTAssertEqual(TemporaryFile.make(path), -1)
        // As the kernel does it for a process that is killed.
        close(file)
        TemporaryFile.sweep(path) { swept += 1 }
        XCTAssertEqual(swept, 1)
        var status = stat()
        XCTAssertEqual(stat(path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
    }

    func testWhatIsNoFileIsNeitherWaitedForNorSwept() throws {
        let folder = try TemporaryFolder()
        XCTAssertEqual(mkfifo(folder.path("pipe"), 0o600), 0)
        let target = try folder.write([1], to: "target")
        XCTAssertEqual(symlink(target, folder.path("link")), 0)
        for name in ["pipe", "link", "missing", "."] {
            TemporaryFile.sweep(folder.path(name)) { XCTFail(name) }
        }
    }

    func testAReplacementIsInItsPlaceAndNothingIsLeft() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("file")
        for text in ["one", "two"] {
            XCTAssertEqual(
                WholeFile.replace(text.utf8, at: path, temporary: folder.path(hidden)), 0)
            XCTAssertEqual(try WholeFile.read(path), Array(text.utf8))
        }
        XCTAssertEqual(FilePath.names(in: folder.path), ["file"])
    }
}
