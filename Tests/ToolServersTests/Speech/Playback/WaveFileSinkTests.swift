import Foundation
import TestSupport
import XCTest

@testable import Sound

final class WaveFileSinkTests: XCTestCase {
    private let format = PCMFormat(rate: 8000)

    private func sink(_ path: String) -> WaveFileSink {
        WaveFileSink(path: path, environment: ManualClock().environment)
    }

    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    private let oracle = """
        import sys, wave
        w = wave.open(sys.argv[1])
        data = w.readframes(10**9)
        print(w.getframerate(), w.getnchannels(), w.getsampwidth(), w.getnframes(), data[:8].hex())
        """

    func testAWholeFileIsReadByAnotherReaderAndPrivate() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        let sink = sink(path)
        try await sink.begin(PCMFormat(rate: 22_050, channels: 2))
        for _ in 0..<100 { try await sink.write([1, 0, 2, 0, 3, 0, 4, 0]) }
        XCTAssertFalse(FileManager.default.fileExists(atPath: path), "half a file has the name")
        try await sink.finish()
        let facts = try Python.run(oracle, arguments: [path])
        XCTAssertEqual(facts, "22050 2 2 200 0100020003000400\n")
        XCTAssertEqual(try folder.read("a.wav").count, 44 + 800)
        XCTAssertEqual(try names(folder), ["a.wav"])
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        XCTAssertEqual(attributes[.posixPermissions] as? Int, 0o600)
    }

    func testAnotherFormatIsBroughtToTheFirst() async throws {
        let folder = try TemporaryFolder()
        let sink = sink(folder.path("a.wav"))
        try await sink.begin(PCMFormat(rate: 100))
        try await sink.write([1, 0, 2, 0])
        try await sink.begin(PCMFormat(rate: 50))
        try await sink.write([4, 0, 8, 0])
        try await sink.begin(PCMFormat(rate: 100, channels: 2))
        try await sink.write([9, 0, 11, 0])
        try await sink.finish()
        XCTAssertEqual(
            Array(try folder.read("a.wav").dropFirst(44)),
            [1, 0, 2, 0, 4, 0, 6, 0, 8, 0, 8, 0, 10, 0])
    }

    func testStoppingAndLettingGoLeaveNothing() async throws {
        let folder = try TemporaryFolder()
        try folder.write([1], to: "a.wav")
        let sink = sink(folder.path("a.wav"))
        try await sink.begin(format)
        try await sink.write([UInt8](repeating: 0, count: 600_000))
        XCTAssertEqual(try names(folder).count, 2)
        await sink.stop()
        await sink.stop()
        XCTAssertEqual(try names(folder), ["a.wav"])
        XCTAssertEqual(try folder.read("a.wav"), [1], "the file that was there has changed")
        do {
            try await sink.write([0, 0])
            XCTFail("written after the end")
        } catch is CancellationError {}
        var other: WaveFileSink? = self.sink(folder.path("b.wav"))
        try await other?.begin(format)
        other = nil
        XCTAssertEqual(try names(folder), ["a.wav"])
    }

    func testAPlaceThatCannotBeWrittenIsAFact() async throws {
        let folder = try TemporaryFolder()
        do {
            try await sink(folder.path("none/a.wav")).begin(format)
            XCTFail("begun")
        } catch let error as SpeechError {
            XCTAssertEqual(error.reason, .file(ENOENT))
        }
        // A folder has the name.
        let sink = sink(folder.path)
        try await sink.begin(format)
        do {
            try await sink.finish()
            XCTFail("finished")
        } catch let error as SpeechError {
            guard case .file = error.reason else { return XCTFail("\(error)") }
        }
        XCTAssertEqual(try names(folder), [])
    }
}
