import Base
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

    private func type(_ text: String, into state: inout PickerState) -> [PickerState.Effect] {
        text.compactMap { state.take(.character($0), on: ScreenSize()) }
    }

    /// - Returns: the picked item, if the key picks one.
    private func picked(_ key: PanelKey, _ state: inout PickerState) -> String? {
        state.take(key, on: ScreenSize()) == .done ? state.picked : nil
    }

    func testEnterTakesTheMarkedItemAndArrowsMoveWithinTheList() {
        var state = state()
        XCTAssertNil(state.begin())
        for (keys, id): ([PanelKey], String) in [
            ([.up, .down], "1"), ([.control("\t"), .up], "1"), ([.end, .down], "3"), ([.home], "0"),
        ] {
            for key in keys { XCTAssertNil(state.take(key, on: ScreenSize())) }
            XCTAssertEqual(picked(.enter, &state), id)
        }
    }

    func testNumbersOfAListingStandBelowEachOther() {
        let items = (1...10).map { PickerItem(id: "\($0)", title: "city \($0)") }
        let state = PickerState(PickerRequest(heading: "Go to", items: items))
        XCTAssertEqual(
            state.listing(width: 79).map(\.text).filter { $0.hasSuffix("1") || $0.hasSuffix("10") },
            ["   1  city 1", "  10  city 10"])
    }

    func testTheWindowMovesOnlyAsFarAsTheMark() {
        let size = ScreenSize(columns: 80, rows: 6)
        var state = state()
        for key: PanelKey in [.down, .down, .down, .up] { _ = state.take(key, on: size) }
        XCTAssertEqual(state.window(on: size), 2..<4)
        _ = state.take(.up, on: size)
        XCTAssertEqual(state.window(on: size), 1..<3)
    }

    func testPageKeysMoveByTheWindowAndStayInTheList() {
        let size = ScreenSize(columns: 80, rows: 6)
        var state = PickerState(PickerRequest(heading: "Go to", items: cities), selected: 1)
        var places: [Int] = [state.selected]
        for key: PanelKey in [.pageDown, .pageDown, .pageUp, .pageUp] {
            _ = state.take(key, on: size)
            places.append(state.selected)
        }
        XCTAssertEqual(places, [1, 3, 3, 1, 0])
    }

    func testEscAndControlsLeaveWithoutAnAnswer() {
        for key: PanelKey in [.escape, .interrupt, .control("\u{04}"), .control("\u{07}")] {
            var state = state()
            XCTAssertEqual(state.take(key, on: ScreenSize()), .done)
            XCTAssertNil(state.picked)
        }
    }

    func testAKeyWithAltIsNoEscAndNoText() {
        XCTAssertNil(PanelKey(.alt(.character("x"))))
    }

    func testTypingFiltersAndMarksTheFirst() {
        var state = state()
        _ = state.take(.end, on: ScreenSize())
        XCTAssertEqual(type("oslo", into: &state), [])
        XCTAssertEqual(state.items.map(\.id), ["0", "3"])
        XCTAssertEqual(state.selected, 0)
        XCTAssertNil(state.take(.control("\u{17}"), on: ScreenSize()))
        XCTAssertEqual(state.items.count, 4)
        _ = type("zzz", into: &state)
        XCTAssertEqual(state.items, [])
        XCTAssertNil(state.take(.enter, on: ScreenSize()))
        XCTAssertNil(state.take(.backspace, on: ScreenSize()))
        XCTAssertEqual(state.query, "zz")
        XCTAssertNil(state.take(.clear, on: ScreenSize()))
        XCTAssertEqual(state.query, "")
        XCTAssertNil(state.take(.paste("brulee \n"), on: ScreenSize()))
        XCTAssertEqual(state.query, "brulee")
        XCTAssertEqual(state.items.map(\.id), ["1"])
    }

    func testOnlyTheLatestSearchCountsAndAnEarlyEnterTakesItsFirstResult() {
        var state = state(asks: true)
        XCTAssertEqual(
            type("ab", into: &state),
            [.search(number: 1, query: "a"), .search(number: 2, query: "ab")])
        state.noteSlow(1)
        XCTAssertFalse(state.isSlow)
        state.noteSlow(2)
        XCTAssertTrue(state.isSlow)
        XCTAssertFalse(state.take(found: [PickerItem(id: "x", title: "x")], for: 1))
        XCTAssertNil(state.take(.enter, on: ScreenSize()))
        XCTAssertTrue(state.take(found: [PickerItem(id: "y", title: "y")], for: 2))
        XCTAssertEqual(picked(.enter, &state), "y")

        var other = self.state(asks: true, query: "q")
        XCTAssertEqual(other.begin(), .search(number: 1, query: "q"))
        XCTAssertNil(other.take(.enter, on: ScreenSize()))
        // Another key takes the Enter back.
        XCTAssertNil(other.take(.down, on: ScreenSize()))
        XCTAssertFalse(other.take(found: [PickerItem(id: "y", title: "y")], for: 1))
        XCTAssertNil(other.take(.backspace, on: ScreenSize()))
        XCTAssertEqual(other.items, cities)
        XCTAssertEqual(
            other.take(.character("z"), on: ScreenSize()), .search(number: 2, query: "z"))
        XCTAssertFalse(other.take(found: nil, for: 2))
        XCTAssertEqual(other.failure, "The search failed.")
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

    /// A folded text is scanned once for each letter, and not at all where fewer letters did not
    /// match.
    func testEachLetterSearchesOnlyWhatTheLettersBeforeItFound() {
        let items = (0..<10_000).map {
            PickerItem(
                id: "\($0)", title: "Conversation number \($0) about trains",
                searchText: "the night train to Oslo leaves at \($0)")
        }
        var matcher = PickerMatcher(items)
        var found: [Int] = []
        for query in ["o", "os", "osl", "oslo", "oslo ", "oslo 7", "oslo 77"] {
            found = matcher.hits(for: query)
        }
        XCTAssertEqual(found.count, 280)
        XCTAssertEqual(matcher.scanned, 6 * 10_000 + 3_439)
    }
}
