import Base

/// Untrusted bytes with bounds-checked access: missing bytes give nil, never a trap,
/// however large an offset or a length claims to be. Pure.
struct AudioBytes: Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(_ at: Int) -> Int? {
        holds(at, 1) ? Int(bytes[at]) : nil
    }

    /// An unsigned little-endian number of up to eight bytes.
    func little(_ at: Int, _ count: Int) -> Int? {
        guard holds(at, count) else { return nil }
        return number(count) { bytes[at + count - 1 - $0] }
    }

    /// An unsigned big-endian number of up to eight bytes.
    func big(_ at: Int, _ count: Int) -> Int? {
        guard holds(at, count) else { return nil }
        return number(count) { bytes[at + $0] }
    }

    func has(_ mark: String, at: Int = 0) -> Bool {
        has(Array(mark.utf8), at: at)
    }

    func has(_ mark: [UInt8], at: Int = 0) -> Bool {
        holds(at, mark.count) && bytes[at..<(at + mark.count)].elementsEqual(mark)
    }

    /// The given range, as far as it exists.
    func part(_ at: Int, _ count: Int) -> AudioBytes {
        guard at >= 0, count > 0, at < self.count else { return AudioBytes([]) }
        return AudioBytes(Array(bytes[at..<(at + min(count, self.count - at))]))
    }

    private func holds(_ at: Int, _ count: Int) -> Bool {
        at >= 0 && count >= 0 && count <= self.count && at <= self.count - count
    }

    /// Nil if it does not fit into an `Int`.
    private func number(_ count: Int, _ byte: (Int) -> UInt8) -> Int? {
        var value: UInt64 = 0
        for index in 0..<min(count, 8) { value = value << 8 | UInt64(byte(index)) }
        return Int(exactly: value)
    }
}

/// The byte source of container readers: an open file, or an array. They read little, but
/// at any offset.
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

    /// Fewer bytes only at the end; none for an offset outside.
    func part(_ at: Int, _ count: Int) throws(OpenFile.Failure) -> AudioBytes {
        guard at >= 0, count > 0, at < self.count else { return AudioBytes([]) }
        return AudioBytes(try read(at, min(count, self.count - at)))
    }
}
