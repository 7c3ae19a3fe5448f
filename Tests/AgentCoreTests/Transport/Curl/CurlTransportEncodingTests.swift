import Foundation
import TestSupport
import XCTest

@testable import AgentCore

/// Answers that come compressed, which is never asked for.
final class CurlTransportEncodingTests: XCTestCase {
    private func answer(
        _ encodings: [String], _ body: [UInt8], limit: Int = 64 << 20
    ) async throws -> Result<[UInt8], TransportError> {
        let server = try LoopbackServer(
            always: .response(
                200, headers: encodings.map { HTTPHeader("Content-Encoding", $0) }, body: body))
        defer { server.stop() }
        let transport = CurlTransport()
        defer { transport.shutDown() }
        do {
            let response = try await transport.send(
                HTTPRequest(
                    method: "GET", url: server.url(), limits: TransferLimits(bodyBytes: limit)))
            let bytes = try await response.body.all()
            XCTAssertFalse(
                server.requests.contains { request in
                    request.headers.contains { $0.name.lowercased() == "accept-encoding" }
                })
            return .success(bytes)
        } catch let error as TransportError {
            return .failure(error)
        }
    }

    /// What Python compresses, as an independent encoder.
    private func compressed(_ expression: String) throws -> [UInt8] {
        let text = try Python.run(
            "import base64, gzip, zlib; print(base64.b64encode(\(expression)).decode())")
        return [UInt8](try XCTUnwrap(Data(base64Encoded: text.trimmingCharacters(in: .newlines))))
    }

    func testGzipAndDeflateAreDecodedThoughNotAskedFor() async throws {
        let gzip = try compressed("gzip.compress('Grüße, мир'.encode())")
        let deflate = try compressed("zlib.compress('Grüße, мир'.encode())")
        for (encoding, body) in [
            ("gzip", gzip), ("GZip", gzip), ("x-gzip", gzip),
            ("deflate", deflate), ("identity", Array("Grüße, мир".utf8)),
        ] {
            let text = try await answer([encoding], body).get()
            XCTAssertEqual(String(decoding: text, as: UTF8.self), "Grüße, мир", encoding)
        }
    }

    func testABombEndsAtTheLimitOfWhatComesOut() async throws {
        // 1,000 to 1.
        let bomb = try compressed("gzip.compress(bytes(100 << 20))")
        XCTAssertLessThan(bomb.count, 200_000)
        let result = try await answer(["gzip"], bomb, limit: 1 << 20)
        guard case .failure(let error) = result else { return XCTFail("\(result)") }
        XCTAssertEqual(error.reason, .tooLarge)
    }

    func testATruncatedOrBrokenStreamGivesNothingThatWasNotSent() async throws {
        let whole = try compressed("gzip.compress(b'0123456789' * 1000)")
        let cut = try await answer(["gzip"], Array(whole.prefix(whole.count / 2)))
        let text = try? cut.get()
        XCTAssertTrue(Array("0123456789".utf8).starts(with: (text ?? []).prefix(10)))
        let broken = try await answer(["gzip"], Array("no gzip at all".utf8))
        guard case .failure(let error) = broken else { return XCTFail("\(broken)") }
        XCTAssertEqual(error.reason, .protocolViolation)
    }

    func testOtherEncodingsAreRefusedByTheirName() async throws {
        for (encodings, name) in [
            (["br"], "br"), (["zstd"], "zstd"), (["gzip", "br"], "gzip,br"),
            (["gzip, gzip"], "gzip, gzip"),
        ] {
            let result = try await answer(encodings, [1, 2, 3])
            guard case .failure(let error) = result else { return XCTFail("\(encodings)") }
            XCTAssertEqual(error.reason, .unsupportedEncoding)
            XCTAssertEqual(error.detail.text, name)
        }
    }
}
