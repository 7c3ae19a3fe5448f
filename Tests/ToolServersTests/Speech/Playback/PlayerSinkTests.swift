import Base
import Foundation
import TestSupport
import XCTest

@testable import Sound

/// `PlayerSink` against fake players, good and bad ones.
final class PlayerSinkTests: XCTestCase {
    private let format = PCMFormat(rate: 8000)

    private func sound(_ seconds: Double) -> [UInt8] {
        (0..<format.bytes(ofSeconds: seconds)).map { UInt8(truncatingIfNeeded: $0 / 7) }
    }

    func testThePlayerGetsExactlyTheBytesAndEndsByItself() async throws {
        let player = try FakePlayer()
        let sink = player.sink()
        let bytes = sound(3)
        try await sink.begin(format)
        try await sink.write(Array(bytes.prefix(10_001)))
        try await sink.begin(format)
        try await sink.write(Array(bytes.dropFirst(10_001)))
        try await sink.finish()
        XCTAssertEqual(try player.sound, bytes)
        try player.assertGone()
    }

    func testSoundIsNeverMoreThanASixthOfASecondAhead() async throws {
        let player = try FakePlayer()
        let clock = ManualClock()
        let sink = player.sink(clock.environment)
        try await sink.begin(format)
        let bytes = sound(1)
        let writing = Task { try await sink.write(bytes) }
        func pauses() -> [Duration] { clock.sleeps.filter { $0 < .seconds(1) } }
        // 8 blocks of 20 ms go at once; from the 9th on each waits.
        for count in 1...42 {
            while pauses().count < count { await Task.yield() }
            clock.advance(by: pauses()[count - 1])
        }
        try await writing.value
        let waited = pauses().reduce(.zero, +) / .milliseconds(1)
        XCTAssertEqual(waited, 840, accuracy: 1)
        let first = try XCTUnwrap(pauses().first) / .milliseconds(1)
        XCTAssertEqual(first, 20, accuracy: 0.1)
        await sink.stop()
        try player.assertGone()
    }

    func testAnotherFormatBeginsAnewAfterTheFirstWasHeard() async throws {
        let player = try FakePlayer("echo \"$3\" >> \"$1\"; exec cat >> \"$1\"")
        let sink = PlayerSink(
            command: player.command + ["{rate}/{channels}"], environment: hurriedEnvironment())
        try await sink.begin(format)
        try await sink.write(Array("first ".utf8))
        try await sink.begin(PCMFormat(rate: 24_000, channels: 2))
        try await sink.write(Array("then".utf8))
        try await sink.finish()
        XCTAssertEqual(
            String(decoding: try player.sound, as: UTF8.self), "8000/1\nfirst 24000/2\nthen")
    }

    func testWithNoPlayerTheNamesOfThoseThatWouldDoAreTold() async throws {
        let empty = try TemporaryFolder()
        let sink = PlayerSink(
            command: nil, environment: .system(variables: ["PATH": empty.path]))
        let format = format
        let reason = await failure { try await sink.begin(format) }
        XCTAssertEqual(
            reason, .needsProgram(["pw-play", "paplay", "aplay", "play", "ffplay", "mpv"]))
        let own = PlayerSink(
            command: ["/nonexistent/player"], environment: .system(variables: [:]))
        let other = await failure { try await own.begin(format) }
        XCTAssertEqual(other, .needsProgram(["/nonexistent/player"]))
    }

    func testACrashInTheMiddleIsToldWithTheLastWords() async throws {
        let player = try FakePlayer(
            "head -c 20000 > /dev/null; echo one >&2; echo 'no such card' >&2; exit 7")
        let sink = player.sink()
        let (format, long) = (format, sound(20))
        try await sink.begin(format)
        let reason = await failure { try await sink.write(long) }
        XCTAssertEqual(
            reason, .programFailed("/bin/sh", status: 7, message: "one no such card"))
        try player.assertGone()
        // It can begin again.
        let again = await failure {
            try await sink.begin(format)
            try await sink.write(long)
        }
        XCTAssertEqual(again, reason)
    }

    func testAPlayerThatDiesBySignalOrOnlyAtTheEndIsToldToo() async throws {
        for (script, status): (String, Int32) in [
            ("cat > /dev/null; kill -SEGV $$", 139), ("cat > /dev/null; exit 3", 3),
        ] {
            let player = try FakePlayer(script)
            let sink = player.sink()
            try await sink.begin(format)
            try await sink.write(sound(0.1))
            let reason = await failure { try await sink.finish() }
            XCTAssertEqual(reason, .programFailed("/bin/sh", status: status, message: ""))
        }
    }

    func testAPlayerThatClosesItsInputAndStaysIsEnded() async throws {
        let player = try FakePlayer("exec 0<&-; exec sleep 1000")
        let sink = player.sink()
        let (format, long) = (format, sound(20))
        try await sink.begin(format)
        let reason = await failure { try await sink.write(long) }
        guard case .programFailed = reason else { return XCTFail("\(reason as Any)") }
        try player.assertGone()
    }

    func testAPlayerThatNeverReadsOrNeverEndsIsGivenUp() async throws {
        let silent = try FakePlayer("trap '' TERM; while :; do sleep 1000; done")
        let endless = try FakePlayer("trap '' TERM; cat > /dev/null; while :; do sleep 1000; done")
        let (first, second) = (
            silent.sink(first: .milliseconds(1700)), endless.sink(first: .milliseconds(1700))
        )
        try await first.begin(format)
        try await second.begin(format)
        try await second.write(sound(0.1))
        let bytes = sound(20)
        async let never = failure { try await first.write(bytes) }
        async let end = failure { try await second.finish() }
        let reasons = await [never, end]
        XCTAssertEqual(reasons, [.programHangs("/bin/sh"), .programHangs("/bin/sh")])
        try silent.assertGone()
        try endless.assertGone()
    }

    func testStoppingSilencesAPlayerThatIgnoresSignalsAtOnce() async throws {
        let player = try FakePlayer("trap '' TERM; cat > /dev/null; while :; do sleep 1000; done")
        let sink = player.sink(.system(variables: [:]))
        try await sink.begin(format)
        let bytes = sound(60)
        let writing = Task { try await sink.write(bytes) }
        while player.pid == nil { await Task.yield() }
        await sink.stop()
        try player.assertGone()
        do {
            try await writing.value
            XCTFail("written after the end")
        } catch is CancellationError {}
    }

    func testASecondStopReturnsNoSoonerThanThePlayerIsGone() async throws {
        let player = try FakePlayer("trap '' TERM; cat > /dev/null; while :; do sleep 1000; done")
        let sink = player.sink(.system(variables: [:]))
        try await sink.begin(format)
        while player.pid == nil { await Task.yield() }
        async let first: Void = sink.stop()
        // The first is waiting for the player's end, or has not begun.
        await Task.yield()
        await sink.stop()
        try player.assertGone()
        await first
    }

    func testCancellingAWriteEndsAndALetGoSinkLeavesNoPlayer() async throws {
        let player = try FakePlayer()
        var sink: PlayerSink? = player.sink(.system(variables: [:]))
        try await sink?.begin(format)
        let bytes = sound(60)
        let writing = Task { [sink] in try await sink?.write(bytes) }
        while player.pid == nil { await Task.yield() }
        writing.cancel()
        do {
            try await writing.value
            XCTFail("not cancelled")
        } catch is CancellationError {}
        sink = nil
        let limit = ContinuousClock.now + .seconds(20)
        while let pid = player.pid, kill(pid, 0) == 0, ContinuousClock.now < limit {
            await Task.yield()
        }
        try player.assertGone()
    }

    // MARK: - Which of those that are installed

    /// Programs of the known names as scripts in a PATH of their own.
    private func programs(_ scripts: [String: String]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (name, script) in scripts {
            let path = try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: name)
            chmod(path, 0o700)
        }
        return folder
    }

    private func environment(_ folder: TemporaryFolder) -> Base.Environment {
        hurriedEnvironment(["PATH": folder.path + ":" + TestMachine.path])
    }

    func testAPlayerThatCannotStartToPlayIsFollowedByTheNextWithAllOfTheSound() async throws {
        let folder = try programs([
            "pw-play": "[ \"$1\" = --help ] && exit 0; echo used > \"${0%/*}/pw-used\"",
            "paplay": "echo 'Connection refused' >&2; exit 1",
            "aplay": "exec cat > \"${0%/*}/heard\"",
        ])
        let sink = PlayerSink(command: nil, environment: environment(folder))
        let bytes = sound(2)
        for _ in 0..<2 {
            try await sink.begin(format)
            try await sink.write(bytes)
            try await sink.finish()
            XCTAssertEqual(try folder.read("heard"), bytes)
        }
        XCTAssertFalse(
            FileManager.default.fileExists(atPath: folder.path("pw-used")),
            "an old pw-play was asked to play raw sound")
    }

    func testAShortSoundIsTriedOnTheNextPlayerToo() async throws {
        let folder = try programs([
            "paplay": "cat > /dev/null; exit 1", "aplay": "exec cat > \"${0%/*}/heard\"",
        ])
        let sink = PlayerSink(command: nil, environment: environment(folder))
        try await sink.begin(format)
        try await sink.write([1, 2, 3, 4])
        try await sink.finish()
        XCTAssertEqual(try folder.read("heard"), [1, 2, 3, 4])
    }

    func testWhenNoneOfThemCanPlayTheLastOneIsTold() async throws {
        let names = PlayerProgram.known.map(\.name)
        let folder = try programs(
            Dictionary(uniqueKeysWithValues: names.map { ($0, "echo no sound >&2; exit 1") }))
        let sink = PlayerSink(command: nil, environment: environment(folder))
        let bytes = sound(1)
        // The second time all of them are tried again.
        for _ in 0..<2 {
            do {
                try await sink.begin(format)
                try await sink.write(bytes)
                try await sink.finish()
                XCTFail("no error")
            } catch let error as SpeechError {
                XCTAssertEqual(
                    error.reason, .programFailed("mpv", status: 1, message: "no sound"))
                XCTAssertEqual(
                    error.attempts,
                    names.dropFirst().map {
                        ProgramAttempt(program: $0, status: 1, message: "no sound")
                    }, "pw-play of that age plays no raw sound")
            }
        }
    }

    func testANewPwPlayIsTakenWhereItsHelpKnowsRawSound() async throws {
        let folder = try programs([
            "pw-play":
                "[ \"$1\" = --help ] && { echo '  -a, --raw   RAW mode'; exit 0; }; exec cat > \"${0%/*}/heard\""
        ])
        let sink = PlayerSink(command: nil, environment: environment(folder))
        try await sink.begin(format)
        try await sink.write([1, 2])
        try await sink.finish()
        XCTAssertEqual(try folder.read("heard"), [1, 2])
    }
}

/// What it throws. The players sleep for a quarter of an hour: who waits for
/// one instead of giving it up does not come back.
private func failure(
    _ work: @Sendable () async throws -> Void, line: UInt = #line
) async -> SpeechError.Reason? {
    do {
        try await work()
        XCTFail("no error", line: line)
    } catch let error as SpeechError {
        return error.reason
    } catch { XCTFail("\(error)", line: line) }
    return nil
}
