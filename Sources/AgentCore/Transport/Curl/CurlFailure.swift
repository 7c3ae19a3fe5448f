import Base
import CCurl
import Glibc

/// Translates libcurl's result of a transfer into a `TransportError`.
///
/// Some codes have several causes; the caller supplies the facts that distinguish them (the
/// system's error number, the proxy's answer, libcurl's message).
struct CurlFailure: Sendable, Equatable {
    var code: CURLcode
    /// The text of `CURLOPT_ERRORBUFFER`; empty if libcurl wrote nothing.
    var words: String
    var systemError: Int32 = 0
    /// Status of the proxy's answer to CONNECT; 0 without one.
    var proxyStatus = 0
    var readsFiles = false
    var afterResponse = false

    /// - Parameter key: the key that was sent.
    func error(for origin: RequestOrigin, hiding key: String?) -> TransportError {
        TransportError(
            reason: reason(for: origin), host: origin.name,
            detail: ServerText(detail, hiding: key) ?? "no reason given",
            afterResponse: afterResponse)
    }

    private var detail: String {
        // libcurl quotes a proxy setting it cannot parse, with its password.
        guard !words.isEmpty, !words.hasPrefix("Unsupported proxy") else {
            return String(cString: chat_curl_easy_strerror(code))
        }
        return words
    }

    private func reason(for origin: RequestOrigin) -> TransportError.Reason {
        switch code {
        case CURLE_URL_MALFORMAT: .badURL
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
        case CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY: .proxy
        case CURLE_COULDNT_CONNECT: connectReason(for: origin)
        // Only the connect limit is set in libcurl; the others are ours.
        case CURLE_OPERATION_TIMEDOUT: .connectTimeout
        case CURLE_SSL_CONNECT_ERROR: handshakeReason
        case CURLE_SSL_CACERT_BADFILE: .certificatesMissing
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_CRL_BADFILE,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_USE_SSL_FAILED,
            CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CLIENTCERT:
            .tls
        case CURLE_RECV_ERROR: receiveReason
        // A reset stream or a closed HTTP/2 connection is a lost connection to
        // us: the same request may well succeed on a new one.
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_SEND_FAIL_REWIND,
            CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_SSL_SHUTDOWN_FAILED:
            .connectionLost
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING,
            CURLE_HTTP_RETURNED_ERROR:
            .protocolViolation
        // A single header line above libcurl's own limit is reported as a
        // failed allocation.
        case CURLE_OUT_OF_MEMORY where afterResponse: .tooLarge
        case CURLE_FILESIZE_EXCEEDED: .tooLarge
        case CURLE_READ_ERROR: .bodyUnreadable
        case CURLE_ABORTED_BY_CALLBACK where readsFiles: .bodyUnreadable
        default: .other
        }
    }

    private func connectReason(for origin: RequestOrigin) -> TransportError.Reason {
        // libcurl names the host it tried to reach; a different name is the proxy's.
        let attempt = "Failed to connect to "
        if words.hasPrefix(attempt),
            !words.lowercased().hasPrefix(
                "\(attempt.lowercased())\(origin.host) port \(origin.port) ")
        {
            return .proxy
        }
        return switch systemError {
        case ECONNREFUSED: .connectionRefused
        case ETIMEDOUT: .connectTimeout
        default: .unreachable
        }
    }

    /// A peer that disappears during the handshake is not a failed handshake.
    private var handshakeReason: TransportError.Reason {
        let vanished = ["SSL_ERROR_SYSCALL", "Connection reset by peer", "Broken pipe"]
        return vanished.contains { words.contains($0) } ? .connectionLost : .tls
    }

    private var receiveReason: TransportError.Reason {
        if proxyStatus != 0, !(200..<300).contains(proxyStatus) { return .proxy }
        if words.contains("chunked-encoding") { return .protocolViolation }
        return .connectionLost
    }
}
