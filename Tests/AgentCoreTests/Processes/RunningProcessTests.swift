import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Base

/// `RunningProcess` against real programs: both directions, back-pressure,
/// cancellation, and that nothing of it is left.
final class RunningProcessTests: XCTestCase {
    private let base = ["PATH": TestMachine.path]

    private func start(
        _ program: String, _ arguments: [String] = [], writes: Bool = true, reads: Bool = true,
        pipeBytes: Int? = nil
    ) throws -> RunningProcess {
        try RunningProcess.start(
            program: program, arguments: arguments, environment: base, writesInput: writes,
            readsOutput: reads, pipeBytes: pipeBytes)
    }

    private func shell(
        _ script: String, writes: Bool = true, reads: Bool = true, pipeBytes: Int? = nil,
        _ arguments: String...
    ) throws -> RunningProcess {
        try start(
            "/bin/sh", ["-c", script, "sh"] + arguments, writes: writes, reads: reads,
            pipeBytes: pipeBytes)
    }

    private func rest(of process: RunningProcess) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try await process.read() { bytes += part }
        return bytes
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    /// No such process and no such group, not even unreaped.
    private func assertGone(_ pid: Int32, line: UInt = #line) {
        XCTAssertEqual(kill(pid, 0), -1, "the process is there", line: line)
        XCTAssertEqual(kill(-pid, 0), -1, "the group is there", line: line)
    }

    /// Where the end is not announced: looks until it is gone.
    private func waitUntilGone(_ pid: Int32, line: UInt = #line) async {
        let limit = Date().addingTimeInterval(20)
        while kill(pid, 0) == 0 {
            if Date() > limit { return XCTFail("the process is there", line: line) }
            await Task.yield()
        }
    }

    // MARK: - Both directions

    func testWhatIsWrittenComesBackInOrderToTheLastByte() async throws {
        let process = try start("/bin/cat", pipeBytes: 4096)
        var random = SplitMix(seed: 5)
        let blocks = (0..<200).map { _ in
            (0..<Int.random(in: 0..<5000, using: &random)).map { UInt8(truncatingIfNeeded: $0) }
        }
        async let written: Bool = {
            for block in blocks where try await !process.write(block) { return false }
            process.closeInput()
            return true
        }()
        let bytes = try await rest(of: process)
        let wasWritten = try await written
        XCTAssertTrue(wasWritten)
        XCTAssertTrue(bytes == Array(blocks.joined()), "\(bytes.count) bytes")
        let status = await process.status()
        XCTAssertEqual(status, .exited(0))
        assertGone(process.processID)
    }

    func testALineIsAnsweredWhileTheInputStaysOpen() async throws {
        let process = try shell("while read line; do echo \"<$line>\"; done; echo end; exit 3")
        for word in ["one", "two"] {
            let isTaken = try await process.write(Array("\(word)\n".utf8))
            let answer = try await process.read()
            XCTAssertTrue(isTaken)
            XCTAssertEqual(answer.map(text), "<\(word)>\n")
        }
        process.closeInput()
        let isTaken = try await process.write([1])
        XCTAssertFalse(isTaken, "written after the end")
        let last = try await rest(of: process)
        XCTAssertEqual(text(last), "end\n")
        let status = await process.status()
        XCTAssertEqual(status, .exited(3))
    }

    func testWithoutPipesItReadsNothingAndItsOutputIsDropped() async throws {
        let process = try shell(
            "cat; input=$(readlink /proc/$$/fd/0); output=$(readlink /proc/$$/fd/1); "
                + "echo \"$input\" \"$output\" >&2; yes | head -c 3000000",
            writes: false, reads: false)
        let isTaken = try await process.write([1])
        let output = try await process.read()
        XCTAssertFalse(isTaken)
        XCTAssertNil(output)
        let status = await process.status()
        XCTAssertEqual(status, .exited(0))
        XCTAssertEqual(text(process.errorOutput), "/dev/null /dev/null\n")
    }

    func testTheChildHasOnlyItsVariablesAndDescriptorsZeroToTwo() async throws {
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        let process = try shell(
            "i=0; while [ $i -lt 256 ]; do [ -e /proc/$$/fd/$i ] && echo $i; i=$((i+1)); done; "
                + "/usr/bin/env | grep -v '^\\(PWD\\|OLDPWD\\|SHLVL\\|_\\)='")
        let output = try await rest(of: process)
        XCTAssertEqual(text(output), "0\n1\n2\nPATH=\(TestMachine.path)\n")
    }

    // MARK: - Back-pressure

    func testAWriteWaitsForAChildThatDoesNotReadAndCancellingItTakesNothing() async throws {
        let folder = try TemporaryFolder()
        let gate = folder.path("gate")
        mkfifo(gate, 0o600)
        let process = try shell("read word < \"$1\"; exec cat", pipeBytes: 4096, gate)
        let block = [UInt8](repeating: 7, count: 2048)
        let counter = Counter()
        let writer = Task {
            while try await process.write(block) { counter.add(block.count) }
        }
        // The writer is stuck with the pipe (4096) and our bound (4096) full.
        while counter.value < 8192 { await Task.yield() }
        writer.cancel()
        do {
            try await writer.value
            XCTFail("not cancelled")
        } catch is CancellationError {}
        XCTAssertLessThanOrEqual(counter.value, 4096 + 4096 + 2048)
        // The handle is as good as before.
        let opener = open(gate, O_RDWR)
        Glibc.write(opener, "go\n", 3)
        let isTaken = try await process.write([1, 2, 3])
        XCTAssertTrue(isTaken)
        process.closeInput()
        let output = try await rest(of: process)
        XCTAssertEqual(output.count, counter.value + 3)
        XCTAssertEqual(output.suffix(4), [7, 1, 2, 3])
        close(opener)
        let status = await process.status()
        XCTAssertEqual(status, .exited(0))
    }

    func testACancelledReadLosesNothing() async throws {
        let process = try start("/bin/cat")
        let reader = Task { try await process.read() }
        reader.cancel()
        do {
            _ = try await reader.value
            XCTFail("not cancelled")
        } catch is CancellationError {}
        _ = try await process.write(Array("late".utf8))
        let answer = try await process.read()
        XCTAssertEqual(answer.map(text), "late")
        _ = await process.stop()
    }

    func testAChildThatNobodyReadsIsMadeToWait() async throws {
        let folder = try TemporaryFolder()
        let log = folder.path("log")
        // It notes each 64 KiB that it got rid of.
        let process = try shell(
            "i=0; while [ $i -lt 40 ]; do head -c 65536 /dev/zero; i=$((i+1)); echo $i >> \"$1\"; done",
            pipeBytes: 65536, log)
        var count = 0
        while count < 100_000, let part = try await process.read() {
            XCTAssertLessThanOrEqual(part.count, 64 << 10)
            count += part.count
            let written = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
            let noted = written.split(separator: "\n").count * 65536
            // Its pipe, our bound, and what was just read of it.
            XCTAssertLessThanOrEqual(noted, count + 65536 + (64 << 10))
        }
        let others = try await rest(of: process)
        XCTAssertEqual(count + others.count, 40 * 65536)
        let status = await process.status()
        XCTAssertEqual(status, .exited(0))
    }

    func testAFloodOnBothStreamsIsReadWholeAndTheErrorsKeepTheirTail() async throws {
        let process = try shell(
            "yes errors | head -c 5000000 >&2 & yes output | head -c 5000000; wait; echo last >&2")
        var count = 0
        while let part = try await process.read() { count += part.count }
        XCTAssertEqual(count, 5_000_000)
        let status = await process.status()
        XCTAssertEqual(status, .exited(0))
        XCTAssertEqual(process.errorOutput.count, 64 << 10)
        XCTAssertTrue(text(process.errorOutput).hasSuffix("last\n"))
    }

    // MARK: - Ends

    func testWhatItWroteIsReadableAfterItsEnd() async throws {
        let process = try shell("head -c 50000 /dev/zero; echo sorry >&2; exit 4")
        let status = await process.status()
        XCTAssertEqual(status, .exited(4))
        assertGone(process.processID)
        XCTAssertEqual(text(process.errorOutput), "sorry\n")
        let output = try await rest(of: process)
        XCTAssertEqual(output.count, 50_000)
        let again = try await process.read()
        XCTAssertNil(again)
    }

    func testAChildThatClosesItsInputRefusesWritesAtOnce() async throws {
        let process = try shell("exec 0<&-; echo closed; exec sleep 1000", pipeBytes: 4096)
        _ = try await process.read()
        // Nothing has to be under way to notice: at most what fits is taken.
        var taken = 0
        while try await process.write([UInt8](repeating: 0, count: 1000)) { taken += 1000 }
        XCTAssertLessThanOrEqual(taken, 9000)
        let status = await process.stop()
        XCTAssertEqual(status, .signalled(SIGTERM))
        assertGone(process.processID)
    }

    func testAWaitingWriteIsRefusedWhenTheChildDies() async throws {
        let process = try shell("exec sleep 1000", pipeBytes: 4096)
        let writer = Task {
            var isTaken = true
            while isTaken {
                isTaken = try await process.write([UInt8](repeating: 0, count: 4096))
            }
            return isTaken
        }
        kill(process.processID, SIGKILL)
        let isTaken = try await writer.value
        XCTAssertFalse(isTaken)
    }

    func testAChildKilledFromOutsideReportsItsSignal() async throws {
        let process = try shell("exec sleep 1000")
        kill(process.processID, SIGSEGV)
        let output = try await process.read()
        XCTAssertNil(output)
        let status = await process.status()
        XCTAssertEqual(status, .signalled(SIGSEGV))
        assertGone(process.processID)
        // Nothing happens, and nobody is hit.
        process.signal(SIGKILL)
        let again = await process.stop()
        XCTAssertEqual(again, .signalled(SIGSEGV))
    }

    func testStoppingSendsTheFirstSignalAndLetsTheLastWordsBeRead() async throws {
        let process = try shell("trap 'echo bye; exit 9' INT; echo go; while :; do read x; done")
        let first = try await process.read()
        XCTAssertEqual(first.map(text), "go\n")
        let status = await process.stop(SIGINT, grace: .seconds(20))
        XCTAssertEqual(status, .exited(9))
        let last = try await rest(of: process)
        XCTAssertEqual(text(last), "bye\n")
    }

    func testAGroupThatIgnoresTheSignalIsKilledAfterTheGrace() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path("fifo")
        mkfifo(fifo, 0o600)
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let process = try shell(
            "trap '' TERM; exec 5>\"$1\"; (exec sleep 1000) & echo go; exec sleep 1000", fifo)
        _ = try await process.read()
        let started = ContinuousClock.now
        let status = await process.stop(grace: .milliseconds(100))
        XCTAssertEqual(status, .signalled(SIGKILL))
        XCTAssertGreaterThanOrEqual(ContinuousClock.now - started, .milliseconds(100))
        assertNobodyWrites(reader)
        XCTAssertEqual(kill(process.processID, 0), -1)
    }

    func testWhatIsLeftOfTheGroupGoesWithItsFirstProcess() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path("fifo")
        mkfifo(fifo, 0o600)
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let process = try shell("exec 5>\"$1\"; (exec sleep 1000) & exit 2", fifo)
        let status = await process.status()
        XCTAssertEqual(status, .exited(2))
        assertNobodyWrites(reader)
    }

    func testADaemonThatKeepsThePipesOpenDoesNotHoldUsUp() async throws {
        let process = try shell("setsid sleep 20 & echo done")
        let output = try await rest(of: process)
        XCTAssertEqual(text(output), "done\n")
        let status = await process.status()
        XCTAssertEqual(status, .exited(0))
    }

    func testLettingGoOfItKillsAndReaps() async throws {
        for script in ["exec sleep 1000", "trap '' TERM INT HUP; while :; do sleep 1000; done"] {
            var process: RunningProcess? = try shell("echo go; " + script)
            _ = try await process?.read()
            let pid = try XCTUnwrap(process?.processID)
            XCTAssertEqual(kill(pid, 0), 0)
            process = nil
            await waitUntilGone(pid)
        }
    }

    func testAMissingProgramIsTyped() {
        XCTAssertThrowsError(try start("/nonexistent/x")) { error in
            XCTAssertEqual(
                error as? SubprocessError,
                SubprocessError(reason: .notFound, program: "/nonexistent/x"))
        }
    }

    func testAHundredChildrenLeaveNoDescriptorAndNoProcess() async throws {
        func openDescriptors() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        var before: Int?
        for index in 0..<100 {
            // The first ones warm up what the libraries keep.
            if index == 5 { before = try openDescriptors() }
            let process = try start("/bin/cat")
            _ = try await process.write([UInt8(index)])
            if index.isMultiple(of: 3) {
                process.closeInput()
                let output = try await rest(of: process)
                XCTAssertEqual(output, [UInt8(index)])
                _ = await process.status()
            } else if index.isMultiple(of: 2) {
                _ = await process.stop(SIGKILL)
            }
            if index.isMultiple(of: 3) || index.isMultiple(of: 2) { assertGone(process.processID) }
        }
        // The loops of those let go end on threads of their own.
        let limit = Date().addingTimeInterval(20)
        while try openDescriptors() > before ?? 0, Date() < limit { await Task.yield() }
        XCTAssertLessThanOrEqual(try openDescriptors(), before ?? 0)
    }

    private func assertNobodyWrites(_ reader: Int32, line: UInt = #line) {
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        XCTAssertEqual(poll(&entry, 1, 10_000), 1, line: line)
        var byte: UInt8 = 0
        XCTAssertEqual(read(reader, &byte, 1), 0, line: line)
    }
}

/// A number that a task counts up and a test looks at.
private final class Counter: Sendable {
    private let count = Mutex(0)

    var value: Int { count.withLock { $0 } }
    func add(_ number: Int) { count.withLock { $0 += number } }
}
