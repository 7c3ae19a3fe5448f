import Base
import CCurl

/// The address of a page, http or https, parsed by libcurl's own URL parser so that the check of
/// its host and the connection cannot disagree. Without user info and fragment.
///
/// `AddressPolicy` decides whether the host may be reached.
package struct WebURL: Sendable, Equatable {
    /// The whole address, normalised, for sending and display.
    package let text: String
    package let isSecure: Bool
    /// ASCII, without brackets, in lower case; may be an address in any spelling.
    package let host: String
    package let port: Int

    /// Limit in bytes: a longer text contains more than an address.
    package static let limitInBytes = 2_048

    /// - Throws: `TransportError` (`libraryMissing`, `badURL`).
    package init(_ text: String) throws(TransportError) {
        try self.init(text, from: nil)
    }

    /// Resolves a reference on this page, or a redirect from it.
    /// - Throws: `TransportError` (`badURL`).
    package func resolving(_ reference: String) throws(TransportError) -> WebURL {
        try WebURL(reference, from: text)
    }

    /// Whether scheme, host and port are equal, or differ only by TLS on its standard port.
    package func isSamePlace(as other: WebURL) -> Bool {
        guard host == other.host else { return false }
        if isSecure == other.isSecure { return port == other.port }
        return port == (isSecure ? 443 : 80) && other.port == (other.isSecure ? 443 : 80)
    }

    private init(_ text: String, from base: String?) throws(TransportError) {
        try CurlTransport.loadLibrary()
        guard let parser = chat_curl_url() else { throw Self.bad("out of memory") }
        defer { chat_curl_url_cleanup(parser) }
        if let base { try Self.set(base, in: parser) }
        try Self.set(Self.escaped(text), in: parser)
        chat_curl_url_set(parser, CURLUPART_FRAGMENT, nil, 0)
        guard let origin = RequestOrigin(parsed: parser) else {
            throw Self.bad("not an http or https URL")
        }
        guard let whole = RequestOrigin.part(CURLUPART_URL, of: parser, flags: 0) else {
            throw Self.bad("unusable URL")
        }
        if whole.utf8.count > Self.limitInBytes { throw Self.bad("too long") }
        // Only link-local addresses have one.
        if RequestOrigin.part(CURLUPART_ZONEID, of: parser, flags: 0) != nil {
            throw Self.bad("an address with a zone")
        }
        self.text = whole
        (host, port, isSecure) = (origin.host, origin.port, origin.isSecure)
    }

    private static func set(_ text: String, in parser: OpaquePointer) throws(TransportError) {
        let code = chat_curl_url_set(parser, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER))
        guard code == CURLUE_OK else {
            throw bad(ServerText(String(cString: chat_curl_url_strerror(code)), hiding: nil))
        }
    }

    private static func bad(_ why: ServerText?) -> TransportError {
        TransportError(reason: .badURL, host: "", detail: why ?? "unusable URL")
    }

    /// Encodes an address as people and pages write it (RFC 3986 §2.1): spaces and
    /// non-ASCII characters percent-encoded, and the host as it is looked up, so that
    /// look-alike letters are recognised as different letters.
    private static func escaped(_ text: String) throws(TransportError) -> String {
        let bytes = Array(text.trimmingSpace().utf8)
        if bytes.isEmpty { throw bad("empty") }
        if bytes.count > limitInBytes { throw bad("too long") }
        if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) {
            throw bad("a control character")
        }
        var start = bytes.startIndex
        if let scheme = bytes.firstRange(of: Array("://".utf8)),
            // Not one inside a query.
            bytes[..<scheme.lowerBound].allSatisfy({ (0x61...0x7A).contains($0 | 0x20) })
        {
            start = scheme.upperBound
        }
        if bytes.starts(with: Array("//".utf8)) { start = 2 }
        let tail = bytes[start...].firstIndex { [0x2F, 0x3F, 0x23].contains($0) } ?? bytes.count
        // A reference without a host has none to write.
        let name = start == 0 ? "" : String(decoding: bytes[start..<tail], as: UTF8.self)
        guard let host = InternationalName.ascii(name) else { throw bad("a name that is too long") }
        var result = start == 0 ? [] : Array(bytes[..<start]) + Array(host.utf8)
        for byte in bytes[(start == 0 ? 0 : tail)...] {
            if byte == 0x20 || byte >= 0x80 {
                result += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))".utf8
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
