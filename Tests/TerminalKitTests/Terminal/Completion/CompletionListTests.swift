import XCTest

@testable import TerminalKit

/// The list that opens while one types: what changes and keys do to it.
final class CompletionListTests: XCTestCase {
    private static let models = CompletionOffer(
        replacing: "/mo", candidates: [.init("/model"), .init("/models"), .init("/mock")],
        suggestsFirst: true)
    private static let folder = CompletionOffer(
        replacing: "@s", candidates: [.init("@src/", isComplete: false), .init("@song.mp3")],
        suggestsFirst: false)

    private func open(_ offer: CompletionOffer = models) -> CompletionList {
        var list = CompletionList()
        list.note(.typed)
        list.settle(offer, word: 0)
        return list
    }

    // MARK: Opening and closing

    func testOnlyTypingOpensIt() {
        for change in [CompletionList.Change.none, .deleted, .pasted, .other] {
            var list = CompletionList()
            list.note(change)
            if list.isStale { list.settle(Self.models, word: 0) }
            XCTAssertEqual(list.candidates, [], "\(change)")
        }
        XCTAssertEqual(open().candidates.map(\.text), ["/model", "/models", "/mock"])
    }

    func testWhileItIsOpenChangesDoWhatTheTableSays() {
        let rows: [(CompletionList.Change, asks: Bool, isOpen: Bool)] = [
            (.none, false, true), (.typed, true, true), (.deleted, true, true),
            (.pasted, true, false), (.other, false, false),
        ]
        for (change, asks, isOpen) in rows {
            var list = open()
            list.note(change)
            XCTAssertEqual(list.isStale, asks, "\(change)")
            if list.isStale { list.settle(Self.models, word: 0) }
            XCTAssertEqual(!list.candidates.isEmpty, isOpen, "\(change)")
        }
    }

    func testWhereNoListBelongsItIsClosed() {
        var list = open()
        list.note(.typed)
        list.settle(nil, word: 0)
        XCTAssertEqual(list, CompletionList())
    }

    func testWithoutCandidatesItWaitsForOtherLetters() {
        var list = open()
        list.note(.typed)
        list.settle(.init(replacing: "/mox", candidates: [], suggestsFirst: true), word: 0)
        XCTAssertEqual(list.candidates, [])
        XCTAssertEqual(list.take(.character("\n")), .pass)
        XCTAssertEqual(list.take(.up), .pass)
        list.note(.deleted)
        list.settle(Self.models, word: 0)
        XCTAssertEqual(list.candidates.count, 3)
    }

    func testEscClosesItUntilTheWordIsLeft() {
        var list = open()
        XCTAssertEqual(list.take(.escape), .redraw)
        XCTAssertEqual(list.candidates, [])
        XCTAssertEqual(list.take(.escape), .pass)
        list.note(.typed)
        list.settle(Self.models, word: 0)
        XCTAssertEqual(list.candidates, [])
        list.note(.typed)
        list.settle(Self.folder, word: 8)
        XCTAssertEqual(list.candidates.count, 2)
    }

    func testAfterTheLineWasEmptiedAWordAtTheSamePlaceIsAnother() {
        var list = open()
        XCTAssertEqual(list.take(.escape), .redraw)
        list.note(.deleted)
        list.settle(nil, word: 0)
        list.note(.typed)
        list.settle(Self.models, word: 0)
        XCTAssertEqual(list.candidates.count, 3)
    }

    func testToViEscAlsoEndsTyping() {
        var list = open()
        XCTAssertEqual(list.take(.escape, isVi: true), .pass)
        XCTAssertEqual(list.candidates, [])
    }

    func testAPasteClosesItForThatWordOnly() {
        var list = CompletionList()
        list.note(.pasted)
        list.settle(Self.models, word: 0)
        list.note(.typed)
        list.settle(Self.models, word: 0)
        XCTAssertEqual(list.candidates, [])
        list.note(.typed)
        list.settle(Self.folder, word: 20)
        XCTAssertEqual(list.candidates.count, 2)
    }

    // MARK: Keys

    func testKeysThatAreTypedAheadAreNotForIt() {
        var list = CompletionList()
        list.note(.typed)
        for key in [Key.up, .down, .escape, .character("\t"), .character("\n")] {
            XCTAssertEqual(list.take(key), .pass, "\(key)")
        }
        list = open()
        list.note(.typed)
        for key in [Key.up, .down, .escape, .character("\t"), .character("\n")] {
            XCTAssertEqual(list.take(key), .pass, "\(key)")
        }
    }

    func testNoOtherKeyIsForIt() {
        let keys: [Key] = [
            .left, .right, .home, .end, .pageUp, .pageDown, .delete, .wordLeft, .wordRight,
            .lineBreak, .paste("x"), .alt(.up), .alt(.character("s")), .character("a"),
            .character(" "), .character("/"), .character("\u{03}"), .character("\u{04}"),
            .character("\u{7F}"), .character("\u{15}"), .character("\u{12}"),
        ]
        for key in keys {
            var list = open()
            XCTAssertEqual(list.take(key), .pass, "\(key)")
            XCTAssertEqual(list, open(), "\(key)")
        }
    }

    func testTheArrowsGoRoundAndEnterTakesTheChosenRow() {
        var list = open()
        XCTAssertEqual(list.selected, 0)
        for (key, row) in [
            (Key.up, 2), (.up, 1), (.down, 2), (.down, 0), (.character("\u{0E}"), 1),
        ] {
            XCTAssertEqual(list.take(key), .redraw)
            XCTAssertEqual(list.selected, row)
        }
        XCTAssertEqual(
            list.take(.character("\n")), .accept(.init("/models"), replacing: "/mo"))
        XCTAssertEqual(list, CompletionList())
    }

    func testEnterEntersACommandThatIsThereAlready() {
        let offer = CompletionOffer(
            replacing: "/model", candidates: [.init("/model"), .init("/models")],
            suggestsFirst: true)
        var list = open(offer)
        XCTAssertEqual(list.take(.character("\n")), .pass)
        _ = list.take(.down)
        XCTAssertEqual(
            list.take(.character("\n")), .accept(.init("/models"), replacing: "/model"))
    }

    func testEnterTakesNothingThatIsNotChosenAndTabTheFirst() {
        var list = open(Self.folder)
        XCTAssertNil(list.selected)
        XCTAssertEqual(list.take(.character("\n")), .pass)
        XCTAssertEqual(
            list.take(.character("\t")),
            .accept(.init("@src/", isComplete: false), replacing: "@s"))
        // What is in the folder is asked for at once.
        XCTAssertTrue(list.isStale)
        list.settle(
            .init(replacing: "@src/", candidates: [.init("@src/a")], suggestsFirst: false), word: 0)
        XCTAssertEqual(list.candidates.map(\.text), ["@src/a"])
        XCTAssertEqual(list.take(.up), .redraw)
        XCTAssertEqual(list.selected, 0)
    }

    func testWhatComesLaterLeavesTheChoiceWhereItIs() {
        var list = open(Self.folder)
        _ = list.take(.down)
        _ = list.take(.down)
        list.refresh()
        var more = Self.folder
        more.candidates.insert(.init("@sap"), at: 0)
        list.settle(more, word: 0)
        XCTAssertEqual(list.selected, 2)
        more.candidates.removeLast()
        list.refresh()
        list.settle(more, word: 0)
        XCTAssertNil(list.selected)
        var closed = CompletionList()
        closed.refresh()
        XCTAssertFalse(closed.isStale)
    }

    func testTheChosenRowIsSeen() {
        var list = open(
            .init(replacing: "/", candidates: (0..<20).map { .init("/\($0)") }, suggestsFirst: true)
        )
        XCTAssertEqual(list.window(of: 7), 0..<7)
        for _ in 0..<9 { _ = list.take(.down) }
        XCTAssertEqual(list.window(of: 7), 3..<10)
        _ = list.take(.up)
        XCTAssertEqual(list.window(of: 7), 3..<10)
        _ = list.take(.character("\t"))
        XCTAssertEqual(list.window(of: 7), 0..<0)
    }

    // MARK: What a key has done

    func testAChangeIsKnownByTheLineBeforeAndAfter() {
        func content(_ text: String) -> LineEditor.Content {
            let before = text.prefix { $0 != "|" }
            let units = text.filter { $0 != "|" }.unicodeScalars.map(\.value)
            return (units, before.unicodeScalars.count)
        }
        let rows: [(String, Key, String, CompletionList.Change)] = [
            ("|", .character("/"), "/|", .typed), ("a|b", .character("x"), "ax|b", .typed),
            ("e|", .character("\u{0301}"), "é|", .typed),
            ("/a|", .character("\u{7F}"), "/|", .deleted),
            ("/ab|", .character("\u{17}"), "|", .deleted),
            ("/ab|", .character("a"), "/ab|", .none), ("/ab|", .left, "/a|b", .other),
            ("/a|b", .delete, "/a|", .other), ("|", .up, "/new|", .other),
            ("|", .paste("/n"), "/n|", .pasted), ("|", .paste("/"), "/|", .pasted),
            // vi's commands.
            ("a|bc", .character("x"), "a|c", .other), ("a|bc", .character("~"), "aB|c", .other),
            ("a|bc", .character("p"), "abxy|c", .other), ("ab|", .character("D"), "a|", .deleted),
        ]
        for (before, key, after, wanted) in rows {
            XCTAssertEqual(
                LineEditor.change(from: content(before), to: content(after), by: key), wanted,
                "\(before) \(key) \(after)")
        }
    }
}
