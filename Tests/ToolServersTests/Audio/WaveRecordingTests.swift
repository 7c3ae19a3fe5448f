import Foundation
import TestSupport
import XCTest

@testable import Sound

/// The growing file: valid at any moment, whatever ends the process or fills
/// the disk. Processes that die here are forks of this one.
final class WaveRecordingTests: XCTestCase {
    /// Byte `n` of what is recorded here.
    private static func pattern(from: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var number = UInt32(truncatingIfNeeded: from)
            for index in 0..<count {
                buffer[index] = UInt8(truncatingIfNeeded: (number &* 2_654_435_761) >> 16)
                number &+= 1
            }
            filled = count
        }
    }

    /// Independent readers: frames and a digest of what they hold.
    private let reader = """
        import hashlib, subprocess, sys, wave
        for path in sys.argv[1:]:
            with wave.open(path) as f:
                assert (f.getnchannels(), f.getsampwidth(), f.getframerate()) == (1, 2, 16000)
                frames = f.readframes(f.getnframes())
                assert len(frames) == 2 * f.getnframes(), path
            sox = subprocess.run(['sox', path, '-t', 'raw', '-'], capture_output=True)
            assert sox.returncode == 0 and not sox.stderr, sox.stderr
            assert sox.stdout == frames, path
            print(len(frames), hashlib.sha256(frames).hexdigest())
        """

    private func readByOthers(_ paths: [String]) throws -> [String] {
        _ = try TestMachine.find("sox", package: "sox")
        return try Python.run(reader, arguments: paths).split(separator: "\n").map(String.init)
    }

    private func digest(_ bytes: [UInt8]) throws -> String {
        let folder = try TemporaryFolder()
        let path = try folder.write(bytes, to: "bytes")
        let text = try Python.run(
            "import hashlib,sys; d=open(sys.argv[1],'rb').read(); print(len(d), hashlib.sha256(d).hexdigest())",
            arguments: [path])
        return text.trimmingCharacters(in: .newlines)
    }

    /// Swift hides `fork`, but not its sister that gives the child a terminal.
    /// The child runs nothing but `body` and ends.
    private func fork(_ body: () -> Void) throws -> (pid: pid_t, terminal: Int32) {
        var terminal: Int32 = -1
        let pid = forkpty(&terminal, nil, nil, nil)
        if pid == 0 {
            body()
            _exit(0)
        }
        if pid < 0 { throw CocoaError(.executableLoad) }
        return (pid, terminal)
    }

    /// The terminal is closed last: that would end the child.
    private func wait(_ child: (pid: pid_t, terminal: Int32)) -> Int32 {
        var word: Int32 = 0
        while waitpid(child.pid, &word, 0) < 0, errno == EINTR {}
        close(child.terminal)
        return word
    }

    /// Records until it is killed, and says after each append how much there is.
    private func recordForEver(_ path: String, _ pipe: Int32, seed: UInt64) {
        var random = SplitMix(seed: seed)
        guard let file = try? WaveRecording(creating: path, .dictation) else { return }
        while file.bytes < 50_000_000 {
            let count = 2 * Int.random(in: 1...3_000, using: &random)
            guard (try? file.append(Self.pattern(from: file.bytes, count: count)[...])) != nil
            else { return }
            var bytes = file.bytes
            _ = write(pipe, &bytes, MemoryLayout<Int>.size)
        }
    }

    func testAKillAtAnyMomentLeavesAFileWithAllThatWasAcknowledged() throws {
        let folder = try TemporaryFolder()
        let kills = ProcessInfo.processInfo.environment["CHAT_FULL"] == nil ? 50 : 1_000
        var random = SplitMix(seed: 2_026)
        var paths: [String] = []
        var expected: [String] = []
        for number in 0..<kills {
            let path = folder.path("\(number).wav")
            var ends: [Int32] = [-1, -1]
            XCTAssertEqual(pipe(&ends), 0)
            let child = try fork { recordForEver(path, ends[1], seed: UInt64(number)) }
            close(ends[1])
            var acknowledged = 0
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                XCTAssertEqual(read(ends[0], &acknowledged, 8), 8)
            }
            // Somewhere within what it does, for it runs on meanwhile.
            for _ in 0..<Int.random(in: 0...2_000, using: &random) { _ = getppid() }
            kill(child.pid, SIGKILL)
            XCTAssertEqual(wait(child) & 0x7F, SIGKILL)
            var more = 0
            while read(ends[0], &more, 8) == 8 { acknowledged = more }
            close(ends[0])

            let bytes = try folder.read("\(number).wav")
            let counted = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
            let riff = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
            XCTAssertGreaterThanOrEqual(counted, acknowledged)
            XCTAssertEqual(riff, counted + 36)
            XCTAssertLessThanOrEqual(44 + counted, bytes.count)
            let samples = Array(bytes[44..<44 + counted])
            XCTAssertTrue(samples == Self.pattern(from: 0, count: counted), "kill \(number)")
            paths.append(path)
            if number < 10 { expected.append(try digest(samples)) }
        }
        let found = try readByOthers(Array(paths.prefix(50)))
        XCTAssertEqual(found.count, min(50, kills))
        XCTAssertEqual(Array(found.prefix(10)), expected)
    }

    /// What a child said of its append, and how it ended.
    private func appendUpTo(
        limit: Int, ignoring: Bool, _ path: String
    ) throws -> (code: Int32, bytes: Int, word: Int32) {
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(pipe(&ends), 0)
        let child = try fork {
            if ignoring { signal(SIGXFSZ, SIG_IGN) }
            var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            guard let file = try? WaveRecording(creating: path, .dictation) else { return }
            var code: Int32 = 0
            do throws(WaveRecording.Failure) {
                while true { try file.append(Self.pattern(from: file.bytes, count: 1_000)[...]) }
            } catch {
                code = error.code
            }
            var answer = [Int(code), file.bytes]
            _ = write(ends[1], &answer, 16)
        }
        close(ends[1])
        var answer = [0, 0]
        _ = read(ends[0], &answer, 16)
        close(ends[0])
        return (Int32(answer[0]), answer[1], wait(child))
    }

    func testAFullDiskIsToldAndWhatFitsIsKept() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("full.wav")
        // Room for 4,955 bytes of samples: the odd one is no sample.
        let (code, bytes, word) = try appendUpTo(limit: 4_999, ignoring: true, path)
        XCTAssertEqual(code, EFBIG)
        XCTAssertEqual(bytes, 4_954)
        XCTAssertEqual(word, 0)
        let samples = Self.pattern(from: 0, count: 4_954)
        XCTAssertEqual(Array(try folder.read("full.wav")[44..<44 + 4_954]), samples)
        let read = try readByOthers([path])
        XCTAssertEqual(read, [try digest(samples)])
    }

    func testTheSignalOfAFullQuotaLeavesAValidFileToo() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("quota.wav")
        let (_, _, word) = try appendUpTo(limit: 4_998, ignoring: false, path)
        XCTAssertEqual(word & 0x7F, SIGXFSZ)
        let read = try readByOthers([path])
        XCTAssertEqual(read, [try digest(Self.pattern(from: 0, count: 4_954))])
    }

    func testTheFileIsPrivateAndNeverAnotherOne() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.wav")
        let old = umask(0)
        defer { umask(old) }
        let file = try WaveRecording(creating: path, .dictation)
        var status = stat()
        XCTAssertEqual(stat(path, &status), 0)
        XCTAssertEqual(status.st_mode & 0o777, 0o600)
        XCTAssertThrowsError(try WaveRecording(creating: path, .dictation)) {
            XCTAssertEqual($0 as? WaveRecording.Failure, .init(code: EEXIST))
        }
        XCTAssertEqual(symlink("elsewhere", folder.path("link.wav")), 0)
        XCTAssertThrowsError(try WaveRecording(creating: folder.path("link.wav"), .dictation))
        XCTAssertEqual(file.bytes, 0)
        let read = try readByOthers([path])
        XCTAssertEqual(read, [try digest([])])
    }

    func testAFileThatWasTakenAwayIsNotCalledComplete() throws {
        let folder = try TemporaryFolder()
        let file = try WaveRecording(creating: folder.path("a.wav"), .dictation)
        try file.append([1, 2])
        try file.synchronize()
        file.remove()
        XCTAssertThrowsError(try file.synchronize()) {
            XCTAssertEqual($0 as? WaveRecording.Failure, .init(code: ENOENT))
        }
    }
}
