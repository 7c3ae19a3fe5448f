import TerminalKit
import XCTest

@testable import ChatKit

/// What keys do on the screen of a story, as keys and actions.
final class StoryScreenKeysTests: XCTestCase {
    private func actions(_ keys: [PanelKey], _ machine: inout StoryScreenKeys)
        -> [StoryScreenKeys.Action]
    {
        keys.map { machine.take($0) }.filter { $0 != .none }
    }

    private func typed(_ text: String) -> [PanelKey] { text.map { .character($0) } }

    func testEachKeyOfTheListDoesWhatItSays() {
        var keys = StoryScreenKeys(hasBackground: true)
        XCTAssertEqual(
            actions(typed(" ][+-nbwvsq&"), &keys),
            [
                .togglePause, .chapters(1), .chapters(-1), .rate(1), .rate(-1), .findNext,
                .bookmark, .offer(.speaker), .offer(.voice), .stop, .stop, .background,
            ])
        XCTAssertEqual(
            actions([.enter, .right, .left, .down, .up, .pageDown, .pageUp, .home], &keys),
            [
                .togglePause, .segments(1), .segments(-1), .segments(1), .segments(-1),
                .chapters(1), .chapters(-1), .go(.segment(1)),
            ])
        XCTAssertEqual(actions([.escape, .interrupt], &keys), [.background, .interrupt])
        XCTAssertEqual(actions(typed("x1ß"), &keys), [])
    }

    func testWithoutAPromptBehindItEscapeStops() {
        var keys = StoryScreenKeys()
        XCTAssertEqual(
            actions([.escape, .character("&")], &keys),
            [.stop, .say("There is no prompt to go back to.")])
    }

    func testAPlaceIsASegmentOrAPercentage() {
        let cases: [(String, StoryScreenKeys.Destination?)] = [
            ("12", .segment(12)), ("40%", .percent(40)), ("2.5 %", .percent(2.5)),
            ("100 %", .percent(100)), ("0", nil), ("-3", nil), ("101%", nil), ("%", nil),
            ("nan%", nil), ("twelve", nil), ("99999999999999999999", nil),
        ]
        for (text, place) in cases { XCTAssertEqual(StoryScreenKeys.place(text), place, text) }
        var keys = StoryScreenKeys()
        XCTAssertEqual(
            actions(typed("g4x") + [.backspace] + typed("2") + [.enter], &keys),
            [.go(.segment(42))])
        XCTAssertEqual(
            actions(typed("gq") + [.enter], &keys),
            [.say("A segment or a percentage: 12, or 40 %.")]
        )
        XCTAssertEqual(actions(typed("g12") + [.escape] + typed("q"), &keys), [.stop])
    }

    func testWhatIsTypedIsTextAndNoKey() {
        var keys = StoryScreenKeys()
        XCTAssertEqual(
            actions(typed("/s q b") + [.enter] + typed("n"), &keys), [.find("s q b"), .findNext])
        XCTAssertEqual(
            actions(typed("/x") + [.backspace, .backspace] + typed("b"), &keys), [.bookmark],
            "an empty one is given up")
        XCTAssertEqual(actions(typed("/x") + [.interrupt], &keys), [.interrupt])
    }

    func testAListTakesTheKeysUntilSomethingIsChosenOrNothing() {
        var keys = StoryScreenKeys()
        let rows = ["Alice", "Bob", "Queen", "Knave"].map { (label: $0, detail: "") }
        keys.offer(.speaker, title: "Who?", rows, at: 1)
        XCTAssertEqual(actions([.down, .down, .down, .enter], &keys), [.choose(.speaker, 3)])
        keys.offer(.speaker, title: "Who?", rows, at: 1)
        XCTAssertEqual(
            actions(typed("q") + [.enter] + typed("q"), &keys), [.choose(.speaker, 2), .stop])
        keys.offer(.speaker, title: "Who?", rows, at: 1)
        XCTAssertEqual(actions(typed("zz") + [.enter, .escape] + typed("b"), &keys), [.bookmark])
        keys.offer(.voice, title: "Voice", rows, at: 0)
        XCTAssertEqual(
            actions([.character(" "), .down, .character(" "), .up, .enter], &keys),
            [.preview(0), .preview(1), .choose(.voice, 0)])
        keys.offer(.voice, title: "Voice", [], at: 0)
        XCTAssertEqual(
            actions([.down, .up, .end, .character(" "), .enter, .interrupt], &keys),
            [
                .interrupt
            ])
    }

    func testAnyKeyLeavesTheHelp() {
        var keys = StoryScreenKeys()
        XCTAssertEqual(actions(typed("?q"), &keys), [])
        XCTAssertEqual(keys.mode, .listening)
        XCTAssertEqual(actions(typed("?") + [.interrupt], &keys), [.interrupt])
    }
}
