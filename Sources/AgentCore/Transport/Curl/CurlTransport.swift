/// The network through libcurl: HTTP/1.1 and HTTP/2, TLS always verified,
/// kept-alive connections, the proxy variables by libcurl's own rules.
///
/// All transfers share one thread (`CurlLoop`), which starts with the first
/// request and ends with this object or `shutDown`. It never follows a
/// redirect, keeps no cookies, reads no `.netrc`, asks for no compression and
/// knows nothing of retries.
package final class CurlTransport: HTTPTransport {
    private let loop: CurlLoop

    /// - Parameter caFile: certificates to trust instead of the system's, in
    ///   PEM form; nil in the program.
    package init(caFile: String? = nil) {
        loop = CurlLoop(caFile: caFile)
    }

    deinit {
        loop.shutDown()
    }

    /// For a check-up; a request does it by itself.
    ///
    /// - Throws: `TransportError` (`libraryMissing`).
    package static func loadLibrary() throws(TransportError) {
        try RequestOrigin.loadLibrary()
    }

    /// Cancels what is running and returns when the thread has ended. Before
    /// the process exits, so that no thread is inside TLS code while its
    /// library is taken down.
    package func shutDown() {
        loop.shutDown()
    }

    package func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try Task.checkCancellation()
        let origin = try RequestOrigin(url: request.url)
        let transfer = Transfer(request: request, origin: origin, loop: loop)
        let reader = BodyReader(transfer: transfer, transport: self)
        loop.add(transfer)
        let head = try await transfer.head()
        return HTTPResponse(head: head, body: ResponseBody { try await reader.next() })
    }
}

/// Ends the transfer when nobody can read it any more, and keeps the transport
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
