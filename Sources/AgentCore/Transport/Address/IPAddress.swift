import Glibc

/// An IPv4 or IPv6 address: only its bytes, without port, zone or name. `AddressPolicy` decides
/// which of them may be used.
package struct IPAddress: Sendable, Hashable {
    /// Four or sixteen, in network order.
    package let bytes: [UInt8]

    package var isV4: Bool { bytes.count == 4 }

    /// - Parameter text: dotted decimal with four numbers, or RFC 4291 §2.2; none of the other
    ///   spellings, which only resolvers accept.
    package init?(_ text: String) {
        var v4 = in_addr()
        var v6 = in6_addr()
        if inet_pton(AF_INET, text, &v4) == 1 {
            bytes = withUnsafeBytes(of: v4) { Array($0) }
        } else if inet_pton(AF_INET6, text, &v6) == 1 {
            bytes = withUnsafeBytes(of: v6) { Array($0) }
        } else {
            return nil
        }
    }

    /// - Parameter socketAddress: a socket address of `length` bytes, of any family.
    package init?(socketAddress: UnsafeRawPointer, length: Int) {
        let family = MemoryLayout<sa_family_t>.size
        guard length >= family else { return nil }
        // Unaligned: Swift cannot know how libcurl and the resolver align it.
        switch Int32(socketAddress.loadUnaligned(as: sa_family_t.self)) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in.self).sin_addr
            bytes = withUnsafeBytes(of: address) { Array($0) }
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            let address = socketAddress.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            bytes = withUnsafeBytes(of: address) { Array($0) }
        default: return nil
        }
    }
}

extension IPAddress: CustomStringConvertible {
    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // Four or sixteen bytes, as every initialiser guarantees.
        guard inet_ntop(isV4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil
        else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
