import AgentCore
import FoundationEssentials
import XCTest

@testable import Persistence

final class SearchWalkTests: XCTestCase {
    private func place(_ conversation: Int64, _ message: Int64) -> SearchWalk.Match {
        SearchWalk.Match(
            conversation: conversation, turn: message, message: message, role: .user,
            time: Date(timeIntervalSince1970: 0))
    }

    func testALongRunOfOneConversationIsSkipped() {
        var walk = SearchWalk(limit: 2, reseeks: 1)
        XCTAssertEqual(walk.nextStart(), .max)
        XCTAssertNil(walk.nextStart())
        var message: Int64 = 100_000
        var wantsEnd = false
        while !wantsEnd {
            XCTAssertTrue(walk.wants(message))
            wantsEnd = walk.take(place(1, message), isHidden: false)
            message -= 1
        }
        XCTAssertEqual(message, 100_000 - 25)
        XCTAssertFalse(walk.skip(from: message, to: 500))
        XCTAssertEqual(walk.nextStart(), 500)
        XCTAssertTrue(walk.wants(500))
        _ = walk.take(place(2, 500), isHidden: false)
        XCTAssertTrue(walk.skip(from: 499, to: 300))
        XCTAssertFalse(walk.wants(400))
        XCTAssertTrue(walk.wants(300))
        _ = walk.take(place(3, 300), isHidden: true)
        XCTAssertTrue(walk.mayGoOn)
        _ = walk.take(place(4, 200), isHidden: false)
        XCTAssertFalse(walk.mayGoOn)
        XCTAssertTrue(walk.hasMore)
        XCTAssertEqual(walk.found.map(\.conversation), [1, 2])
    }

    func testItEndsAfterABoundedNumberOfMatches() {
        var walk = SearchWalk(limit: 5, reseeks: 0)
        var steps = 0
        while walk.mayGoOn {
            _ = walk.wants(1_000_000 - Int64(steps))
            steps += 1
        }
        XCTAssertEqual(steps, 2_500)
        XCTAssertTrue(walk.hasMore)
    }
}
