import CCurl
import XCTest

@testable import AgentCore

final class CurlFailureTests: XCTestCase {
    func testEveryCodeHasItsReason() throws {
        let origin = try RequestOrigin(url: "https://h.example:8443/")
        let table: [(CurlFailure, TransportError.Reason)] = [
            (CurlFailure(code: CURLE_URL_MALFORMAT, words: ""), .badURL),
            (CurlFailure(code: CURLE_COULDNT_RESOLVE_HOST, words: ""), .nameNotResolved),
            (CurlFailure(code: CURLE_COULDNT_RESOLVE_PROXY, words: ""), .proxy),
            (CurlFailure(code: CURLE_PROXY, words: ""), .proxy),
            (
                CurlFailure(
                    code: CURLE_COULDNT_CONNECT,
                    words: "Failed to connect to h.example port 8443 after 0 ms: no",
                    systemError: ECONNREFUSED), .connectionRefused
            ),
            (
                CurlFailure(
                    code: CURLE_COULDNT_CONNECT,
                    words: "Failed to connect to proxy port 3128 after 0 ms: no",
                    systemError: ECONNREFUSED), .proxy
            ),
            (
                CurlFailure(code: CURLE_COULDNT_CONNECT, words: "", systemError: ETIMEDOUT),
                .connectTimeout
            ),
            (
                CurlFailure(code: CURLE_COULDNT_CONNECT, words: "", systemError: ENETUNREACH),
                .unreachable
            ),
            (
                CurlFailure(code: CURLE_COULDNT_CONNECT, words: "", systemError: EHOSTUNREACH),
                .unreachable
            ),
            (CurlFailure(code: CURLE_OPERATION_TIMEDOUT, words: ""), .connectTimeout),
            (CurlFailure(code: CURLE_SSL_CONNECT_ERROR, words: "wrong version number"), .tls),
            (
                CurlFailure(
                    code: CURLE_SSL_CONNECT_ERROR,
                    words: "OpenSSL SSL_connect: Connection reset by peer in connection to h"),
                .connectionLost
            ),
            (
                CurlFailure(
                    code: CURLE_SSL_CONNECT_ERROR,
                    words: "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to h"),
                .connectionLost
            ),
            (CurlFailure(code: CURLE_PEER_FAILED_VERIFICATION, words: ""), .tls),
            (CurlFailure(code: CURLE_SSL_CACERT_BADFILE, words: ""), .certificatesMissing),
            (CurlFailure(code: CURLE_RECV_ERROR, words: "reset"), .connectionLost),
            (CurlFailure(code: CURLE_RECV_ERROR, words: "", proxyStatus: 407), .proxy),
            (CurlFailure(code: CURLE_RECV_ERROR, words: "", proxyStatus: 200), .connectionLost),
            (
                CurlFailure(code: CURLE_RECV_ERROR, words: "Illegal size in chunked-encoding"),
                .protocolViolation
            ),
            (CurlFailure(code: CURLE_PARTIAL_FILE, words: ""), .connectionLost),
            (CurlFailure(code: CURLE_GOT_NOTHING, words: ""), .connectionLost),
            (CurlFailure(code: CURLE_SEND_ERROR, words: ""), .connectionLost),
            (CurlFailure(code: CURLE_HTTP2, words: ""), .connectionLost),
            (CurlFailure(code: CURLE_HTTP2_STREAM, words: ""), .connectionLost),
            (CurlFailure(code: CURLE_UNSUPPORTED_PROTOCOL, words: ""), .protocolViolation),
            (CurlFailure(code: CURLE_WEIRD_SERVER_REPLY, words: ""), .protocolViolation),
            (CurlFailure(code: CURLE_OUT_OF_MEMORY, words: "", afterResponse: true), .tooLarge),
            (CurlFailure(code: CURLE_OUT_OF_MEMORY, words: ""), .other),
            (CurlFailure(code: CURLE_READ_ERROR, words: ""), .bodyUnreadable),
            (
                CurlFailure(code: CURLE_ABORTED_BY_CALLBACK, words: "", readsFiles: true),
                .bodyUnreadable
            ),
            (CurlFailure(code: CURLE_ABORTED_BY_CALLBACK, words: ""), .other),
            (CurlFailure(code: CURLE_FUNCTION_NOT_FOUND, words: ""), .other),
        ]
        for (failure, reason) in table {
            let error = failure.error(for: origin, hiding: nil)
            XCTAssertEqual(error.reason, reason, "\(failure)")
            XCTAssertEqual(error.host, "h.example:8443")
            XCTAssertEqual(error.afterResponse, failure.afterResponse)
            XCTAssertFalse(error.detail.text.isEmpty)
        }
    }

    func testLibcurlsWordsAreKeptUnlessTheyQuoteTheProxySetting() throws {
        let origin = try RequestOrigin(url: "https://h/")
        XCTAssertEqual(
            CurlFailure(code: CURLE_RECV_ERROR, words: "Recv failure").error(
                for: origin, hiding: nil
            ).detail,
            "Recv failure")
        XCTAssertEqual(
            CurlFailure(
                code: CURLE_COULDNT_RESOLVE_PROXY,
                words: "Unsupported proxy syntax in 'http://u:p@[': bad"
            ).error(for: origin, hiding: nil).detail, "Couldn't resolve proxy name")
    }
}
