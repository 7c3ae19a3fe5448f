import Glibc

/// Reads a body of slices while libcurl sends it, in pieces as large as it
/// asks for. Confined to the transport's thread.
///
/// It knows what is left of which slice; why it stopped is in `failure`. How
/// much of what it gave has left is not its knowledge but libcurl's.
final class SliceReader {
    let size: Int
    private(set) var failure: OpenFile.Failure?
    private let slices: [BodySlice]
    private var index = 0
    /// Within the current slice.
    private var offset = 0

    init(_ slices: [BodySlice]) {
        self.slices = slices
        size = slices.reduce(0) { $0 + $1.count }
    }

    /// Fills the buffer as far as one slice goes; 0 at the end, nil when a file
    /// is not what it was, which would send the server something else.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while index < slices.count {
            let slice = slices[index]
            let count = min(slice.count - offset, buffer.count)
            guard count > 0 else {
                if buffer.isEmpty { return 0 }
                (index, offset) = (index + 1, 0)
                continue
            }
            switch slice {
            case .bytes(let bytes):
                buffer.copyBytes(from: bytes[offset..<(offset + count)])
            case .file(let file, let start, _):
                do throws(OpenFile.Failure) {
                    let room = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
                    guard try file.read(at: start + offset, into: room) == count else {
                        throw OpenFile.Failure(reason: .changed, path: file.path)
                    }
                    // After reading: bytes written meanwhile are among these.
                    try file.checkUnchanged()
                } catch {
                    failure = error
                    return nil
                }
            }
            offset += count
            return count
        }
        return 0
    }

    /// Back to the start: a connection that was kept turned out to be closed.
    func rewind() {
        (index, offset) = (0, 0)
    }
}
