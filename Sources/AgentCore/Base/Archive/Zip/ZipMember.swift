import FoundationEssentials

/// One file of a ZIP archive from its central directory, checked.
package struct ZipMember: Sendable, Equatable {
    package enum Method: UInt16, Sendable {
        case stored = 0
        case deflated = 8
    }

    /// A relative path with `/` between its components; untrusted text. A folder's path
    /// ends with `/`.
    package var name: String
    package var method: Method
    /// Checksum of the plain bytes.
    package var checksum: UInt32
    package var packedSize: Int
    package var size: Int
    /// Precise to two seconds, in an unknown zone; read as UTC.
    package var modified: Date
    /// Offset of its local header.
    var offset: Int
    /// Offset of its packed bytes.
    var dataStart: Int

    package var isFolder: Bool { name.hasSuffix("/") }

    /// Whether the path stays inside the folder into which it is unpacked, on every system.
    static func isSafe(_ name: String) -> Bool {
        let letters = Array(name.utf8)
        guard !letters.isEmpty, letters.count <= 1_024, letters[0] != UInt8(ascii: "/"),
            !letters.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") })
        else { return false }
        // A drive: `C:`.
        if letters.count > 1, letters[1] == UInt8(ascii: ":"),
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letters[0] | 0x20)
        {
            return false
        }
        // Compare bytes: as a `Character`, a slash with some combining marks is a different
        // one.
        let slash = UInt8(ascii: "/")
        let path = letters.last == slash ? letters.dropLast() : letters[...]
        return path.split(separator: slash, omittingEmptySubsequences: false).allSatisfy {
            !$0.isEmpty && !$0.elementsEqual(".".utf8) && !$0.elementsEqual("..".utf8)
        }
    }
}

/// The fields common to both headers of a member, and the numbers of the format (APPNOTE
/// 6.3.10).
enum ZipRecord {
    static let local: UInt64 = 0x0403_4B50
    static let central: UInt64 = 0x0201_4B50
    static let descriptor: UInt64 = 0x0807_4B50
    static let end: UInt64 = 0x0605_4B50
    static let end64: UInt64 = 0x0606_4B50
    static let locator64: UInt64 = 0x0706_4B50

    static let endSize = 22
    static let end64Size = 56
    static let locator64Size = 20
    static let localSize = 30

    /// General purpose bits (§4.4.4).
    static let isEncrypted: UInt64 = 1
    static let hasDescriptor: UInt64 = 1 << 3
    static let isPatch: UInt64 = 1 << 5
    static let isStronglyEncrypted: UInt64 = 1 << 6 | 1 << 13
    static let isUTF8: UInt64 = 1 << 11

    /// Marks a number that is in the zip64 field.
    static let elsewhere32: UInt64 = 0xFFFF_FFFF
    static let elsewhere16: UInt64 = 0xFFFF

    static let zip64Field: UInt64 = 1
    static let timeField: UInt64 = 0x5455
    static let unicodeNameField: UInt64 = 0x7075

    /// Hosts of "version made by" whose attributes contain a Unix mode.
    static let unixHosts: Set<UInt64> = [3, 19]

    /// Date and time of MS-DOS, from 1980 to 2107, in UTC.
    static func time(_ date: Date) -> (time: UInt16, date: UInt16) {
        let civil = LocalTime(.utc).civil(at: date)
        guard (1980...2107).contains(civil.date.year) else { return (0, 1 << 5 | 1) }
        return (
            UInt16(civil.hour << 11 | civil.minute << 5 | civil.second / 2),
            UInt16((civil.date.year - 1980) << 9 | civil.date.month << 5 | civil.date.day)
        )
    }

    /// 1980-01-01 for an invalid time.
    static func date(time: UInt64, date: UInt64) -> Date {
        let day = CivilDate(
            year: 1980 + Int(date >> 9), month: Int(date >> 5 & 15), day: Int(date & 31))
        let civil = day.flatMap {
            CivilDateTime(
                $0, hour: Int(time >> 11), minute: Int(time >> 5 & 63),
                second: Int(time & 31) * 2)
        }
        return Date(timeIntervalSince1970: civil.map { Double($0.secondsAsUTC) } ?? 315_532_800)
    }
}
