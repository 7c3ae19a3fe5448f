import TestSupport
import XCTest

@testable import Stories

final class ContentChunksTests: XCTestCase {
    private func pieces(_ count: Int, seed: UInt64) -> [ContentChunks.Piece] {
        var random = SplitMix(seed: seed)
        return (0..<count).map { _ in
            ContentChunks.Piece(
                size: Int.random(in: 1...40, using: &random),
                mark: UInt32.random(in: 0...UInt32.max, using: &random))
        }
    }

    func testThePartsAreAllOfItAndHaveTheSizeThatIsAskedFor() {
        for seed in 0..<20 as Range<UInt64> {
            let pieces = pieces(400, seed: seed)
            let ranges = ContentChunks.ranges(of: pieces, least: 200, most: 400)
            XCTAssertEqual(ranges.flatMap(Array.init), Array(pieces.indices))
            for range in ranges {
                let size = pieces[range].reduce(0) { $0 + $1.size }
                XCTAssertGreaterThanOrEqual(size, 200)
                XCTAssertLessThanOrEqual(size, range == ranges.last ? 600 : 400)
            }
        }
        XCTAssertEqual(ContentChunks.ranges(of: [], least: 2, most: 4), [])
        XCTAssertEqual(
            ContentChunks.ranges(of: [.init(size: 9, mark: 1)], least: 2, most: 4), [0..<1])
    }

    func testAChangeInOnePieceLeavesTheFarPartsAsTheyWere() {
        var pieces = pieces(600, seed: 7)
        let before = Set(
            ContentChunks.ranges(of: pieces, least: 200, most: 400).map { pieces[$0].map(\.mark) })
        pieces[300] = ContentChunks.Piece(size: 35, mark: 12_345)
        pieces.insert(ContentChunks.Piece(size: 3, mark: 99), at: 301)
        let after = Set(
            ContentChunks.ranges(of: pieces, least: 200, most: 400).map { pieces[$0].map(\.mark) })
        XCTAssertLessThanOrEqual(after.subtracting(before).count, 4)
        XCTAssertGreaterThan(after.intersection(before).count, 20)
    }
}
