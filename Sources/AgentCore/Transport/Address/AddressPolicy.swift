/// Decides which addresses a request may reach if a model or a page has chosen the target: only
/// those that are the same for every machine on the public internet. Pure.
///
/// It judges addresses after all resolution, so that no spelling can evade it. The names listed
/// here never refer to a public machine (RFC 6761, RFC 6762, RFC 8375, RFC 9476) and are not even
/// looked up.
package struct AddressPolicy: Sendable, Equatable {
    private let exceptions: Set<IPAddress>

    package static let publicOnly = AddressPolicy()

    /// - Parameter exceptions: addresses that are allowed nevertheless. The program has
    ///   none; tests run their own servers.
    package init(exceptions: Set<IPAddress> = []) { self.exceptions = exceptions }

    /// The kind of an address that may not be reached ("loopback"); nil if it may.
    package func refusal(of address: IPAddress) -> String? {
        if exceptions.contains(address) { return nil }
        if let block = Self.special.first(where: { $0.contains(address) }) { return block.kind }
        // Only 2000::/3 of IPv6 is allocated for public use (RFC 4291 §2.4).
        if !address.isV4, address.bytes[0] & 0xE0 != 0x20 { return "reserved" }
        return nil
    }

    /// The kind of a host name that is never public, which is refused without resolving it.
    package func refusal(ofName name: String) -> String? {
        var name = name.lowercased()[...]
        while name.last == "." { name.removeLast() }
        if name.isEmpty { return "empty" }
        return Self.names.first { name == $0.suffix || name.hasSuffix("." + $0.suffix) }?.kind
    }

    private static let names: [(suffix: String, kind: String)] = [
        ("localhost", "loopback"), ("local", "local network"), ("internal", "private"),
        ("home.arpa", "local network"), ("onion", "special"), ("alt", "special"),
    ]

    private struct Block: Sendable {
        let prefix: [UInt8]
        let bits: Int
        let kind: String

        func contains(_ address: IPAddress) -> Bool {
            guard address.bytes.count == prefix.count else { return false }
            let whole = bits / 8
            guard address.bytes[..<whole] == prefix[..<whole] else { return false }
            guard bits % 8 != 0 else { return true }
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (bits % 8))
            return address.bytes[whole] & mask == prefix[whole] & mask
        }
    }

    /// IANA's special-purpose registries of both versions (RFC 6890 and its updates), the
    /// multicast blocks, and the addresses under which clouds serve a machine its own
    /// secrets. Includes blocks that the registries call reachable: none of them has pages,
    /// and some lead back into the sender's network (6to4, Teredo, NAT64).
    private static let special: [Block] = [
        ("0.0.0.0/8", "this network"), ("10.0.0.0/8", "private"),
        ("100.64.0.0/10", "shared by a provider"), ("127.0.0.0/8", "loopback"),
        // Azure's wire server, in the middle of public addresses.
        ("168.63.129.16/32", "metadata"),
        ("169.254.169.254/32", "metadata"), ("169.254.0.0/16", "link-local"),
        ("172.16.0.0/12", "private"), ("192.0.0.0/24", "reserved"),
        ("192.0.2.0/24", "for documentation"), ("192.31.196.0/24", "reserved"),
        ("192.52.193.0/24", "reserved"), ("192.88.99.0/24", "6to4"),
        ("192.168.0.0/16", "private"), ("192.175.48.0/24", "reserved"),
        ("198.18.0.0/15", "for measurements"), ("198.51.100.0/24", "for documentation"),
        ("203.0.113.0/24", "for documentation"), ("224.0.0.0/4", "multicast"),
        ("240.0.0.0/4", "reserved"),
        ("::/128", "unspecified"), ("::1/128", "loopback"), ("::ffff:0:0/96", "IPv4-mapped"),
        ("::/96", "IPv4-compatible"), ("64:ff9b::/96", "NAT64"), ("64:ff9b:1::/48", "NAT64"),
        ("fd00:ec2::/32", "metadata"), ("fc00::/7", "unique-local"),
        ("fe80::/10", "link-local"), ("fec0::/10", "site-local"), ("ff00::/8", "multicast"),
        ("2001::/32", "Teredo"), ("2001::/23", "reserved"), ("2001:db8::/32", "for documentation"),
        ("2002::/16", "6to4"), ("2620:4f:8000::/48", "reserved"), ("3ffe::/16", "reserved"),
        ("3fff::/20", "for documentation"),
    ].map { text, kind in
        let parts = text.split(separator: "/")
        guard parts.count == 2, let prefix = IPAddress(String(parts[0])), let bits = Int(parts[1])
        else { preconditionFailure("\(text) is not a block of addresses") }
        return Block(prefix: prefix.bytes, bits: bits, kind: kind)
    }
}
