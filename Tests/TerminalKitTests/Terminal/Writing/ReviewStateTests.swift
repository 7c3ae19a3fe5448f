import XCTest

@testable import TerminalKit

/// Deciding on changes, and the steps around it.
final class ReviewStateTests: XCTestCase {
    private let version = ScriptedAssistant.version(of: "teh a teh b teh c")

    private func press(_ keys: String) -> ReviewState.Action {
        var state = ReviewState(version)
        var action = ReviewState.Action.none
        for key in keys { action = state.take(.character(key)) }
        return action
    }

    func testWhatKeysMakeOfThreeChanges() {
        let cases: [(String, ReviewState.Action)] = [
            ("a", .done("the a the b the c")), ("r", .done("teh a teh b teh c")),
            ("yyy", .done("the a the b the c")), ("nnn", .done("teh a teh b teh c")),
            ("yny", .done("the a teh b the c")), ("nyn", .done("teh a the b teh c")),
            // The rest, never what was decided.
            ("na", .done("teh a the b the c")), ("yr", .done("the a teh b teh c")),
            ("yyun", .draw), ("yyuny", .done("the a teh b the c")), ("u", .none),
            ("e", .edit("the a the b the c")), ("ne", .edit("teh a the b the c")),
            ("q", .leave), ("yq", .leave), ("x", .none), ("yx", .none), ("y", .draw),
        ]
        for (keys, wanted) in cases { XCTAssertEqual(press(keys), wanted, keys) }
    }

    func testAnotherChangeCanBeDecidedFirst() {
        var state = ReviewState(version)
        XCTAssertEqual(state.take(.left), .none)
        XCTAssertEqual(state.take(.right), .draw)
        XCTAssertEqual(state.take(.right), .draw)
        XCTAssertEqual(state.take(.right), .none)
        XCTAssertEqual(state.take(.character("y")), .draw)
        // Those that were passed over come next.
        XCTAssertEqual(state.current, 0)
        XCTAssertEqual(state.take(.character("n")), .draw)
        XCTAssertEqual(state.current, 1)
        // A decision can be changed.
        XCTAssertEqual(state.take(.right), .draw)
        XCTAssertEqual(state.take(.character("n")), .draw)
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
        let cases: [(String, WritingPrompt.Answer)] = [
            ("a", .accept([0, 1, 2])), ("1 3", .accept([0, 2])), ("2,3", .accept([1, 2])),
            ("", .none), ("r", .none), ("q", .none), ("e", .edit),
            ("4", .unclear("“4” is not one of these.")),
            ("0", .unclear("“0” is not one of these.")),
            ("maybe", .unclear("“maybe” is not one of these.")),
        ]
        for (line, wanted) in cases {
            XCTAssertEqual(WritingPrompt.answer(line, 3), wanted, line)
        }
    }

    // MARK: Around it

    func testTheStepsFromTheMenuToTheReview() {
        let tools = WritingState.keyed(ScriptedAssistant.usual)
        var state = WritingState(LineSelection(text: "teh cat"), tools: tools)
        XCTAssertEqual(state.take(.character("x")), .none)
        XCTAssertEqual(state.take(.enter), .none)
        XCTAssertEqual(state.take(.character("P")), .apply(tools[0]))
        state.note(.init(part: "2 of 3"))
        XCTAssertEqual(state.step, .working(tools[0], .init(part: "2 of 3")))
        XCTAssertEqual(state.take(.character("a")), .none)
        XCTAssertEqual(state.take(.escape), .cancel)
        XCTAssertEqual(state.take(.interrupt), .cancel)
        state.show(version)
        XCTAssertEqual(state.take(.character("y")), .draw)
        XCTAssertEqual(state.take(.character("a")), .done("the a the b the c"))
        for key in [PanelKey.escape, .interrupt, .character("q")] {
            var state = WritingState(LineSelection(text: "teh cat"), tools: tools)
            XCTAssertEqual(state.take(key), .leave)
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
}
