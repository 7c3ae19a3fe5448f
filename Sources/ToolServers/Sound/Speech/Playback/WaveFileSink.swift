import Base
import Glibc

/// Writes sound to a WAV file that only the user can read. It is written next to its final
/// path and renamed when complete; stopping leaves nothing.
///
/// The first format is the file's; others are converted to it.
package actor WaveFileSink: AudioSink, QueuedActor {
    private struct Writing {
        var descriptor: Int32
        var name: String
        var format: PCMFormat
        var resampler: LinearResampler
        var dataBytes = 0
        /// Bytes not yet in the file.
        var buffer: [UInt8] = []
    }

    /// The maximum for the four size bytes of the header.
    private static let mostBytes = Int(UInt32.max) - 44
    private static let bufferBytes = 256 << 10
    /// Size from which a block is written directly: a copy costs more than a call.
    private static let longBytes = 64 << 10

    package nonisolated var blockSeconds: Double { 1 }

    private let path: String
    private let partial: String
    private let isLong: Bool
    private var writing: Writing?
    /// Writing to a disk may block.
    package nonisolated let executor = QueueExecutor(label: "wave-file")

    package init(path: String, environment: Environment) {
        // Short, so that it fits next to the longest file name.
        self.init(
            path: path, partial: "\(FilePath.folder(of: path))/.\(environment.uuid()).part",
            isLong: false)
    }

    /// - Parameters:
    ///   - partial: its temporary path in the same folder, otherwise unused.
    ///   - isLong: whether it may exceed 4 GB.
    package init(path: String, partial: String, isLong: Bool) {
        self.path = path
        self.partial = partial
        self.isLong = isLong
    }

    deinit {
        if let writing {
            close(writing.descriptor)
            unlink(writing.name)
        }
    }

    package func begin(_ format: PCMFormat) throws {
        if var current = writing {
            try append(current.resampler.finish(), to: &current)
            current.resampler = LinearResampler(from: format, to: current.format)
            writing = current
            return
        }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = open(partial, flags, 0o600)
        guard descriptor >= 0 else { throw SpeechError(reason: .file(errno)) }
        writing = Writing(
            descriptor: descriptor, name: partial, format: format,
            resampler: LinearResampler(from: format, to: format),
            buffer: header(format, dataBytes: 0))
    }

    package func write(_ bytes: [UInt8]) throws {
        guard var current = writing else { throw CancellationError() }
        // `current` must be the only reference, or each append copies the buffer.
        writing = nil
        defer { writing = current }
        try append(current.resampler.convert(bytes), to: &current)
    }

    package func finish() throws {
        guard var current = writing else { return }
        do {
            try append(current.resampler.finish(), to: &current)
            try flush(&current)
            let header = header(current.format, dataBytes: current.dataBytes)
            let count = pwrite(current.descriptor, header, header.count, 0)
            guard count == header.count, fsync(current.descriptor) == 0 else {
                throw SpeechError(reason: .file(errno))
            }
            guard rename(current.name, path) == 0 else { throw SpeechError(reason: .file(errno)) }
        } catch {
            stop()
            throw error
        }
        close(current.descriptor)
        writing = nil
    }

    /// There is nothing to drop: a file has no sound under way.
    package func drop() {}

    package func stop() {
        guard let current = writing else { return }
        writing = nil
        close(current.descriptor)
        unlink(current.name)
    }

    // MARK: -

    private func header(_ format: PCMFormat, dataBytes: Int) -> [UInt8] {
        isLong
            ? WaveHeader.longBytes(format, dataBytes: dataBytes)
            : WaveHeader.bytes(format, dataBytes: dataBytes)
    }

    private func append(_ bytes: [UInt8], to current: inout Writing) throws {
        guard isLong || current.dataBytes + bytes.count <= Self.mostBytes else {
            throw SpeechError(reason: .file(EFBIG))
        }
        current.dataBytes += bytes.count
        if bytes.count >= Self.longBytes {
            try flush(&current)
            return try write(bytes, to: current)
        }
        current.buffer += bytes
        if current.buffer.count >= Self.bufferBytes { try flush(&current) }
    }

    private func flush(_ current: inout Writing) throws {
        try write(current.buffer, to: current)
        current.buffer.removeAll(keepingCapacity: true)
    }

    private func write(_ bytes: [UInt8], to current: Writing) throws {
        let code = WholeFile.write(bytes, to: current.descriptor)
        if code != 0 { throw SpeechError(reason: .file(code)) }
    }
}
