import Foundation
import Glibc
import TestSupport
import XCTest

@testable import TerminalKit

/// Questions: only the user's own, later keystrokes are a yes.
final class QuestionTests: XCTestCase {
    typealias Fixture = TerminalSessionTests.Fixture

    private func answer(_ mode: Question.Mode, _ keys: [Key]) -> Question.Answer? {
        var question = Question(mode)
        for key in keys { if let answer = question.take(key).answer { return answer } }
        return nil
    }

    private func typed(_ text: String) -> [Key] { text.unicodeScalars.map(Key.character) }

    func testOnlyAWholeYesIsAYes() {
        let yes = ["y\n", "Y\n", "yes\n", " yes \n", "yx\u{7F}\n", "no\u{15}y\n"]
        for text in yes { XCTAssertEqual(answer(.yes, typed(text)), .yes, text) }
        let no = [
            "\n", "n\n", "no\n", "NO \n", "yy\n", "YYYYYY\n", "y\u{03}", "\u{04}", "ja\n",
            "move it\u{03}",
        ]
        for text in no { XCTAssertEqual(answer(.yes, typed(text)), .no, text) }
        XCTAssertNil(answer(.yes, typed("yes")))
    }

    func testEscapeCancelsALineAndAListAndAnswersNothingElse() {
        XCTAssertEqual(answer(.line, typed("x") + [.escape]), .no)
        XCTAssertEqual(answer(.choice(["a"]), [.escape]), .no)
        for mode in [Question.Mode.yes, .hidden, .page] {
            XCTAssertNil(answer(mode, typed("y") + [.escape]))
        }
    }

    func testTheWordMustBeExact() {
        XCTAssertEqual(
            answer(.approval(word: "delete", canGrant: false, letters: ""), typed("delete\n")), .yes
        )
        for text in ["y\n", "yes\n", "Delete\n", "\n"] {
            XCTAssertEqual(
                answer(.approval(word: "delete", canGrant: false, letters: ""), typed(text)), .no,
                text)
        }
    }

    func testALineThatIsNoAnswerIsTheNextMessageAsItWasTyped() {
        for line in ["no, move it to Friday instead", "yess", "y es", " /reminders ", "yes please"]
        {
            for mode in [Question.Mode.yes, .choice(["a", "b"])] {
                XCTAssertEqual(answer(mode, typed(line + "\n")), .other(line), line)
            }
        }
    }

    /// A line that is no answer to an approval is a no, and why.
    func testAnyOtherTextIsTheReasonForANo() {
        let delete = Question.Mode.approval(word: "delete", canGrant: false, letters: "ev")
        let plain = Question.Mode.approval(word: nil, canGrant: true, letters: "e")
        for line in ["no, move it to Friday instead", "yess", "y es", "yes please", "delete all"] {
            for mode in [delete, plain] {
                XCTAssertEqual(answer(mode, typed(" \(line) \n")), .text(line), line)
            }
        }
        XCTAssertEqual(
            answer(delete, typed("a") + [.paste("b\nc")] + typed("d\n")), .text("ab\ncd"))
        for line in ["", "n", "no", "nein", "yy", "cancel"] {
            XCTAssertEqual(answer(delete, typed(line + "\n")), .no, line)
            XCTAssertEqual(answer(plain, typed(line + "\n")), .no, line)
        }
        XCTAssertEqual(answer(delete, typed("y\n")), .no)
    }

    func testAnApprovalHoldsForTheConversationOnlyWhereItMayAndInItsOwnWords() {
        func mode(_ word: String?, _ canGrant: Bool) -> Question.Mode {
            .approval(word: word, canGrant: canGrant, letters: "ev")
        }
        XCTAssertEqual(answer(mode(nil, true), typed("a\n")), .letter("a"))
        XCTAssertEqual(answer(mode(nil, true), typed(" A \n")), .letter("a"))
        XCTAssertEqual(answer(mode(nil, false), typed("a\n")), .text("a"))
        XCTAssertEqual(answer(mode("send", true), typed("send always\n")), .letter("a"))
        XCTAssertEqual(answer(mode("send", true), typed("a\n")), .no)
        XCTAssertEqual(answer(mode("send", false), typed("send always\n")), .no)
        XCTAssertEqual(answer(mode("send", true), typed("send\n")), .yes)
        XCTAssertEqual(answer(mode("send", true), typed("e\n")), .letter("e"))
        XCTAssertEqual(answer(mode(nil, true), typed("v\n")), .letter("v"))
        for pasted in ["a", "send always", "y", "send"] {
            for mode in [mode(nil, true), mode("send", true)] {
                let answer = answer(mode, [.paste(pasted), .character("\n")])
                XCTAssert(answer != .yes && answer != .letter("a"), pasted)
            }
        }
    }

    /// Each word is for its own effect: another one is a no, and no reason for it.
    func testNoWordApprovesWhatAnotherIsFor() {
        let words = ["change", "overwrite", "delete", "send"]
        for word in words {
            let mode = Question.Mode.approval(word: word, canGrant: true, letters: "v")
            for other in words where other != word {
                XCTAssertEqual(answer(mode, typed(other + "\n")), .no, "\(other) for \(word)")
                XCTAssertEqual(answer(mode, typed(other + " always\n")), .no, other)
            }
            XCTAssertEqual(answer(mode, typed(word + "\n")), .yes)
        }
    }

    func testOnlyTheSpaceBarShowsTheNextPage() {
        XCTAssertEqual(answer(.page, typed(" ")), .yes)
        for text in ["y\n", "Yes\n", "delete\n"] {
            XCTAssertEqual(answer(.page, typed(text)), .letter("y"), text)
        }
        for text in ["\n", "n\n", "no\n", "\u{03}", "\u{04}"] {
            XCTAssertEqual(answer(.page, typed(text)), .no, text)
        }
        XCTAssertEqual(answer(.page, typed("not now\n")), .text("not now"))
        XCTAssertNil(answer(.page, [.paste(" ")] + typed(" ")))
        XCTAssertEqual(answer(.page, [.paste(" ")] + typed("\n")), .no)
    }

    func testAChoiceIsANumberOrWordsThatNameIt() {
        let mode = Question.Mode.choice(["call mom · Fri 6 Mar", "call dad · Fri 13 Mar"])
        XCTAssertEqual(answer(mode, typed("2\n")), .choice(1))
        XCTAssertEqual(answer(mode, typed("mom\n")), .choice(0))
        for text in ["\n", "3\n", "0\n", "none\n", "no\n", "y\n", "2\u{03}"] {
            XCTAssertEqual(answer(mode, typed(text)), .no, text)
        }
        for text in ["call", "what is on friday?", "remind me to call mom"] {
            XCTAssertEqual(answer(mode, typed(text + "\n")), .other(text), text)
        }
        // A choice may be a deletion.
        XCTAssertEqual(answer(mode, [.paste("2"), .character("\n")]), .no)
    }

    func testAPasteIsNeverAnApprovalButMayBeAKey() {
        XCTAssertEqual(answer(.yes, [.paste("y"), .character("\n")]), .no)
        XCTAssertEqual(
            answer(
                .approval(word: "send", canGrant: false, letters: ""),
                [.paste("send"), .character("\n")]), .no)
        XCTAssertEqual(answer(.yes, [.paste("y")] + typed("es\n")), .no)
        XCTAssertEqual(answer(.yes, [.paste("x")] + typed("y\n")), .other("xy"))
        XCTAssertEqual(
            answer(.hidden, [.paste("sk-123\n"), .character("\n")]), .text("sk-123"))
    }

    func testTypingBeforeTheQuestionIsNeverAnAnswer() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        await fixture.session.write("working\n")
        await fixture.session.flush()
        fixture.terminal.type("y\ryes\rdelete\r")
        let answer = Task { await fixture.session.ask("Delete all? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["working", "Delete all?"])
        // Seen, but within the quiet time.
        fixture.terminal.type("y\ry\r")
        quiet.pass()
        fixture.terminal.type("n\r")
        let value = await answer.value
        XCTAssertEqual(value, .no)
        await fixture.finish()
    }

    func testAFreshYesIsAYesAndEarlierTypingGoesToTheNextPrompt() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        await fixture.session.flush()
        fixture.terminal.type("my next message")
        let answer = Task { await fixture.session.ask("Delete it? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete it?"])
        quiet.pass()
        // Output has to wait for the answer.
        await fixture.session.write("later\n")
        fixture.terminal.type("y")
        try fixture.terminal.waitFor(lines: ["Delete it? y"])
        fixture.terminal.type("\r")
        let value = await answer.value
        XCTAssertEqual(value, .yes)
        let result = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor(lines: ["Delete it? y", "later", "> my next message"])
        fixture.terminal.type("\r")
        let line = await result.value
        XCTAssertEqual(line, .line("my next message"))
        await fixture.finish()
    }

    /// Dictation, braille displays and input methods write a word and Enter at once.
    func testAWordAndEnterInOneWriteAnswer() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        for (text, mode) in [
            ("y\r", Question.Mode.approval(word: nil, canGrant: false, letters: "e")),
            ("delete\r", .approval(word: "delete", canGrant: false, letters: "")),
            (" ", .page),
        ] {
            let answer = Task { await fixture.session.ask("May it \(text.count)? ", mode: mode) }
            try fixture.terminal.waitFor(text: "May it \(text.count)?")
            quiet.pass()
            fixture.terminal.type(text)
            let value = await answer.value
            XCTAssertEqual(value, .yes, text.debugDescription)
        }
        await fixture.finish()
    }

    func testALongQuestionBreaksBetweenWords() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let question =
            "  Go on with the local server? The whole conversation goes to 127.0.0.1:18080. y for yes: "
        let answer = Task { await fixture.session.ask(question, mode: .yes) }
        let first = "  Go on with the local server? The whole conversation goes to 127.0.0.1:18080."
        try fixture.terminal.waitFor(lines: [first, "  y for yes:"])
        quiet.pass()
        fixture.terminal.type("y")
        try fixture.terminal.waitFor(lines: [first, "  y for yes: y"])
        fixture.terminal.type("\r")
        let value = await answer.value
        XCTAssertEqual(value, .yes)
        await fixture.finish()
    }

    func testNoApprovalFromAnythingSentBeforeTheQuestionOrInItsQuietTime() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let attacks = [
            "y\r", "yes\r", "Y\n", "delete all\ry\ry\ry\r", "delete\r", "y\ny\ny\n",
            "\u{1B}[200~y\u{1B}[201~\r", "\u{1B}[200~y\ny\n\u{1B}[201~", "y", " y \r", "ye", "\r",
            "   ", "\u{1B}[200~ \u{1B}[201~", " ",
        ]
        var approvals = 0
        for (index, attack) in attacks.enumerated() {
            await fixture.session.flush()
            fixture.terminal.type(attack)
            let question = "Question \(index)? "
            let modes: [Question.Mode] = [
                .yes, .approval(word: "delete", canGrant: false, letters: ""), .page,
            ]
            let mode = modes[index % modes.count]
            let answer = Task { await fixture.session.ask(question, mode: mode) }
            try fixture.terminal.waitFor(text: question.trimmed)
            fixture.terminal.type(attack)
            quiet.pass()
            fixture.terminal.type("\r")
            if await answer.value != .no { approvals += 1 }
        }
        XCTAssertEqual(approvals, 0)
        await fixture.finish()
    }

    /// A paste over a slow line can begin before a question, or in its quiet
    /// time, and go on for longer than that: its rest is no typing either.
    func testAPasteThatOutlastsTheQuietTimeIsNoAnswer() async throws {
        for beginsBefore in [true, false] {
            let quiet = QuietTime()
            let fixture = try Fixture { $0.quietTimer = quiet.timer }
            await fixture.session.flush()
            if beginsBefore { fixture.terminal.type("\u{1B}[200~a") }
            let answer = Task { await fixture.session.ask("Delete it? ", mode: .yes) }
            try fixture.terminal.waitFor(lines: ["Delete it?"])
            if !beginsBefore { fixture.terminal.type("\u{1B}[200~a") }
            let over = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                quiet.pass()
                over.signal()
            }
            fixture.terminal.type("\ny\n")
            fixture.terminal.type("y\u{1B}[201~")
            XCTAssertEqual(Self.wait(over), .success)
            fixture.terminal.type("\r")
            let value = await answer.value
            XCTAssertEqual(value, .no)
            let result = Task { await fixture.session.readLine(prompt: "> ") }
            try fixture.terminal.waitFor(lines: ["Delete it?", "> a", "y", "y"])
            fixture.terminal.type("\r")
            let line = await result.value
            XCTAssertEqual(line, .line("a\ny\ny"))
            await fixture.finish()
        }
    }

    /// For a thread of our own, which needs none of the pool.
    private static func wait(_ semaphore: DispatchSemaphore) -> DispatchTimeoutResult {
        semaphore.wait(timeout: .now() + 20)
    }

    func testHiddenEntryIsNotEchoed() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let answer = Task { await fixture.session.ask("Key: ", mode: .hidden) }
        try fixture.terminal.waitFor(lines: ["Key:"])
        quiet.pass()
        fixture.terminal.type("sk-sécret\u{7F}T")
        fixture.terminal.paste("-pasted")
        fixture.terminal.type("\r")
        let value = await answer.value
        XCTAssertEqual(value, .text("sk-sécreT-pasted"))
        XCTAssertFalse(fixture.terminal.screen.text.contains("sk"))
        await fixture.finish()
    }

    func testAQuestionWhoseTaskIsCancelledIsWithdrawn() async throws {
        let fixture = try Fixture()
        let answer = Task { await fixture.session.ask("Delete? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete?"])
        answer.cancel()
        let value = await answer.value
        XCTAssertEqual(value, .no)
        // Cancelled before it was put: it does not stand there for nobody.
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await fixture.session.ask("And this? ", mode: .yes)
        }
        let lateValue = await late.value
        XCTAssertEqual(lateValue, .no)
        await fixture.finish()
    }

    func testWhatIsNoAnswerComesAfterWhatWasTypedBeforeAndIsInTheHistory() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        await fixture.session.flush()
        fixture.terminal.type("first\rdraft")
        let answer = Task { await fixture.session.ask("Delete it? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete it?"])
        quiet.pass()
        fixture.terminal.type("no, ")
        fixture.terminal.paste("move it\nto Friday")
        fixture.terminal.type("\rmore")
        let value = await answer.value
        XCTAssertEqual(value, .other("no, move it\nto Friday"))
        for wanted in ["first", "no, move it\nto Friday"] {
            let line = await fixture.session.readLine(prompt: "> ")
            XCTAssertEqual(line, .line(wanted))
        }
        let rest = Task { await fixture.session.readLine(prompt: "> ") }
        try fixture.terminal.waitFor("the draft") { $0.lines.last == "> draftmore" }
        fixture.terminal.type("\u{15}\u{1B}[A\r")
        let recalled = await rest.value
        XCTAssertEqual(recalled, .line("no, move it\nto Friday"))
        await fixture.finish()
    }

    func testATerminalWithoutAnEditorTakesTheNextMessageToo() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture {
            $0.quietTimer = quiet.timer
            $0.term = "dumb"
        }
        let answer = Task { await fixture.session.ask("Delete it? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete it?"])
        quiet.pass()
        fixture.terminal.type("move it\r")
        let value = await answer.value
        XCTAssertEqual(value, .other("move it"))
        let line = await fixture.session.readLine(prompt: "> ")
        XCTAssertEqual(line, .line("move it"))
        await fixture.finish()
    }

    func testControlCAnswersNo() async throws {
        let quiet = QuietTime()
        let fixture = try Fixture { $0.quietTimer = quiet.timer }
        let answer = Task { await fixture.session.ask("Delete? ", mode: .yes) }
        try fixture.terminal.waitFor(lines: ["Delete?"])
        quiet.pass()
        fixture.terminal.type("y\u{04}")
        let value = await answer.value
        XCTAssertEqual(value, .no)
        await fixture.finish()
    }
}
