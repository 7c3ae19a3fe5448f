import AgentCore
import Base
import Documents
import Glibc
import Sound

/// Encodes sound to an MP3, M4B, Opus or FLAC file with ffmpeg, which is fed while the
/// sound is made, so that no uncompressed file is written. Chapters are added in a second
/// run that copies the sound, once their places are known.
actor EncodedSoundFile: AudioSink {
    enum Format: String, Sendable {
        case mp3, m4b, opus, flac

        /// Bit rate for mono speech; nil if it depends on the sound.
        var usualBitsPerSecond: Int? { self == .flac ? nil : self == .opus ? 32_000 : 64_000 }

        fileprivate var encoder: [String] {
            switch self {
            case .mp3: ["libmp3lame"]
            // Seven times faster than the default coder, and no worse for speech.
            case .m4b: ["aac", "-aac_coder", "fast"]
            case .opus: ["libopus"]
            case .flac: ["flac"]
            }
        }
    }

    static let program = "ffmpeg"

    nonisolated var blockSeconds: Double { 1 }

    private let path: String
    private let variables: [String: String]
    private let format: Format
    private let bitsPerSecond: Int?
    private let file: RenderedFile
    private var process: RunningProcess?

    /// - Parameter program: absolute path of ffmpeg.
    init(
        program path: String, variables: [String: String], _ format: Format,
        bitsPerSecond: Int?, file: RenderedFile
    ) {
        self.path = path
        self.variables = Subprocess.baseEnvironment(from: variables)
        self.format = format
        self.bitsPerSecond = bitsPerSecond
        self.file = file
    }

    func begin(_ sound: PCMFormat) throws {
        let input = [
            "-f", "s16le", "-ar", "\(sound.rate)", "-ac", "\(sound.channels)", "-i", "pipe:0",
        ]
        let rate = bitsPerSecond.map { ["-b:a", "\($0)"] } ?? []
        let output = ["-c:a"] + format.encoder + rate + container(file.partial)
        do {
            process = try RunningProcess.start(
                program: path, arguments: Self.quiet + input + output, environment: variables,
                writesInput: true)
        } catch { throw Self.failure(error) }
    }

    func write(_ bytes: [UInt8]) async throws {
        guard let process else { throw CancellationError() }
        if try await process.write(bytes) { return }
        // ffmpeg has closed its input; its exit status says why.
        try Self.check(await process.status(), process.errorOutput)
        throw SpeechError(reason: .programFailed(Self.program, status: 0, message: ""))
    }

    /// Finishes the sound; chapters come later.
    func finish() async throws {
        guard let process else { return }
        process.closeInput()
        let status = await withTaskCancellationHandler {
            await process.status()
        } onCancel: {
            process.signal(SIGKILL)
        }
        try Task.checkCancellation()
        self.process = nil
        try Self.check(status, process.errorOutput)
    }

    func stop() async {
        guard let process else { return }
        self.process = nil
        _ = await process.stop()
    }

    /// Copies the finished sound with title, chapters and optionally a picture, and moves
    /// it to its place.
    func place(_ marks: ChapterMarks, cover: CoverPicture?) async throws {
        var arguments = Self.quiet + ["-i", "file:\(file.partial)"]
        arguments += ["-f", "ffmetadata", "-i", "pipe:0"]
        if let cover {
            try await file.write(cover)
            // Chosen by format, not by name: `%d` in a picture's name would be a pattern.
            let demuxer = cover.format == .png ? "png_pipe" : "jpeg_pipe"
            arguments += ["-f", demuxer, "-i", "file:\(file.picture)"]
        }
        arguments += ["-map", "0:a", "-map_metadata", "1", "-map_chapters", "1"]
        if cover != nil { arguments += ["-map", "2:v", "-disposition:v", "attached_pic"] }
        let run = Subprocess(
            program: path, arguments: arguments + ["-c", "copy"] + container(file.second),
            environment: variables, input: .bytes(Array(marks.ffmetadata.utf8)))
        let result: Subprocess.Result
        do { result = try await run.run() } catch let error as SubprocessError {
            throw Self.failure(error)
        }
        try Self.check(result.status, result.errorOutput)
        try await file.place(file.second)
    }

    // MARK: - ffmpeg

    private static let quiet = ["-hide_banner", "-loglevel", "error", "-nostats"]

    private func container(_ path: String) -> [String] {
        let muxer =
            switch format {
            // Most players read ID3 version 3.
            case .mp3: ["-f", "mp3", "-id3v2_version", "3"]
            case .m4b: ["-f", "ipod", "-movflags", "+faststart"]
            case .opus, .flac: ["-f", format.rawValue]
            }
        return muxer + ["-y", "file:\(path)"]
    }

    private static func check(
        _ status: Subprocess.Result.Status, _ complaint: [UInt8]
    ) throws(SpeechError) {
        let number: Int32 =
            switch status {
            case .exited(let number): number
            case .signalled(let number): 128 + number
            }
        if number == 0 { return }
        throw SpeechError(
            reason: .programFailed(
                program, status: number,
                message: String(decoding: complaint.suffix(500), as: UTF8.self)))
    }

    private static func failure(_ error: SubprocessError) -> SpeechError {
        SpeechError(reason: .programFailed(program, status: error.code, message: ""))
    }
}
