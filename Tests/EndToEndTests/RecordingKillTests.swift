import Base
import Foundation
import TestSupport
import XCTest

/// The real program is killed while it records: what was in the file stays,
/// the recorder goes, and the next run lists the recording. Fifty kills with
/// CHAT_FULL=1.
final class RecordingKillTests: XCTestCase {
    /// A microphone: byte `n` is `7n mod 251`, about ten times as fast as speech.
    private let microphone = """
        import os, select, sys
        with open(sys.argv[1], 'w') as f: f.write(str(os.getpid()))
        data = bytes(i * 7 % 251 for i in range(251 * 640))
        i = 0
        while True:
            i += os.write(1, data[i % len(data):][:640])
            select.select([], [], [], 0.002)
        """

    /// The bytes of samples that the header counts.
    private func counted(_ path: String) -> Int? {
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)),
            let head = try? file.read(upToCount: 44), head.count == 44
        else { return nil }
        return head[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func kill(_ number: Int, _ random: inout SplitMix) throws {
        let program = try ChatProgram()
        let script = try program.folder.write(microphone.utf8, to: "mic.py")
        let pidFile = program.folder.path("pid")
        program.variables["CHAT_RECORDER"] = "\(Python.program) \(script) \(pidFile)"
        let running = try program.start(["record", "--no-transcribe"])
        let wanted = Int.random(in: 1...60_000, using: &random)
        let path = try OtherProcess.waitUntil("a recording") {
            program.files.first { $0.hasSuffix(".wav") }.map { program.file($0) }
        }
        let seen = try OtherProcess.waitUntil("\(wanted) bytes of sound") {
            counted(path).flatMap { $0 >= wanted ? $0 : nil }
        }
        running.signal(SIGKILL)
        XCTAssertEqual(try running.finish().exit, -SIGKILL)

        let pid = try XCTUnwrap(pid_t(String(contentsOfFile: pidFile, encoding: .utf8)))
        _ = try OtherProcess.waitUntil("the recorder ends") {
            OtherProcess.hasEnded(pid) ? true : nil
        }

        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        let count = try XCTUnwrap(counted(path))
        XCTAssertGreaterThanOrEqual(count, seen)
        XCTAssertGreaterThanOrEqual(bytes.count, 44 + count)
        let period = (0..<251).map { UInt8($0 * 7 % 251) }
        let expected = Array(repeatElement(period, count: count / 251 + 1).joined().prefix(count))
        XCTAssertEqual(Data(bytes[44..<44 + count]), Data(expected), "kill \(number) at \(count)")
        let frames = try Python.run(
            "import sys, wave; print(wave.open(sys.argv[1]).getnframes())", arguments: [path])
        XCTAssertEqual(frames, "\(count / 2)\n")

        let list = try program.json(["record", "list", "--json"]).arrayValue ?? []
        XCTAssertEqual(list.count, 1, "kill \(number): \(list)")
        XCTAssertNotNil(list.first?["seconds"])
    }

    func testAKilledProgramLosesNothingOfWhatWasRecorded() throws {
        guard FileManager.default.isExecutableFile(atPath: Python.program) else {
            throw XCTSkip("python3 is not installed (Debian: python3)")
        }
        var random = SplitMix(seed: 5)
        let kills = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 2 : 50
        for number in 0..<kills { try kill(number, &random) }
    }
}
