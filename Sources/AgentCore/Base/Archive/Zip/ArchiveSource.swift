/// The bytes of an archive, read on demand, so that a large one need not be in memory.
package struct ArchiveSource {
    /// Bytes.
    package let size: Int
    private let part: (_ offset: Int, _ count: Int) throws(ArchiveError) -> [UInt8]

    /// - Parameter part: reads that many bytes at the offset; fewer only at the end.
    package init(
        size: Int, part: @escaping (_ offset: Int, _ count: Int) throws(ArchiveError) -> [UInt8]
    ) {
        self.size = size
        self.part = part
    }

    package init(_ bytes: [UInt8]) {
        self.init(size: bytes.count) { offset, count in
            Array(bytes[min(offset, bytes.count)..<min(offset + count, bytes.count)])
        }
    }

    /// - Throws: `truncated` if there are fewer bytes.
    func read(_ offset: Int, _ count: Int) throws(ArchiveError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= size, count <= size - offset else {
            throw ArchiveError(.truncated)
        }
        let bytes = try part(offset, count)
        guard bytes.count == count else { throw ArchiveError(.truncated) }
        return bytes
    }
}

extension ArchiveSource {
    package init(_ file: OpenFile) {
        self.init(size: file.size) { (offset, count) throws(ArchiveError) in
            do throws(OpenFile.Failure) {
                return try file.read(at: offset, count: count)
            } catch {
                guard case .system(let code) = error.reason else {
                    throw ArchiveError(.damaged("it changed while it was being read"))
                }
                throw ArchiveError(.unreadable(code))
            }
        }
    }
}

/// Reads numbers from the records of an archive, the lowest byte first.
struct RecordReader {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var rest: Int { bytes.endIndex - position }

    mutating func number(_ width: Int) throws(ArchiveError) -> UInt64 {
        try bytes(width).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Throws: `damaged` if it is larger than any file.
    mutating func size(_ width: Int) throws(ArchiveError) -> Int {
        guard let size = Int(exactly: try number(width)) else {
            throw ArchiveError(.damaged("a size that no file can have"))
        }
        return size
    }

    mutating func skip(_ count: Int) throws(ArchiveError) { _ = try bytes(count) }

    mutating func bytes(_ count: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
        guard count >= 0, count <= rest else { throw ArchiveError(.truncated) }
        defer { position += count }
        return bytes[position..<position + count]
    }
}
