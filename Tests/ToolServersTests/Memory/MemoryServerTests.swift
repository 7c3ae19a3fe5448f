import AgentCore
import Base
import Persistence
import XCTest

@testable import Texts

/// `remember` and `forget`, and what is understood without a model.
final class MemoryServerTests: XCTestCase {
    private func server(_ rig: LibraryRig) -> MemoryServer { MemoryServer(MemoryBook(rig.store)) }

    private func call(
        _ rig: LibraryRig, _ name: String, _ arguments: JSONValue, isUntrusted: Bool = false
    ) async throws -> ToolOutput {
        let caller = ToolCaller(model: "claude-x", conversation: "c-1")
        return try await ToolCallContext.$caller.withValue(caller) {
            try await ToolCallContext.$hasUntrustedText.withValue(isUntrusted) {
                try await server(rig).callTool(name, arguments: Self.object(arguments))
            }
        }
    }

    private static func object(_ value: JSONValue) -> JSONObject {
        value.objectValue ?? JSONObject()
    }

    func testAModelKeepsChangesAndForgetsOneNote() async throws {
        let rig = try LibraryRig()
        let kept = try await call(rig, "remember", ["note": "The user is  vegetarian."])
        XCTAssertEqual(
            kept,
            ToolOutput(
                text: "i1 is noted: The user is vegetarian.",
                summary: "✓ remembered: The user is vegetarian. · /undo"))
        let book = MemoryBook(rig.store)
        let item = try await book.notes()[0]
        let origin = try await book.origin(of: item)
        XCTAssertEqual(
            origin, RevisionOrigin(by: .model, name: "claude-x", conversation: "c-1"))
        // The same again is no second note.
        let again = try await call(rig, "remember", ["note": "the user is VEGETARIAN"])
        XCTAssertEqual(
            again, ToolOutput(text: "i1 is noted already: The user is vegetarian."))
        let changed = try await call(
            rig, "remember", ["note": "The user is vegan", "replaces": "i1"])
        XCTAssertEqual(changed.text, "i1 is changed: The user is vegan")
        let notes = try await MemoryBook(rig.store).notes().map(\.body)
        XCTAssertEqual(notes, ["The user is vegan"])
        let gone = try await call(rig, "forget", ["note": "i1"])
        XCTAssertEqual(gone.summary, "✓ forgotten: The user is vegan · /undo")
        let left = try await MemoryBook(rig.store).notes()
        XCTAssertEqual(left, [])
        // Each was one step that can be undone.
        let steps = try await rig.store.steps(undone: false, limit: 9).map(\.verb)
        XCTAssertEqual(steps, ["forgot", "edited", "remembered"])
    }

    /// In words of ours: they make no conversation one with text of others.
    func testWhatIsNotKeptSaysWhy() async throws {
        let rig = try LibraryRig()
        let long = String(repeating: "a", count: 201)
        let marked = "a" + String(repeating: "\u{301}", count: 300)
        for (note, text) in [
            (" \n ", "There is nothing to remember."),
            (long, "That note has 201 characters; a note takes 200."),
            (marked, "That note has 221 characters; a note takes 200."),
            (
                "My key is sk-ant-api03-" + String(repeating: "A1b2C3d4", count: 6),
                "Not kept: the text contains what looks like an API key."
            ),
        ] {
            let output = try await call(rig, "remember", ["note": .string(note)])
            XCTAssertEqual(output, ToolOutput(text: text, summary: "✗ \(text)", isError: true))
            let preview = await server(rig).preview(
                of: "remember", arguments: Self.object(["note": .string(note)]))
            XCTAssertEqual(preview, .fails(output), "the user is not asked about it")
        }
        for index in 1...MemoryBook.countLimit {
            _ = try await MemoryBook(rig.store).remember("note \(index)", by: .user)
        }
        let full = try await call(rig, "remember", ["note": "one more"])
        XCTAssertEqual(full.text, "100 notes are kept already, the most that chat keeps.")
        XCTAssertTrue(full.isError)
        // One that is there can still be corrected.
        let first = try await MemoryBook(rig.store).notes()[0]
        let changed = try await call(
            rig, "remember", ["note": "another", "replaces": .string("\(first.id)")])
        XCTAssertFalse(changed.isError)
    }

    func testOnlyNotesAreNamedAndOnlyByTheirNumbers() async throws {
        let rig = try LibraryRig()
        try await rig.add(.idea, "Tea cups")
        try await rig.add(.memory, "I like tea")
        for words in ["i1", "i9", "I like tea", "last"] {
            let preview = await server(rig).preview(
                of: "forget", arguments: Self.object(["note": .string(words)]))
            XCTAssertEqual(preview, .fails(ToolOutput(ToolError.noMatch(query: words))))
        }
        let preview = await server(rig).preview(
            of: "forget", arguments: Self.object(["note": "i2"]))
        XCTAssertEqual(preview, .touches("I like tea"))
        let replaced = await server(rig).preview(
            of: "remember", arguments: Self.object(["note": "I like coffee", "replaces": "i2"]))
        XCTAssertEqual(replaced, .touches("I like tea →"))
    }

    /// What was kept after text of others says so, until the user writes it anew.
    func testANoteFromAConversationWithTextOfOthersIsMarked() async throws {
        let rig = try LibraryRig()
        _ = try await call(rig, "remember", ["note": "The user likes ads"], isUntrusted: true)
        let book = MemoryBook(rig.store)
        let item = try await book.notes()[0]
        XCTAssertTrue(item.hasUntrustedText)
        // A title alone is not all of it.
        let titled = try await rig.store.change(item.id, ItemChange(title: "x"))
        XCTAssertTrue(titled.item.hasUntrustedText)
        let changed = try await book.change(titled.item, to: "I dislike ads", by: .user)
        XCTAssertFalse(changed.item.hasUntrustedText)
    }

    /// The tools of the library have none of it: a model gets notes as the memory tells
    /// them, or not at all.
    func testTheLibraryGivesNoModelANote() async throws {
        let rig = try LibraryRig()
        try await rig.add(.memory, "I am vegetarian")
        let library = rig.server()
        let found = try await library.callTool(
            "library_search", arguments: Self.object(["query": "vegetarian"]))
        XCTAssertEqual(found.text, "Nothing was found.")
        let listed = try await library.callTool("library_search", arguments: Self.object([:]))
        XCTAssertFalse(listed.text.contains("vegetarian"), listed.text)
        for name in ["library_get", "library_update", "library_trash"] {
            do {
                let output = try await library.callTool(
                    name, arguments: Self.object(["item": "i1", "text": "x"]))
                XCTFail("\(name): \(output.text)")
            } catch let error as ToolError {
                XCTAssertFalse(error.modelText.contains("vegetarian"), error.modelText)
            }
        }
        let kept = try await rig.body(1)
        XCTAssertEqual(kept, "I am vegetarian")
    }

    func testToolsAndMessagesAreOffWithTheMemory() async throws {
        let rig = try LibraryRig()
        let book = MemoryBook(rig.store)
        let message = "remember that I am vegetarian"
        XCTAssertEqual(MemoryServer(book, isOffered: false).listTools(), [])
        for server in [
            MemoryServer(book, isOffered: false), MemoryServer(book, isOn: { false }),
        ] {
            XCTAssertEqual(server.canHandle(message: message), .none)
            let output = try await server.handle(message: message)
            XCTAssertNil(output)
        }
        let tools = MemoryServer(book).listTools()
        XCTAssertEqual(tools.map(\.name), ["remember", "forget"])
        XCTAssertEqual(tools.map(\.toolClass), [.write, .destroy])
        XCTAssertTrue(tools[0].outlastsConversation)
    }

    // MARK: - Plain messages

    func testOnlyAPlainFactAboutTheUserIsUnderstood() {
        let facts = [
            "remember that I am vegetarian": "I am vegetarian",
            "Please remember that my sister's name is Ida.": "my sister's name is Ida.",
            "keep in mind that we’re a family of four": "we’re a family of four",
            "Merk dir, dass ich kein Fleisch esse": "ich kein Fleisch esse",
            "Bitte merk dir, dass mein Hund Bodo heißt.": "mein Hund Bodo heißt.",
        ]
        for (message, note) in facts {
            XCTAssertEqual(MemoryMessage.note(in: PlainMessage(message)), note)
        }
        for message in [
            "remember to buy milk", "remember that", "remember that I", "remember me",
            "remember that trip we took", "Remember that I told you about Oslo?",
            "remember that I have to call mom", "remember that I need milk",
            "remember that I meet Bo tomorrow", "remember that we leave at 9",
            "remember that she is vegetarian", "I remember that I am old",
            "merk dir, dass ich morgen zum Arzt muss", "do you remember my name",
            "remember I need to sleep",
        ] {
            XCTAssertNil(MemoryMessage.note(in: PlainMessage(message)), message)
        }
    }

    func testAFactIsKeptHereOnlyWhereNoModelIsAsked() async throws {
        let rig = try LibraryRig()
        let server = server(rig)
        let message = "remember that I am vegetarian"
        let match = server.canHandle(message: message)
        XCTAssertFalse(match.isComplete, "a model is asked first")
        let asked = try await server.handle(message: message, mayAsk: false)
        XCTAssertNil(asked)
        let kept = try await server.handle(message: message, mayAsk: true)
        XCTAssertEqual(kept?.lines.map(\.text), ["✓ remembered: i1 I am vegetarian · /undo"])
        XCTAssertEqual(kept?.quotedFiles, [], "words of the user")
        let again = try await server.handle(message: message, mayAsk: true)
        XCTAssertEqual(again?.lines.map(\.text), ["Already remembered: i1 I am vegetarian"])
    }
}
