import CCurl
import Glibc

/// The network through libcurl: HTTP/1.1 and HTTP/2, TLS always verified, kept-alive connections,
/// the proxy variables by libcurl's own rules.
///
/// All transfers share one thread (`CurlLoop`), which starts with the first request and ends with
/// this object or `shutDown`. It never follows a redirect, stores no cookies, reads no `.netrc`,
/// asks for no compression and does not retry.
package final class CurlTransport: HTTPTransport {
    private let loop: CurlLoop
    private let ledger: any SendLedger

    /// - Parameters:
    ///   - ledger: gets a row for each request before it is sent.
    ///   - caFile: certificates to trust instead of the system's, in PEM form; nil in the
    ///     program.
    package init(ledger: any SendLedger, caFile: String? = nil) {
        self.ledger = ledger
        loop = CurlLoop(caFile: caFile)
    }

    deinit {
        loop.shutDown()
    }

    /// Loads libcurl, for a check-up; requests load it themselves.
    ///
    /// - Throws: `TransportError` (`libraryMissing`).
    package static func loadLibrary() throws(TransportError) {
        guard let failure = chat_curl_load() else { return }
        let words = ServerText(String(cString: failure), hiding: nil)
        throw TransportError(reason: .libraryMissing, host: "", detail: words ?? "libcurl")
    }

    /// The path where libcurl looks for CA certificates, if there are none. For a check-up, once
    /// the library is loaded.
    package static func missingCertificates() -> String? {
        // libcurl 7.70 and later report it; the build has newer headers.
        guard let version = chat_curl_version_info(CURLVERSION_SEVENTH)?.pointee,
            version.age.rawValue >= CURLVERSION_SEVENTH.rawValue,
            let path = version.cainfo ?? version.capath
        else { return nil }
        return access(path, R_OK) == 0 ? nil : String(cString: path)
    }

    /// Cancels all transfers and returns when the thread has ended. Called before the process
    /// exits, so that no thread is inside TLS code while its library is unloaded.
    package func shutDown() {
        loop.shutDown()
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let origin = try RequestOrigin(url: request.url)
        let receipt = try await SendReceipt.write(request, host: origin.name, in: ledger)
        try Task.checkCancellation()
        let transfer = Transfer(request: request, origin: origin, loop: loop)
        let reader = BodyReader(transfer: transfer, transport: self)
        loop.add(transfer)
        let head = try await transfer.head()
        receipt?.note(status: head.status)
        let body = ResponseBody {
            let bytes = try await reader.next()
            receipt?.note(bytes ?? [])
            return bytes
        }
        return HTTPResponse(head: head, body: body, receipt: receipt)
    }
}

/// Ends the transfer when it can no longer be read, and keeps the transport
/// alive until then.
private final class BodyReader: Sendable {
    private let transfer: Transfer
    private let transport: CurlTransport

    init(transfer: Transfer, transport: CurlTransport) {
        self.transfer = transfer
        self.transport = transport
    }

    deinit {
        transfer.cancel()
    }

    func next() async throws -> [UInt8]? {
        try await transfer.read()
    }
}

/// The target of a request, parsed by libcurl's own URL parser so that the check and the connection
/// cannot disagree about the host.
struct RequestOrigin: Sendable, Equatable {
    /// The host without brackets.
    let host: String
    let port: Int
    let isSecure: Bool
    private var isUsualPort: Bool { port == (isSecure ? 443 : 80) }

    /// The name for messages: the host, and the port if it is not the scheme's default.
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

    /// Every request begins here, so libcurl is loaded here.
    ///
    /// - Throws: `TransportError`: `libraryMissing`, or `badURL` for anything but an absolute http
    ///   or https URL without user info.
    init(url: String) throws(TransportError) {
        try CurlTransport.loadLibrary()
        guard !url.utf8.contains(0), let parser = chat_curl_url() else {
            throw TransportError(reason: .badURL, host: "", detail: "unusable URL")
        }
        defer { chat_curl_url_cleanup(parser) }
        let code = chat_curl_url_set(parser, CURLUPART_URL, url, UInt32(CURLU_DISALLOW_USER))
        guard code == CURLUE_OK else {
            let words = ServerText(String(cString: chat_curl_url_strerror(code)), hiding: nil)
            throw TransportError(reason: .badURL, host: "", detail: words ?? "unusable URL")
        }
        guard let origin = RequestOrigin(parsed: parser) else {
            throw TransportError(reason: .badURL, host: "", detail: "not an http or https URL")
        }
        self = origin
    }

    /// Nil for another scheme than http and https.
    init?(parsed parser: OpaquePointer) {
        guard let scheme = Self.part(CURLUPART_SCHEME, of: parser),
            let host = Self.part(CURLUPART_HOST, of: parser),
            let port = Self.part(CURLUPART_PORT, of: parser).flatMap(Int.init),
            scheme == "https" || scheme == "http"
        else { return nil }
        self.host = host.filter { $0 != "[" && $0 != "]" }.lowercased()
        self.port = port
        isSecure = scheme == "https"
    }

    static func part(
        _ part: CURLUPart, of parser: OpaquePointer, flags: Int32 = CURLU_DEFAULT_PORT
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        let code = chat_curl_url_get(parser, part, &text, UInt32(flags))
        defer { chat_curl_free(text) }
        guard code == CURLUE_OK, let text else { return nil }
        return String(cString: text)
    }
}
