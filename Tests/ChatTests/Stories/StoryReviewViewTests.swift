import Base
import StoryKit
import TerminalKit
import XCTest

@testable import ChatKit
@testable import Stories

/// What a review of speakers looks like, wide, narrow and low.
final class StoryReviewViewTests: XCTestCase {
    private func review(_ text: String) -> StoryReview {
        let cast = Cast([
            StoryCharacter(name: "Ann", gender: .female),
            StoryCharacter(name: "Bob", gender: .male),
        ])
        return StoryReview(
            StorySegments(StoryText(text), cast, JSONObject(), withCandidates: true),
            includesLikely: true)
    }

    private func picture(_ review: StoryReview, _ columns: Int, _ rows: Int = 24) -> [String] {
        StoryReviewView(review: review, title: "s3 Tea at Five").lines(
            on: ScreenSize(columns: columns, rows: rows)
        ).map(\.text)
    }

    private let scene = "Ann and Bob sat by the fire.\n\n“Tea?”\n\n“Yes.”\n\n“Milk?”\n\n“No.”"

    func testTheQuestionStandsBetweenItsSentencesWithWhoMaySayItAndTheKeys() {
        let lines = picture(review(scene), 80)
        XCTAssertEqual(lines[1], "  s3 Tea at Five · 4 quotations to go")
        XCTAssertEqual(
            Array(lines[3...5]), ["  Ann and Bob sat by the fire.", "  “Tea?”", "  “Yes.”"])
        XCTAssert(lines[7].hasPrefix("  1  "), lines[7])
        XCTAssert(lines[7].contains(" %  "), lines[7])
        XCTAssertEqual(
            lines.last, "  1-2 says it  n nobody  / other  s skip  u back  q quit")
    }

    func testEveryLineFitsTheWindowAndTheKeysAreAlwaysThere() {
        let long = String(repeating: "It was a very long speech about the tea. ", count: 60)
        for text in [scene, "Ann and Bob sat.\n\n“\(long)”\n\n“Well.”"] {
            for (columns, rows) in [(80, 24), (40, 24), (40, 12), (24, 10), (120, 50)] {
                let lines = picture(review(text), columns, rows)
                XCTAssertLessThanOrEqual(lines.count, rows - 1, "\(columns)×\(rows)")
                for line in lines {
                    XCTAssertLessThan(DisplayWidth.of(line), columns, line)
                }
                XCTAssert(lines.last?.hasPrefix("  1-2") == true, lines.last ?? "")
                XCTAssert(lines.contains { $0.hasPrefix("  1  ") })
            }
        }
    }

    func testAProblemIsSaidAboveTheKeys() {
        var review = review(scene)
        _ = review.take(.takeBack)
        let lines = picture(review, 40)
        XCTAssertEqual(lines[lines.count - 2], "  There is nothing to take back.")
    }
}
