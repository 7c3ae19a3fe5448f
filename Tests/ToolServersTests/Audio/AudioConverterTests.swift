import Base
import Foundation
import Synchronization
import TestSupport
import XCTest

@testable import Sound

final class AudioConverterTests: XCTestCase {
    /// A program of that name that is a shell script, and the variables to find it.
    private func fake(
        _ name: String, _ script: String, in folder: TemporaryFolder
    ) throws -> [String: String] {
        let path = try folder.write(Array("#!/bin/sh\n\(script)\n".utf8), to: name)
        XCTAssertEqual(chmod(path, 0o700), 0)
        return ["PATH": folder.path]
    }

    /// Only that one of the installed programs.
    private func only(_ name: String, in folder: TemporaryFolder) throws -> [String: String] {
        try FileManager.default.createSymbolicLink(
            atPath: folder.path(name), withDestinationPath: try SoundFiles.find(name))
        return ["PATH": folder.path]
    }

    private func reason(
        _ converter: AudioConverter, _ file: AudioFile, _ path: String
    ) async throws -> AudioError.Reason? {
        do {
            _ = try await converter.wave(of: file, into: path)
            return nil
        } catch let error as AudioError {
            XCTAssertEqual(error.path, file.path)
            return error.reason
        }
    }

    func testBothProgramsMakeAPrivateWaveOfTheSameLength() async throws {
        let files = try SoundFiles()
        let told = try files.run("sh", ["-c", "sox --help-format mp3 || :"])
        guard told.contains("Reads: yes") else {
            throw XCTSkip("sox reads no MP3 (Debian: libsox-fmt-mp3)")
        }
        let spoken = try XCTUnwrap(AudioFile(try files.speech()).duration)
        let kinds: [(name: String, options: [String], sox: Bool)] = [
            ("a.mp3", [], true), ("a.ogg", ["-c:a", "libvorbis"], true),
            // Debian's sox is built without Opus, and says so.
            ("a.opus", ["-c:a", "libopus"], false), ("a.flac", [], true), ("a.aiff", [], true),
            ("law.wav", ["-c:a", "pcm_mulaw"], true), ("a.m4a", [], false), ("a.webm", [], false),
            ("a.aac", [], false), ("a.caf", [], true), ("a.wma", [], false), ("a.mp4", [], false),
            ("a.spx", ["-c:a", "libspeex", "-ar", "16000"], false),
        ]
        try files.convertAll(kinds.map { ($0.name, $0.options + ["-metadata", "title=Secret"]) })
        for program in ["ffmpeg", "sox"] {
            let programs = try TemporaryFolder()
            let converter = AudioConverter(variables: try only(program, in: programs))
            for (name, _, bySox) in kinds {
                let file = try AudioFile(files.folder.path(name))
                let path = files.folder.path("\(program)-\(name).wav")
                guard program == "ffmpeg" || bySox else {
                    let found = try await reason(converter, file, path)
                    XCTAssertEqual(
                        found,
                        .needsProgram(["ffmpeg"], bytes: file.bytes, limit: 25_000_000), name)
                    continue
                }
                let wave = try await converter.wave(of: file, into: path)
                XCTAssertEqual(wave.path, path)
                XCTAssertEqual(wave.wave?.format, .dictation, name)
                XCTAssertEqual(wave.wave?.bits, 16, name)
                XCTAssertEqual(
                    try XCTUnwrap(wave.duration), spoken, accuracy: 0.15, "\(program) \(name)")
                var status = stat()
                XCTAssertEqual(stat(path, &status), 0)
                XCTAssertEqual(status.st_mode & 0o777, 0o600)
                XCTAssertFalse(FileManager.default.fileExists(atPath: path + ".part"))
            }
        }
    }

    func testANameIsNeverAnOptionOrAProtocol() async throws {
        let files = try SoundFiles()
        _ = try files.speech("Hi.")
        _ = try files.converted("a.flac", [])
        let bytes = try files.folder.read("a.flac")
        let programs = try TemporaryFolder()
        let variables = try only("ffmpeg", in: programs)
        try FileManager.default.createSymbolicLink(
            atPath: programs.path("sox"), withDestinationPath: try SoundFiles.find("sox"))
        let sox = try TemporaryFolder()
        let soxVariables = try only("sox", in: sox)
        for name in [
            "-y", "|touch gone", "http:example", "concat:a|b", "a%03d.flac", "sp ace 'q' \"d\"",
            "ünï🌍", "a\nb", "$(x).mp3", "@list",
        ] {
            let file = try AudioFile(try files.folder.write(bytes, to: name))
            for variables in [variables, soxVariables] {
                let wave = try await AudioConverter(variables: variables).wave(
                    of: file, into: files.folder.path("out \(name)"))
                XCTAssertGreaterThan(try XCTUnwrap(wave.duration), 0.1, name)
            }
        }
    }

    /// sox takes names for patterns unless it is told not to.
    func testANameIsNeverAPattern() async throws {
        let files = try SoundFiles()
        for program in ["sox", "ffmpeg"] {
            let programs = try TemporaryFolder()
            let converter = AudioConverter(variables: try only(program, in: programs))
            for (name, meant) in [
                ("a[1].wav", "a1.wav"), ("b*.wav", "bb.wav"), ("c?.wav", "cc.wav"),
            ] {
                for (file, count) in [(meant, 8_000), (name, 16_000)] {
                    _ = try files.wave(file, rate: 8_000, Array(repeating: 9, count: count))
                }
                // The same of the path that is written.
                let output = files.folder.path("out " + name)
                let other = try files.folder.write([1], to: "out \(meant).part")
                let wave = try await converter.wave(
                    of: AudioFile(files.folder.path(name)), into: output)
                XCTAssertEqual(wave.duration, 2, "\(program) \(name)")
                XCTAssertEqual(try files.folder.read("out \(meant).part"), [1], other)
            }
        }
    }

    func testWithoutAnyProgramWhatToInstallIsNamed() async throws {
        let files = try SoundFiles()
        _ = try files.speech("Hi.")
        let file = try AudioFile(try files.converted("a.mp3", []))
        let empty = try TemporaryFolder()
        let converter = AudioConverter(variables: ["PATH": empty.path], limitInBytes: 100)
        let found = try await reason(converter, file, files.folder.path("out.wav"))
        XCTAssertEqual(found, .needsProgram(["ffmpeg", "sox"], bytes: file.bytes, limit: 100))
    }

    func testAProgramThatFailsIsAnErrorWithItsLastWords() async throws {
        let files = try SoundFiles()
        let file = try AudioFile(
            try files.wave("a.wav", rate: 8_000, Array(repeating: 9, count: 8_000)))
        let cases: [(String, String)] = [
            ("echo one >&2; echo 'two: no such codec' >&2; exit 3", "two: no such codec"),
            ("exit 3", "exit status 3"), ("kill -9 $$", "ended by signal 9"),
            ("exit 0", "it wrote no sound"),
        ]
        for (script, message) in cases {
            let programs = try TemporaryFolder()
            let converter = AudioConverter(variables: try fake("ffmpeg", script, in: programs))
            let found = try await reason(converter, file, files.folder.path("out.wav"))
            XCTAssertEqual(found, .conversionFailed(program: "ffmpeg", message: message))
        }
        // One that is there and cannot be started is asked no more.
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: files.folder.path), ["a.wav"])
    }

    func testAProgramThatHangsIsEndedInTime() async throws {
        let files = try SoundFiles()
        let file = try AudioFile(
            try files.wave("a.wav", rate: 8_000, Array(repeating: 9, count: 800)))
        let programs = try TemporaryFolder()
        let variables = try fake("ffmpeg", "while :; do :; done", in: programs)
        let converter = AudioConverter(variables: variables, patience: .milliseconds(100))
        let found = try await reason(converter, file, files.folder.path("out.wav"))
        XCTAssertEqual(
            found, .conversionFailed(program: "ffmpeg", message: "it did not finish in time"))
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: files.folder.path), ["a.wav"])
    }

    func testACancelledConversionLeavesNothing() async throws {
        let files = try SoundFiles()
        let file = try AudioFile(
            try files.wave("a.wav", rate: 8_000, Array(repeating: 9, count: 800)))
        let programs = try TemporaryFolder()
        let variables = try fake("ffmpeg", "while :; do :; done", in: programs)
        let gate = Gate()
        let converter = AudioConverter(variables: variables, sleep: { _ in gate.open() })
        let task = Task {
            try await converter.wave(of: file, into: files.folder.path("out.wav"))
        }
        await gate.wait()
        task.cancel()
        do {
            _ = try await task.value
            XCTFail("a cancelled conversion gave a file")
        } catch is CancellationError {}
        XCTAssertEqual(
            try FileManager.default.contentsOfDirectory(atPath: files.folder.path), ["a.wav"])
    }

    func testProgressIsWhatWasWritten() async throws {
        let files = try SoundFiles()
        let file = try AudioFile(
            try files.wave("a.wav", rate: 8_000, Array(repeating: 9, count: 16_000)))
        let programs = try TemporaryFolder()
        // Writes a second of sound, and ends when it is told that this was seen.
        let made = try files.folder.write(Array(repeating: 0, count: 32_000), to: "made.raw")
        let script = """
            /bin/cat \(made)
            read line <\(files.folder.path("seen"))
            """
        XCTAssertEqual(mkfifo(files.folder.path("seen"), 0o600), 0)
        let variables = try fake("ffmpeg", script, in: programs)
        let told = Mutex<[Double]>([])
        let seen = files.folder.path("seen")
        let converter = AudioConverter(variables: variables, sleep: { _ in await Task.yield() })
        _ = try await converter.wave(of: file, into: files.folder.path("out.wav")) { done, all in
            XCTAssertEqual(all, 2)
            let isNew = told.withLock { told in
                guard done >= 1, told.last ?? 0 < 1 else {
                    told.append(done)
                    return false
                }
                told.append(done)
                return true
            }
            if isNew {
                let descriptor = open(seen, O_WRONLY | O_CLOEXEC)
                _ = write(descriptor, "\n", 1)
                close(descriptor)
            }
        }
        let last = try XCTUnwrap(told.withLock { $0.last })
        XCTAssertEqual(last, 1, accuracy: 0.01)
    }

    func testAFileThatChangedSinceItWasLookedAtIsNotConverted() async throws {
        let files = try SoundFiles()
        let path = try files.wave("a.wav", rate: 8_000, Array(repeating: 9, count: 800))
        let file = try AudioFile(path)
        XCTAssertEqual(truncate(path, 100), 0)
        let converter = AudioConverter(variables: ["PATH": "/usr/bin"])
        _ = try SoundFiles.find("ffmpeg")
        let found = try await reason(converter, file, files.folder.path("out.wav"))
        XCTAssertEqual(found, .file(.changed))
    }

    /// Content that passed for one format is never read as another.
    func testTheProgramIsToldTheContainer() throws {
        let files = try SoundFiles()
        _ = try files.speech("Hi.")
        let file = try AudioFile(try files.converted("a.mp3", []))
        let command = ConversionCommand(name: "ffmpeg", program: "/usr/bin/ffmpeg")
        let words = command.arguments(file, input: "/in")
        XCTAssertEqual(
            words,
            [
                "-nostdin", "-v", "error", "-protocol_whitelist", "file,pipe", "-f", "mp3", "-i",
                "file:/in", "-map", "0:a:0", "-vn", "-sn", "-dn", "-map_metadata", "-1",
                "-bitexact", "-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le", "-t", "86460", "-f",
                "s16le", "pipe:1",
            ])
    }
}
