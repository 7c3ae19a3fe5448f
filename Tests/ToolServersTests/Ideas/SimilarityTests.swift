import XCTest

@testable import Texts

final class SimilarityTests: XCTestCase {
    /// The same idea told twice.
    private static let same = [
        ("An app that reminds you to water your plants", "A plant watering reminder app"),
        (
            "A newsletter that explains one scientific paper each week in plain words",
            "A weekly newsletter explaining a scientific paper in plain language"
        ),
        ("Swap clothes with your neighbours", "Neighbours swapping clothes"),
        (
            "A map of public benches with shade, for people who cannot walk far",
            "Map the shaded public benches so that people who can't walk far find them"
        ),
        ("Borrow tools from people in your street", "A tool for borrowing tools in your street"),
        ("A podcast about forgotten inventions", "Podcast: forgotten inventions."),
        (
            "A lighthouse keeper finds letters addressed to herself, written in her own hand",
            "Letters in her own hand, addressed to her, are found by a lighthouse keeper"
        ),
        ("Bread baking calendar", "A calendar for baking bread"),
        ("A board game about beekeeping", "A beekeeping board game for two"),
        ("Record your grandmother's recipes", "Recording recipes of your grandmother"),
    ]

    /// Near in their subject or their form, and still two ideas.
    private static let different = [
        (
            "An app that reminds you to water your plants",
            "An app that reminds you to call your mother"
        ),
        ("A recipe sharing app", "A photo sharing app"),
        ("A podcast about forgotten inventions", "A podcast about famous trials"),
        ("A board game about beekeeping", "A card game about railways"),
        ("Swap clothes with your neighbours", "Share leftovers with your neighbours"),
        ("A map of public benches with shade", "A map of drinking fountains"),
        ("Bread baking calendar", "A calendar of full moons"),
        (
            "A lighthouse keeper finds letters addressed to herself",
            "A postman delivers letters to people who have died"
        ),
        (
            "A newsletter that explains one scientific paper each week",
            "A weekly paper for children"
        ),
        ("Record your grandmother's recipes", "Record the birds of your garden"),
        ("Learn the guitar in ten minutes a day", "Learn ten words of Italian a day"),
        ("A clock that shows the tide", "A clock made of sand"),
    ]

    func testTheSameIdeaInOtherWordsIsAlike() {
        for (first, second) in Self.same {
            let likeness = Similarity.likeness(of: first, to: second)
            XCTAssertGreaterThanOrEqual(likeness, Similarity.threshold, "\(first) / \(second)")
        }
    }

    func testAnotherIdeaOnTheSameSubjectIsNot() {
        for (first, second) in Self.different {
            let likeness = Similarity.likeness(of: first, to: second)
            XCTAssertLessThan(likeness, Similarity.threshold, "\(first) / \(second)")
        }
    }

    func testLikenessIsSymmetricAndBounded() {
        for (first, second) in Self.same + Self.different {
            let likeness = Similarity.likeness(of: first, to: second)
            XCTAssertEqual(likeness, Similarity.likeness(of: second, to: first), accuracy: 1e-9)
            XCTAssertTrue((0...1).contains(likeness))
            XCTAssertEqual(
                Similarity.likeness(of: first, to: first.uppercased()), 1, accuracy: 1e-9)
        }
    }

    func testAnEmptyTextIsLikeNothing() {
        XCTAssertEqual(Similarity.likeness(of: "", to: ""), 0)
        XCTAssertEqual(Similarity.likeness(of: "…", to: "A clock"), 0)
        XCTAssertEqual(Similarity.likeness(of: "the of", to: "the of"), 1)
    }
}
