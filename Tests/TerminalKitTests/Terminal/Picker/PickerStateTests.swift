import TestSupport
import XCTest

@testable import TerminalKit

/// Keys and results in, what to do out.
final class PickerStateTests: XCTestCase {
    private let cities = ["Oslo by train", "Crème brûlée", "Bergen", "Straße nach Oslo"]
        .enumerated().map { PickerItem(id: "\($0)", title: $1) }

    private func state(asks: Bool = false, query: String = "") -> PickerState {
        let search: PickerRequest.Search = { _ in [] }
        return PickerState(
            PickerRequest(
                heading: "Go to", items: cities, initialQuery: query,
                search: asks ? search : nil))
    }

    private func type(_ text: String, into state: inout PickerState) -> [PickerState.Action] {
        text.unicodeScalars.map { state.take(.character($0)) }
    }

    func testEnterTakesTheMarkedItemAndArrowsMoveWithinTheList() {
        var state = state()
        XCTAssertEqual(state.begin(), .draw)
        XCTAssertEqual(state.take(.up), .none)
        XCTAssertEqual(state.take(.down), .draw)
        XCTAssertEqual(state.take(.character("\u{0E}")), .draw)
        XCTAssertEqual(state.take(.character("\u{10}")), .draw)
        XCTAssertEqual(state.take(.character("\n")), .done(id: "1"))
        XCTAssertEqual(state.take(.end), .draw)
        XCTAssertEqual(state.take(.down), .none)
        XCTAssertEqual(state.take(.character("\n")), .done(id: "3"))
        XCTAssertEqual(state.take(.home), .draw)
        XCTAssertEqual(state.take(.character("\n")), .done(id: "0"))
    }

    func testEscAndControlsLeaveWithoutAnAnswer() {
        for key in [Key.escape, .character("\u{03}"), .character("\u{04}")] {
            var state = state()
            XCTAssertEqual(state.take(key), .done(id: nil))
        }
    }

    func testAKeyWithAltIsNoEscAndNoText() {
        var state = state()
        XCTAssertEqual(state.take(.alt(.character("x"))), .none)
    }

    func testTypingFiltersAndMarksTheFirst() {
        var state = state()
        _ = state.take(.end)
        XCTAssertEqual(type("oslo", into: &state), [.draw, .draw, .draw, .draw])
        XCTAssertEqual(state.items.map(\.id), ["0", "3"])
        XCTAssertEqual(state.selected, 0)
        XCTAssertEqual(state.take(.character("\u{17}")), .draw)
        XCTAssertEqual(state.items.count, 4)
        _ = type("zzz", into: &state)
        XCTAssertEqual(state.items, [])
        XCTAssertEqual(state.take(.character("\n")), .none)
        XCTAssertEqual(state.take(.character("\u{7F}")), .draw)
        XCTAssertEqual(state.take(.character("\u{15}")), .draw)
        XCTAssertEqual(state.query, "")
        XCTAssertEqual(state.take(.paste("brulee \n")), .draw)
        XCTAssertEqual(state.query, "brulee")
        XCTAssertEqual(state.items.map(\.id), ["1"])
    }

    func testOnlyTheLatestSearchCountsAndAnEarlyEnterTakesItsFirstResult() {
        var state = state(asks: true)
        XCTAssertEqual(
            type("ab", into: &state),
            [.search(number: 1, query: "a"), .search(number: 2, query: "ab")])
        XCTAssertEqual(state.noteSlow(1), .none)
        XCTAssertEqual(state.noteSlow(2), .draw)
        XCTAssertTrue(state.isSlow)
        XCTAssertEqual(state.take(found: [PickerItem(id: "x", title: "x")], for: 1), .none)
        XCTAssertEqual(state.take(.character("\n")), .none)
        XCTAssertEqual(
            state.take(found: [PickerItem(id: "y", title: "y")], for: 2), .done(id: "y"))

        var other = self.state(asks: true, query: "q")
        XCTAssertEqual(other.begin(), .search(number: 1, query: "q"))
        XCTAssertEqual(other.take(.character("\n")), .none)
        // Another key takes the Enter back.
        XCTAssertEqual(other.take(.down), .draw)
        XCTAssertEqual(other.take(found: [PickerItem(id: "y", title: "y")], for: 1), .draw)
        XCTAssertEqual(other.take(.character("\u{7F}")), .draw)
        XCTAssertEqual(other.items, cities)
        XCTAssertEqual(other.take(.character("z")), .search(number: 2, query: "z"))
        XCTAssertEqual(other.take(failure: "broken", for: 2), .draw)
        XCTAssertEqual(other.failure, "broken")
    }

    func testWordsInTheTitleComeBeforeOtherTextAndLettersInOrderComeLast() {
        var matcher = PickerMatcher([
            PickerItem(id: "0", title: "old slow loop"),
            PickerItem(id: "1", title: "trip", searchText: "we went to Ósló"),
            PickerItem(id: "2", title: "ÓSLO plans"),
            PickerItem(id: "3", title: "bread"),
        ])
        XCTAssertEqual(matcher.hits(for: "o"), [0, 2, 1])
        XCTAssertEqual(matcher.hits(for: "oslo"), [2, 1, 0])
        XCTAssertEqual(matcher.hits(for: "oslo plans"), [2])
        XCTAssertEqual(matcher.hits(for: "oslo"), [2, 1, 0])
        XCTAssertEqual(matcher.hits(for: " "), [0, 1, 2, 3])
        XCTAssertEqual(PickerMatcher.marks(in: "Nach ÓSLO", for: "oslo"), [5, 6, 7, 8])
        XCTAssertEqual(PickerMatcher.marks(in: "Straße", for: "ss"), [4])
        XCTAssertEqual(PickerMatcher.marks(in: "old slow", for: "osl"), [0, 4, 5])
        XCTAssertEqual(PickerMatcher.marks(in: "abc", for: ""), [])
    }

    func testTenThousandItemsAreFilteredWithinAFrameOrTwo() {
        let items = (0..<10_000).map {
            PickerItem(
                id: "\($0)", title: "Conversation number \($0) about trains",
                searchText: "the night train to Oslo leaves at \($0)")
        }
        var state = PickerState(PickerRequest(heading: "Go to", items: items))
        let query = "oslo 77"
        let each = ProcessorTime.measure { _ = type(query, into: &state) } / query.count
        XCTAssertGreaterThan(state.items.count, 100)
        // Debug code; 50 ms is what the terminal's thread may take.
        XCTAssertLessThan(each, .milliseconds(50))
    }
}
