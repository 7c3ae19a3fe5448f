import TestSupport
import XCTest

@testable import AgentCore

final class CurlTransportMultipartTests: XCTestCase {
    private let transport = CurlTransport()

    func testPartsArriveAsTheyAre() async throws {
        let folder = try TemporaryFolder()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let file = try folder.write(bytes, to: "private name.m4a")
        let parts = try await send([
            BodyPart(name: "model", content: .bytes([UInt8]("whisper-1".utf8))),
            BodyPart(name: "empty", content: .bytes([])),
            BodyPart(
                name: "file", filename: "audio.m4a", contentType: "audio/mp4",
                content: .file(path: file)),
            BodyPart(name: "raw", content: .file(path: file)),
        ])
        XCTAssertEqual(
            parts.map(\.disposition),
            [
                #"form-data; name="model""#, #"form-data; name="empty""#,
                #"form-data; name="file"; filename="audio.m4a""#, #"form-data; name="raw""#,
            ])
        XCTAssertEqual(parts.map(\.body), [[UInt8]("whisper-1".utf8), [], bytes, bytes])
        XCTAssertEqual(parts[2].type, "audio/mp4")
    }

    func testNamesCannotWriteHeadersOfTheirOwn() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write([1, 2, 3], to: "a")
        for name in [
            #"a"; name="model"#, "a\r\nX-Evil: 1\r\n\r\nbody", "--boundary", "naïve 🎙.m4a",
            "a\\b", "%22",
        ] {
            let parts = try await send([
                BodyPart(name: "file", filename: name, content: .file(path: file))
            ])
            let shown = name.replacingOccurrences(of: "\"", with: "%22")
                .replacingOccurrences(of: "\r", with: "%0D")
                .replacingOccurrences(of: "\n", with: "%0A")
            XCTAssertEqual(parts.count, 1)
            XCTAssertEqual(
                parts.first?.disposition, #"form-data; name="file"; filename="\#(shown)""#)
            XCTAssertEqual(parts.first?.body, [1, 2, 3])
            XCTAssertNil(parts.first?.headers["x-evil"])
        }
    }

    func testUnreadableFilesAreRefusedBeforeAnythingIsSent() async throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        XCTAssertEqual(mkfifo(pipe, 0o600), 0)
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        for path in [folder.path("missing"), folder.path, pipe, "/dev/zero", ""] {
            do {
                _ = try await transport.send(
                    HTTPRequest(
                        method: "POST", url: server.url(),
                        body: .multipart([BodyPart(name: "file", content: .file(path: path))])))
                XCTFail("sent \(path)")
            } catch let error as TransportError {
                XCTAssertEqual(error.reason, .bodyUnreadable, path)
            }
        }
        XCTAssertEqual(server.connectionCount, 0)
    }

    func testServerThatClosesDuringTheUploadIsALostConnection() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write([UInt8](repeating: 7, count: 24 << 20), to: "big")
        let server = try LoopbackServer(
            bodyLimit: { _ in 1 << 20 }, { _ in ServerScript([.cut]) })
        defer { server.stop() }
        do {
            let response = try await transport.send(
                HTTPRequest(
                    method: "POST", url: server.url(),
                    body: .multipart([BodyPart(name: "file", content: .file(path: file))])))
            XCTFail("status \(response.head.status)")
        } catch let error as TransportError {
            XCTAssertEqual(error.reason, .connectionLost, error.detail)
            XCTAssertFalse(error.afterResponse)
        }
    }

    func testNobodyIsAskedToAwaitTheUpload() async throws {
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        let body = [UInt8](repeating: 1, count: 3 << 20)
        _ = try await transport.send(
            HTTPRequest(method: "POST", url: server.url(), body: .bytes(body))
        ).body.all()
        _ = try await transport.send(
            HTTPRequest(
                method: "POST", url: server.url(),
                body: .multipart([BodyPart(name: "a", content: .bytes(body))]))
        ).body.all()
        XCTAssertEqual(server.requests.map { $0[header: "expect"] }, [nil, nil])
        XCTAssertEqual(server.requests.first?.body, body)
    }

    // MARK: -

    private struct ReceivedPart {
        var headers: [String: String]
        var body: [UInt8]
        var disposition: String? { headers["content-disposition"] }
        var type: String? { headers["content-type"] }
    }

    private func send(_ parts: [BodyPart]) async throws -> [ReceivedPart] {
        let server = try LoopbackServer(always: .text(200, ""))
        defer { server.stop() }
        let response = try await transport.send(
            HTTPRequest(method: "POST", url: server.url(), body: .multipart(parts)))
        _ = try await response.body.all()
        let request = try XCTUnwrap(server.requests.first)
        let type = try XCTUnwrap(request[header: "content-type"])
        let prefix = "multipart/form-data; boundary="
        XCTAssertTrue(type.hasPrefix(prefix), type)
        return try Self.parse(Data(request.body), boundary: String(type.dropFirst(prefix.count)))
    }

    /// RFC 2046 §5.1, written against the standard and not against libcurl.
    private static func parse(_ body: Data, boundary: String) throws -> [ReceivedPart] {
        let delimiter = Data("--\(boundary)".utf8)
        var parts: [ReceivedPart] = []
        var rest = try XCTUnwrap(body.range(of: delimiter)).upperBound
        while body[rest...].starts(with: Data("\r\n".utf8)) {
            let start = rest + 2
            let end = try XCTUnwrap(
                body.range(of: Data("\r\n".utf8) + delimiter, in: start..<body.endIndex))
            let head = try XCTUnwrap(
                body.range(of: Data("\r\n\r\n".utf8), in: start..<end.lowerBound))
            var headers: [String: String] = [:]
            let lines = String(decoding: body[start..<head.lowerBound], as: UTF8.self)
            for line in lines.components(separatedBy: "\r\n") {
                let fields = line.split(separator: ":", maxSplits: 1)
                let name = try XCTUnwrap(fields.first).lowercased()
                headers[name] = fields.last?.trimmingCharacters(in: .whitespaces)
            }
            parts.append(
                ReceivedPart(
                    headers: headers, body: [UInt8](body[head.upperBound..<end.lowerBound]))
            )
            rest = end.upperBound
        }
        XCTAssertEqual(body[rest...], Data("--\r\n".utf8))
        return parts
    }
}
