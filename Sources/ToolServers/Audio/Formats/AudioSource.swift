import AgentCore

/// Where the readers of containers get bytes from: a file that is open, or an
/// array. They read little, but at any place.
struct AudioSource: Sendable {
    let count: Int
    private let read: @Sendable (Int, Int) throws(OpenFile.Failure) -> [UInt8]

    init(_ file: OpenFile) {
        count = file.size
        read = { (at, count) throws(OpenFile.Failure) in try file.read(at: at, count: count) }
    }

    init(_ bytes: [UInt8]) {
        count = bytes.count
        read = { at, count in AudioBytes(bytes).part(at, count).bytes }
    }

    /// Fewer bytes only at the end; none for a place outside.
    func part(_ at: Int, _ count: Int) throws(OpenFile.Failure) -> AudioBytes {
        guard at >= 0, count > 0, at < self.count else { return AudioBytes([]) }
        return AudioBytes(try read(at, min(count, self.count - at)))
    }
}
