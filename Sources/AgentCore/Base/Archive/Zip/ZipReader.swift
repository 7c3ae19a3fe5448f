import FoundationEssentials

/// Reads a ZIP archive (APPNOTE 6.3.10): stored and deflated members, zip64,
/// names in UTF-8.
///
///     central directory   read whole; every member is checked before any is read
///     local headers       must say what the directory says
///     members             in pieces, with size and checksum checked at the end
///
/// An archive that an honest program would not write is refused at `init`. So no member of
/// an opened one leads out of a folder, is a link, overlaps another or unpacks to more than
/// the limits. The caller decides what is written where.
package struct ZipReader {
    package struct Limits: Sendable {
        /// Maximum plain bytes per packed byte, for the whole archive and for each member that is
        /// large enough to matter. Text shrinks to a third or a tenth, a log to a hundredth; DEFLATE
        /// reaches 1,032, which only a zip bomb comes near.
        package var ratio = 200
        /// Maximum plain bytes of all members: years of conversations, and room on any disk.
        package var total = 1 << 30
        /// As many calendar files as a backup of many years has; each costs memory in the directory.
        package var members = 200_000

        package init() {}
    }

    /// Size below which no ratio does harm.
    private static let harmless = 1 << 20
    private static let pieceSize = 64 << 10

    /// The members in the order of the directory, with folders.
    package let members: [ZipMember]
    private let source: ArchiveSource

    /// - Throws: every reason of `ArchiveError`.
    package init(
        _ source: ArchiveSource, limits: Limits = Limits()
    ) throws(ArchiveError) {
        self.source = source
        let directory = try ZipDirectory(source)
        if directory.count > limits.members { throw ArchiveError(.tooMany(limits.members)) }
        var members = try directory.members(limits)
        for index in members.indices { try Self.locate(&members[index], in: source) }
        try Self.checkPlaces(members, before: directory.start)
        try Self.checkNames(members)
        try Self.checkSizes(members, limits, archiveSize: source.size)
        self.members = members
    }

    package func member(_ name: String) -> ZipMember? { members.first { $0.name == name } }

    // MARK: - Reading

    /// Passes the plain bytes on in pieces of at most 64 KB.
    ///
    /// - Throws: `damaged`, `wrongChecksum`, `truncated`, `unreadable`; the pieces passed on must
    ///   not be used then.
    package func read(
        _ member: ZipMember, _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        do throws(ArchiveError) {
            try readPlain(member, sink)
        } catch {
            if case .tooLarge = error.reason {
                throw ArchiveError(
                    .damaged("it is longer than its header says"), member: member.name)
            }
            throw ArchiveError(error.reason, member: member.name)
        }
    }

    /// The plain bytes of a member that is known to be small.
    ///
    /// - Throws: errors of `read`; `tooLarge` above the limit.
    package func bytes(
        of member: ZipMember, limit: Int = .max
    ) throws(ArchiveError) -> [UInt8] {
        guard member.size <= limit else {
            throw ArchiveError(.tooLarge(limit), member: member.name)
        }
        var bytes: [UInt8] = []
        try read(member) { (piece: [UInt8]) throws(ArchiveError) in bytes += piece }
        return bytes
    }

    private func readPlain(
        _ member: ZipMember, _ sink: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let source = source
        var place = member.dataStart
        let end = member.dataStart + member.packedSize
        let next: () throws(ArchiveError) -> [UInt8] = { () throws(ArchiveError) in
            let count = min(Self.pieceSize, end - place)
            defer { place += count }
            return count == 0 ? [] : try source.read(place, count)
        }
        var (checksum, size) = (CRC32(), 0)
        func give(_ piece: [UInt8]) throws(ArchiveError) {
            checksum.add(piece)
            size += piece.count
            try sink(piece)
        }
        switch member.method {
        case .stored:
            while true {
                let piece = try next()
                if piece.isEmpty { break }
                try give(piece)
            }
        case .deflated:
            var inflate = Inflate(limit: member.size, next: next)
            try inflate.run(give)
            guard inflate.consumed == member.packedSize else {
                throw ArchiveError(.damaged("extra bytes after its end"))
            }
        }
        guard size == member.size else {
            throw ArchiveError(.damaged("it is shorter than its header says"))
        }
        guard checksum.value == member.checksum else { throw ArchiveError(.wrongChecksum) }
    }

    // MARK: - Checks

    /// Finds the offset of the packed bytes, and compares the two headers: if their names differ,
    /// the archive is hostile.
    private static func locate(
        _ member: inout ZipMember, in source: ArchiveSource
    ) throws(ArchiveError) {
        let name = Array(member.name.utf8)
        let fixed = try source.read(member.offset, ZipRecord.localSize)
        var record = RecordReader(fixed[...])
        guard try record.number(4) == ZipRecord.local else {
            throw ArchiveError(.damaged("it has no header"), member: member.name)
        }
        try record.skip(2)
        let flags = try record.number(2)
        let method = try record.number(2)
        try record.skip(16)
        let (nameSize, extraSize) = (try record.size(2), try record.size(2))
        if flags & (ZipRecord.isEncrypted | ZipRecord.isStronglyEncrypted) != 0 {
            throw ArchiveError(.encrypted, member: member.name)
        }
        let place = member.offset + ZipRecord.localSize
        let raw = try source.read(place, nameSize)
        // An older name may be in the DOS code page here.
        guard method == UInt64(member.method.rawValue),
            raw == name || ZipDirectory.text(raw[...], flags: flags) == member.name
                || !raw.allSatisfy({ $0 < 0x80 })
        else { throw ArchiveError(.damaged("its two headers differ"), member: member.name) }
        member.dataStart = place + nameSize + extraSize
    }

    private static func checkPlaces(
        _ members: [ZipMember], before directory: Int
    ) throws(ArchiveError) {
        var end = 0
        for member in members.sorted(by: { $0.offset < $1.offset }) {
            guard member.offset >= end else { throw ArchiveError(.overlap, member: member.name) }
            guard member.packedSize <= directory - min(member.dataStart, directory) else {
                throw ArchiveError(.overlap, member: member.name)
            }
            end = member.dataStart + member.packedSize
        }
    }

    /// Refuses duplicate names, and a file where another member needs a folder. Names are
    /// compared by bytes: strings that Swift considers equal may be two files.
    private static func checkNames(_ members: [ZipMember]) throws(ArchiveError) {
        var files: Set<[UInt8]> = []
        var folders: Set<[UInt8]> = []
        for member in members {
            let path = Array((member.isFolder ? String(member.name.dropLast()) : member.name).utf8)
            for (index, byte) in path.enumerated() where byte == UInt8(ascii: "/") {
                folders.insert(Array(path[..<index]))
            }
            guard files.insert(member.isFolder ? path + [UInt8(ascii: "/")] : path).inserted else {
                throw ArchiveError(.duplicate, member: member.name)
            }
            if member.isFolder { folders.insert(path) }
        }
        for member in members where folders.contains(Array(member.name.utf8)) {
            throw ArchiveError(.duplicate, member: member.name)
        }
    }

    private static func checkSizes(
        _ members: [ZipMember], _ limits: Limits, archiveSize: Int
    ) throws(ArchiveError) {
        var total = 0
        for member in members {
            guard member.size <= limits.total - total else {
                throw ArchiveError(.tooLarge(limits.total))
            }
            total += member.size
            if isBomb(member.size, packed: member.packedSize, limits) {
                throw ArchiveError(.bomb(ratio: limits.ratio), member: member.name)
            }
        }
        if isBomb(total, packed: archiveSize, limits) {
            throw ArchiveError(.bomb(ratio: limits.ratio))
        }
    }

    private static func isBomb(_ size: Int, packed: Int, _ limits: Limits) -> Bool {
        size > harmless && size / limits.ratio > packed
    }
}
