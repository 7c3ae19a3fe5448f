import Base
import XCTest

@testable import TerminalKit

/// Deciding on changes, and the steps around it.
final class ReviewStateTests: XCTestCase {
    private let version = ScriptedAssistant.version(of: "teh a teh b teh c")

    private func press(_ keys: String) -> ReviewState.Effect? {
        var state = ReviewState(version)
        var effect: ReviewState.Effect?
        for key in keys { effect = state.take(.character(key)) }
        return effect
    }

    func testWhatKeysMakeOfThreeChanges() {
        let cases: [(String, ReviewState.Effect?)] = [
            ("a", .done("the a the b the c")), ("r", .done("teh a teh b teh c")),
            ("yyy", .done("the a the b the c")), ("nnn", .done("teh a teh b teh c")),
            ("yny", .done("the a teh b the c")), ("nyn", .done("teh a the b teh c")),
            // The rest, never what was decided.
            ("na", .done("teh a the b the c")), ("yr", .done("the a teh b teh c")),
            ("yyun", nil), ("yyuny", .done("the a teh b the c")), ("u", nil),
            ("e", .edit("the a the b the c")), ("ne", .edit("teh a the b the c")),
            ("q", .leave), ("yq", .leave), ("x", nil), ("yx", nil), ("y", nil),
        ]
        for (keys, wanted) in cases { XCTAssertEqual(press(keys), wanted, keys) }
    }

    func testAnotherChangeCanBeDecidedFirst() {
        var state = ReviewState(version)
        XCTAssertEqual(state.take(.left), nil)
        XCTAssertEqual(state.take(.right), nil)
        XCTAssertEqual(state.take(.right), nil)
        XCTAssertEqual(state.take(.right), nil)
        XCTAssertEqual(state.take(.character("y")), nil)
        // Those that were passed over come next.
        XCTAssertEqual(state.current, 0)
        XCTAssertEqual(state.take(.character("n")), nil)
        XCTAssertEqual(state.current, 1)
        // A decision can be changed.
        XCTAssertEqual(state.take(.right), nil)
        XCTAssertEqual(state.take(.character("n")), nil)
        XCTAssertEqual(state.take(.character("y")), .done("teh a the b teh c"))
    }

    func testEscapeAndCtrlCLeave() {
        for key in [PanelKey.escape, .interrupt] {
            var state = ReviewState(version)
            _ = state.take(.character("y"))
            XCTAssertEqual(state.take(key), .leave)
        }
    }

    func testAcceptedByNumber() {
        let state = ReviewState(version)
        XCTAssertEqual(state.text(accepting: [0, 2]), "the a teh b the c")
        let cases: [(String, ReviewState.Effect?)] = [
            ("a", .done("the a the b the c")), ("1 3", .done("the a teh b the c")),
            ("2,3", .done("teh a the b the c")), ("", .leave), ("r", .leave), ("q", .leave),
            ("e", .edit("the a the b the c")), ("4", nil), ("0", nil), ("maybe", nil),
        ]
        for (line, wanted) in cases {
            var state = WritingState(LineSelection(text: "teh a teh b teh c"))
            _ = state.begin(ScriptedAssistant.usual[0])
            state.show(version)
            _ = state.listing(width: 79)
            XCTAssertEqual(state.take(line: line), wanted.map(WritingState.Effect.review), line)
            let said = wanted == nil ? ["  “\(line)” is not one of these."] : []
            XCTAssertEqual(state.listing(width: 79).map(\.text), said)
        }
    }

    // MARK: Around it

    func testTheStepsFromTheMenuToTheReview() {
        let tools = WritingState.keyed(ScriptedAssistant.usual)
        let size = ScreenSize()
        var state = WritingState(LineSelection(text: "teh cat"))
        state.tools = tools
        XCTAssertNil(state.take(.character("x"), on: size))
        XCTAssertNil(state.take(.enter, on: size))
        XCTAssertEqual(state.take(.character("P"), on: size), .apply(tools[0]))
        state.note(.init(part: "2 of 3"))
        XCTAssertEqual(state.step, .working(tools[0], .init(part: "2 of 3")))
        XCTAssertNil(state.take(.character("a"), on: size))
        state.show(version)
        XCTAssertNil(state.take(.character("y"), on: size))
        XCTAssertEqual(
            state.take(.character("a"), on: size), .review(.done("the a the b the c")))
        for key in [PanelKey.escape, .interrupt, .character("q")] {
            var state = WritingState(LineSelection(text: "teh cat"))
            XCTAssertEqual(state.take(key, on: size), .review(.leave))
        }
    }

    func testToolsWithoutALetterOfTheirOwnGetADigit() {
        let more = [
            WritingAssistant.Tool(name: "pirate", title: "Pirate", key: "p"),
            WritingAssistant.Tool(name: "haiku", title: "Haiku", key: nil),
            WritingAssistant.Tool(name: "quote", title: "Quote", key: "q"),
            WritingAssistant.Tool(name: "short", title: "Short", key: "s"),
        ]
        let keyed = WritingState.keyed(ScriptedAssistant.usual + more)
        XCTAssertEqual(String(keyed.compactMap(\.key)), "prfoc123s")
        let shown = keyed.map { tool in
            let (before, key, after) = WritingView.parts(of: tool)
            return before + key + after
        }
        XCTAssertEqual(
            shown,
            [
                "Proofread", "Rewrite", "Friendly", "prOfessional", "Concise", "1 Pirate",
                "2 Haiku", "3 Quote", "Short",
            ])
        let many = (0..<20).map { WritingAssistant.Tool(name: "\($0)", title: "T", key: nil) }
        XCTAssertEqual(WritingState.keyed(many).count, 9)
    }

    func testAChangeOfAFactIsMadeOnlyByItself() {
        var facts = version
        facts.facts = [1]
        var state = ReviewState(facts)
        XCTAssertEqual(state.take(.character("a")), nil)
        XCTAssertEqual(state.current, 1)
        XCTAssertEqual(state.take(.character("n")), .done("the a teh b the c"))
        XCTAssertEqual(ReviewState(facts).text(rest: true), "the a teh b the c")
        XCTAssertEqual(ReviewState(facts).text(accepting: [0, 1]), "the a the b teh c")
    }
}
