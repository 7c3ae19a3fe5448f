import CCurl
import Glibc

/// Reads the slices of one part while libcurl sends it. Confined to the
/// transport's thread.
///
/// It knows what is left of which slice; why it stopped is in `failure`.
final class SliceReader {
    let size: Int
    private(set) var failure: OpenFile.Failure?
    private let slices: [BodySlice]
    private var index = 0
    /// Within the current slice.
    private var offset = 0
    private var taken = 0
    private let onRead: ((Int) -> Void)?

    init(_ slices: [BodySlice], onRead: ((Int) -> Void)?) {
        self.slices = slices
        self.onRead = onRead
        size = slices.reduce(0) { $0 + $1.count }
    }

    /// Fills the buffer as far as one read goes; 0 at the end, nil when a file
    /// is shorter than it was, which would leave the server waiting.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int? {
        while index < slices.count {
            let slice = slices[index]
            let left = slice.count - offset
            guard left > 0 else {
                (index, offset) = (index + 1, 0)
                continue
            }
            let count = min(left, buffer.count)
            switch slice {
            case .bytes(let bytes):
                buffer.copyBytes(from: bytes[offset..<(offset + count)])
                return take(count)
            case .file(let file, let start, _):
                do throws(OpenFile.Failure) {
                    let bytes = try file.read(at: start + offset, count: count)
                    guard !bytes.isEmpty else {
                        throw OpenFile.Failure(reason: .changed, path: file.path)
                    }
                    buffer.copyBytes(from: bytes)
                    return take(bytes.count)
                } catch {
                    failure = error
                    return nil
                }
            }
        }
        return 0
    }

    private func take(_ count: Int) -> Int {
        offset += count
        taken += count
        onRead?(taken)
        return count
    }

    /// Back to the start: a connection that was kept turned out to be closed.
    func rewind() {
        (index, offset, taken) = (0, 0, 0)
        onRead?(0)
    }

    // MARK: For libcurl

    /// Gives the part its content; the reader has to outlive the part.
    func attach(to part: OpaquePointer) -> CURLcode {
        // The handle that owns the reader frees the part first.
        let me = Unmanaged.passUnretained(self).toOpaque()
        return curl_mime_data_cb(
            part, curl_off_t(size),
            { buffer, size, count, me in
                guard let me, let buffer else { return Int(CURL_READFUNC_ABORT) }
                let reader = Unmanaged<SliceReader>.fromOpaque(me).takeUnretainedValue()
                let room = UnsafeMutableRawBufferPointer(start: buffer, count: size * count)
                return reader.read(into: room) ?? Int(CURL_READFUNC_ABORT)
            },
            { me, offset, origin in
                guard let me, offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_FAIL }
                Unmanaged<SliceReader>.fromOpaque(me).takeUnretainedValue().rewind()
                return CURL_SEEKFUNC_OK
            }, nil, me)
    }
}
