import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

/// A `Recorder` with fake programs in a folder of its own, and a clock that
/// ticks as fast as the recorder asks while the time stands still until the
/// test lets it run.
final class RecorderRig: Sendable {
    private struct Watch {
        let isMet: @Sendable (RecordingLevel) -> Bool
        let gate: Gate
    }

    let folder: TemporaryFolder
    let recordings: RecordingsFolder
    let stop = RecordingStop()
    let format: PCMFormat
    private let clock = ManualClock()
    private let uptime = Mutex(1_000.0)
    private let runs = Mutex(false)
    private let watches = Mutex<[Watch]>([])

    init(_ format: PCMFormat = .dictation) throws {
        folder = try TemporaryFolder()
        recordings = RecordingsFolder(folder.path("recordings"))
        self.format = format
        XCTAssertEqual(mkdir(folder.path("bin"), 0o700), 0)
    }

    /// A program of that name in PATH.
    @discardableResult
    func install(_ name: String, _ script: String) throws -> String {
        let path = try folder.write(script.utf8, to: "bin/" + name)
        XCTAssertEqual(chmod(path, 0o700), 0)
        return path
    }

    /// A program in Python with `send` for sound, `tell` for `told`, and `hang`.
    ///
    /// SIGINT ends it as it ends any other program, or after `keep_stop` what
    /// waits in `wait_for_stop`. A handler of Python's would only note it: one
    /// that comes right before a blocking call is slept through.
    func python(_ name: String, _ script: String) throws {
        guard FileManager.default.isExecutableFile(atPath: Python.program) else {
            throw XCTSkip("python3 is not installed (Debian: python3)")
        }
        let head = """
            #!\(Python.program)
            import os, signal, subprocess, sys
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            def send(data):
                while data: data = data[os.write(1, data):]
            def tell(text):
                with open(\(String(reflecting: folder.path("told"))), 'w') as f: f.write(text)
            def hang():
                while True: signal.pause()
            def keep_stop():
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            def wait_for_stop():
                signal.sigwait([signal.SIGINT])
            """
        try install(name, head + "\n" + script + "\n")
    }

    /// What a fake says by `tell`; it waits for us there.
    func told() async throws -> String {
        let path = folder.path("told")
        return await withCheckedContinuation { continuation in
            DispatchQueue(label: "told").async {
                // A FIFO: readable from the first word until the other end is closed.
                var text: [UInt8] = []
                let door = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
                var buffer = [UInt8](repeating: 0, count: 256)
                while true {
                    var polled = pollfd(fd: door, events: Int16(POLLIN), revents: 0)
                    // A guard against a fake that never came so far.
                    let ready = poll(&polled, 1, 60_000)
                    if ready < 0 { continue }
                    guard ready > 0 else {
                        XCTFail("a fake has told nothing")
                        break
                    }
                    let count = read(door, &buffer, buffer.count)
                    if count < 0, errno == EAGAIN || errno == EINTR { continue }
                    if count <= 0 { break }
                    text += buffer.prefix(count)
                }
                close(door)
                continuation.resume(returning: String(decoding: text, as: UTF8.self))
            }
        }
    }

    func makeDoor() { XCTAssertEqual(mkfifo(folder.path("told"), 0o600), 0) }

    /// Time passes from now on: 50 ms each time the recorder asks.
    func letTimePass() { runs.withLock { $0 = true } }

    /// Returns when a level is as wanted.
    func wait(_ isMet: @escaping @Sendable (RecordingLevel) -> Bool) async {
        let gate = Gate()
        watches.withLock { $0.append(Watch(isMet: isMet, gate: gate)) }
        await gate.wait()
    }

    func record(
        _ settings: VoiceSettings.Recording = .init(), variables: [String: String] = [:]
    ) async throws -> Recording {
        let ticker = Task {
            var count = 1
            while !Task.isCancelled {
                await clock.waitForSleeps(count)
                if runs.withLock({ $0 }) { uptime.withLock { $0 += 0.05 } }
                clock.advance(by: .milliseconds(50))
                count += 1
                await Task.yield()
            }
        }
        defer {
            ticker.cancel()
            // Its last wait ends with one more sleep.
            Task { try? await clock.environment.sleep(.zero) }
        }
        var environment = clock.environment
        environment.uptime = { self.uptime.withLock { $0 } }
        let recorder = Recorder(
            settings: settings,
            variables: TestMachine.apart(["PATH": folder.path("bin")]).merging(variables) { $1 },
            folder: recordings.path, environment: environment, place: LocalTime(.utc),
            format: format)
        return try await recorder.record(onLevel: { self.show($0) }, until: stop)
    }

    /// What such a recording throws.
    func failure(
        _ settings: VoiceSettings.Recording = .with("mic"), line: UInt = #line
    ) async -> (any Error)? {
        do {
            let recording = try await record(settings)
            XCTFail("\(recording)", line: line)
            return nil
        } catch {
            return error
        }
    }

    private func show(_ level: RecordingLevel) {
        let met = watches.withLock { watches in
            let met = watches.filter { $0.isMet(level) }
            watches.removeAll { $0.isMet(level) }
            return met
        }
        for watch in met { watch.gate.open() }
    }

    /// The samples of a file, by its own header.
    func samples(_ path: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        XCTAssertGreaterThanOrEqual(bytes.count, 44)
        let count = bytes[40..<44].reversed().reduce(0) { $0 << 8 | Int($1) }
        XCTAssertEqual(bytes.count, 44 + count)
        return Array(bytes[44...])
    }

    func names() throws -> [String] { try recordings.list().map(\.name) }

    func assertGone(_ pid: String, line: UInt = #line) {
        guard let pid = pid_t(pid.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            return XCTFail("no process id: \(pid)", line: line)
        }
        // It was killed before; who adopted it may not have reaped it yet.
        let state = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ") Z"
        XCTAssertTrue(state.contains(") Z"), "\(pid) runs", line: line)
    }

    /// Speech as it comes from a microphone.
    static func speech() throws -> [UInt8] {
        for program in ["espeak-ng", "sox"] { _ = try TestMachine.find(program, package: program) }
        let text = try Python.run(
            """
            import subprocess, base64
            wav = subprocess.run(['espeak-ng', '--stdout', 'remind me to water the plants'], capture_output=True).stdout
            raw = subprocess.run(['sox', '-V0', '-t', 'wav', '-', '-D', '-t', 'raw', '-r', '16000', '-c', '1', '-b', '16', '-e', 'signed', '-'], input=wav, capture_output=True).stdout
            print(base64.b64encode(raw).decode())
            """)
        return [UInt8](
            Data(base64Encoded: text.trimmingCharacters(in: .newlines)) ?? Data())
    }
}

extension VoiceSettings.Recording {
    /// Without a command, the known programs.
    static func with(
        _ command: String..., silence: Double? = nil, cap: Int = 60
    ) -> VoiceSettings.Recording {
        var settings = VoiceSettings.Recording()
        settings.command = command.isEmpty ? nil : command
        settings.stopAfterSilence = silence
        settings.capInMinutes = cap
        return settings
    }
}
