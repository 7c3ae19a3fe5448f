import FoundationEssentials

/// Writes a ZIP archive (APPNOTE 6.3.10) sequentially: members in memory are preceded by their
/// sizes, long ones are written in pieces and followed by them.
///
/// Names are in UTF-8, modes 0600. Numbers too large for the old records are written in zip64 ones.
/// A member that `ZipReader` would refuse is not written.
package struct ZipWriter {
    private let sink: ([UInt8]) throws -> Void
    private var directory: [UInt8] = []
    private var names: Set<[UInt8]> = []
    private var count = 0
    private var position = 0

    /// Version 2.0 of the format, or 4.5, made on Unix.
    private static let version: UInt16 = 20
    private static let version64: UInt16 = 45
    private static let unix: UInt16 = 3 << 8
    /// A regular file that only the user may read.
    private static let attributes: UInt32 = 0o100600 << 16

    /// - Parameter sink: gets the archive in order, in pieces of any size.
    package init(_ sink: @escaping ([UInt8]) throws -> Void) { self.sink = sink }

    /// Makes a whole archive in memory.
    package static func bytes(_ body: (inout ZipWriter) throws -> Void) rethrows -> [UInt8] {
        let collected = Collected()
        var writer = ZipWriter { collected.bytes += $0 }
        try body(&writer)
        // Collecting bytes cannot fail.
        try? writer.finish()
        return collected.bytes
    }

    private final class Collected { var bytes: [UInt8] = [] }

    // MARK: - Members

    /// - Parameters:
    ///   - modified: nil writes neither a time nor an extra field, as required for the
    ///     first member of an EPUB.
    ///   - method: `.deflated` falls back to `.stored` if that is smaller.
    /// - Throws: `unsafeName`, `duplicate`, and errors of the sink.
    package mutating func add(
        _ name: String, _ bytes: [UInt8], modified: Date? = nil,
        method: ZipMember.Method = .deflated
    ) throws {
        var (packed, used) = (bytes, ZipMember.Method.stored)
        if method == .deflated {
            let deflated = Deflate.bytes(bytes)
            if deflated.count < bytes.count { (packed, used) = (deflated, .deflated) }
        }
        let entry = try begin(name, used, modified, hasDescriptor: false)
        var sizes = Sizes()
        sizes.checksum = CRC32.of(bytes)
        sizes.packed = packed.count
        sizes.plain = bytes.count
        try check(sizes, name)
        try give(localHeader(entry, sizes))
        try give(packed)
        try end(entry, sizes)
    }

    /// - Parameter next: the next piece; empty at the end.
    /// - Throws: like the other `add`, and errors of `next`; `tooLarge` beyond 4 GB.
    package mutating func add(
        _ name: String, modified: Date? = nil, pieces next: () throws -> [UInt8]
    ) throws {
        let entry = try begin(name, .deflated, modified, hasDescriptor: true)
        try give(localHeader(entry, Sizes()))
        var (deflate, checksum, sizes) = (Deflate(), CRC32(), Sizes())
        func pack(_ packed: [UInt8]) throws {
            sizes.packed += packed.count
            try give(packed)
        }
        while true {
            let piece = try next()
            if piece.isEmpty { break }
            checksum.add(piece)
            sizes.plain += piece.count
            try check(sizes, name)
            try pack(deflate.add(piece))
        }
        try pack(deflate.finish())
        sizes.checksum = checksum.value
        try check(sizes, name)
        var descriptor = RecordWriter()
        descriptor.add(UInt32(ZipRecord.descriptor))
        descriptor.add(sizes)
        try give(descriptor.bytes)
        try end(entry, sizes)
    }

    /// Writes the directory. Call nothing afterwards.
    package mutating func finish() throws {
        let start = position
        try give(directory)
        let size = position - start
        var record = RecordWriter()
        if count >= 0xFFFF || start >= 0xFFFF_FFFF || size >= 0xFFFF_FFFF {
            let place = position
            record.add(UInt32(ZipRecord.end64))
            record.add(UInt64(ZipRecord.end64Size - 12))
            record.add(Self.unix | Self.version64)
            record.add(Self.version64)
            record.add(UInt32(0))
            record.add(UInt32(0))
            record.add(UInt64(count))
            record.add(UInt64(count))
            record.add(UInt64(size))
            record.add(UInt64(start))
            record.add(UInt32(ZipRecord.locator64))
            record.add(UInt32(0))
            record.add(UInt64(place))
            record.add(UInt32(1))
        }
        record.add(UInt32(ZipRecord.end))
        record.add(UInt16(0))
        record.add(UInt16(0))
        record.add(UInt16(min(count, 0xFFFF)))
        record.add(UInt16(min(count, 0xFFFF)))
        record.add(UInt32(min(size, 0xFFFF_FFFF)))
        record.add(UInt32(min(start, 0xFFFF_FFFF)))
        record.add(UInt16(0))
        try give(record.bytes)
    }

    // MARK: - Records

    fileprivate struct Sizes {
        var checksum: UInt32 = 0
        var packed = 0
        var plain = 0
    }

    private struct Entry {
        let name: [UInt8]
        let method: ZipMember.Method
        let flags: UInt16
        let time: (time: UInt16, date: UInt16)
        let extra: [UInt8]
        let offset: Int
    }

    private mutating func begin(
        _ name: String, _ method: ZipMember.Method, _ modified: Date?, hasDescriptor: Bool
    ) throws(ArchiveError) -> Entry {
        let letters = Array(name.utf8)
        guard ZipMember.isSafe(name), !name.hasSuffix("/") else {
            throw ArchiveError(.unsafeName, member: name)
        }
        guard names.insert(letters).inserted else { throw ArchiveError(.duplicate, member: name) }
        let isPlain = letters.allSatisfy { $0 < 0x80 }
        return Entry(
            name: letters, method: method,
            flags: UInt16(
                (isPlain ? 0 : ZipRecord.isUTF8) | (hasDescriptor ? ZipRecord.hasDescriptor : 0)),
            time: modified.map(ZipRecord.time) ?? (0, 1 << 5 | 1),
            extra: modified.map(Self.timeField) ?? [], offset: position)
    }

    private func check(_ sizes: Sizes, _ name: String) throws(ArchiveError) {
        // Its headers have no room for larger numbers.
        guard max(sizes.plain, sizes.packed) < 0xFFFF_FFFF else {
            throw ArchiveError(.tooLarge(0xFFFF_FFFF), member: name)
        }
    }

    /// Info-ZIP's field: seconds since 1970, if they fit.
    private static func timeField(_ date: Date) -> [UInt8] {
        guard let seconds = Int32(exactly: date.timeIntervalSince1970.rounded(.down)) else {
            return []
        }
        var field = RecordWriter()
        field.add(UInt16(ZipRecord.timeField))
        field.add(UInt16(5))
        return field.bytes + [1]
            + (0..<4).map { UInt8(truncatingIfNeeded: seconds >> ($0 * 8)) }
    }

    private func localHeader(_ entry: Entry, _ sizes: Sizes) -> [UInt8] {
        var record = RecordWriter()
        record.add(UInt32(ZipRecord.local))
        record.add(Self.version)
        addCommon(entry, sizes, to: &record)
        record.add(UInt16(entry.extra.count))
        return record.bytes + entry.name + entry.extra
    }

    /// Adds the fields common to both headers, up to the length of the name.
    private func addCommon(_ entry: Entry, _ sizes: Sizes, to record: inout RecordWriter) {
        record.add(entry.flags)
        record.add(entry.method.rawValue)
        record.add(entry.time.time)
        record.add(entry.time.date)
        record.add(sizes)
        record.add(UInt16(entry.name.count))
    }

    private mutating func end(_ entry: Entry, _ sizes: Sizes) throws {
        var extra = entry.extra
        let isFar = entry.offset >= 0xFFFF_FFFF
        if isFar {
            var field = RecordWriter()
            field.add(UInt16(ZipRecord.zip64Field))
            field.add(UInt16(8))
            field.add(UInt64(entry.offset))
            extra += field.bytes
        }
        var record = RecordWriter()
        record.add(UInt32(ZipRecord.central))
        record.add(Self.unix | (isFar ? Self.version64 : Self.version))
        record.add(isFar ? Self.version64 : Self.version)
        addCommon(entry, sizes, to: &record)
        record.add(UInt16(extra.count))
        record.add(UInt16(0))
        record.add(UInt16(0))
        record.add(UInt16(0))
        record.add(Self.attributes)
        record.add(UInt32(isFar ? 0xFFFF_FFFF : entry.offset))
        directory += record.bytes + entry.name + extra
        count += 1
    }

    private mutating func give(_ bytes: [UInt8]) throws {
        if bytes.isEmpty { return }
        try sink(bytes)
        position += bytes.count
    }
}

/// Writes numbers into records, the lowest byte first.
private struct RecordWriter {
    private(set) var bytes: [UInt8] = []

    mutating func add(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
    }

    mutating func add(_ sizes: ZipWriter.Sizes) {
        add(sizes.checksum)
        add(UInt32(sizes.packed))
        add(UInt32(sizes.plain))
    }
}
