import AgentCore
import Base
import Foundation
import Persistence
import Synchronization
import TestSupport
import XCTest

@testable import Library

/// What is typed after `library`, and what is printed.
final class LibraryCommandTests: XCTestCase {
    func testAnEmptyLibrarySaysWhatWouldFillIt() async throws {
        let rig = try LibraryRig()
        let list = try await rig.lines("list")
        XCTAssertEqual(list, ["Nothing is kept yet: /keep keeps an answer, chat idea makes ideas."])
        let trash = try await rig.lines("list", "--deleted")
        XCTAssertEqual(trash, ["The trash is empty."])
        let json = try await rig.run("list", "--json").json
        XCTAssertEqual(json, .array([]))
    }

    func testTheListIsAlignedAndTheLatestChangeIsFirst() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", tags: ["tea"])
        rig.clock.advance(by: .seconds(7_200))
        try await rig.add(.transcript, "Meeting")
        let lines = try await rig.lines("list")
        XCTAssertEqual(
            lines,
            ["i2  transcript  Meeting   just now", "i1  idea        Tea cups  2 h ago   #tea"])
    }

    func testTheJSONOfAListHasStableNames() async throws {
        let rig = try LibraryRig()
        try await rig.add(.draft, "Letter", tags: ["b", "a"])
        let json = try await rig.run("list", "--json").json?.arrayValue?.first
        XCTAssertEqual(
            json?.objectValue?.members.map(\.name).joined(separator: " "), ItemTable.members)
        XCTAssertEqual(json?["id"]?.stringValue, "i1")
        XCTAssertEqual(json?["kind"]?.stringValue, "draft")
        XCTAssertEqual(json?["revision"]?.integerValue, 1)
        XCTAssertEqual(json?["tags"], ["b", "a"])
    }

    func testTheListIsBoundedAndSaysHowManyMoreThereAre() async throws {
        let rig = try LibraryRig()
        _ = try await rig.store.add(
            (1...60).map { ItemDraft(kind: .idea, title: "Idea \($0)", body: "x") })
        let output = try await rig.run("list")
        XCTAssertEqual(output.lines.count, 50)
        XCTAssertEqual(output.remarks.map(\.text), ["… and 10 more: --all"])
        let all = try await rig.run("list", "--all")
        XCTAssertEqual(all.lines.count, 60)
        XCTAssertEqual(all.remarks, [])
    }

    func testAListIsNarrowedByKindAndTag() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "One", tags: ["Garden"])
        try await rig.add(.draft, "Two", tags: ["garden"])
        try await rig.add(.idea, "Three")
        let ideas = try await rig.lines("list", "--kind", "ideas")
        XCTAssertEqual(ideas.count, 2)
        let tagged = try await rig.lines("list", "--tag", "#garden", "--kind", "draft")
        XCTAssertEqual(tagged.count, 1)
        let none = try await rig.lines("list", "--tag", "nothing")
        XCTAssertEqual(none, ["No items match."])
    }

    func testShowPrintsTheBodyAloneIntoAPipeAndAHeadOnATerminal() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "Cups that tell\nthe time.", tags: ["tea"])
        try await rig.add(.idea, "Tea pots", "# Tea pots\nfor one")
        let titled = try await rig.server(isTerminal: true).commands[0].run(["show", "i2"])
        XCTAssertEqual(
            titled.lines.map(\.text), ["i2 · idea · just now", "", "# Tea pots", "for one"])
        _ = try await rig.run("delete", "i2")
        let piped = try await rig.lines("show", "i1")
        XCTAssertEqual(piped, ["Cups that tell", "the time."])
        let shown = try await rig.server(isTerminal: true).commands[0].run(["show", "last"])
        XCTAssertEqual(
            shown.lines.map(\.text),
            ["Tea cups", "i1 · idea · just now · #tea", "", "Cups that tell", "the time."])
        XCTAssertEqual(shown.json?["body"]?.stringValue, "Cups that tell\nthe time.")
    }

    func testAnItemIsNamedByIdNumberLastOrPartOfItsTitle() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "cups")
        try await rig.add(.idea, "Clock of tea leaves", "clock")
        for (words, body) in [
            (["i1"], "cups"), (["1"], "cups"), (["last"], "clock"), (["clock"], "clock"),
            (["tea", "cups"], "cups"), (["leaves"], "clock"), (["i1", "i2"], "cups"),
        ] {
            let output = try await rig.server().commands[0].run(["show"] + words)
            XCTAssertEqual(output.lines.first?.text, body, "\(words)")
        }
    }

    func testAnAmbiguousTitleIsAQuestionThatDoesNothing() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Green tea")
        try await rig.add(.draft, "Black tea")
        let output = try await rig.run("delete", "tea", "--yes")
        XCTAssertEqual(output.outcome, .refused)
        XCTAssertEqual(
            output.choices.map(\.label), ["i2 Black tea · draft", "i1 Green tea · idea"])
        XCTAssertEqual(output.choices[1].command, ["library", "delete", "i1", "--yes"])
        let count = try await rig.store.count()
        XCTAssertEqual(count, 2)
        let show = try await rig.run("show", "--json", "tea")
        XCTAssertEqual(show.choices[0].command, ["library", "show", "--json", "i2"])
    }

    func testWhatIsNotThereIsSaidWithAWayOut() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea")
        let number = await failure { try await rig.run("show", "i9") }
        XCTAssertEqual(number?.what, "There is no item i9.")
        let title = await failure { try await rig.run("show", "coffee", "cups") }
        XCTAssertEqual(title?.what, "No item is called \"coffee cups\".")
        XCTAssertEqual(title?.todo, "chat library list shows what there is.")
        _ = try await rig.run("delete", "i1")
        let shown = try await rig.lines("show", "i1")
        XCTAssertEqual(shown, ["Tea"], "what is in the trash can be looked at")
        let trashed = await failure { try await rig.run("edit", "i1") }
        XCTAssertEqual(trashed?.what, "i1 is in the trash.")
        XCTAssertEqual(trashed?.todo, "chat library restore i1 brings it back.")
    }

    func testATitleWithControlCharactersKeepsTheColumns() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "evil\u{1B}[2J\ttab\u{202E}title")
        try await rig.add(.idea, "Tea")
        let list = try await rig.lines("list")
        XCTAssertEqual(
            Set(list),
            [
                #"i1  idea  evil\x1b[2J tab<U+202E>title  just now"#,
                "i2  idea  Tea                           just now",
            ])
    }

    func testOneIsDeletedWithoutAQuestionAndComesBack() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups")
        let gone = try await rig.lines("delete", "i1")
        XCTAssertEqual(gone, ["✓ deleted: i1 Tea cups · /undo"])
        let list = try await rig.lines("list", "--deleted")
        XCTAssertEqual(list, ["i1  idea  Tea cups  just now"])
        let back = try await rig.lines("restore", "tea")
        XCTAssertEqual(back, ["✓ restored: i1 Tea cups · /undo"])
        XCTAssertEqual(rig.asked.withLock { $0 }, [])
    }

    func testSeveralAreDeletedOnlyAfterAYes() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "One")
        try await rig.add(.idea, "Two")
        let no = try await rig.run("delete", "i1", "i2")
        XCTAssertEqual(no.outcome, .refused)
        XCTAssertEqual(
            rig.asked.withLock { $0 }, ["To the trash: i1 One, i2 Two Delete these 2?"])
        var count = try await rig.store.count()
        XCTAssertEqual(count, 2)
        _ = try await rig.run("delete", "i1", "i2", "--yes")
        count = try await rig.store.count()
        XCTAssertEqual(count, 0)
        _ = try await rig.run("undo")
        count = try await rig.store.count()
        XCTAssertEqual(count, 2, "one act")
    }

    func testOnlyEmptyingTheTrashDeletesAndItAsks() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "One")
        try await rig.add(.idea, "Two")
        _ = try await rig.run("delete", "i1")
        let no = try await rig.run("empty-trash")
        XCTAssertEqual(no.outcome, .refused)
        rig.answers.withLock { $0 = [true] }
        let yes = try await rig.lines("empty-trash")
        XCTAssertEqual(yes, ["✓ 1 item deleted for good"])
        let item = try await rig.store.item(ItemID(rawValue: 1))
        XCTAssertNil(item)
        try await rig.add(.idea, "Three")
        let list = try await rig.lines("list")
        XCTAssertEqual(list.map { $0.prefix(2) }, ["i3", "i2"], "no number is used again")
    }

    func testTagsAreAddedAndTakenAway() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", tags: ["old"])
        let added = try await rig.lines("tag", "i1", "#Kitchen", "tea", "--remove", "old")
        XCTAssertEqual(added, ["✓ i1 Tea cups: #kitchen #tea · /undo"])
        let shown = try await rig.lines("tag", "tea cups")
        XCTAssertEqual(shown, ["i1 Tea cups: #kitchen #tea"])
        let wrong = await failure { try await rig.run("tag", "i1", "##") }
        XCTAssertEqual(wrong?.exit, .usage)
    }

    func testHistoryTellsWhatMadeEachRevisionAndOneCanBeHadBack() async throws {
        let rig = try LibraryRig()
        try await rig.add(.draft, "Letter", "first words")
        let id = ItemID(rawValue: 1)
        let model = RevisionOrigin(
            by: .model, name: "claude-sonnet-5-5", conversation: "c1", hasUntrustedText: true)
        _ = try await rig.store.change(id, ItemChange(body: "the model's words here"), by: model)
        let lines = try await rig.lines("history", "i1")
        XCTAssertEqual(
            lines,
            [
                "i1 Letter",
                "  2  just now  claude-sonnet-5-5  4 words · current · contains untrusted text",
                "  1  just now  you                2 words",
                "chat library restore i1 --revision N makes one current",
            ])
        let json = try await rig.run("history", "i1", "--json").json?.arrayValue
        XCTAssertEqual(json?[0]["conversation"]?.stringValue, "c1")
        XCTAssertEqual(json?[1]["by"]?.stringValue, "user")
        let old = try await rig.lines("show", "i1", "--revision", "1")
        XCTAssertEqual(old, ["first words"])
        let back = try await rig.lines("restore", "i1", "--revision", "1")
        XCTAssertEqual(back, ["✓ back at revision 1: i1 Letter · /undo"])
        let body = try await rig.body(1)
        XCTAssertEqual(body, "first words")
        let kept = try await rig.store.history(of: id)
        XCTAssertEqual(kept.count, 2, "no revision is lost")
        let missing = await failure { try await rig.run("show", "i1", "--revision", "7") }
        XCTAssertEqual(missing?.what, "i1 has no revision 7.")
    }

    func testSearchMarksTheWordsAndFallsBackToTheirBeginnings() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "Cups that warn of a dragon.")
        try await rig.add(.draft, "Letter", "The dragonfly sat there.")
        let whole = try await rig.run("search", "dragon")
        XCTAssertEqual(
            whole.lines.map(\.text),
            ["i1        Tea cups  idea · just now", "          Cups that warn of a dragon."])
        XCTAssertEqual(whole.lines[1].spans.filter { $0.style == .bold }.map(\.text), ["dragon"])
        XCTAssertEqual(whole.json?.arrayValue?.first?["matches"], ["dragon"])
        try await rig.add(
            .transcript, "A meeting about the kitchen of the canteen",
            String(repeating: "and so on ", count: 30) + "until the wyvern came")
        for width in [30, 40, 80] {
            let narrow = try await rig.server(width: width).commands[0].run(["search", "wyvern"])
            XCTAssertEqual(narrow.lines.count, 2)
            XCTAssertTrue(narrow.lines[1].text.contains("wyvern"), narrow.lines[1].text)
            XCTAssertTrue(
                narrow.lines.allSatisfy { DisplayWidth.of($0.text) < max(width, 42) },
                "\(narrow.lines.map(\.text))")
        }
        let part = try await rig.run("search", "dragonf")
        XCTAssertEqual(part.json?.arrayValue?.map { $0["id"]?.stringValue }, ["i2"])
        let none = try await rig.lines("search", "zebra")
        XCTAssertEqual(none, ["Nothing was found for \"zebra\"."])
        let kinds = try await rig.run("search", "dragonf", "--kind", "idea")
        XCTAssertEqual(kinds.json, .array([]))
        let empty = await failure { try await rig.run("search", "…") }
        XCTAssertEqual(empty?.exit, .usage)
    }

    func testTabOffersTheLatestItemsAndTheirTags() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea\ncups", tags: ["tea"])
        try await rig.add(.draft, "Letter", tags: ["home", "tea"])
        try await rig.add(.draft, "Gone", tags: ["gone"])
        _ = try await rig.run("delete", "i3")
        let words = rig.server().completions
        let items = await words[.item]?() ?? []
        XCTAssertEqual(
            items, [CompletionWord("i2", "Letter"), CompletionWord("i1", "Tea cups")])
        let tags = await words[.tag]?() ?? []
        XCTAssertEqual(
            tags, [CompletionWord("tea", "2 items"), CompletionWord("home", "1 item")])
    }

    func testUndoTakesBackWhatThisLibraryChanged() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "old")
        _ = try await rig.run("edit", "i1", "--text", "new")
        let undone = try await rig.lines("undo")
        XCTAssertEqual(undone[0], "✓ undone: edited idea i1 Tea cups")
        let body = try await rig.body(1)
        XCTAssertEqual(body, "old")
    }

    func testUndoRefusesWhereItWouldLoseWhatCameAfter() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups", "old")
        _ = try await rig.run("edit", "i1", "--text", "ours")
        _ = try await rig.other.change(ItemID(rawValue: 1), ItemChange(body: "theirs, later"))
        // This session's act comes first, and theirs was built on it.
        let said = await failure { try await rig.run("undo") }
        XCTAssertEqual(said?.what, "Not undone: i1 \"Tea cups\" has changed since.")
        let body = try await rig.body(1)
        XCTAssertEqual(body, "theirs, later")
        let history = UndoHistory([LibraryUndoSource(rig.store)])
        let shown = try await UndoCommand(history, environment: rig.clock.environment)
            .step("i1", verb: "show").lines.map(\.text)
        XCTAssertTrue(shown.contains("  has changed since, as follows:"), "\(shown)")
        XCTAssertTrue(shown.contains("    + theirs, later"), "\(shown)")
    }

    func testOnlyPlainSentencesThatNameAnItemOrTheLibraryAreTaken() throws {
        let server = try LibraryRig().server()
        for (message, words) in [
            ("show i12", ["show", "i12"]), ("Show me item i3.", ["show", "i3"]),
            ("delete i12", ["delete", "i12"]), ("zeig mir i12", ["show", "i12"]),
            ("what's in my library?", ["list"]),
            ("search my library for green tea", ["search", "--", "green", "tea"]),
        ] {
            XCTAssertTrue(server.canHandle(message: message).isComplete, message)
            XCTAssertEqual(
                server.command(for: PlainMessage(message)), ["library"] + words, message)
        }
        for message in [
            "show 12", "show my ideas", "delete i12 and i13", "what is i12?", "show i12 to bob",
            "search my library", "delete it", "", "the library opens at nine",
        ] {
            XCTAssertEqual(server.canHandle(message: message), .none, message)
        }
    }
}
