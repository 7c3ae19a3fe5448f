import Foundation
import TestSupport
import XCTest

/// Makes files of real sound with espeak-ng, sox and ffmpeg in a folder of its
/// own. A missing program skips the test.
struct SoundFiles {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Runs a program in the folder and gives what it prints.
    @discardableResult
    func run(_ name: String, _ arguments: [String]) throws -> String {
        let process = Process.apart()
        process.executableURL = URL(fileURLWithPath: try Self.find(name))
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        XCTAssertEqual(process.terminationStatus, 0, "\(name) \(arguments)")
        return String(decoding: output, as: UTF8.self)
    }

    static func find(_ name: String) throws -> String {
        let packages = ["ffprobe": "ffmpeg", "soxi": "sox"]
        return try TestMachine.find(name, package: packages[name] ?? name)
    }

    /// Speech of some seconds, 22,050 Hz mono of 16 bits.
    func speech(_ text: String = "Remind me to call the dentist on Friday.") throws -> String {
        try run("espeak-ng", ["-w", "speech.wav", "--", text])
        return folder.path("speech.wav")
    }

    /// The speech by ffmpeg, as a file of that name.
    func converted(_ name: String, _ options: [String]) throws -> String {
        try run("ffmpeg", ["-nostdin", "-v", "error", "-y", "-i", "speech.wav"] + options + [name])
        return folder.path(name)
    }

    /// The speech as several files by one run of ffmpeg, which is quicker.
    func convertAll(_ outputs: [(name: String, options: [String])]) throws {
        try run(
            "ffmpeg",
            ["-nostdin", "-v", "error", "-y", "-i", "speech.wav"]
                + outputs.flatMap { $0.options + [$0.name] })
    }

    /// Seconds by ffprobe.
    func duration(_ path: String) throws -> Double? {
        let arguments = ["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path]
        return Double(
            try run("ffprobe", arguments).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Seconds of each by one run of ffmpeg, to the hundredth.
    func durations(_ names: [String]) throws -> [String: Double] {
        let words = names.flatMap { ["-i", $0] }.joined(separator: " ")
        let told = try run(
            "sh", ["-c", "ffmpeg -nostdin -hide_banner \(words) -t 0 -f null - 2>&1"])
        let times = told.split(separator: "\n").compactMap { line in
            line.firstMatch(of: /^  Duration: ([0-9]+):([0-9]+):([0-9.]+|N\/A)/)
        }
        XCTAssertEqual(times.count, names.count, told)
        return Dictionary(
            uniqueKeysWithValues: zip(names, times).compactMap { name, time in
                guard let hours = Double(time.1), let minutes = Double(time.2),
                    let seconds = Double(time.3)
                else { return nil }
                return (name, hours * 3_600 + minutes * 60 + seconds)
            })
    }

    /// A WAV of 16-bit samples made here, without a program.
    func wave(_ name: String, rate: Int, channels: Int = 1, _ samples: [Int16]) throws -> String {
        var bytes = Self.header(rate: rate, channels: channels, dataBytes: samples.count * 2)
        for sample in samples {
            bytes += [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
        }
        return try folder.write(bytes, to: name)
    }

    /// Written apart from the program's own, as an oracle.
    static func header(rate: Int, channels: Int, dataBytes: Int) -> [UInt8] {
        func little(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        return Array("RIFF".utf8) + little(36 + dataBytes, 4) + Array("WAVEfmt ".utf8)
            + little(16, 4) + little(1, 2) + little(channels, 2) + little(rate, 4)
            + little(rate * channels * 2, 4) + little(channels * 2, 2) + little(16, 2)
            + Array("data".utf8) + little(dataBytes, 4)
    }
}
