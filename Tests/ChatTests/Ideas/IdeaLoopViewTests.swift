import Base
import TerminalKit
import Texts
import XCTest

@testable import chat

/// What the loop of ideas looks like, in wide, narrow and low windows.
final class IdeaLoopViewTests: XCTestCase {
    private func loop(_ events: IdeaLoop.Event...) -> IdeaLoop {
        var loop = IdeaLoop()
        for event in [.began] + events { _ = loop.take(event) }
        return loop
    }

    private func screen(
        _ view: IdeaLoopView, columns: Int = 80, rows: Int = 24
    ) -> [String] {
        view.lines(on: ScreenSize(columns: columns, rows: rows)).map {
            String($0.text.trimming { $0 == " " })
        }
    }

    private let text =
        "A pocket mirror that ages you by one day each time you look away, so that "
        + "vanity becomes a clock."

    func testAnIdeaIsBrokenBetweenWordsAboveTheKeys() {
        var view = IdeaLoopView(loop: loop(.finished(text, of: 1)), tone: "bold")
        view.keys.removeAll { $0 == .write }
        XCTAssertEqual(
            screen(view),
            [
                "", "tone: bold",
                "A pocket mirror that ages you by one day each time you look away, so that",
                "vanity becomes a clock.", "",
                "s save  d discard  e edit  c chat  r remind  u undo  ? keys  q quit",
            ])
        XCTAssertEqual(
            screen(view, columns: 120).last,
            "s save  d discard  e edit  c chat  r remind  u undo  p prompt  t tone  y copy  q quit")
    }

    func testEveryLineFitsItsWindow() {
        for columns in [30, 40, 60, 80, 100, 200] {
            for events: [IdeaLoop.Event] in [
                [], [.text(text, of: 1)], [.finished(text, of: 1)],
                [.finished(String(repeating: "あ", count: 100), of: 1), .key(.help)],
                [.failed("A half", of: 1)],
            ] {
                var loop = IdeaLoop()
                for event in [.began] + events { _ = loop.take(event) }
                var view = IdeaLoopView(loop: loop, likes: [1: "i12"])
                view.remarks = [
                    StyledLine("  Claude is limiting your requests (429): wait.", .warning)
                ]
                for line in screen(view, columns: columns) {
                    XCTAssertLessThan(DisplayWidth.of(line), columns, line)
                }
            }
        }
    }

    func testANarrowWindowNamesWhatIsNeededMostAndTheRestOnAsking() {
        var view = IdeaLoopView(loop: loop(.finished("A cup", of: 1)))
        XCTAssertEqual(screen(view, columns: 40).last, "s save  d discard  ? keys  q quit")
        view.loop = loop(.finished("A cup", of: 1), .key(.help))
        XCTAssertEqual(
            Array(screen(view, columns: 40).suffix(3)),
            [
                "s save  d discard  e edit  c chat", "r remind  w write  u undo  p prompt",
                "t tone  y copy  q quit",
            ])
    }

    func testTheKeysOfAVeryNarrowWindowKeepTheirWordsAsLongAsTheyCan() {
        let view = IdeaLoopView(loop: loop(.finished("A cup", of: 1)))
        XCTAssertEqual(screen(view, columns: 36).last, "s save  d discard  ? keys  q quit")
        XCTAssertEqual(screen(view, columns: 35).last, "s save  d discard  ?  q quit")
        XCTAssertEqual(screen(view, columns: 29).last, "s save  d discard  q quit")
        XCTAssertEqual(screen(view, columns: 24).last, "s d ? q")
    }

    func testWhileAnIdeaIsWrittenOnlyTheKeysThatWorkAreNamed() {
        let view = IdeaLoopView(loop: loop(.text("A c", of: 1)))
        XCTAssertEqual(
            screen(view).last, "s save  d discard  u undo  p prompt  t tone  q quit  writing …")
        XCTAssertEqual(screen(view, columns: 40).last, "s save  d discard  ? keys  q quit  …")
    }

    func testOfALongIdeaTheEndIsShownWhileItIsWrittenAndThenTheStart() {
        let long = (1...30).map { "line \($0)" }.joined(separator: "\n")
        let writing = screen(IdeaLoopView(loop: loop(.text(long, of: 1))), rows: 12)
        XCTAssertEqual(writing.count, 11)
        XCTAssertEqual(writing[8], "line 30")
        let ready = screen(IdeaLoopView(loop: loop(.finished(long, of: 1))), rows: 12)
        XCTAssertEqual(ready.count, 11)
        XCTAssertEqual(ready[1], "line 1")
        XCTAssertEqual(ready[8], "… 23 more lines")
    }

    func testWaitingLikenessAndACutAreSaid() {
        XCTAssertEqual(screen(IdeaLoopView(loop: loop())).prefix(2), ["", "…"])
        let like = IdeaLoopView(loop: loop(.finished("A cup", of: 1)), likes: [1: "i12"])
        XCTAssertEqual(screen(like)[2], "like i12")
        let cut = IdeaLoopView(loop: loop(.text("A c", of: 1), .failed("A c", of: 1)))
        XCTAssertEqual(screen(cut)[2], "It was cut off here.")
    }

    func testWordsOfAModelThatWouldActAreShownAsWords() {
        let view = IdeaLoopView(loop: loop(.finished("A \u{1B}[2Jcup", of: 1)))
        XCTAssertFalse(screen(view).joined().contains("\u{1B}"))
    }

    func testKeysAreReadFromAPanelAndFromLines() {
        XCTAssertEqual(IdeaLoop.Key(.character(" ")), .discard)
        XCTAssertEqual(IdeaLoop.Key(.character("S")), .save)
        XCTAssertEqual(IdeaLoop.Key(.escape), .quit)
        XCTAssertNil(IdeaLoop.Key(.character("x")))
        XCTAssertNil(IdeaLoop.Key(.enter))
        XCTAssertEqual(IdeaLoop.Key(line: " s\r"), .save)
        XCTAssertEqual(IdeaLoop.Key(line: "Discard"), .discard)
        XCTAssertNil(IdeaLoop.Key(line: "save it"))
    }
}
