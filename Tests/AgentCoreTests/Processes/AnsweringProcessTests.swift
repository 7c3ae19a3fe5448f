import Foundation
import TestSupport
import XCTest

@testable import Base

final class AnsweringProcessTests: XCTestCase {
    private func process(_ script: String) throws -> AnsweringProcess {
        try AnsweringProcess(
            program: "/bin/sh", arguments: ["-c", script], environment: ["PATH": TestMachine.path])
    }

    /// Says each line twice, in pieces and after some work; nothing to an empty one.
    private static let echo = """
        while IFS= read -r line; do
            [ -n "$line" ] || continue
            printf '%s' "$line"; /bin/true; /bin/true; printf ' %s' "$line"
        done
        """

    func testEachAnswerIsWholeAndItsOwn() async throws {
        let process = try process(Self.echo)
        for index in 0..<50 {
            let said = try await answer(process, "line \(index)")
            XCTAssertEqual(said, "line \(index) line \(index)")
        }
    }

    func testAnAnswerMayBeLargerThanThePipe() async throws {
        let process = try process(
            "while IFS= read -r n; do [ -z \"$n\" ] || head -c \"$n\" /dev/zero; done")
        for count in [3_000_000, 0, 5, 70_000] {
            let said = try await answer(process, "\(count)")
            XCTAssertEqual(said.utf8.count, count)
        }
    }

    func testOneThatEndsOrComplainsIsOfNoUse() async throws {
        for (script, complaint) in [
            ("exit 3", ""), ("read x; exit 0", ""), ("exec 0<&-; echo no >&2; sleep 1000", "no\n"),
            ("read x; echo bad >&2; while read x; do :; done", "bad\n"),
        ] {
            let process = try process(script)
            do {
                _ = try await answer(process, "x")
                _ = try await answer(process, "y")
                XCTFail(script)
            } catch let problem as AnsweringProcess.Problem {
                guard case .ended(let told) = problem else { return XCTFail("\(problem)") }
                XCTAssert(
                    complaint.hasPrefix(String(decoding: told, as: UTF8.self)),
                    "\(script): \(told)")
            }
        }
    }

    func testOneThatNeitherReadsNorWritesHangs() async throws {
        let process = try process("read x; exec sleep 1000")
        do {
            _ = try await answer(process, "x", patience: 0.05)
            XCTFail("answered")
        } catch let problem as AnsweringProcess.Problem {
            XCTAssertEqual(problem, .hangs)
        }
    }

    func testCancellingEndsItAtOnce() async throws {
        let folder = try TemporaryFolder()
        let process = try process("read x; : >'\(folder.path)/read'; exec sleep 1000")
        let task = Task { [process] in try await answer(process, "x", patience: 3_600) }
        while !FileManager.default.fileExists(atPath: folder.path("read")) { await Task.yield() }
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("answered")
        } catch is CancellationError {}
    }

    func testItEndsWithItsLastReference() async throws {
        let folder = try TemporaryFolder()
        var process: AnsweringProcess? = try process(
            "echo $$ >'\(folder.path)/pid'; while read x; do :; done")
        if let process { _ = try await answer(process, "x") }
        let pid = try XCTUnwrap(
            Int32(
                String(decoding: try folder.read("pid"), as: UTF8.self)
                    .trimmingCharacters(in: .whitespacesAndNewlines)))
        XCTAssertEqual(kill(pid, 0), 0)
        process = nil
        while kill(pid, 0) == 0 { await Task.yield() }
    }
}

private func answer(
    _ process: AnsweringProcess, _ line: String, patience: Double = 60
) async throws -> String {
    let bytes = try await process.answer(
        to: Array("\(line)\n".utf8), fillers: [[0x0A]], patience: patience)
    return String(decoding: bytes, as: UTF8.self)
}
