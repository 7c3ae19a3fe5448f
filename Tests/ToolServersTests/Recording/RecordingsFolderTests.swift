import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

final class RecordingsFolderTests: XCTestCase {
    /// 2026-11-21 16:05:12 UTC.
    private let instant = Date(timeIntervalSince1970: 1_795_277_112)

    private func berlin() throws -> LocalTime {
        LocalTime(try XCTUnwrap(TimeZoneRules(posix: "CET-1CEST,M3.5.0,M10.5.0/3")))
    }

    func testARecordingIsNamedAfterTheClockOnTheWall() throws {
        let root = try TemporaryFolder()
        let folder = RecordingsFolder(root.path("state/chat/recordings"))
        let names = try (0..<3).map { _ in
            let file = try folder.create(at: instant, in: berlin(), .dictation)
            return String(file.path.dropFirst(folder.path.count + 1))
        }
        XCTAssertEqual(
            names,
            [
                "2026-11-21 17.05.12.wav", "2026-11-21 17.05.12 (2).wav",
                "2026-11-21 17.05.12 (3).wav",
            ])
        var status = stat()
        for path in ["state", "state/chat", "state/chat/recordings"] {
            XCTAssertEqual(stat(root.path(path), &status), 0)
            XCTAssertEqual(status.st_mode & 0o777, 0o700)
        }
    }

    func testTheListHasTheNewestFirstWithTheirLengths() throws {
        let root = try TemporaryFolder()
        let folder = RecordingsFolder(root.path)
        for (name, seconds, changed) in [("old", 1.0, 100), ("new", 2.5, 300), ("mid", 0, 200)] {
            let file = try WaveRecording(creating: root.path(name + ".wav"), .dictation)
            try file.append([UInt8](repeating: 1, count: Int(seconds * 32_000))[...])
            var times = [
                timeval(tv_sec: changed, tv_usec: 0), timeval(tv_sec: changed, tv_usec: 0),
            ]
            XCTAssertEqual(utimes(file.path, &times), 0)
        }
        try root.write("not sound".utf8, to: "zzz.wav")
        try root.write("words".utf8, to: "old.txt")
        XCTAssertEqual(mkdir(root.path("folder.wav"), 0o700), 0)
        XCTAssertEqual(mkfifo(root.path("pipe.wav"), 0o600), 0)
        let items = try folder.list()
        XCTAssertEqual(items.map(\.name), ["zzz.wav", "new.wav", "mid.wav", "old.wav"])
        XCTAssertEqual(items.map(\.seconds), [nil, 2.5, 0, 1])
        XCTAssertEqual(items.last?.bytes, 32_044)
        XCTAssertEqual(items.last?.changed, 100)
        XCTAssertEqual(items.last?.path, root.path("old.wav"))
    }

    func testWithoutAFolderThereAreNoneAndAFileIsNoFolder() throws {
        let root = try TemporaryFolder()
        XCTAssertEqual(try RecordingsFolder(root.path("none")).list(), [])
        let file = try root.write([], to: "file")
        XCTAssertThrowsError(try RecordingsFolder(file).list()) {
            XCTAssertEqual(
                $0 as? RecordingError, RecordingError(reason: .file(ENOTDIR), file: file))
        }
        for path in [file, file + "/below"] {
            XCTAssertThrowsError(
                try RecordingsFolder(path).create(at: instant, in: berlin(), .dictation)
            ) {
                XCTAssertEqual($0 as? WaveRecording.Failure, .init(code: ENOTDIR))
            }
        }
    }
}
