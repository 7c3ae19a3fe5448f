import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import XCTest

@testable import Letters
@testable import Library

/// What is kept of letters, and how it is taken up again.
final class LetterHistoryTests: XCTestCase {
    func testAKeptLetterIsReadAsItWasMade() async throws {
        let rig = try await LetterBookRig()
        let item = try await rig.add()
        XCTAssertEqual(LetterDraft(item), rig.draft)
        XCTAssertEqual(item.kind, .letter)
        XCTAssertTrue(item.hasUntrustedText)
    }

    func testTheListIsAlignedAndLeavesOutWhatHasNoRoom() async throws {
        let rig = try await LetterBookRig()
        let empty = try await rig.run("list")
        XCTAssertEqual(
            empty.lines.map(\.text), ["No letters yet: chat letter new --resume FILE --job FILE"])
        try await rig.add()
        var draft = rig.draft
        draft.title = "Head of everything in a very long street"
        draft.flagged = []
        draft.model = nil
        rig.library.clock.advance(by: .seconds(7_200))
        _ = try await rig.book.save(draft)
        let wide = try await rig.run("list", width: 100)
        XCTAssertEqual(
            wide.lines.map(\.text),
            [
                "l4  Head of everything in a very long street       just now  warm, short  "
                    + "no model",
                "l3  Chef · Blue Door                          ⚠ 1  2 h ago   warm, short  gpt-test",
            ])
        let narrow = try await rig.run("list", width: 40)
        XCTAssertTrue(narrow.lines.allSatisfy { DisplayWidth.of($0.text) < 40 })
        XCTAssertEqual(narrow.lines[1].text.prefix(20), "l3  Chef · Blue Door")
    }

    func testTheJSONHasStableNames() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let json = try await rig.run("list", "--json").json?.arrayValue?.first
        XCTAssertEqual(
            json?.objectValue?.names.sorted(),
            LetterHistoryCommand.members.split(separator: " ").map(String.init).sorted())
        XCTAssertEqual(json?["id"]?.stringValue, "l3")
        XCTAssertEqual(json?["tone"]?.stringValue, "warm")
        XCTAssertEqual(json?["model"]?.stringValue, "openai/gpt-test")
        XCTAssertEqual(json?["resume"], ["item": "i1", "revision": 1])
        let whole = try await rig.run("show", "l3", "--json").json
        XCTAssertEqual(whole?["requests"], [#"{"input":"[NAME]"}"#])
        XCTAssertEqual(whole?["text"]?.stringValue, rig.draft.body)
    }

    func testALetterIsNamedByItsOwnIDAndNothingElseIs() async throws {
        let rig = try await LetterBookRig()
        let item = try await rig.add()
        for words in ["l3", "i3", "3", "L3", "last", "chef"] {
            let found = try await rig.book.lookup.find(words)
            XCTAssertEqual(found.id, item.id, words)
        }
        let resume = try await rig.library.store.matches("l1")
        XCTAssertEqual(resume, [])
        let letter = try await rig.library.store.matches("l3")
        XCTAssertEqual(letter.map(\.id), [item.id])
        let wrong = await failure { try await rig.run("show", "i1") }
        XCTAssertEqual(wrong?.what, "i1 is not a letter: its kind is resume.")
        let none = await failure { try await rig.run("show", "l99") }
        XCTAssertEqual(none?.what, "No letter is called \"l99\".")
        let shown = try await rig.library.lines("show", "l3")
        XCTAssertEqual(shown.first, "Ann Example")
        let missing = await failure { try await rig.library.run("show", "l1") }
        XCTAssertEqual(missing?.exit, .failure)
    }

    func testWhatIsFlaggedIsMarkedWhereItIsShownAndNowhereElse() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let shown = try await rig.run("show", "l3", isTerminal: true)
        // Folded to the window.
        let text = shown.lines.map(\.text).joined(separator: " ")
        XCTAssertTrue(text.contains("Ritz Paris. [⚠ not in your résumé]"), text)
        XCTAssertTrue(
            text.contains("l3 · just now · warm, short · en-GB · gpt-test · $0.002"), text)
        let piped = try await rig.run("show", "l3")
        XCTAssertEqual(piped.lines.map(\.text).joined(separator: "\n"), rig.draft.body)
        XCTAssertEqual(piped.remarks.map(\.text), ["⚠ not in your résumé: 1 sentence"])
        // What was edited away claims nothing.
        let body = rig.draft.body.replacing(" I ran ten kitchens at Ritz Paris.", with: "")
        _ = try await rig.run("edit", "l3", "--text", body)
        let edited = try await rig.run("show", "l3")
        XCTAssertEqual(edited.remarks, [])
        let json = try await rig.run("list", "--json").json?.arrayValue?.first
        XCTAssertEqual(json?["flagged"], [])
        XCTAssertEqual(json?["revision"]?.integerValue, 2)
    }

    /// Also where it was changed by others than `letter edit`.
    func testALetterThatWasChangedIsCheckedAgain() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let body = rig.draft.body.replacing(
            "I ran ten", with: "I led 40 cooks at Noma. I ran ten")
        let edited = try await rig.run("edit", "l3", "--text", body)
        XCTAssertEqual(edited.remarks.map(\.text), ["⚠ not in your résumé: 2 sentences"])
        XCTAssertEqual(edited.outcome, .ok)
        let shown = try await rig.run("show", "l3", isTerminal: true)
        let text = shown.lines.map(\.text).joined(separator: " ")
        XCTAssertTrue(text.contains("at Noma. [⚠ not in your résumé]"), text)
        let list = try await rig.run("list", width: 100)
        XCTAssertTrue(list.lines[0].text.contains("⚠ 2"), list.lines[0].text)

        let less = rig.draft.body.replacing("I ran ten kitchens at Ritz Paris.", with: "At last.")
        let item = try await rig.book.lookup.find("l3")
        _ = try await rig.library.store.change(item.id, ItemChange(body: less), by: .user)
        let json = try await rig.run("show", "l3", "--json").json
        XCTAssertEqual(json?["flagged"], [])
        // Head and signature are no claims.
        XCTAssertEqual(json?["text"]?.stringValue?.hasPrefix("Ann Example\n12 High Street"), true)
    }

    func testASentenceThatAnEditorFoldedIsFoundAgain() {
        XCTAssertEqual(
            LetterMarks.marked(
                "I ran ten\nkitchens at home. Bye.", ["I ran ten kitchens at home."]),
            "I ran ten\nkitchens at home. [⚠ not in your résumé] Bye.")
        XCTAssertEqual(LetterMarks.marked("I ran.", ["I ran away."]), "I ran.")
    }

    func testShowRequestPrintsTheExactBytes() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let request = try await rig.run("show", "l3", "--request")
        XCTAssertEqual(request.document, Array(#"{"input":"[NAME]"}"#.utf8))
        let answer = try await rig.run("show", "l3", "--answer")
        XCTAssertEqual(answer.document, Array(rig.draft.answer.utf8))
        var draft = rig.draft
        (draft.model, draft.requests, draft.answer) = (nil, [], "")
        _ = try await rig.book.save(draft)
        let none = try await rig.run("show", "l4", "--request")
        XCTAssertEqual(
            none.lines.map(\.text), ["Nothing was sent for l4 Chef · Blue Door: no model wrote it."]
        )
    }

    func testUsePutsTheInputsBackAndStatusShowsThem() async throws {
        let rig = try await LetterBookRig()
        let nothing = try await rig.run("status")
        XCTAssertEqual(
            nothing.lines.map(\.text),
            ["Nothing is chosen yet: chat letter new --resume FILE --job FILE"])
        try await rig.add()
        for verb in ["use", "restore"] {
            try await rig.inputs.write(.init())
            let used = try await rig.run(verb, "l3")
            XCTAssertEqual(
                used.lines.first?.text, "✓ using what l3 Chef · Blue Door was made from")
            let status = try await rig.run("status")
            XCTAssertEqual(
                status.lines.map(\.text),
                [
                    "  résumé    i1 My résumé", "  job       i2 Chef at Blue Door",
                    "  tone      warm", "  length    short  120–200 words",
                    "  language  en-GB", "  emphasis  calm kitchens",
                ])
            let json = try await rig.run("status", "--json").json
            XCTAssertEqual(
                json?.objectValue?.names,
                LetterHistoryCommand.inputsMembers.split(separator: " ").map(String.init))
            XCTAssertEqual(json?["resume"], ["item": "i1", "revision": 1])
            XCTAssertEqual(json?["letter"]?.stringValue, "l3")
        }
        // Nothing that anybody wrote stands in the file, which is the user's alone.
        let path = rig.library.folder.path("state/letter.json")
        let text = try String(contentsOfFile: path, encoding: .utf8)
        XCTAssertFalse(text.contains("calm"), text)
        XCTAssertFalse(text.contains("Ann"), text)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        XCTAssertEqual(mode as? Int, 0o600)
        _ = try await rig.library.store.change(
            rig.resume.id, ItemChange(body: "Changed"), by: .user)
        let old = try await rig.run("status").lines.first?.text
        XCTAssertEqual(old, "  résumé    i1 My résumé  revision 1 of 2")
        _ = try await rig.library.store.trash([rig.job.id])
        let gone = await failure { try await rig.run("use", "l3") }
        XCTAssertEqual(gone?.what, "The résumé or the advert of l3 is no longer there.")
    }

    func testAgainMakesANewLetterFromTheSameRevisions() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        let output = try await rig.run(
            "again", "l3", "--tone", "friendly", "--start", "1 March", "--yes")
        XCTAssertEqual(output.outcome, .ok, output.notices.joined())
        let made = try await rig.book.lookup.find("l4")
        let draft = try XCTUnwrap(LetterDraft(made))
        XCTAssertEqual(draft.settings.tone, .friendly)
        XCTAssertEqual(draft.settings.length, .short)
        XCTAssertEqual(draft.settings.start, "1 March")
        XCTAssertEqual(draft.settings.emphasis, "calm kitchens")
        XCTAssertEqual(draft.resume, rig.draft.resume)
        XCTAssertEqual(draft.job, rig.draft.job)
        XCTAssertFalse(draft.requests.joined().contains("Ann"))
        let old = try await rig.book.lookup.find("l3")
        XCTAssertEqual(LetterDraft(old), rig.draft)
        XCTAssertEqual(old.revision, 1)
    }

    func testDeletedLettersAreInTheTrashAndComeBack() async throws {
        let rig = try await LetterBookRig()
        try await rig.add()
        try await rig.add()
        let one = try await rig.run("delete", "l3")
        XCTAssertEqual(one.lines.map(\.text), ["✓ deleted: l3 Chef · Blue Door · /undo"])
        let trashed = await failure { try await rig.run("use", "l3") }
        XCTAssertEqual(trashed?.what, "l3 is in the trash.")
        _ = try await rig.library.run("restore", "l3")
        let back = try await rig.book.lookup.find("l3")
        XCTAssertEqual(LetterDraft(back), rig.draft)
        let several = try await rig.run("delete", "l3", "l4")
        XCTAssertEqual(several.outcome, .refused)
        let meant = try await rig.run("delete", "l3", "l4", "--yes")
        XCTAssertEqual(meant.lines.count, 2)
    }
}
