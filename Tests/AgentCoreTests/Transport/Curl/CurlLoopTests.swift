import TestSupport
import XCTest

@testable import AgentCore

/// Ownership between the thread, the transfers and their readers.
final class CurlLoopTests: XCTestCase {
    private func transfer(_ url: String, _ loop: CurlLoop) throws -> Transfer {
        Transfer(
            request: HTTPRequest(method: "GET", url: url), origin: try RequestOrigin(url: url),
            loop: loop)
    }

    func testTransfersAndLoopAreFreedHoweverTheyEnd() async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/stall": ServerScript([.stall])
            case "/half": ServerScript([ServerScript.sseHead(), .chunk([1]), .stall])
            case "/cut": ServerScript([.cut])
            default: .text(200, "x")
            }
        }
        defer { server.stop() }
        weak var freedLoop: CurlLoop?
        for path in ["/stall", "/half", "/cut", "/whole", "/whole"] {
            weak var freed: Transfer?
            do {
                let loop = CurlLoop(caFile: nil)
                freedLoop = loop
                let transfer = try transfer(server.url(path), loop)
                freed = transfer
                let count = server.requests.count
                loop.add(transfer)
                await server.waitForRequests(count + 1)
                if path == "/whole" {
                    _ = try await transfer.head()
                    while try await transfer.read() != nil {}
                }
                transfer.cancel()
                loop.shutDown()
            }
            XCTAssertNil(freed, path)
            XCTAssertNil(freedLoop, path)
        }
    }

    func testCommandsAfterTheEndDoNothing() async throws {
        let loop = CurlLoop(caFile: nil)
        loop.shutDown()
        loop.shutDown()
        let late = try transfer("http://127.0.0.1:1/", loop)
        loop.add(late)
        loop.resume(late)
        loop.remove(late)
        do {
            _ = try await late.head()
            XCTFail("a head from nowhere")
        } catch {
            XCTAssertTrue(error is CancellationError)
        }
    }
}
