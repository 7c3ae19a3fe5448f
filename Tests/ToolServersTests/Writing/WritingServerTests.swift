import AgentCore
import Base
import Foundation
import Persistence
import TestSupport
import ToolServers
import XCTest

@testable import CalendarFiles
@testable import Planner
@testable import Texts

/// `chat write` and the model's tool over a real library, with a scripted model.
final class WritingServerTests: XCTestCase {
    /// Check 47, its part.
    func testAnItemGetsARevisionThatComesBack() async throws {
        let rig = try WritingRig()
        let item = try await rig.item("A letter that is much longer than it ought to be, really.")
        let model = ScriptedWriter("A letter longer than it ought to be.")
        let done = try await rig.run(rig.server(model), "concise", "\(item.id)")
        XCTAssertEqual(done.lines.map(\.text), ["✓ i1 Offer · 2 changes · chat undo i1"])
        let now = try await rig.library.liveItem(item.id)
        XCTAssertEqual(now.body, "A letter longer than it ought to be.")
        XCTAssertEqual(now.revision, 2)
        let history = try await rig.library.history(of: item.id)
        XCTAssertEqual(history[0].origin.by, .model)
        XCTAssertEqual(history[0].origin.name, "test")
        let step = try await rig.library.steps(undone: false, limit: 1)[0]
        XCTAssertEqual(step.verb, "shortened")
        _ = try await rig.library.undo(step.id)
        let before = try await rig.library.liveItem(item.id)
        XCTAssertEqual(before.body, item.body)
    }

    func testWhatIsToBeSaidOfAChangedItemIsSaid() async throws {
        let rig = try WritingRig()
        _ = try await rig.item("A letter that is much longer than it ought to be, really.")
        let made = rig.server(ScriptedWriter("A letter longer than it ought to be."))
        var dependencies = made.dependencies
        dependencies.review = { StyledLine("⚠ revision \($0.revision)", .warning) }
        let server = WritingServer(engine: made.engine, dependencies: dependencies)
        let done = try await rig.run(server, "concise", "i1")
        XCTAssertEqual(done.remarks.map(\.text).last, "⚠ revision 2")
        XCTAssertEqual(done.outcome, .degraded)
        let again = try await rig.run(server, "concise", "i1")
        XCTAssertEqual(again.outcome, .ok, "nothing was changed")
    }

    func testAnItemThatWasChangedMeanwhileIsNotOverwritten() async throws {
        let rig = try WritingRig()
        let item = try await rig.item("teh offer of the year is here")
        let model = ScriptedWriter { _ in "The offer of the year is here" }
        let server = rig.server(model)
        let changed = try await rig.library.change(
            item.id, ItemChange(body: "mine"), basedOn: 1, by: .user)
        XCTAssertEqual(changed.item.revision, 2)
        let result = try await server.engine.apply(.proofread, to: item.body)
        let update = try await server.change(item, to: result.text, by: .proofread, result)
        guard case .conflict(let now, let kept) = update else { return XCTFail("\(update)") }
        XCTAssertEqual(now.body, "mine")
        XCTAssertEqual(kept.body, "The offer of the year is here")
    }

    func testDifferencesAndChecksChangeNoItem() async throws {
        let rig = try WritingRig()
        let item = try await rig.item("teh offer of the year is here")
        let model = ScriptedWriter("The offer of the year is here")
        let diff = try await rig.run(rig.server(model), "proofread", "i1", "--diff")
        XCTAssertEqual(
            String(decoding: diff.document ?? [], as: UTF8.self),
            """
            --- a/i1
            +++ b/i1
            @@ -1 +1 @@
            -teh offer of the year is here
            \\ No newline at end of file
            +The offer of the year is here
            \\ No newline at end of file

            """)
        let check = try await rig.run(rig.server(model), "proofread", "i1", "--check")
        XCTAssertEqual(check.outcome, .failure)
        let now = try await rig.library.liveItem(item.id)
        XCTAssertEqual(now.revision, 1)
    }

    func testChangedFactsAreAskedAboutAndThePaidAnswerIsKept() async throws {
        let rig = try WritingRig()
        let path = rig.folder.path + "/notes.txt"
        try Data("we payed 12 euros for it".utf8).write(to: URL(fileURLWithPath: path))
        let model = ScriptedWriter { _ in "We paid 21 euros for it." }
        do {
            _ = try await rig.run(rig.server(model), "proofread", path, "--in-place")
            XCTFail("not asked")
        } catch let error as WritingError {
            XCTAssertEqual(error.diagnostic.exit, .refused)
            XCTAssertTrue(error.diagnostic.what.contains("\"12\" → \"21\""))
            guard case .doubtful(_, let kept?) = error.reason else { return XCTFail("\(error)") }
            XCTAssertEqual(
                try String(contentsOfFile: kept, encoding: .utf8), "We paid 21 euros for it.")
        }
        XCTAssertEqual(
            try String(contentsOfFile: path, encoding: .utf8), "we payed 12 euros for it")
        _ = try await rig.run(rig.server(model), "proofread", path, "--in-place", says: true)
        XCTAssertEqual(
            try String(contentsOfFile: path, encoding: .utf8), "We paid 21 euros for it.")
    }

    func testLatin1IsReadAndWrittenBack() async throws {
        let rig = try WritingRig()
        let path = rig.folder.path + "/latin.txt"
        try Data([UInt8]("teh caf".utf8) + [0xE9, 0x20] + [UInt8]("is open now".utf8)).write(
            to: URL(fileURLWithPath: path))
        let model = ScriptedWriter { _ in "The café is open now – here." }
        _ = try await rig.run(rig.server(model), "rewrite", path, "--in-place")
        XCTAssertEqual(
            [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))),
            [UInt8]("The caf".utf8) + [0xE9] + [UInt8](" is open now ".utf8) + [0x96]
                + [UInt8](" here.".utf8))
        let greek = ScriptedWriter { _ in "The café α is open now." }
        do {
            _ = try await rig.run(rig.server(greek), "rewrite", path, "--in-place")
            XCTFail("written")
        } catch let error as WritingFileError {
            guard case .lacks("α", kept: .some) = error.reason else { return XCTFail("\(error)") }
        }
    }

    func testTheLastAnswerIsMeantAtThePromptAlone() async throws {
        let rig = try WritingRig()
        _ = try await rig.item("the words of an item that was saved")
        let model = ScriptedWriter("Some words to show here.")
        let server = rig.server(model, last: "some words to show heer.")
        for words in [["proofread"], ["proofread", "last"]] {
            var interaction = Interaction()
            interaction.isChat = true
            let output = try await server.commands[0].run(words, interaction)
            XCTAssertEqual(
                output.document.map { String(decoding: $0, as: UTF8.self) },
                "Some words to show here.")
        }
        XCTAssertTrue(model.recipes.allSatisfy { $0.input.contains("heer") })
        _ = try await rig.run(server, "rewrite", "last", "--check")
        XCTAssertTrue(model.recipes.last?.input.contains("an item that was saved") == true)
    }

    func testWithoutAnAnswerThePromptSaysSo() async throws {
        let rig = try WritingRig()
        var interaction = Interaction()
        interaction.isChat = true
        do {
            _ = try await rig.server(ScriptedWriter()).commands[0].run(["friendly"], interaction)
            XCTFail()
        } catch let error as UsageError {
            XCTAssertEqual(error.problem, "There is no answer yet.")
        }
    }

    func testJSONTakesThePlaceOfTheText() async throws {
        let rig = try WritingRig()
        let server = rig.server(ScriptedWriter("The cat sat here."), input: "teh cat sat here.")
        let output = try await rig.run(server, "proofread", "-", "--json")
        XCTAssertNil(output.document)
        XCTAssertEqual(output.json?["text"]?.stringValue, "The cat sat here.")
        XCTAssertEqual(output.json?["changes"], 1)
        XCTAssertEqual(output.json?["local"], false)
    }

    func testTheNotesOfAnEventAreCorrectedForEachTimeItTakesPlace() async throws {
        let rig = try WritingRig()
        let server = rig.server(ScriptedWriter("Bring the blue folder along."))
        _ = try await rig.calendar.callTool(
            "create_event",
            arguments: JSONObject([
                .init("title", "Board"), .init("start", "2026-11-23T10:00"),
                .init("repeat", "FREQ=WEEKLY"), .init("notes", "bring teh blue folder along."),
            ]))
        let done = try await rig.run(server, "proofread", "--event", "board")
        XCTAssertEqual(
            done.lines.map(\.text), ["✓ the notes of Board · 1 correction · chat undo Board"])
        let (_, event) = try await rig.calendar.moment().book.find("board")
        XCTAssertEqual(event.notes, "Bring the blue folder along.")
    }

    func testARewriteIsAskedAboutAndTakenWithAYes() async throws {
        let rig = try WritingRig()
        let text = "I think we should maybe meet tomorrow at noon."
        let model = ScriptedWriter("Let us convene for lunch during the coming day.")
        let yes = try await rig.run(rig.server(model, input: text), "proofread", "-", says: true)
        XCTAssertNotNil(yes.document)
        do {
            _ = try await rig.run(rig.server(model, input: text), "proofread", "-")
            XCTFail()
        } catch let error as WritingError {
            XCTAssertEqual(error.diagnostic.exit, .refused)
        }
    }

    func testAToolOfTheUsersOwnIsUsedByItsName() async throws {
        let rig = try WritingRig()
        let own = WritingTool(
            name: "tweet", title: "Tweet", key: nil, instructions: "Make it a short message.")
        let model = ScriptedWriter("A short message about cats.")
        let server = rig.server(
            model, input: "a longish message about cats", tools: WritingTool.builtIn + [own])
        let done = try await rig.run(server, "with", "tweet")
        XCTAssertEqual(
            done.document.map { String(decoding: $0, as: UTF8.self) }, "A short message about cats."
        )
        XCTAssertTrue(model.recipes[0].system.contains("Make it a short message."))
        do {
            _ = try await rig.run(server, "with", "tweat")
            XCTFail()
        } catch let error as WritingError {
            XCTAssertEqual(error.diagnostic.todo, "Did you mean tweet?")
        }
        let listed = try await rig.run(server, "list")
        XCTAssertEqual(listed.json?.arrayValue?.count, 6)
    }

    func testWhatExcludesEachOtherIsSaid() async throws {
        let rig = try WritingRig()
        for words in [
            ["proofread", "-", "--in-place", "--diff"], ["proofread", "-", "--in-place"],
            ["proofread", "-", "--lines", "1", "--paragraph", "1"],
            ["proofread", "-", "--lines", "0-2"],
        ] {
            let server = rig.server(ScriptedWriter(), input: "one two three four")
            do {
                _ = try await server.commands[0].run(words)
                XCTFail("\(words)")
            } catch { XCTAssertTrue(error is UsageError, "\(words): \(error)") }
        }
    }

    // MARK: - The model's tool

    func testTheModelsTextPassesTheChecksAndBecomesARevision() async throws {
        let rig = try WritingRig()
        let item = try await rig.item("teh offer: see `x` and https://x.org soon", foreign: true)
        let server = rig.server(ScriptedWriter())
        func call(_ text: String) async throws -> ToolOutput {
            try await server.callTool(
                "writing_apply",
                arguments: JSONObject([
                    .init("item", "i1"), .init("tool", "proofread"),
                    .init("text", .string(text)),
                ]))
        }
        let mangled = try await call("The offer: see `y` and https://x.org soon")
        XCTAssertTrue(mangled.isError)
        XCTAssertTrue(mangled.text.contains("the inline code \"`x`\" was changed"), mangled.text)
        let rewrite = try await call("Something `x` altogether https://x.org different now, yes")
        XCTAssertTrue(rewrite.isError)
        let untouched = try await rig.library.liveItem(item.id)
        XCTAssertEqual(untouched.revision, 1)
        let done = try await call("The offer: see `x` and https://x.org soon")
        XCTAssertFalse(done.isError)
        XCTAssertTrue(done.isUntrusted, "the item holds words of others")
        XCTAssertEqual(done.summary, "✓ proofread i1 \"Offer\" · 1 change · /undo")
        XCTAssertTrue(done.text.contains("[-teh-]{+The+} offer"), done.text)
        let now = try await rig.library.liveItem(item.id)
        XCTAssertEqual(now.revision, 2)
        XCTAssertTrue(now.hasUntrustedText)
    }

    func testWhatAToolByOthersMakesIsTheirs() async throws {
        let rig = try WritingRig()
        let item = try await rig.item("the offer is good and we should take it")
        var tool = WritingTool.friendly
        tool.hasUntrustedText = true
        let server = rig.server(
            ScriptedWriter("the offer is good, and we should take it"), tools: [tool])
        let done = try await server.callTool(
            "writing_apply",
            arguments: JSONObject([.init("item", "i1"), .init("tool", "friendly")]))
        XCTAssertTrue(done.isUntrusted)
        let now = try await rig.library.liveItem(item.id)
        XCTAssertTrue(now.hasUntrustedText)
    }

    func testTheModelNamesItemsAndNoFiles() async throws {
        let rig = try WritingRig()
        let server = rig.server(ScriptedWriter())
        try Data("teh cat sat here".utf8).write(
            to: URL(fileURLWithPath: rig.folder.path + "/a.txt"))
        do {
            _ = try await server.callTool(
                "writing_apply",
                arguments: JSONObject([
                    .init("item", .string(rig.folder.path + "/a.txt")),
                    .init("tool", "proofread"),
                ]))
            XCTFail()
        } catch { XCTAssertEqual(error as? ToolError, .noMatch(query: rig.folder.path + "/a.txt")) }
        XCTAssertEqual(server.listTools().map(\.toolClass), [.write])
    }
}

/// What the program's own proofreading noticed, for people and for programs.
final class ProofreadingRemarksTests: XCTestCase {
    private let text = "The frobnicator of the house is here."
    private var noticed: Proofreading {
        Proofreading(
            corrections: [],
            remarks: [
                ProofreadingRemark(
                    kind: .unknownWord(suggestions: []), range: 4..<15, text: "frobnicator")
            ], language: "en")
    }

    func testTheyAreShownBesideTheResultAndNeverInIt() async throws {
        let rig = try WritingRig()
        let seen = rig.server(
            ScriptedWriter(), input: text, proofreading: noticed, showsErrors: true)
        let output = try await rig.run(seen, "proofread", "-", "--offline")
        XCTAssertEqual(output.document.map { String(decoding: $0, as: UTF8.self) }, text)
        XCTAssertEqual(
            output.remarks.map(\.text).last,
            "  line 1: \"frobnicator\" is not in the dictionary")
        // Nobody is there to read it.
        let unseen = rig.server(ScriptedWriter(), input: text, proofreading: noticed)
        let silent = try await rig.run(unseen, "proofread", "-", "--offline")
        XCTAssertEqual(silent.remarks, [])
    }

    func testAProgramGetsThemAsAnArray() async throws {
        let rig = try WritingRig()
        let server = rig.server(
            ScriptedWriter(), input: text, proofreading: noticed, showsErrors: true)
        let output = try await rig.run(server, "proofread", "-", "--offline", "--json")
        let remarks = try XCTUnwrap(output.json?["remarks"]?.arrayValue)
        XCTAssertEqual(remarks.map { $0["text"]?.stringValue }, ["frobnicator"])
        XCTAssertFalse(output.remarks.contains { $0.text.contains("frobnicator") })
    }
}

/// `chat write` over a real library in a temporary folder.
struct WritingRig {
    let folder: CalendarFolder
    let library: LibraryStore
    private let files: RewrittenFiles
    var calendar: CalendarServer {
        CalendarServer(
            store: folder.store, environment: folder.environment,
            context: { CalendarFolder.context() })
    }

    init() throws {
        folder = try CalendarFolder()
        library = LibraryStore(path: folder.path + "/chat.db", environment: folder.environment)
        files = RewrittenFiles(folder: folder.state, environment: folder.environment)
    }

    func server(
        _ model: any TextGenerator, input: String? = nil, last: String? = nil,
        tools: [WritingTool] = WritingTool.builtIn,
        proofreading: Proofreading = Proofreading(corrections: [], remarks: [], language: "en"),
        showsErrors: Bool = false
    ) -> WritingServer {
        WritingServer(
            engine: WritingEngine(
                generator: model, proofread: { _, _ in proofreading }, tools: { tools }),
            dependencies: WritingServer.Dependencies(
                library: library, files: files, reminders: folder.server,
                calendar: calendar,
                home: folder.path, screen: .init(showsErrors: showsErrors),
                input: { input.map { Array($0.utf8) } },
                lastAnswer: { last }))
    }

    func run(
        _ server: WritingServer, _ words: String..., says: Bool = false
    ) async throws -> CommandOutput {
        var interaction = Interaction()
        interaction.confirm = { _, _ in says }
        return try await server.commands[0].run(words, interaction)
    }

    func item(_ body: String, foreign: Bool = false) async throws -> LibraryItem {
        try await library.add(
            [ItemDraft(kind: .draft, title: "Offer", body: body)],
            by: RevisionOrigin(by: .user, hasUntrustedText: foreign))[0]
    }
}
