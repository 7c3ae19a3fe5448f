import Glibc

/// The reason why an archive cannot be read, or is refused: damage, an unsupported feature, or
/// contents that no honest program writes.
package struct ArchiveError: Error, Sendable, Equatable {
    package enum Reason: Sendable, Equatable {
        case notZip
        /// The archive ends too early.
        case truncated
        /// A description of the damage.
        case damaged(String)
        case wrongChecksum
        /// The `errno` of reading it.
        case unreadable(Int32)
        /// An unsupported feature of the format.
        case unsupported(String)
        case encrypted
        /// `..`, an absolute name, a drive, a backslash, a control character.
        case unsafeName
        case link
        /// A pipe, a device.
        case special
        case duplicate
        case overlap
        /// It unpacks to more than this many times its size.
        case bomb(ratio: Int)
        /// Above this number of unpacked bytes.
        case tooLarge(Int)
        /// Above this number of members.
        case tooMany(Int)
    }

    package var reason: Reason
    /// The name of the affected member; untrusted text.
    package var member: String?

    package init(_ reason: Reason, member: String? = nil) {
        self.reason = reason
        self.member = member
    }

    /// Whether it cannot be accidental damage: the archive must not be trusted.
    package var isHostile: Bool {
        switch reason {
        case .unsafeName, .link, .special, .duplicate, .overlap, .bomb, .tooLarge, .tooMany: true
        case .notZip, .truncated, .damaged, .wrongChecksum, .unreadable, .unsupported, .encrypted:
            false
        }
    }
}

extension ArchiveError: DescribedError {
    package var diagnostic: Diagnostic {
        let name = member.map { member in
            let line = member.split(whereSeparator: \.isNewline).joined(separator: " ")
            return "\"\(line.prefix(80))\""
        }
        let subject = name ?? "the archive"
        let what =
            switch reason {
            case .notZip: "it is not a ZIP archive"
            case .truncated: "\(subject) ends too early"
            case .damaged(let what): "\(subject) is damaged (\(what))"
            case .wrongChecksum: "\(subject) is damaged (its checksum does not match)"
            case .unreadable(let code): Diagnostic.system(code)
            case .unsupported(let what): "\(subject) uses \(what), which chat does not read"
            case .encrypted: "\(subject) is encrypted"
            case .unsafeName: "the name \(name ?? "of a member") could lead out of its folder"
            case .link: "\(subject) is a link"
            case .special: "\(subject) is neither a file nor a folder"
            case .duplicate: "\(subject) appears twice"
            case .overlap: "\(subject) overlaps another member"
            case .bomb(let ratio):
                "\(subject) unpacks to more than \(ratio) times its size, like a zip bomb"
            case .tooLarge(let limit):
                "\(subject) unpacks to more than \(Quantities.bytes(limit))"
            case .tooMany(let limit): "it has more than \(Quantities.grouped(limit)) members"
            }
        return Diagnostic(
            what.prefix(1).uppercased() + what.dropFirst() + ".",
            exit: isHostile || reason == .encrypted ? .refused : .failure)
    }
}
