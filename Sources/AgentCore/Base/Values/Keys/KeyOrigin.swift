/// Scheme, host and port of a URL (RFC 6454 §4), to which a key is bound.
///
/// Path, query and user info are dropped, letters are lower case, and the scheme's default
/// port is left out, so that equal origins are equal values.
package struct KeyOrigin: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// - Returns: nil unless it is an absolute http or https URL with a plain ASCII host.
    package init?(_ url: String) {
        guard let separator = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<separator.lowerBound].lowercased()
        guard scheme == "https" || scheme == "http" else { return nil }
        var authority = url[separator.upperBound...].prefix { !"/?#".contains($0) }
        // Some URL parsers treat a backslash as a slash, and the part before it as the host.
        // Checked before the user info is removed.
        let isPlain = authority.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x5C }
        guard isPlain else { return nil }
        if let at = authority.lastIndex(of: "@") {
            authority = authority[authority.index(after: at)...]
        }

        var host = authority
        var port: Substring?
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[...end]
            let rest = authority[authority.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":") else { return nil }
            port = rest.isEmpty ? nil : rest.dropFirst()
        } else if let colon = authority.firstIndex(of: ":") {
            host = authority[..<colon]
            port = authority[authority.index(after: colon)...]
        }
        guard !host.isEmpty else { return nil }
        var text = "\(scheme)://\(host.lowercased())"
        if let port, !port.isEmpty {
            guard let number = UInt16(port), number > 0 else { return nil }
            if number != (scheme == "https" ? 443 : 80) { text += ":\(number)" }
        }
        description = text
    }
}
