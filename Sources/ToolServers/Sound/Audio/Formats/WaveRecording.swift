import Glibc

/// A WAV file that grows while it is recorded and is valid at any moment:
/// samples first, then the header that counts them, in one small write. A
/// kill in between leaves a file that ends a little earlier.
///
/// It blocks for as long as the disk does: its owner calls it on a queue.
final class WaveRecording {
    /// The `errno` of the call that failed.
    struct Failure: Error, Equatable {
        var code: Int32
    }

    /// What the header's 32 bits can count, with room for the header.
    static let mostBytes = Int(UInt32.max) - 4_096

    let path: String
    /// Of samples in the file and counted by its header.
    private(set) var bytes = 0
    private var format: PCMFormat
    /// Open as long as this is.
    let descriptor: Int32

    /// A new file that only the user can read; its header says that it is empty.
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

    /// The recorder turned out to send something other than was asked for.
    /// Only while the file is empty.
    func change(to format: PCMFormat) throws(Failure) {
        guard format != self.format, bytes == 0 else { return }
        self.format = format
        try writeHeader()
    }

    /// When this returns, the samples survive the end of this process, however
    /// it comes. After a failure what could be written is in the file.
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
                // Before the next write, which may end the process (SIGXFSZ).
                try writeHeader()
            } else {
                // No room for a whole frame: the next byte says why.
                let (_, code) = Self.write(
                    rest.dropFirst(count), descriptor, at: position + count)
                throw Failure(code: code ?? ENOSPC)
            }
        }
    }

    /// On the disk, for a machine that loses its power; and still under its
    /// name.
    func synchronize() throws(Failure) {
        if fsync(descriptor) != 0 { throw Failure(code: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
        if status.st_nlink == 0 { throw Failure(code: ENOENT) }
    }

    func remove() { unlink(path) }

    /// All but the first four bytes, in one call that stays within a page: no
    /// kill comes between the two sizes.
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
