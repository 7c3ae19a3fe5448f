import Foundation
import Glibc
import Synchronization
import TestSupport
import XCTest

@testable import TerminalKit

/// The writing tools at a prompt, on a real pseudo-terminal.
final class WritingScreenTests: XCTestCase {
    private static let menu = "  Proofread  Rewrite  Friendly  prOfessional  Concise · Esc leaves"
    private static let keys =
        "  y accept · n keep · a accept all · r reject all · e edit · Esc leave"
    private let draft = "teh cat sat on teh mat"

    func testTheWholeDraftIsReplacedAndUndoBringsItBackLater() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant())
        prompt.type(draft)
        try prompt.seeLast("> \(draft)")
        prompt.type("\u{1B}w")
        try prompt.seeLast("> \(draft)", Self.menu)
        prompt.type("p")
        try prompt.seeLast(
            "> ▸[-teh-]{+the+} cat sat on [-teh-]{+the+} mat",
            "  Proofread · local · 1 of 2 · “teh” → “the”", Self.keys)
        prompt.type("a")
        try prompt.seeLast("> the cat sat on the mat")
        prompt.type(", and more")
        try prompt.seeLast("> the cat sat on the mat, and more")
        // The words typed since, then the replacement.
        var presses = 0
        while prompt.screen.screen.lines.last != "> \(draft)", presses < 10 {
            let before = prompt.screen.transcript.count
            prompt.type("\u{1F}")
            try prompt.screen.waitForOutput(after: before)
            presses += 1
        }
        try prompt.seeLast("> \(draft)")
        XCTAssertEqual(scripted.requests, ["proofread: \(draft)"])
        let result = await prompt.enter()
        XCTAssertEqual(result, .line(draft))
    }

    func testTheMarkedRegionIsShownAndOnlyItIsReplaced() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant())
        prompt.type("teh 日本語 first. teh 漢字 and teh 👩‍👩‍👧 sat\u{00}")
        for _ in 0..<20 { prompt.type("\u{1B}[D") }
        let region = "teh 漢字 and teh 👩‍👩‍👧 sat"
        try prompt.seeBytes("\u{1B}[7mteh 漢字 and teh")
        prompt.type("\u{1B}w")
        try prompt.see("Esc leaves")
        prompt.type("f")
        try prompt.see("1 of 2")
        XCTAssertEqual(scripted.requests, ["friendly: \(region)"])
        prompt.type("ny")
        try prompt.seeLast("> teh 日本語 first. teh 漢字 and the 👩‍👩‍👧 sat")
        // Behind what was replaced.
        prompt.type("!")
        try prompt.seeLast("> teh 日本語 first. teh 漢字 and the 👩‍👩‍👧 sat!")
        prompt.type("\u{7F}\u{1F}\u{1F}\u{1F}")
        try prompt.seeLast("> teh 日本語 first. teh 漢字 and teh 👩‍👩‍👧 sat")
        let result = await prompt.enter()
        XCTAssertEqual(result, .line("teh 日本語 first. \(region)"))
    }

    func testTypingEscAndCtrlGTakeTheMarkAway() async throws {
        for key in ["x\u{7F}", "\u{1B}", "\u{07}"] {
            let scripted = ScriptedAssistant()
            let prompt = try WritingPromptFixture(scripted.assistant())
            prompt.type(draft + "\u{00}\u{1B}[D\u{1B}[D")
            try prompt.seeBytes("\u{1B}[7mat\u{1B}[0m")
            prompt.type(key)
            // Esc is alone only after a while without a key.
            try prompt.seeBytes("at\r\u{1B}[22C", atEnd: true)
            prompt.type("\u{1B}wp")
            try prompt.see("1 of 2")
            XCTAssertEqual(scripted.requests, ["proofread: \(draft)"], key.debugDescription)
            prompt.type("a")
            try prompt.seeLast("> the cat sat on the mat")
            _ = await prompt.enter()
        }
    }

    func testSeveralLinesAndTheRestOfTheDraftStayWhereTheyAre() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant())
        prompt.type("first line\n\(draft)\nlast line")
        try prompt.seeLast("> first line", draft, "last line")
        // From the middle of the second row to the end of the third.
        prompt.type("\u{1B}[A\u{00}\u{1B}[B\u{1B}w")
        try prompt.see("Esc leaves")
        prompt.type("c")
        try prompt.seeLast(
            "> first line", "teh cat sat on ▸[-teh-]{+the+} mat", "last line",
            "  Concise · 1 of 1 · “teh” → “the”", Self.keys)
        XCTAssertEqual(scripted.requests, ["concise: at on teh mat\nlast line"])
        prompt.type("y")
        try prompt.seeLast("> first line", "teh cat sat on the mat", "last line")
        let result = await prompt.enter()
        XCTAssertEqual(result, .line("first line\nteh cat sat on the mat\nlast line"))
    }

    func testLeavingPutsTheLineBackWithItsCursorAndItsUndo() async throws {
        for (keys, seen) in [("", "Esc leaves"), ("p", "1 of 2"), ("py", "2 of 2")] {
            let prompt = try WritingPromptFixture(ScriptedAssistant().assistant())
            prompt.type(draft + "\u{1B}[D\u{1B}[D\u{1B}[D")
            try prompt.seeLast("> \(draft)")
            prompt.type("\u{1B}w")
            try prompt.see("Esc leaves")
            for key in keys {
                prompt.type(String(key))
                try prompt.see(key == "p" ? "1 of 2" : "2 of 2")
            }
            try prompt.see(seen)
            prompt.type("\u{1B}")
            try prompt.seeLast("> \(draft)")
            prompt.type("red ")
            try prompt.seeLast("> teh cat sat on teh red mat")
            prompt.type("\u{1F}\u{1F}")
            try prompt.seeLast("> \(draft)")
            let result = await prompt.enter()
            XCTAssertEqual(result, .line(draft))
        }
    }

    func testCtrlCLeavesInEachStateAndTheTerminalIsAsItWas() async throws {
        for keys in ["", "p", "hang"] {
            let scripted = ScriptedAssistant()
            let prompt = try WritingPromptFixture(scripted.assistant(hangs: keys == "hang")) {
                $0.handlesSignals = true
            }
            prompt.type(draft)
            try prompt.seeLast("> \(draft)")
            prompt.type("\u{1B}w")
            try prompt.see("Esc leaves")
            switch keys {
            case "p":
                prompt.type("p")
                try prompt.see("1 of 2")
            case "hang":
                prompt.type("c")
                try prompt.seeLast(
                    "> \(draft)", "    teh beginning", "  Concise … part 1 of 2 · Esc stops")
            default: break
            }
            kill(getpid(), SIGINT)
            if keys == "hang" {
                try prompt.see("Stopped; the text is unchanged.")
                await scripted.isCancelled.wait()
            }
            try prompt.seeLast("> \(draft)")
            let result = await prompt.enter()
            XCTAssertEqual(result, .line(draft))
        }
    }

    func testKeysTypedAtOnceReachTheMenu() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant())
        prompt.type(draft + "\u{1B}wf")
        try prompt.see("1 of 2")
        prompt.type("a!\r")
        let result = await prompt.result()
        XCTAssertEqual(result, .line("the cat sat on the mat!"))
        XCTAssertEqual(scripted.requests, ["friendly: \(draft)"])
        await prompt.terminal.finish()
    }

    func testViKeysOpenItWhileInsertingAndInCommandMode() async throws {
        for mode in ["", "\u{1B}"] {
            let scripted = ScriptedAssistant()
            let prompt = try WritingPromptFixture(scripted.assistant()) { $0.keys = .vi }
            prompt.type(draft)
            try prompt.seeLast("> \(draft)")
            let before = prompt.screen.transcript.count
            prompt.type(mode)
            // The cursor goes back by one.
            if !mode.isEmpty { try prompt.screen.waitForOutput(after: before) }
            prompt.type("\u{18}\u{17}")
            try prompt.seeLast("> \(draft)", Self.menu)
            prompt.type("p")
            try prompt.see("1 of 2")
            prompt.type("a")
            try prompt.seeLast("> the cat sat on the mat")
            prompt.type("\u{1F}")
            try prompt.seeLast("> \(draft)")
            let result = await prompt.enter()
            XCTAssertEqual(result, .line(draft))
        }
    }

    func testAMarkInViCommandModeReachesToTheCursor() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant()) { $0.keys = .vi }
        prompt.type(draft)
        try prompt.seeLast("> \(draft)")
        let before = prompt.screen.transcript.count
        prompt.type("\u{1B}")
        try prompt.screen.waitForOutput(after: before)
        prompt.type("\u{00}0\u{18}\u{17}")
        try prompt.seeLast("> \(draft)", Self.menu)
        prompt.type("p")
        try prompt.see("1 of 2")
        XCTAssertEqual(scripted.requests, ["proofread: teh cat sat on teh ma"])
        prompt.type("r")
        try prompt.seeLast("> \(draft)")
        _ = await prompt.enter()
    }

    func testShortTextsAreNotOfferedAndNothingToChangeIsSaid() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant())
        prompt.type("teh cat\u{1B}w")
        try prompt.seeLast("  Too short.", "> teh cat")
        prompt.type(" sat and is fine\u{1B}[H\u{1B}[3~\u{1B}[3~\u{1B}[3~A\u{1B}wo")
        try prompt.seeLast("  Professional: nothing to change.", "> A cat sat and is fine")
        XCTAssertEqual(scripted.requests, ["professional: A cat sat and is fine"])
        _ = await prompt.enter()
    }

    func testTheEditorGetsWhatIsNotRejectedAndItsTextIsOneStep() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant())
        prompt.type(draft + "\u{1B}w")
        try prompt.see("Esc leaves")
        prompt.type("p")
        try prompt.see("1 of 2")
        prompt.type("ne")
        try prompt.seeLast("> teh cat sat on the mat (edited)")
        XCTAssertEqual(scripted.edits, ["teh cat sat on the mat"])
        prompt.type("\u{1F}")
        try prompt.seeLast("> \(draft)")
        _ = await prompt.enter()
    }

    func testItIsDrawnAnewForAnotherWindow() async throws {
        let prompt = try WritingPromptFixture(ScriptedAssistant().assistant()) {
            $0.handlesSignals = true
        }
        prompt.type(draft + "\u{1B}w")
        try prompt.seeLast("> \(draft)", Self.menu)
        func resize(_ columns: Int) {
            prompt.screen.resize(rows: 24, columns: columns)
            kill(getpid(), SIGWINCH)
        }
        resize(40)
        try prompt.seeLast(
            "> \(draft)", "  Proof. Rewrite Friendly prOf. Concise")
        prompt.type("p")
        try prompt.seeLast(
            "> ▸[-teh-]{+the+} cat sat on", "[-teh-]{+the+} mat",
            "  1 of 2 · local · “teh” → “the”",
            "  [y]es [n]o [a]ll [r]eject [e]dit Esc")
        resize(100)
        try prompt.seeLast(
            "> ▸[-teh-]{+the+} cat sat on [-teh-]{+the+} mat",
            "  Proofread · local · 1 of 2 · “teh” → “the”", Self.keys)
        resize(40)
        try prompt.see("[y]es [n]o")
        prompt.type("a")
        try prompt.seeLast("> the cat sat on the mat")
        _ = await prompt.enter()
    }

    func testOutputAppearsAboveWhileTheMenuIsOpen() async throws {
        let prompt = try WritingPromptFixture(ScriptedAssistant().assistant())
        prompt.type(draft + "\u{1B}w")
        try prompt.seeLast("> \(draft)", Self.menu)
        await prompt.terminal.session.write("⏰ call mom\n")
        try prompt.screen.waitFor(lines: ["⏰ call mom", "> \(draft)", Self.menu])
        prompt.type("\u{1B}")
        try prompt.screen.waitFor(lines: ["⏰ call mom", "> \(draft)"])
        _ = await prompt.enter()
    }

    func testADraftInTheMenuIsKeptWhenTheProgramIsToldToEnd() async throws {
        let kept = Mutex("")
        let prompt = try WritingPromptFixture(ScriptedAssistant().assistant()) {
            $0.handlesSignals = true
            $0.keepDraft = { text in kept.withLock { $0 = text } }
        }
        prompt.type(draft + "\u{1B}w")
        try prompt.see("Esc leaves")
        kill(getpid(), SIGTERM)
        let result = await prompt.result()
        XCTAssertEqual(result, .endOfInput)
        XCTAssertEqual(kept.withLock { $0 }, draft)
        await prompt.terminal.finish()
    }

    func testWhereItIsNotOfferedTheKeyDoesNothing() async throws {
        let fixture = try TerminalSessionTests.Fixture()
        let session = fixture.session
        let line = Task { await session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor("a prompt") { $0.lines.last == ">" }
        fixture.terminal.type(draft + "\u{1B}w!\r")
        let result = await line.value
        XCTAssertEqual(result, .line(draft + "!"))
        await fixture.finish()
    }

    // MARK: Without a cursor

    func testLettersAndEnterWhereThereIsNoCursor() async throws {
        let scripted = ScriptedAssistant()
        let prompt = try WritingPromptFixture(scripted.assistant()) { $0.term = "dumb" }
        prompt.type(draft + "\u{1B}w")
        try prompt.seeLast(
            "> \(draft)",
            "  Writing tools: p Proofread, r Rewrite, f Friendly, o Professional, c Concise,",
            "Enter for none:")
        prompt.type("x\r")
        try prompt.see("“x” is not one of these.")
        prompt.type("p\r")
        try prompt.seeLast(
            "  Proofread … Ctrl-C stops.", "  the cat sat on the mat",
            "  1  “teh” → “the”  (local)", "  2  “teh” → “the”  (local)",
            "  a accept all, numbers to accept (1 2), e edit, r or Enter for none:")
        prompt.type("2\r")
        try prompt.seeLast("> teh cat sat on the mat")
        prompt.type("\u{1F}")
        try prompt.seeLast("> \(draft)")
        prompt.type("\u{1F}")
        try prompt.seeLast("> teh cat sat on the mat")
        prompt.type("!")
        let result = await prompt.enter()
        XCTAssertEqual(result, .line("teh cat sat on the mat!"))
    }
}
