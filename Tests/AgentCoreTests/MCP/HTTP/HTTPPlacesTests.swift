import Foundation
import XCTest

@testable import Base
@testable import MCP

final class HTTPPlacesTests: XCTestCase {
    /// A connection, and the host's end of it.
    private func pair() throws -> (HTTPConnection, host: Int32) {
        var ends: [Int32] = [-1, -1]
        XCTAssertEqual(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends), 0)
        return (try XCTUnwrap(HTTPConnection(ends[0], limits: .init(), uptime: { 0 })), ends[1])
    }

    /// A host that has connected and not sent anything yet is the first to make room, but
    /// not for connections whose hosts have gone and which only have to be noticed.
    func testAConnectionThatItsHostHasClosedMakesRoomBeforeALivingOne() async throws {
        let places = HTTPPlaces(limit: 2)
        let (served, servedHost) = try pair()
        let (fresh, freshHost) = try pair()
        let (last, lastHost) = try pair()
        let first = await places.take(served)
        let number = try XCTUnwrap(first)
        let begins = await places.begin(number)
        XCTAssertTrue(begins)
        await places.rest(number)
        _ = await places.take(fresh)
        close(servedHost)
        let third = Task { await places.take(last) }
        while await places.waiting == nil { await Task.yield() }
        await places.leave(number)
        let taken = await third.value
        XCTAssertNotNil(taken)
        var byte: UInt8 = 0
        XCTAssertEqual(recv(freshHost, &byte, 1, Int32(MSG_DONTWAIT)), -1)
        XCTAssertEqual(errno, EAGAIN)
        for connection in [served, fresh, last] { await connection.end() }
        for host in [freshHost, lastHost] { close(host) }
    }
}
