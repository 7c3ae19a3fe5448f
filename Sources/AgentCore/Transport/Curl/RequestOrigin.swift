import CCurl

/// Where a request goes, read by libcurl's own URL parser so that the check
/// and the connection cannot disagree about the host.
struct RequestOrigin: Sendable, Equatable {
    /// Without brackets.
    let host: String
    let port: Int
    private let isUsualPort: Bool

    /// For messages: the host, and the port where it is not the scheme's own.
    var name: String {
        let host = host.contains(":") ? "[\(host)]" : host
        return isUsualPort ? host : "\(host):\(port)"
    }

    /// Loopback names and addresses never go through a proxy: it could not
    /// reach them, and they are private to this machine.
    var isLoopback: Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || host.hasPrefix("127.") && host.allSatisfy { $0.isNumber || $0 == "." }
    }

    /// Every request begins here, so this is where libcurl is loaded.
    ///
    /// - Throws: `TransportError`: `libraryMissing`, or `badURL` for anything but
    ///   an absolute http or https URL without user info.
    init(url: String) throws(TransportError) {
        if let failure = chat_curl_load() {
            let words = ServerText(String(cString: failure), hiding: nil)
            throw TransportError(reason: .libraryMissing, host: "", detail: words ?? "libcurl")
        }
        guard !url.utf8.contains(0), let parser = chat_curl_url() else {
            throw TransportError(reason: .badURL, host: "", detail: "unusable URL")
        }
        defer { chat_curl_url_cleanup(parser) }
        let code = chat_curl_url_set(parser, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER))
        guard code == CURLUE_OK else {
            let words = ServerText(String(cString: chat_curl_url_strerror(code)), hiding: nil)
            throw TransportError(reason: .badURL, host: "", detail: words ?? "unusable URL")
        }
        guard let scheme = Self.part(CURLUPART_SCHEME, of: parser),
            let host = Self.part(CURLUPART_HOST, of: parser),
            let port = Self.part(CURLUPART_PORT, of: parser).flatMap(Int.init),
            scheme == "https" || scheme == "http"
        else {
            throw TransportError(reason: .badURL, host: "", detail: "not an http or https URL")
        }
        self.host = host.filter { $0 != "[" && $0 != "]" }.lowercased()
        self.port = port
        isUsualPort = port == (scheme == "https" ? 443 : 80)
    }

    private static func part(_ part: CURLUPart, of parser: OpaquePointer) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = chat_curl_url_get(parser, part, &text, UInt32(CURLU_DEFAULT_PORT))
        defer { chat_curl_free(text) }
        guard code == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }
}
