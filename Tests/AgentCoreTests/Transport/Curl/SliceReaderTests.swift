import TestSupport
import XCTest

@testable import AgentCore
@testable import Base

final class SliceReaderTests: XCTestCase {
    func testAnySizeOfReadGivesTheSameBytes() throws {
        let folder = try TemporaryFolder()
        let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try OpenFile(try folder.write(content, to: "a"))
        let slices: [BodySlice] = [
            .bytes([]), .bytes([1, 2, 3]), .file(file, offset: 10, count: 500),
            .file(file, offset: 0, count: 0), .bytes([4]), .file(file, offset: 990, count: 10),
            .bytes([]),
        ]
        let expected = [1, 2, 3] + content[10..<510] + [4] + content[990...]
        for size in [1, 2, 3, 7, 64, 499, 500, 501, 4096] {
            let reader = SliceReader(slices)
            XCTAssertEqual(reader.size, 514)
            XCTAssertEqual(rest(of: reader, size: size), expected, "\(size)")
            XCTAssertNil(reader.failure)
        }
    }

    func testRewindBeginsAgainAtAnyPlace() throws {
        let folder = try TemporaryFolder()
        let file = try OpenFile(try folder.write([1, 2, 3, 4], to: "a"))
        for count in 0...8 {
            let reader = SliceReader([
                .bytes([9, 8]), .file(file, offset: 0, count: 4), .bytes([7]),
            ])
            for _ in 0..<count { _ = read(reader, 1) }
            reader.rewind()
            XCTAssertEqual(rest(of: reader, size: 3), [9, 8, 1, 2, 3, 4, 7])
        }
    }

    func testOffsetsBeyondTwoAndFourGigabytesAreReached() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([], to: "sparse")
        XCTAssertEqual(truncate(path, 5 << 30), 0)
        let descriptor = open(path, O_WRONLY)
        XCTAssertEqual(pwrite(descriptor, "end", 3, (5 << 30) - 3), 3)
        close(descriptor)
        let file = try OpenFile(path)
        let whole = SliceReader([
            .bytes([1]), .file(file, offset: 0, count: file.size), .bytes([2]),
        ])
        XCTAssertEqual(whole.size, (5 << 30) + 2)
        let end = SliceReader([.file(file, offset: (5 << 30) - 4, count: 4)])
        XCTAssertEqual(rest(of: end, size: 64), [0] + [UInt8]("end".utf8))
    }

    func testFileThatIsNotWhatItWasStopsTheReading() throws {
        let folder = try TemporaryFolder()
        let content = [UInt8](repeating: 5, count: 100)
        let changes: [(String, (String) throws -> Void)] = [
            ("shrunk", { XCTAssertEqual(truncate($0, 60), 0) }),
            ("emptied", { XCTAssertEqual(truncate($0, 0), 0) }),
            ("grown", { XCTAssertEqual(truncate($0, 101), 0) }),
            (
                "written",
                { path in
                    let descriptor = open(path, O_WRONLY)
                    XCTAssertEqual(pwrite(descriptor, "x", 1, 0), 1)
                    // The clock of a file system ticks some hundred times a
                    // second; the test must not wait for it.
                    var times = [timespec(tv_sec: 1, tv_nsec: 0), timespec(tv_sec: 1, tv_nsec: 0)]
                    XCTAssertEqual(futimens(descriptor, &times), 0)
                    close(descriptor)
                }
            ),
        ]
        for (name, change) in changes {
            let path = try folder.write(content, to: name)
            let reader = SliceReader([.file(try OpenFile(path), offset: 0, count: 100)])
            XCTAssertEqual(read(reader, 40), [UInt8](repeating: 5, count: 40))
            try change(path)
            XCTAssertNil(read(reader, 40), name)
            XCTAssertEqual(reader.failure, OpenFile.Failure(reason: .changed, path: path), name)
        }
    }

    func testFileWithoutItsNameIsReadToItsEnd() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write([1, 2, 3, 4], to: "a")
        let reader = SliceReader([.file(try OpenFile(path), offset: 0, count: 4)])
        XCTAssertEqual(read(reader, 1), [1])
        XCTAssertEqual(unlink(path), 0)
        XCTAssertEqual(rest(of: reader, size: 8), [2, 3, 4])
    }

    private func read(_ reader: SliceReader, _ size: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: size)
        let count = bytes.withUnsafeMutableBytes { reader.read(into: $0) }
        return count.map { Array(bytes[..<$0]) }
    }

    private func rest(of reader: SliceReader, size: Int) -> [UInt8] {
        var all: [UInt8] = []
        while let bytes = read(reader, size), !bytes.isEmpty { all += bytes }
        return all
    }
}
