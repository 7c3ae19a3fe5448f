import FoundationEssentials

/// The central directory of an archive: its position, and its entries, each checked separately.
struct ZipDirectory {
    /// The directory's offset in the archive.
    let start: Int
    /// Number of entries.
    let count: Int
    private let bytes: [UInt8]

    /// Maximum size in bytes: larger than for any accepted archive.
    private static let sizeLimit = 128 << 20

    init(_ source: ArchiveSource) throws(ArchiveError) {
        let (end, place) = try Self.findEnd(source)
        var record = RecordReader(end[...])
        try record.skip(4)
        let disks = [try record.number(2), try record.number(2)]
        var counts = [try record.number(2), try record.number(2)]
        var (size, start) = (try record.number(4), try record.number(4))
        var directoryEnd = place
        if counts.contains(ZipRecord.elsewhere16) || size == ZipRecord.elsewhere32
            || start == ZipRecord.elsewhere32, let found = try Self.findEnd64(source, before: place)
        {
            (counts, size, start, directoryEnd) = found
        }
        guard disks.allSatisfy({ $0 == 0 || $0 == ZipRecord.elsewhere16 }), counts[0] == counts[1]
        else { throw ArchiveError(.unsupported("several disks")) }
        guard let count = Int(exactly: counts[0]), let bytes = Int(exactly: size),
            let first = Int(exactly: start), first <= directoryEnd,
            bytes == directoryEnd - first
        else { throw ArchiveError(.damaged("its directory is not where its end record says")) }
        guard bytes <= Self.sizeLimit else { throw ArchiveError(.tooMany(count)) }
        self.start = first
        self.count = count
        self.bytes = try source.read(first, bytes)
    }

    /// Finds the last record of an archive, which a comment may follow.
    private static func findEnd(
        _ source: ArchiveSource
    ) throws(ArchiveError) -> (record: [UInt8], place: Int) {
        let length = min(source.size, ZipRecord.endSize + 0xFFFF)
        let tail = try source.read(source.size - length, length)
        var index = length - ZipRecord.endSize
        while index >= 0 {
            if tail[index] == 0x50, tail[index + 1] == 0x4B, tail[index + 2] == 5,
                tail[index + 3] == 6,
                Int(tail[index + 20]) | Int(tail[index + 21]) << 8
                    == length - index - ZipRecord.endSize
            {
                return (
                    Array(tail[index..<index + ZipRecord.endSize]), source.size - length + index
                )
            }
            index -= 1
        }
        let head = try source.read(0, min(4, source.size))
        throw ArchiveError(head == [0x50, 0x4B, 3, 4] ? .truncated : .notZip)
    }

    /// The larger numbers of a zip64 archive (§4.3.14, §4.3.15); nil for any other.
    private static func findEnd64(
        _ source: ArchiveSource, before end: Int
    ) throws(ArchiveError) -> (counts: [UInt64], size: UInt64, start: UInt64, place: Int)? {
        guard end >= ZipRecord.locator64Size else { return nil }
        let locator = try source.read(end - ZipRecord.locator64Size, ZipRecord.locator64Size)
        var record = RecordReader(locator[...])
        guard try record.number(4) == ZipRecord.locator64 else { return nil }
        try record.skip(4)
        let place = try record.size(8)
        let found = try source.read(place, ZipRecord.end64Size)
        record = RecordReader(found[...])
        guard try record.number(4) == ZipRecord.end64,
            place <= end - ZipRecord.locator64Size - ZipRecord.end64Size
        else { throw ArchiveError(.damaged("its zip64 record is missing")) }
        try record.skip(20)
        return (
            [try record.number(8), try record.number(8)], try record.number(8),
            try record.number(8), place
        )
    }

    // MARK: - Entries

    func members(_ limits: ZipReader.Limits) throws(ArchiveError) -> [ZipMember] {
        var record = RecordReader(bytes[...])
        var members: [ZipMember] = []
        while record.rest > 0 {
            guard members.count < count else { break }
            members.append(try Self.member(&record))
        }
        guard members.count == count, record.rest == 0 else {
            throw ArchiveError(.damaged("its directory has the wrong length"))
        }
        return members
    }

    private static func member(_ record: inout RecordReader) throws(ArchiveError) -> ZipMember {
        guard try record.number(4) == ZipRecord.central else {
            throw ArchiveError(.damaged("its directory"))
        }
        let madeBy = try record.number(2)
        try record.skip(2)
        let flags = try record.number(2)
        let method = try record.number(2)
        let (time, day) = (try record.number(2), try record.number(2))
        let checksum = UInt32(try record.number(4))
        var (packed, size) = (try record.number(4), try record.number(4))
        let (nameSize, extraSize, commentSize) = (
            try record.size(2), try record.size(2), try record.size(2)
        )
        try record.skip(4)
        let attributes = try record.number(4)
        var offset = try record.number(4)
        let raw = try record.bytes(nameSize)
        let extra = try fields(try record.bytes(extraSize))
        try record.skip(commentSize)

        guard let name = unicodeName(extra, raw) ?? text(raw, flags: flags) else {
            throw ArchiveError(.unsafeName)
        }
        guard ZipMember.isSafe(name) else { throw ArchiveError(.unsafeName, member: name) }
        func fail(_ reason: ArchiveError.Reason) -> ArchiveError {
            ArchiveError(reason, member: name)
        }
        if flags & (ZipRecord.isEncrypted | ZipRecord.isStronglyEncrypted) != 0 {
            throw fail(.encrypted)
        }
        if flags & ZipRecord.isPatch != 0 { throw fail(.unsupported("patched data")) }
        if ZipRecord.unixHosts.contains(madeBy >> 8) {
            switch attributes >> 28 {
            case 0xA: throw fail(.link)
            case 0, 4, 8: break
            default: throw fail(.special)
            }
        }
        guard let known = UInt16(exactly: method).flatMap(ZipMember.Method.init(rawValue:)) else {
            throw fail(.unsupported("compression method \(method)"))
        }
        if let large = extra[ZipRecord.zip64Field] {
            var field = RecordReader(large)
            // Only numbers too large for their own fields are here, in this order.
            if size == ZipRecord.elsewhere32 { size = try field.number(8) }
            if packed == ZipRecord.elsewhere32 { packed = try field.number(8) }
            if offset == ZipRecord.elsewhere32 { offset = try field.number(8) }
        }
        guard let packedSize = Int(exactly: packed), let plainSize = Int(exactly: size),
            let place = Int(exactly: offset)
        else { throw fail(.damaged("a size that no file can have")) }
        if known == .stored, packedSize != plainSize { throw fail(.damaged("it has two sizes")) }
        return ZipMember(
            name: name, method: known, checksum: checksum, packedSize: packedSize,
            size: plainSize, modified: modified(extra) ?? ZipRecord.date(time: time, date: day),
            offset: place, dataStart: 0)
    }

    /// The extra fields by number; the first of each number counts.
    private static func fields(
        _ bytes: ArraySlice<UInt8>
    ) throws(ArchiveError) -> [UInt64: ArraySlice<UInt8>] {
        var fields: [UInt64: ArraySlice<UInt8>] = [:]
        var record = RecordReader(bytes)
        // Some programs pad with zeros.
        while record.rest >= 4 {
            let number = try record.number(2)
            let size = try record.size(2)
            guard size <= record.rest else { break }
            let field = try record.bytes(size)
            if fields[number] == nil { fields[number] = field }
        }
        return fields
    }

    /// The time of Info-ZIP's extra field, in seconds since 1970.
    private static func modified(_ extra: [UInt64: ArraySlice<UInt8>]) -> Date? {
        guard let field = extra[ZipRecord.timeField], field.count >= 5,
            field[field.startIndex] & 1 == 1
        else { return nil }
        let bits = field.dropFirst().prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        return Date(timeIntervalSince1970: Double(Int32(bitPattern: bits)))
    }

    // MARK: - Names

    /// Info-ZIP's UTF-8 name, if its checksum matches the plain name.
    private static func unicodeName(
        _ extra: [UInt64: ArraySlice<UInt8>], _ raw: ArraySlice<UInt8>
    ) -> String? {
        guard let field = extra[ZipRecord.unicodeNameField], field.count > 5,
            field[field.startIndex] == 1
        else { return nil }
        let sum = field.dropFirst().prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard sum == CRC32.of(Array(raw)) else { return nil }
        return String(validating: field.dropFirst(5), as: UTF8.self)
    }

    /// Decodes a name: UTF-8 if it is marked as such or is valid; otherwise the DOS code page
    /// (437), the format's original one. Nil if it is marked as UTF-8 but is not.
    static func text(_ raw: ArraySlice<UInt8>, flags: UInt64) -> String? {
        if let text = String(validating: raw, as: UTF8.self) { return text }
        if flags & ZipRecord.isUTF8 != 0 { return nil }
        return raw.reduce(into: "") { text, byte in
            text.unicodeScalars.append(
                byte < 0x80 ? Unicode.Scalar(byte) : codePage437[Int(byte) - 0x80])
        }
    }

    private static let codePage437 = Array(
        """
        ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
        └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
        """.unicodeScalars)
}
