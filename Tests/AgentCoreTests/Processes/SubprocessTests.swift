import Foundation
import TestSupport
import XCTest

@testable import Base

/// `Subprocess` against real programs.
final class SubprocessTests: XCTestCase {
    private let base = ["PATH": TestMachine.path]

    private func shell(
        _ script: String, input: Subprocess.Input = .none,
        limits: Subprocess.Limits = .init(time: .seconds(30)), arguments: [String] = []
    ) -> Subprocess {
        Subprocess(
            program: "/bin/sh", arguments: ["-c", script, "sh"] + arguments, environment: base,
            input: input, limits: limits)
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    func testOutputErrorOutputAndStatusComeBackApart() async throws {
        let result = try await shell("echo out; echo err >&2; exit 7").run()
        XCTAssertEqual(
            result,
            Subprocess.Result(
                status: .exited(7), output: Array("out\n".utf8), errorOutput: Array("err\n".utf8),
                outputWasCut: false))
    }

    func testASignalIsToldApartFromAnExitStatus() async throws {
        let result = try await shell("kill -KILL $$").run()
        XCTAssertEqual(result.status, .signalled(SIGKILL))
    }

    /// Our Ctrl-Z, which may come before it has a group of its own, must not
    /// stop it: `posix_spawn` would not return.
    func testOfAllSignalsOnlyThatOfControlZIsBlocked() async throws {
        // No shell, for that would unblock them.
        let result = try await Subprocess(
            program: "/usr/bin/grep", arguments: ["^SigBlk", "/proc/self/status"],
            environment: base
        ).run()
        XCTAssertEqual(text(result.output), "SigBlk:\t0000000000080000\n")
    }

    func testArgumentsAreNeverReadByAShell() async throws {
        let word = "$(touch /nowhere); `id` * 'a' \"b\" ü"
        let result = try await Subprocess(
            program: "/usr/bin/printf", arguments: ["%s|", word, ""], environment: base
        ).run()
        XCTAssertEqual(text(result.output), word + "||")
    }

    func testAMegabyteGoesBothWaysWithoutADeadlock() async throws {
        let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
        let result = try await Subprocess(
            program: "/bin/cat", environment: base, input: .bytes(bytes)
        ).run()
        XCTAssertEqual(result.output.count, bytes.count)
        XCTAssertTrue(result.isSuccess)
        let both = try await shell("cat >&2", input: .bytes(bytes)).run()
        XCTAssertEqual(both.errorOutput.count, 64 << 10)
    }

    func testAProgramThatDoesNotReadItsInputIsNoFault() async throws {
        let bytes = [UInt8](repeating: 0x61, count: 1 << 20)
        let result = try await shell("exec 0<&-; exit 3", input: .bytes(bytes)).run()
        XCTAssertEqual(result.status, .exited(3))
    }

    func testNoInputIsEndOfFile() async throws {
        let result = try await shell("cat; readlink /proc/self/fd/0").run()
        XCTAssertEqual(text(result.output), "/dev/null\n")
    }

    func testOutputAboveTheLimitIsReadAndDropped() async throws {
        let limits = Subprocess.Limits(time: .seconds(30), outputBytes: 1000)
        let result = try await shell("head -c 300000 /dev/zero; echo done >&2", limits: limits)
            .run()
        XCTAssertEqual(result.output.count, 1000)
        XCTAssertTrue(result.outputWasCut)
        XCTAssertEqual(text(result.errorOutput), "done\n")
    }

    func testAProgramThatNeverStopsWritingMeetsItsTimeLimit() async throws {
        do {
            _ = try await shell("exec yes", limits: .init(time: .milliseconds(200))).run()
            XCTFail("no time limit")
        } catch let error as SubprocessError {
            XCTAssertEqual(error.reason, .timedOut)
        }
    }

    func testTheChildHasExactlyTheGivenVariables() async throws {
        setenv("CHAT_TEST_CANARY", "leak", 1)
        defer { unsetenv("CHAT_TEST_CANARY") }
        let variables = Subprocess.baseEnvironment(
            from: [
                "PATH": "/bin", "HOME": "/h", "LC_ALL": "C", "OPENAI_API_KEY": "k",
                "ANTHROPIC_API_KEY": "k", "LD_PRELOAD": "x", "GNUPGHOME": "/g",
            ], adding: ["GNUPGHOME"])
        let result = try await Subprocess(program: "/usr/bin/env", environment: variables).run()
        XCTAssertEqual(
            text(result.output).split(separator: "\n").sorted(),
            ["GNUPGHOME=/g", "HOME=/h", "LC_ALL=C", "PATH=/bin"])
    }

    func testTheChildHasOnlyDescriptorsZeroToTwo() async throws {
        // One without O_CLOEXEC, as a careless library would leave it.
        let descriptor = open("/dev/null", O_RDONLY)
        defer { close(descriptor) }
        XCTAssertLessThan(descriptor, 1024)
        // Tested one by one: listing the folder would open a descriptor.
        let script =
            "i=0; while [ $i -lt 1024 ]; do [ -e /proc/$$/fd/$i ] && echo $i; i=$((i+1)); done; :"
        let result = try await shell(script).run()
        XCTAssertEqual(text(result.output), "0\n1\n2\n")
    }

    func testTheTimeLimitEndsTheWholeGroup() async throws {
        // The grandchild ignores SIGTERM; it holds the inherited file open.
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        mkfifo(file, 0o600)
        defer { unlink(file) }
        let reader = open(file, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let run = shell(
            "(trap '' TERM; exec sleep 1000) >\"$1\" & (trap '' TERM; exec sleep 1000) >\"$1\"",
            limits: .init(time: .milliseconds(300), grace: .milliseconds(100)), arguments: [file])
        do {
            _ = try await run.run()
            XCTFail("no time limit")
        } catch let error as SubprocessError {
            XCTAssertEqual(error, SubprocessError(reason: .timedOut, program: "/bin/sh"))
        }
        // End of file (no writer left) proves that both sleepers are gone.
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        XCTAssertEqual(poll(&entry, 1, 5000), 1)
        var byte: UInt8 = 0
        XCTAssertEqual(read(reader, &byte, 1), 0)
    }

    func testCancellingEndsTheProgramAndThrows() async throws {
        let started = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        mkfifo(started, 0o600)
        defer { unlink(started) }
        let reader = open(started, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        let run = shell("exec 5>\"$1\"; echo go >&5; exec sleep 1000", arguments: [started])
        let task = Task { try await run.run() }
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        XCTAssertEqual(poll(&entry, 1, 10_000), 1)
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("not cancelled")
        } catch is CancellationError {
        } catch { XCTFail("\(error)") }
    }

    func testADaemonThatKeepsThePipesOpenDoesNotHoldUsUp() async throws {
        let folder = try TemporaryFolder()
        let fifo = folder.path("fifo")
        mkfifo(fifo, 0o600)
        let result = try await shell("setsid sh -c 'read line <\(fifo)' & echo done").run()
        XCTAssertEqual(text(result.output), "done\n")
        // Only now may the daemon end.
        let writer = open(fifo, O_RDWR)
        defer { close(writer) }
        XCTAssertEqual(write(writer, "\n", 1), 1)
    }

    func testWhatAProgramLeavesBehindOnPurposeGoesOn() async throws {
        let folder = try TemporaryFolder()
        let (fifo, gate) = (folder.path("fifo"), folder.path("gate"))
        for path in [fifo, gate] { mkfifo(path, 0o600) }
        let reader = open(fifo, O_RDONLY | O_NONBLOCK)
        let opener = open(gate, O_RDWR)
        defer { for file in [reader, opener] { close(file) } }
        // As xclip does: it owns the selection until another program takes it.
        let result = try await shell(
            "(read go < \"$2\"; echo alive > \"$1\") > /dev/null 2>&1 & echo done",
            arguments: [fifo, gate]
        ).run()
        XCTAssertEqual(text(result.output), "done\n")
        Glibc.write(opener, "go\n", 3)
        var entry = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
        XCTAssertEqual(poll(&entry, 1, 10_000), 1)
        var bytes = [UInt8](repeating: 0, count: 6)
        XCTAssertEqual(read(reader, &bytes, 6), 6)
        XCTAssertEqual(text(bytes), "alive\n")
    }

    func testADaemonThatGoesOnWritingDoesNotHoldUsUp() async throws {
        let result = try await shell(
            "setsid sh -c 'trap \"\" HUP; while echo more; do sleep 0.05; done' & echo done",
            limits: .init(time: .seconds(30), outputBytes: 5)
        ).run()
        XCTAssertEqual(result.status, .exited(0))
        XCTAssertEqual(result.output.count, 5)
    }

    func testAMissingProgramIsTyped() async throws {
        do {
            _ = try await Subprocess(program: "/nonexistent/x", environment: [:]).run()
            XCTFail("it ran")
        } catch let error as SubprocessError {
            XCTAssertEqual(error, SubprocessError(reason: .notFound, program: "/nonexistent/x"))
        }
        XCTAssertEqual(
            Result { try Subprocess.find("no-such-program", in: base) }.failure,
            SubprocessError(reason: .notFound, program: "no-such-program"))
    }

    func testLookingUpUsesOnlyAbsoluteFoldersOfThePath() throws {
        XCTAssertEqual(
            try Subprocess.find("sh", in: ["PATH": ".::/nonexistent:/bin"]), "/bin/sh")
        XCTAssertEqual(try Subprocess.find("/bin/sh", in: [:]), "/bin/sh")
        XCTAssertEqual(
            Result { try Subprocess.find("bin/sh", in: base) }.failure?.reason, .notFound)
        XCTAssertEqual(
            Result { try Subprocess.find("passwd", in: ["PATH": "/etc"]) }.failure?.reason,
            .notExecutable)
        XCTAssertEqual(Result { try Subprocess.find("", in: base) }.failure?.reason, .notFound)
    }

    func testAWordWithANulIsRefused() async throws {
        do {
            _ = try await shell("true", arguments: ["a\0b"]).run()
            XCTFail("it ran")
        } catch let error as SubprocessError {
            XCTAssertEqual(error.reason, .couldNotStart(EINVAL))
        }
    }

    func testManyAtOnceDoNotMixTheirStreams() async throws {
        let base = base
        let outputs = try await withThrowingTaskGroup(of: (Int, String).self) { group in
            for index in 0..<40 {
                group.addTask {
                    let result = try await Subprocess(
                        program: "/bin/cat", environment: base,
                        input: .bytes(Array("number \(index)".utf8))
                    ).run()
                    return (index, String(decoding: result.output, as: UTF8.self))
                }
            }
            return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
        }
        XCTAssertEqual(
            outputs,
            [Int: String](
                uniqueKeysWithValues: (0..<40).map {
                    ($0, "number \($0)")
                }))
    }
}

extension Result {
    fileprivate var failure: SubprocessError? {
        if case .failure(let error) = self { error as? SubprocessError } else { nil }
    }
}
