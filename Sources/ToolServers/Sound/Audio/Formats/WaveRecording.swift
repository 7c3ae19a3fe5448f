import Glibc

/// A WAV file that grows while it is recorded and is valid at any moment: samples are
/// written first, then the header with their size, in one small write. A kill in between
/// leaves a file that ends slightly earlier.
///
/// It blocks as long as the disk does, so its owner calls it on a queue.
final class WaveRecording {
    /// The `errno` of the call that failed.
    struct Failure: Error, Equatable {
        var code: Int32
    }

    /// Maximum size that the header's 32 bits can hold, with room for the header.
    static let mostBytes = Int(UInt32.max) - 4_096

    let path: String
    /// Bytes of samples in the file and counted by its header.
    private(set) var bytes = 0
    private var format: PCMFormat
    /// Open as long as this object exists.
    let descriptor: Int32

    /// Creates a file that only the user can read; its header says that it is empty.
    init(creating path: String, _ format: PCMFormat) throws(Failure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Failure(code: errno) }
        self.path = path
        self.format = format
        self.descriptor = descriptor
        let (count, code) = Self.write(
            WaveHeader.bytes(format, dataBytes: 0)[...], descriptor, at: 0)
        if let code = code ?? (count < WaveHeader.writtenBytes ? ENOSPC : nil) {
            unlink(path)
            throw Failure(code: code)
        }
    }

    deinit { close(descriptor) }

    /// Changes the format if the recorder sends another one than requested. Only valid
    /// while the file is empty.
    func change(to format: PCMFormat) throws(Failure) {
        guard format != self.format, bytes == 0 else { return }
        self.format = format
        try writeHeader()
    }

    /// Writes samples to the file. When it returns, they survive any kind of end of this process.
    /// After a failure, the file has what could be written.
    ///
    /// - Parameter samples: whole frames.
    func append(_ samples: ArraySlice<UInt8>) throws(Failure) {
        var rest = samples
        while !rest.isEmpty {
            let position = WaveHeader.writtenBytes + bytes
            let (count, code) = Self.write(rest, descriptor, at: position)
            let whole = count / format.bytesPerFrame * format.bytesPerFrame
            if let code { throw Failure(code: code) }
            if whole > 0 {
                rest = rest.dropFirst(whole)
                bytes += whole
                // Update it before the next write, which may end the process (SIGXFSZ).
                try writeHeader()
            } else {
                // No room for a whole frame: the next byte gives the reason.
                let (_, code) = Self.write(
                    rest.dropFirst(count), descriptor, at: position + count)
                throw Failure(code: code ?? ENOSPC)
            }
        }
    }

    /// Syncs to disk, against a power failure, and checks that the file still has its name.
    func synchronize() throws(Failure) {
        if fsync(descriptor) != 0 { throw Failure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
        if status.st_nlink == 0 { throw Failure(code: ENOENT) }
    }

    func remove() { unlink(path) }

    /// Writes all but the first four bytes in one call within a page, so that a kill cannot
    /// separate the two sizes.
    private func writeHeader() throws(Failure) {
        let header = WaveHeader.bytes(format, dataBytes: bytes).dropFirst(4)
        if let code = Self.write(header, descriptor, at: 4).code { throw Failure(code: code) }
    }

    private static func write(
        _ bytes: ArraySlice<UInt8>, _ descriptor: Int32, at offset: Int
    ) -> (count: Int, code: Int32?) {
        bytes.withUnsafeBytes { buffer in
            while true {
                let count = pwrite(descriptor, buffer.baseAddress, buffer.count, offset)
                if count > 0 { return (count, nil) }
                if count == 0 { return (0, EIO) }
                if errno != EINTR { return (0, errno) }
            }
        }
    }
}
