@testable import Base

extension FuzzTarget {
    /// What is opened has safe names and unpacks to what it says.
    static let zips = FuzzTarget("zips") { bytes in
        var limits = ZipReader.Limits()
        (limits.total, limits.members) = (1 << 20, 200)
        guard let zip = try? ZipReader(ArchiveSource(bytes), limits: limits) else { return }
        for member in zip.members {
            try demand(!member.name.hasPrefix("/"), "an absolute name")
            try demand(!member.name.split(separator: "/").contains(".."), "leads out")
            guard let plain = try? zip.bytes(of: member) else { continue }
            try demand(plain.count == member.size, "another size than it says")
        }
    }
}
