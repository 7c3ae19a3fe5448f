import Base
import TestSupport
import XCTest

@testable import TerminalKit

/// The list at a line editor and in a terminal: what else goes on at a prompt
/// does not get in its way, nor it in theirs.
final class CompletionListScreenTests: XCTestCase {
    private static let lister: CompletionLister = { before, after in
        let word =
            before.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }
            .last.map(String.init) ?? ""
        guard after.isEmpty, word.hasPrefix("/") && word == before || word.hasPrefix("@") else {
            return nil
        }
        let names =
            word.hasPrefix("/") ? ["/model", "/models", "/new"] : ["@src/", "@src/a", "@song"]
        let fitting = names.filter {
            $0.hasPrefix(word) && $0 != "@src/" || $0 == "@src/" && "@src".hasPrefix(word)
        }
        return CompletionOffer(
            replacing: word,
            candidates: fitting.map {
                TabCompletion.Candidate($0, isComplete: !$0.hasSuffix("/"))
            }, suggestsFirst: true)
    }

    private func keys(_ text: String) -> [EditorRig.Step] {
        text.unicodeScalars.flatMap { [.key(.character($0)), .pause] }
    }

    /// The screen after the steps, and the line.
    private func run(
        _ steps: [EditorRig.Step], rows: Int = 24, columns: Int = 40, history: [String] = [],
        keys: LineEditor.Keys = .emacs, configure: (LineEditor) -> Void = { _ in }
    ) throws -> (screen: [String], line: String) {
        let rig = try EditorRig(
            rows: rows, columns: columns, keys: keys, history: history, lister: Self.lister)
        configure(rig.editor)
        var shown: [String] = []
        rig.onEnd = { [unowned rig] _ in shown = rig.screen.lines }
        let line = rig.run(steps)
        return (shown, line)
    }

    func testTabTakesARowAndAFolderIsGoneOnWith() throws {
        let (screen, line) = try run(keys("/mo\t"))
        XCTAssertEqual(screen, ["> /model"])
        XCTAssertEqual(line, "/model ")
        XCTAssertEqual(try run(keys("see @s\t")).screen, ["> see @src/", "  ▸ @src/a"])
        XCTAssertEqual(try run(keys("see @s\t\tand")).line, "see @src/a and")
    }

    func testEnterTakesARowAndEntersWhatIsThereAlready() throws {
        let taken = try run(keys("/mo\n"))
        XCTAssertEqual(taken.line, "/model ")
        XCTAssertEqual(try run(keys("/model") + [.key(.character("\n"))]).line, "/model")
        // Typed ahead: the list was never seen.
        let burst = "/mo\n".unicodeScalars.map { EditorRig.Step.key(.character($0)) }
        XCTAssertEqual(try run(burst).line, "/mo")
    }

    func testOneUndoBringsBackWhatWasTyped() throws {
        XCTAssertEqual(try run(keys("/mo\t\u{1F}")).line, "/mo")
    }

    func testUpIsTheHistoryUnlessAListIsOpen() throws {
        let history = ["/new", "older"]
        let recalled = try run(keys("") + [.key(.up), .key(.up), .pause], history: history)
        XCTAssertEqual(recalled.screen, ["> /new"], "a recalled line opens no list")
        XCTAssertEqual(try run([.key(.up), .pause, .key(.up)], history: history).line, "/new")
        let chosen = try run(keys("/") + [.key(.up), .pause], history: history)
        XCTAssertEqual(
            chosen.screen, ["> /", "    /model", "    /models", "  ▸ /new"])
        let left = try run(keys("/x") + [.key(.up), .pause], history: history)
        XCTAssertEqual(left.screen, ["> older"])
    }

    func testAPasteOpensNoList() throws {
        XCTAssertEqual(try run([.key(.paste("/mo")), .pause]).screen, ["> /mo"])
        XCTAssertEqual(try run([.key(.paste("/m")), .pause] + keys("o")).screen, ["> /mo"])
        XCTAssertEqual(
            try run(keys("/m") + [.key(.paste("o")), .pause]).screen, ["> /mo"])
        XCTAssertEqual(
            try run([.key(.paste("look at")), .pause] + keys(" @so")).screen,
            ["> look at @so", "  ▸ @song"])
    }

    func testEscClosesItForThatWord() throws {
        XCTAssertEqual(try run(keys("/m") + [.key(.escape), .pause]).screen, ["> /m"])
        XCTAssertEqual(try run(keys("/m") + [.key(.escape)] + keys("o")).screen, ["> /mo"])
        XCTAssertEqual(
            try run(keys("@s") + [.key(.escape)] + keys("ee @so")).screen,
            ["> @see @so", "  ▸ @song"])
        let vi = try run(
            keys("/mo") + [.key(.escape), .pause, .key(.character("x")), .pause], keys: .vi)
        XCTAssertEqual(vi.screen, ["> /m"], "Esc ended typing too")
    }

    func testSeveralRowsOfTextKeepTheirPlace() throws {
        let steps = keys("one") + [.key(.lineBreak)] + keys("two @so")
        XCTAssertEqual(try run(steps).screen, ["> one", "two @so", "  ▸ @song"])
        XCTAssertEqual(
            try run(steps + [.key(.escape), .key(.up), .pause] + keys("!")).screen,
            ["> one!", "two @so"])
        XCTAssertEqual(try run(steps + keys("\t.")).line, "one\ntwo @song .")
    }

    func testAnAlertGoesAboveALineWithAList() throws {
        let steps = keys("/mo") + [.alert("⏰ tea"), .pause]
        XCTAssertEqual(
            try run(steps).screen, ["⏰ tea", "> /mo", "  ▸ /model", "    /models"])
        XCTAssertEqual(try run(steps + keys("\t")).screen, ["⏰ tea", "> /model"])
    }

    func testAResizeDrawsItAnewAndASmallWindowClosesIt() throws {
        let steps = keys("/mo") + [.resize(rows: 24, columns: 30)]
        XCTAssertEqual(try run(steps).screen, ["> /mo", "  ▸ /model", "    /models"])
        XCTAssertEqual(
            try run(keys("/mo") + [.resize(rows: 8, columns: 40), .pause]).screen, ["> /mo"])
        // Tab completes there as ever.
        let small = try run(
            keys("/mo") + [.resize(rows: 8, columns: 40), .pause] + keys("\t")
        ) {
            $0.complete = { _, _ in TabCompletion(replacing: "/mo", candidates: [.init("/mock")]) }
        }
        XCTAssertEqual(small.line, "/mock ")
    }

    func testAtTheLowerEdgeTheScreenGoesUpAndALineTallerThanTheRestKeepsSomeRows() throws {
        let alerts = (1...9).map { EditorRig.Step.alert("\($0)") }
        XCTAssertEqual(
            try run(alerts + keys("/mo"), rows: 10).screen,
            ["4", "5", "6", "7", "8", "9", "> /mo", "  ▸ /model", "    /models"])
        var tall: [EditorRig.Step] = []
        for number in 1...12 { tall += keys("\(number)") + [.key(.lineBreak)] }
        let screen = try run(tall + keys("@s"), rows: 10).screen
        XCTAssertEqual(screen.suffix(5), ["12", "@s", "  ▸ @src/", "    @src/a", "    @song"])
        XCTAssertEqual(screen.count, 10)
    }

    func testItTakesThePlaceOfTheStatus() throws {
        func status(_ editor: LineEditor) { editor.status = { _ in StyledLine("  plays") } }
        XCTAssertEqual(try run(keys("x"), configure: status).screen, ["> x", "  plays"])
        XCTAssertEqual(
            try run(keys("/n"), configure: status).screen, ["> /n", "  ▸ /new"])
        XCTAssertEqual(
            try run(keys("/n") + [.key(.escape)], configure: status).screen,
            ["> /n", "  plays"])
    }

    // MARK: In a terminal

    func testACandidateThatComesLaterIsShownWithoutAKey() async throws {
        let found = Gate()
        let fixture = try TerminalSessionTests.Fixture {
            $0.lister = { before, _ in
                CompletionOffer(
                    replacing: before,
                    candidates: found.isOpen ? [.init("@slow/file")] : [], suggestsFirst: false)
            }
        }
        let result = try await fixture.prompt()
        fixture.terminal.type("@")
        try fixture.terminal.waitFor("the letter") { $0.lines == ["> @"] }
        found.open()
        fixture.session.refreshCompletions()
        try fixture.terminal.waitFor("the list") { $0.lines == ["> @", "    @slow/file"] }
        fixture.terminal.type("\t")
        try fixture.terminal.waitFor("the word") { $0.lines == ["> @slow/file"] }
        fixture.terminal.type("\r")
        let line = await result.value
        XCTAssertEqual(line, .line("@slow/file "))
        await fixture.finish()
    }

    func testNothingOfItStaysAboveAfterEnterAndCtrlC() async throws {
        let fixture = try TerminalSessionTests.Fixture { $0.lister = Self.lister }
        let first = try await fixture.prompt()
        fixture.terminal.type("/new")
        try fixture.terminal.waitFor("the list") { $0.lines == ["> /new", "  ▸ /new"] }
        fixture.terminal.type("\r")
        let line = await first.value
        XCTAssertEqual(line, .line("/new"))
        let second = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor("a prompt") { $0.lines == ["> /new", ">"] }
        fixture.terminal.type("/m")
        try fixture.terminal.waitFor("the list") { $0.lines.count == 4 }
        fixture.terminal.type("\u{03}")
        let typed = await second.value
        XCTAssertEqual(typed, .interrupted("/m"))
        try fixture.terminal.waitFor("its end") { $0.lines == ["> /new", "> /m"] }
        await fixture.finish()
    }
}
