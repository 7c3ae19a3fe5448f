import AgentCore
import Base
import Persistence
import StoryKit
import TestSupport
import XCTest

@testable import Stories

/// The quotations that a review asks about, what its keys do, and what is kept.
final class StoryReviewTests: XCTestCase {
    static let tea = """
        Ann and Bob sat by the fire. Carl slept.

        “Tea?”

        “Yes.”

        “Milk?”

        “No.”
        """
    private static let cast = Cast([
        StoryCharacter(name: "Ann", gender: .female), StoryCharacter(name: "Bob", gender: .male),
        StoryCharacter(name: "Carl", gender: .male),
    ])

    private func indexed(_ text: String = tea) async throws -> (StoryRig, StoryDecisions) {
        let rig = try StoryRig()
        _ = try await rig.run("import", try rig.file("tea.txt", text))
        _ = try await rig.run("index", "s1")
        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        var metadata = item.metadata
        metadata["cast"] = StoryCast(Self.cast).json()
        _ = try await rig.store.change(item.id, ItemChange(metadata: metadata))
        return (rig, StoryDecisions(rig.server.book))
    }

    private func take(
        _ key: StoryReview.Key, _ review: inout StoryReview, _ decisions: StoryDecisions
    ) async throws {
        guard let action = review.take(key) else { return }
        review = try await decisions.perform(action, ItemID(rawValue: 1), in: review)
    }

    private func fixes(_ rig: StoryRig) async throws -> [String] {
        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        return StorySegments.fixes(item.metadata).map { "\($0.line) \($0.speaker ?? "nobody")" }
    }

    func testADecisionTeachesItsNeighboursAndIsTakenBackAsOne() async throws {
        let (rig, decisions) = try await indexed()
        var (_, review) = try await decisions.review("s1", includesLikely: true)
        let question = try XCTUnwrap(review.question)
        XCTAssertEqual(
            [question.before, question.text, question.after], ["Carl slept.", "“Tea?”", "“Yes.”"])
        XCTAssertEqual(question.number, 2)
        XCTAssertEqual(Set(question.candidates.map(\.name)), ["Ann", "Bob", "Carl"])
        XCTAssertEqual(
            question.candidates.compactMap(\.share).sorted(by: >).first,
            question.candidates[0].share)
        XCTAssertFalse(question.candidates.contains { $0.evidence.isEmpty })
        let all = review.left
        XCTAssertEqual(all, 4)

        let bob = try XCTUnwrap(question.candidates.firstIndex { $0.name == "Bob" })
        try await take(.candidate(bob + 1), &review, decisions)
        guard case .decided(span: 1, name: "Bob", let changed)? = review.note else {
            return XCTFail("\(String(describing: review.note))")
        }
        XCTAssertGreaterThan(changed, 0)
        XCTAssertLessThan(review.left, all)
        var kept = try await fixes(rig)
        XCTAssertEqual(kept, ["“Tea?” Bob"])
        let speakers = try await rig.run("segments", "s1").json?.arrayValue?.compactMap {
            $0["speaker"]?.stringValue
        }
        XCTAssertEqual(speakers, ["Bob", "Ann", "Bob", "Ann"])

        try await take(.takeBack, &review, decisions)
        XCTAssertEqual(review.note, .takenBack)
        XCTAssertEqual(review.question?.text, "“Tea?”")
        XCTAssertEqual(review.left, all)
        kept = try await fixes(rig)
        XCTAssertEqual(kept, [])
        try await take(.takeBack, &review, decisions)
        XCTAssertEqual(review.note, .nothingToTakeBack)
    }

    func testADecisionIsFollowedInItsSceneAsInTheWholeStory() async throws {
        // Three scenes of the same kind, far apart.
        let apart = (0..<60).map { "“It is number \($0),” said \($0 % 2 == 0 ? "Ann" : "Bob")." }
        let scenes = (0..<3).map { _ in Self.tea }
        let text = scenes.joined(separator: "\n\n" + apart.joined(separator: "\n\n") + "\n\n")
        let (rig, decisions) = try await indexed(text)
        var (_, review) = try await decisions.review("s1", includesLikely: true)
        let before = review.segments
        let asked = before.attributions.values.filter {
            before.text.text(of: before.text.spans[$0.span].range) == "“Tea?”"
        }.map(\.span).sorted()
        XCTAssertEqual(asked.count, 3)
        while case .asking(let span) = review.phase, span != asked[1] { _ = review.take(.skip) }
        _ = review.take(.other)
        let action = try XCTUnwrap(review.name("Bob"))
        review = try await decisions.perform(action, ItemID(rawValue: 1), in: review)

        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        let whole = await decisions.book.perform { [item] in
            StorySegments(item, Self.cast, withCandidates: true)
        }
        func speakers(_ segments: StorySegments) -> [String] {
            segments.attributions.keys.sorted().map {
                "\($0) \(segments.speaker($0) ?? "nobody") \(segments.attributions[$0]?.tier.rawValue ?? "")"
            }
        }
        XCTAssertEqual(speakers(review.segments), speakers(whole))
        XCTAssertNotEqual(speakers(review.segments), speakers(before))
        let taking = try XCTUnwrap(review.take(.takeBack))
        review = try await decisions.perform(taking, ItemID(rawValue: 1), in: review)
        XCTAssertEqual(review.segments.attributions, before.attributions)
    }

    func testNobodyAnotherNameAndSkippingGoOnToTheNext() async throws {
        let (rig, decisions) = try await indexed()
        var (_, review) = try await decisions.review("s1", includesLikely: true)
        try await take(.skip, &review, decisions)
        XCTAssertEqual(review.skips, 1)
        let asked = review.question?.text
        XCTAssertNotEqual(asked, "“Tea?”")
        XCTAssertNil(review.take(.candidate(9)))
        XCTAssertEqual(review.take(.other), .askName)
        XCTAssertNil(review.name("Carla"))
        guard case .problem(let words)? = review.note else { return XCTFail("no sentence") }
        XCTAssert(words.contains("Did you mean \"Carl\"?"), words)
        XCTAssertEqual(review.take(.other), .askName)
        XCTAssertNil(review.name(nil))
        XCTAssertEqual(review.question?.text, asked)
        XCTAssertEqual(review.take(.other), .askName)
        let action = try XCTUnwrap(review.name(" carl "))
        review = try await decisions.perform(action, ItemID(rawValue: 1), in: review)
        let next = try XCTUnwrap(review.question?.text)
        try await take(.nobody, &review, decisions)
        let kept = try await fixes(rig)
        XCTAssertEqual(Set(kept), ["\(asked ?? "") Carl", "\(next) nobody"])
        XCTAssertEqual(review.decided, 2)
        _ = review.take(.quit)
        XCTAssertEqual(review.phase, .over)
        XCTAssertNil(review.take(.skip))
        let again = try await decisions.review("s1", includesLikely: true).1
        XCTAssertEqual(again.question?.text, "“Tea?”", "skipped, and asked the next time")
    }

    func testWhatWasChangedMeanwhileIsNotTakenBack() async throws {
        let (rig, decisions) = try await indexed()
        var (_, review) = try await decisions.review("s1", includesLikely: true)
        try await take(.candidate(1), &review, decisions)
        _ = try await rig.store.change(ItemID(rawValue: 1), ItemChange(title: "Fire"))
        let action = try XCTUnwrap(review.take(.takeBack))
        do {
            review = try await decisions.perform(action, ItemID(rawValue: 1), in: review)
            XCTFail("taken back")
        } catch let error as LibraryError {
            review.failed(error.diagnostic.what)
        }
        XCTAssertEqual(review.decided, 1)
        guard case .problem? = review.note else { return XCTFail("no sentence") }
    }

    func testWhereEverythingIsSureNothingIsAsked() async throws {
        let (_, decisions) = try await indexed("“Tea?” said Ann.\n\n“Yes,” said Bob.")
        let review = try await decisions.review("s1", includesLikely: false).1
        XCTAssertEqual(review.phase, .over)
        XCTAssertNil(review.question)
    }

    func testFixTeachesItsNeighboursAndMayNameNobody() async throws {
        let (rig, _) = try await indexed()
        let lines = try await rig.lines("fix", "s1", "2", "Bob")
        XCTAssertEqual(lines[0], "✓ Bob says 2: s1 tea · /undo")
        XCTAssert(lines.contains { $0.hasPrefix("also changed: ") }, "\(lines)")
        let nobody = try await rig.run("fix", "s1", "4", "nobody")
        XCTAssert(nobody.lines[0].text.hasPrefix("✓ none of the cast says 4: s1"))
        XCTAssertEqual(nobody.json?[0]?["speaker"], .null)
        XCTAssertEqual(nobody.json?[0]?["by"], "user")
        let item = try await rig.store.liveItem(ItemID(rawValue: 1))
        XCTAssertEqual(StorySegments(item, Self.cast).narrated, [3])
    }
}
